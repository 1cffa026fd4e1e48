r"""RE2's syntax, read token by token, as far as the matching rules refuse something in it.

Refused: a line break in any spelling (`\n`, `\r`, `\x0a`, `\12`, `\x{a}`, the character itself,
inside `\Q...\E` too) outside a negated class; `\C`; `\A`, `\z` and flags that switch `m` off;
lone surrogates; look-around and back-references. Anything else is RE2's to judge. Source of the
syntax: https://github.com/google/re2/wiki/Syntax.
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

from ctxls.text.printable import quoted

_Reading = Generator["Token", None, int]
"""Tokens, and then the position after them."""
_LINE_BREAKS: Final = frozenset("\n\r")
_LETTERS: Final = {"n": "\n", "r": "\r"}
_ESCAPE: Final = re.compile(
    r"""\\(?: x\{(?P<braced>[0-9A-Fa-f]+)\}
          | x(?P<hex>[0-9A-Fa-f]{2})
          | (?P<octal>0[0-7]{0,2}|[1-7][0-7]{1,2})
          | (?P<back>[1-9]|k[<{]|g[{0-9])
          | (?P<other>.) )""",
    re.VERBOSE | re.DOTALL,
)
_POSIX: Final = re.compile(r"\[:\^?\w+:\]", re.ASCII)
_GROUP: Final = re.compile(
    r"\((?: (?P<around>\?<?[=!]) | (?P<back>\?P=) | \?(?P<flags>[a-zA-Z]*(?:-[a-zA-Z]*)?)[:)] )",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a pattern: its spelling, what it is, and the character that it stands for."""

    text: str
    kind: str
    """`char`, `class` (a character inside a class), `negated` (inside `[^...]`), `escape`,
    `around`, `back` or `flags`."""
    char: str = ""


def problem_of_literal(source: str) -> str | None:
    """Say why a literal is refused, or None."""
    return next((found for char in source if (found := _of_char(char, char))), None)


def problem_of(source: str) -> str | None:
    """Say why a regular expression is refused, in one sentence, or None."""
    return next((found for token in tokens(source) if (found := _of_token(token))), None)


def tokens(source: str) -> Iterator[Token]:
    """Read the pattern from left to right, as RE2's parser does."""
    position = 0
    while position < len(source):
        if source.startswith(r"\Q", position):
            position = yield from _quoted(source, position + 2)
        elif source[position] == "\\":
            position = yield from _escaped(source, position, "char")
        elif source[position] == "[":
            position = yield from _character_class(source, position)
        elif found := _GROUP.match(source, position):
            yield from _group(found)
            position = found.end()
        else:
            yield Token(source[position], "char", source[position])
            position += 1


def _quoted(source: str, position: int) -> _Reading:
    end = source.find(r"\E", position)
    quoted = source[position:] if end < 0 else source[position:end]
    yield from (Token(char, "char", char) for char in quoted)
    return position + len(quoted) + 2


def _escaped(source: str, position: int, kind: str) -> _Reading:
    found = _ESCAPE.match(source, position)
    if not found:  # a lone backslash at the end: RE2 says so
        return len(source)
    if found["back"]:
        yield Token(found.group(), "back" if kind == "char" else kind)
    else:
        char = _stands_for(found)
        yield Token(found.group(), kind if char else "escape", char)
    return found.end()


def _stands_for(found: re.Match[str]) -> str:
    """Return the character that an escape spells, or nothing for a class or an assertion."""
    if digits := found["braced"] or found["hex"]:
        code = int(digits, 16)
    elif found["octal"]:
        code = int(found["octal"], 8)
    else:
        return _LETTERS.get(found["other"]) or _as_it_is(found["other"])
    return chr(code) if code <= 0x10FFFF else ""


def _as_it_is(char: str) -> str:
    """Return an escaped character that no text or line can hold; a backslash does not change it."""
    return char if char in _LINE_BREAKS or "\ud800" <= char <= "\udfff" else ""


def _character_class(source: str, position: int) -> _Reading:
    start = position
    position += 1
    kind = "class"
    if source.startswith("^", position):
        kind, position = "negated", position + 1
    first = position
    while position < len(source) and (source[position] != "]" or position == first):
        if source[position] == "\\":
            position = yield from _escaped(source, position, kind)
        elif found := _POSIX.match(source, position):
            position = found.end()
        else:
            yield Token(source[position], kind, source[position])
            position += 1
    return max(position + 1, start + 1)


def _group(found: re.Match[str]) -> Iterator[Token]:
    if found["around"]:
        yield Token("(" + found["around"], "around")
    elif found["back"]:
        yield Token(found.group(), "back")
    elif found["flags"]:
        yield Token(found.group(), "flags", found["flags"])


def _of_token(token: Token) -> str | None:
    match token.kind:
        case "around":
            return f"RE2 has no look-around; match the text around instead of {quoted(token.text)}."
        case "back":
            return f"RE2 has no back-references; write out what {quoted(token.text)} would repeat."
        case "flags":
            return _of_flags(token)
        case "escape":
            return _of_escape(token)
        case "negated":
            return _of_surrogate(token.text, token.char)
        case _:
            return _of_char(token.text, token.char)


def _of_flags(token: Token) -> str | None:
    if "m" not in token.char.partition("-")[2]:
        return None
    return (
        f"{quoted(token.text)} switches m off, but every line is matched for itself; "
        "leave the flag out, and use ^ and $ for a line's ends."
    )


def _of_escape(token: Token) -> str | None:
    match token.text:
        case r"\C":
            return r"'\C' would match half a character; use . for one character."
        case r"\A":
            return r"'\A' is refused, since every line is matched for itself; use ^."
        case r"\z" | r"\Z":
            return (
                f"{quoted(token.text)} is refused, since every line is matched for itself; use $."
            )
        case _:
            return None


def _of_char(text: str, char: str) -> str | None:
    if char in _LINE_BREAKS:
        return (
            f"The pattern holds a line break ({quoted(text)}), but every line is matched for "
            "itself; leave it out."
        )
    return _of_surrogate(text, char)


def _of_surrogate(text: str, char: str) -> str | None:
    if "\ud800" <= char <= "\udfff":
        return f"The pattern holds a lone surrogate ({quoted(text)}), which no text can contain."
    return None
