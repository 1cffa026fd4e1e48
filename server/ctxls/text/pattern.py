r"""Patterns: what is refused, and what RE2 is given.

A pattern is a literal, or a regular expression in RE2's syntax; both ignore case by default (RE2's
simple folding). What is refused is decided by the pattern's tokens (text/syntax.py), never by
searching its text: in `\\n` there is a backslash and an n, and no line break.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import re2

from ctxls.errors import InvalidPatternError, PatternTooLongError
from ctxls.text import syntax
from ctxls.text.literals import required
from ctxls.text.printable import printable, quoted

LONGEST_REGEX: Final = 200
LONGEST_LITERAL: Final = 4096
MOST_MEMORY: Final = 8 << 20
KELVIN: Final = "\u212a".encode()
LONG_S: Final = "\u017f".encode()
_KEPT_PROGRAMS: Final = 8
"""Compiled programs kept for the next request: each may hold 8 MiB and as much again in caches."""

Search = Callable[[bytes, int, int], tuple[int, int] | None]
"""Find the leftmost match in `data[pos:end]`, with its real neighbours outside, as byte offsets."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that compiled, ready for the matcher."""

    source: str
    is_regex: bool
    case_sensitive: bool
    search: Search = field(repr=False, compare=False)
    required: tuple[frozenset[bytes], ...] = field(repr=False, compare=False)
    """Of each set, one stands in every line that matches (text/literals)."""

    needle: bytes | None = field(repr=False, compare=False, default=None)
    """What a literal can be found by as it is, in lower case unless case counts; text/plain."""

    def is_plain_in(self, data: bytes) -> bool:
        """Whether bytes that equal `needle` are all that matches in `data`.

        Of other characters only K (U+212A) and ſ (U+017F) fold to letters of ASCII.
        """
        if self.needle is None or self.case_sensitive or data.isascii():
            return self.needle is not None
        return (b"k" not in self.needle or KELVIN not in data) and (
            b"s" not in self.needle or LONG_S not in data
        )

    @property
    def longest_match(self) -> int | None:
        """The most bytes that a match can have: four a code point for a literal, else unknown."""
        return None if self.is_regex else 4 * len(self.source)


def compile_pattern(source: str, *, is_regex: bool, case_sensitive: bool) -> Pattern:
    """Check and compile; raise InvalidPatternError or PatternTooLongError with the reason.

    May take 0.1 s for a large program, so a server compiles in a worker thread.
    """
    _refuse(source, is_regex=is_regex)
    return _compile(source, is_regex, case_sensitive)


def _refuse(source: str, *, is_regex: bool) -> None:
    if not source:
        raise InvalidPatternError("The pattern is empty; give at least one character.")
    longest = LONGEST_REGEX if is_regex else LONGEST_LITERAL
    if len(source) > longest:
        kind = "regular expression" if is_regex else "literal"
        raise PatternTooLongError(
            f"The {kind} has {len(source):,} characters; at most {longest:,} are allowed.",
            length=len(source),
            limit=longest,
        )
    problem = syntax.problem_of(source) if is_regex else syntax.problem_of_literal(source)
    if problem:
        raise InvalidPatternError(problem)


@lru_cache(maxsize=_KEPT_PROGRAMS)
def _compile(source: str, is_regex: bool, case_sensitive: bool) -> Pattern:  # noqa: FBT001  (cache key)
    options = re2.Options()
    options.literal = not is_regex
    options.case_sensitive = case_sensitive
    options.never_nl = True
    options.never_capture = True
    options.max_mem = MOST_MEMORY
    options.log_errors = False
    spelled = f"(?m){source}" if is_regex else source
    try:
        program = re2.compile(spelled.encode(), options)
    except re2.error as error:
        raise InvalidPatternError(_reason(source, spelled, error)) from None
    finally:
        re2.purge()  # the library would keep 128 programs, of up to 8 MiB each

    # What the library's own search calls, without the match object and generator around it.
    match, unanchored = program._regexp.Match, re2._Anchor.UNANCHORED  # noqa: SLF001

    def search(data: bytes, pos: int, end: int) -> tuple[int, int] | None:
        found: tuple[int, int] = match(unanchored, data, pos, end)[0]
        return None if found[0] < 0 else found

    return Pattern(
        source,
        is_regex,
        case_sensitive,
        search,
        required(source, is_regex=is_regex),
        None if is_regex else _needle(source, case_sensitive=case_sensitive),
    )


def _needle(source: str, *, case_sensitive: bool) -> bytes | None:
    if case_sensitive:
        return source.encode()
    return source.lower().encode() if source.isascii() else None


def _reason(source: str, spelled: str, error: Exception) -> str:
    said = error.args[0]
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    shown = quoted(source)
    if "too large" in text:
        return f"The pattern {shown} is too large to compile; use smaller repeats or classes."
    if "repetition size" in text:
        return f"The pattern {shown} repeats more than 1,000 times, nested repeats multiplied."
    reason = printable(text.replace(spelled, source))
    return f"The pattern {shown} is no regular expression that RE2 knows: {reason}."
