r"""Changes to an open text, as an editor sends them (LSP 3.18, "TextDocumentContentChangeEvent").

An editor that counts in UTF-16 may cut a surrogate pair in two, and join it again with its next
change; the text between is kept exactly, lone surrogates and all, so that later positions still
fit. `sound` makes of such a text one that the rest of ctxls can read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ctxls.text.positions import Encoding, Position, code_points, units

REPLACEMENT: Final = "\ufffd"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: `text` takes the place of what lies between two positions, or of everything.

    Positions outside the text clamp to it; a range written backwards is read forwards.
    """

    text: str
    between: tuple[Position, Position] | None = None


def edited(text: str, changes: Sequence[Edit], encoding: Encoding) -> str:
    """Return `text` with `changes` made in it, one after the other.

    The text is cut into lines once, so that a thousand changes cost little more than one.
    """
    lines: list[str] | None = None
    for change in changes:
        if change.between is None:
            text, lines = change.text, None
            continue
        if lines is None:
            lines = _lines(text)
        cuts = (_cut(lines, place, encoding) for place in change.between)
        first, last = sorted(cuts, key=lambda cut: (cut.line, cut.before, cut.high))
        _replace(lines, first, change.text, last)
    return text if lines is None else "".join(lines)


def sound(text: str) -> str:
    """Return `text` with each lone surrogate as U+FFFD, so that all offsets stay."""
    return text if text.isascii() else _SURROGATE.sub(REPLACEMENT, text)


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a line is cut: `[:before] + high` comes before, `low + [after:]` after."""

    line: int
    before: int
    after: int
    high: str = ""
    low: str = ""


def _lines(text: str) -> list[str]:
    """Cut a text into lines with their ends; the last one has none, and may be empty."""
    last = max(text.rfind("\n"), text.rfind("\r")) + 1
    return [*_LINE.findall(text, 0, last), text[last:]]


def _cut(lines: Sequence[str], place: Position, encoding: Encoding) -> _Cut:
    if place.line >= len(lines):
        end = len(lines[-1])
        return _Cut(len(lines) - 1, end, end)
    line = lines[place.line].rstrip("\r\n")
    offset = code_points(line, place.character, encoding)
    if encoding is not Encoding.UTF16 or not _inside_pair(line, offset, place.character):
        return _Cut(place.line, offset, offset)
    code = ord(line[offset]) - 0x10000
    high, low = chr(0xD800 + (code >> 10)), chr(0xDC00 + (code & 0x3FF))
    return _Cut(place.line, offset, offset + 1, high, low)


def _inside_pair(line: str, offset: int, character: int) -> bool:
    if offset >= len(line) or line[offset] <= "\uffff":
        return False
    return units(line[:offset], Encoding.UTF16) < character


def _replace(lines: list[str], first: _Cut, text: str, last: _Cut) -> None:
    r"""Put `text` between two cuts; a `\r` before it and a `\n` that it begins with are one end."""
    start = lines[first.line][: first.before] + first.high
    rest = last.low + lines[last.line][last.after :]
    made, begin = _joined(_joined(start, text), rest), first.line
    if begin and made.startswith("\n") and lines[begin - 1].endswith("\r"):
        begin -= 1
        made = lines[begin] + made
    new = _lines(made)
    if last.line + 1 < len(lines):
        new.pop()  # the empty rest after a line end: the next line stands there
    lines[begin : last.line + 1] = new


def _joined(left: str, right: str) -> str:
    """Join two texts; where a high surrogate meets a low one, they become their character."""
    if "\ud800" <= left[-1:] <= "\udbff" and "\udc00" <= right[:1] <= "\udfff":
        pair = (left[-1] + right[0]).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        return left[:-1] + pair + right[1:]
    return left + right
