r"""Changes to an open text, as an editor sends them (LSP 3.18, "TextDocumentContentChangeEvent").

An editor that counts in UTF-16 may cut a surrogate pair in two, and join it again with its next
change; the text between is kept exactly, lone surrogates and all, so that later positions still
fit. `sound` makes of such a text one that the rest of ctxls can read.
"""

import re
from dataclasses import dataclass
from typing import Final

from ctxls.text.lines import Lines
from ctxls.text.positions import Encoding, Position, offset_at, units

REPLACEMENT: Final = "\ufffd"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: `text` takes the place of what lies between two positions, or of everything.

    Positions outside the text clamp to it; a range written backwards is read forwards.
    """

    text: str
    between: tuple[Position, Position] | None = None


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a text is cut: `text[:before] + high` comes before, `low + text[after:]` after."""

    before: int
    after: int
    high: str = ""
    low: str = ""


def edited(text: str, edit: Edit, encoding: Encoding) -> str:
    """Return `text` with `edit` made in it."""
    if edit.between is None:
        return edit.text
    lines = Lines.of(text)
    cuts = (_cut(text, lines, place, encoding) for place in edit.between)
    first, last = sorted(cuts, key=lambda cut: (cut.before, cut.high))
    start = text[: first.before] + first.high
    return _joined(_joined(start, edit.text), last.low + text[last.after :])


def sound(text: str) -> str:
    """Return `text` with each lone surrogate as U+FFFD, so that all offsets stay."""
    return text if text.isascii() else _SURROGATE.sub(REPLACEMENT, text)


def _cut(text: str, lines: Lines, place: Position, encoding: Encoding) -> _Cut:
    offset = offset_at(text, lines, place, encoding)
    if encoding is not Encoding.UTF16 or not _inside_pair(text, lines, place, offset):
        return _Cut(offset, offset)
    code = ord(text[offset]) - 0x10000
    return _Cut(offset, offset + 1, chr(0xD800 + (code >> 10)), chr(0xDC00 + (code & 0x3FF)))


def _inside_pair(text: str, lines: Lines, place: Position, offset: int) -> bool:
    if offset >= len(text) or text[offset] <= "\uffff":
        return False
    start = lines.starts[lines.at(offset)]
    return units(text[start:offset], Encoding.UTF16) < place.character


def _joined(left: str, right: str) -> str:
    """Join two texts; where a high surrogate meets a low one, they become their character."""
    if "\ud800" <= left[-1:] <= "\udbff" and "\udc00" <= right[:1] <= "\udfff":
        pair = (left[-1] + right[0]).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        return left[:-1] + pair + right[1:]
    return left + right
