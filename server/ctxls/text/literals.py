r"""Which literals a line must hold to match a pattern: what an index can be asked.

`required` gives sets of folded literals; every line that matches holds at least one of each set.
So `std::(vector|map)<\w+>` requires one of {std::vector<, std::map<}, and `feature.*gate` requires
{feature} and {gate}. Where it is not sure it requires less, in the end nothing: then every line is
looked at. The way is the one of "Regular Expression Matching with a Trigram Index" (Russ Cox,
2012, https://swtch.com/~rsc/regexp/regexp4.html): of each part, all that it can match while that
is little, else what it begins with, ends with and must hold in between.

The pattern is one that RE2 compiled. Case and flags make no difference to folded literals.
"""

import re
from typing import Final

from ctxls.text.fold import fold
from ctxls.text.parts import ANYTHING, EMPTY, Joined, Part, one_of, repeated

DEEPEST: Final = 40
FEW: Final = 16
"""Characters of a class that are tried one by one."""

_REPEAT: Final = re.compile(r"[*+?]\??|\{(0|[1-9]\d{0,3})(?:(,)(0|[1-9]\d{0,3})?)?\}\??", re.ASCII)
"""RE2 takes a number that begins with a needless 0, as in `{01}`, for plain text."""
_FLAGS: Final = re.compile(r"\(\?[a-zA-Z]*(?:-[a-zA-Z]*)?\)")
_GROUP: Final = re.compile(r"\((?:\?(?:P?<\w+>|[a-zA-Z]*(?:-[a-zA-Z]*)?:)|(?!\?))")
_CODE: Final = re.compile(
    r"\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2}))"
)
_PROPERTY: Final = re.compile(r"\\[pP](?:\{[^}]*\}|.)", re.DOTALL)
_POSIX: Final = re.compile(r"\[:\^?\w+:\]", re.ASCII)
_LETTERS: Final = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_CLASSES: Final = frozenset("dDsSwW")
_PLACES: Final = frozenset("bB")


class _UnsureError(Exception):
    """Something in the pattern that is not understood here."""


def required(source: str, *, is_regex: bool) -> tuple[frozenset[bytes], ...]:
    """Return sets of folded UTF-8: each line that matches holds at least one of each set.

    Every literal has three bytes or more. No sets: a match may hold anything.
    """
    part = _regular_expression(source) if is_regex else Part(frozenset({fold(source)}))
    return tuple(frozenset(word.encode() for word in words) for words in part.required)


def _regular_expression(source: str) -> Part:
    try:
        part, end = _alternatives(source, 0, 0)
    except _UnsureError:
        return ANYTHING
    return part if end == len(source) else ANYTHING


def _alternatives(source: str, position: int, depth: int) -> tuple[Part, int]:
    """Read up to the end of a group, or of the pattern."""
    if depth > DEEPEST:
        raise _UnsureError
    parts = []
    while True:
        part, position = _sequence(source, position, depth)
        parts.append(part)
        if not source.startswith("|", position):
            return one_of(parts), position
        position += 1


def _sequence(source: str, position: int, depth: int) -> tuple[Part, int]:
    """Read up to the end of an alternative.

    A repeat is about the last thing that matches, past flags and empty quotes in between.
    """
    joined, last = Joined(), EMPTY
    while position < len(source) and source[position] not in "|)":
        if found := _REPEAT.match(source, position):
            last, position = repeated(last, *_bounds(found)), found.end()
        elif found := _FLAGS.match(source, position):
            position = found.end()
        elif source.startswith(r"\Q", position):
            quoted, position = _quoted(source, position + 2)
            if quoted:
                joined.add(last)
                joined.add(Part(frozenset({fold(quoted[:-1])})))
                last = Part(frozenset({fold(quoted[-1])}))
        else:
            joined.add(last)
            last, position = _atom(source, position, depth)
    joined.add(last)
    return joined.part(), position


def _quoted(source: str, position: int) -> tuple[str, int]:
    end = source.find(r"\E", position)
    end = len(source) if end < 0 else end
    return source[position:end], min(end + 2, len(source))


def _bounds(found: re.Match[str]) -> tuple[int, int | None]:
    """Return how often a part stands at least, and at most where that is bounded."""
    if found[1] is None:
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[found.group()[0]]
    least = int(found[1])
    if found[2] is None:
        return least, least
    return least, int(found[3]) if found[3] else None


def _atom(source: str, position: int, depth: int) -> tuple[Part, int]:
    char = source[position]
    if char == "(":
        return _group(source, position, depth)
    if char == "[":
        return _class(source, position)
    if char == "\\":
        return _escape(source, position)
    if char in "^$":
        return EMPTY, position + 1
    if char == ".":
        return ANYTHING, position + 1
    return Part(frozenset({fold(char)})), position + 1


def _group(source: str, position: int, depth: int) -> tuple[Part, int]:
    found = _GROUP.match(source, position)
    if found is None:
        raise _UnsureError
    part, end = _alternatives(source, found.end(), depth + 1)
    if not source.startswith(")", end):
        raise _UnsureError
    return part, end + 1


def _escape(source: str, position: int) -> tuple[Part, int]:
    char, end = _escaped(source, position)
    if char is not None:
        return Part(frozenset({fold(char)})), end
    return (EMPTY if source[position + 1] in _PLACES else ANYTHING), end


def _escaped(source: str, position: int) -> tuple[str | None, int]:
    """Read an escape: the character that it spells, or None for a class or a place."""
    if found := _CODE.match(source, position):
        digits = found[1] or found[2]
        code = int(digits, 16) if digits else int(found[3], 8)
        return chr(code), found.end()
    if found := _PROPERTY.match(source, position):
        return None, found.end()
    char = source[position + 1 : position + 2]
    if char in _LETTERS:
        return _LETTERS[char], position + 2
    if char in _CLASSES | _PLACES:
        return None, position + 2
    if not char or (char.isascii() and char.isalnum()):
        raise _UnsureError
    return char, position + 2


def _class(source: str, position: int) -> tuple[Part, int]:
    """Read a class: its characters where they are few, else anything."""
    start = position + 1 + source.startswith("^", position + 1)
    chars: set[str] | None = set() if start == position + 1 else None
    at = start
    while at == start or not source.startswith("]", at):
        if at >= len(source):
            raise _UnsureError
        first, at = _member(source, at)
        last = first
        if source.startswith("-", at) and not source.startswith("-]", at):
            last, at = _member(source, at + 1)
        if chars is not None:
            chars = _with(chars, first, last)
    return Part(frozenset(map(fold, chars))) if chars else ANYTHING, at + 1


def _member(source: str, position: int) -> tuple[str | None, int]:
    if found := _POSIX.match(source, position):
        return None, found.end()
    if source.startswith("\\", position):
        return _escaped(source, position)
    return source[position : position + 1], position + 1


def _with(chars: set[str], first: str | None, last: str | None) -> set[str] | None:
    if not first or not last or ord(last) - ord(first) >= FEW:
        return None
    found = chars.union(map(chr, range(ord(first), ord(last) + 1)))
    return found if len(found) <= FEW else None
