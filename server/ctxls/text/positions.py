"""Offsets to positions and back, in the three encodings that LSP knows.

A column counts code units of the line's text before the place: bytes in utf-8, 16-bit units in
utf-16, code points in utf-32 (LSP 3.18, "PositionEncodingKind"). A column inside a character
rounds down to it, a column past the line's end clamps to the end of the line's text, and a line
past the last clamps to the end of the text.
"""

from dataclasses import dataclass
from enum import Enum

from ctxls.text.lines import Lines, Span


class Encoding(Enum):
    """The unit of a column."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


@dataclass(frozen=True, slots=True)
class Position:
    """A place as an editor names it; both numbers are 0-based."""

    line: int
    character: int


@dataclass(frozen=True, slots=True)
class Columns:
    """One place in a line, counted in all three encodings, for example (4, 2, 1) after `🧭`.

    A scan counts them once, so that showing a hit needs neither its line nor its text.
    """

    utf8: int
    utf16: int
    utf32: int

    def count(self, encoding: Encoding) -> int:
        """Return the column in units of `encoding`."""
        if encoding is Encoding.UTF8:
            return self.utf8
        return self.utf16 if encoding is Encoding.UTF16 else self.utf32


@dataclass(frozen=True, slots=True)
class Point:
    """A place as a scan reports it: a 0-based line, and its column in every encoding."""

    line: int
    columns: Columns

    def position(self, encoding: Encoding) -> Position:
        """Return the place as a session with `encoding` names it."""
        return Position(self.line, self.columns.count(encoding))


@dataclass(frozen=True, slots=True)
class Extent:
    """A run of text between two points, ready to be shown in any encoding."""

    start: Point
    end: Point


def units(text: str, encoding: Encoding) -> int:
    """Measure `text` in code units of `encoding`. A lone surrogate counts as U+FFFD would."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF16:
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def code_points(line: str, column: int, encoding: Encoding) -> int:
    """Return how many whole code points of `line` lie before `column` units."""
    if encoding is Encoding.UTF32 or line.isascii():
        return min(column, len(line))
    if encoding is Encoding.UTF16:
        return _whole_utf16(line, column)
    return _whole_utf8(line, column)


def _whole_utf16(line: str, column: int) -> int:
    data = line.encode("utf-16-le", "surrogatepass")
    cut = 2 * min(column, len(data) // 2)
    if 0 < cut < len(data) and _is_high(data[cut - 1]) and _is_low(data[cut + 1]):
        cut -= 2
    return len(data[:cut].decode("utf-16-le", "surrogatepass"))


def _is_high(byte: int) -> bool:
    return 0xD8 <= byte <= 0xDB


def _is_low(byte: int) -> bool:
    return 0xDC <= byte <= 0xDF


def _whole_utf8(line: str, column: int) -> int:
    data = line.encode("utf-8", "surrogatepass")
    column = min(column, len(data))
    while column < len(data) and data[column] & 0xC0 == 0x80:  # inside a character: round down
        column -= 1
    return len(data[:column].decode("utf-8", "surrogatepass"))


def position_at(text: str, lines: Lines, offset: int, encoding: Encoding) -> Position:
    """Name `offset` as a position; between the two characters of a CRLF it is the line's end."""
    offset = max(0, min(offset, lines.length))
    line = lines.at(offset)
    span = lines.span(line)
    before = text[span.start : min(offset, span.end)]
    return Position(line, units(before, encoding))


def offset_at(text: str, lines: Lines, position: Position, encoding: Encoding) -> int:
    """Find the offset that `position` names, rounded and clamped as the module says."""
    if position.line >= len(lines):
        return lines.length
    span = lines.span(position.line)
    return span.start + code_points(text[span.start : span.end], position.character, encoding)


def point_at(text: str, lines: Lines, offset: int) -> Point:
    """Name `offset` in every encoding at once."""
    offset = max(0, min(offset, lines.length))
    line = lines.at(offset)
    span = lines.span(line)
    before = text[span.start : min(offset, span.end)]
    counts = (units(before, encoding) for encoding in Encoding)
    return Point(line, Columns(*counts))


def extent_of(text: str, lines: Lines, span: Span) -> Extent:
    """Name both ends of `span` in every encoding at once."""
    return Extent(point_at(text, lines, span.start), point_at(text, lines, span.end))
