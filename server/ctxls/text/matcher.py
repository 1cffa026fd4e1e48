r"""Where a pattern matches in a text: each line, without its line end, for itself.

`^` and `$` anchor at every line, also before `\r\n` and at a lone `\r`; no match spans two lines.
Matches do not overlap; an empty match is reported once, not right where the match before it
ended, and the search goes on one code point further.

RE2 searches the text's UTF-8 form with every `\r` replaced by `\n` (the same length, so offsets
stay): the lines are then RE2's own. The one difference is an empty line between the two bytes of
a `\r\n`, whose empty matches are dropped.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ctxls.text.lines import Span
from ctxls.text.pattern import Pattern
from ctxls.text.plain import count_plain, find_plain
from ctxls.text.positions import Columns, Extent, Point
from ctxls.text.windows import LITERAL_STEP, Pace, Window, lines_and_steps, steps

Checkpoint = Callable[[], float]
"""Called around every search: returns the time in seconds, or raises to end the scan."""


@dataclass(frozen=True, slots=True)
class Match:
    """One match: its span in code points, and its extent for any encoding.

    `extent.start.line` is 0-based; `line_start` is the offset of the line's first code point.
    """

    span: Span
    extent: Extent
    line_start: int


def find(pattern: Pattern, data: bytes, checkpoint: Checkpoint) -> Iterator[Match]:
    """Yield the matches in `data` (UTF-8) in order, as code points, lines and columns."""
    place = _Place(data)
    for start, end in find_bytes(pattern, data, checkpoint):
        place.advance(start)
        begin, from_point, line_start = place.offset, place.point(), place.line_start
        place.advance_within_line(end)
        yield Match(Span(begin, place.offset), Extent(from_point, place.point()), line_start)


def find_bytes(pattern: Pattern, data: bytes, checkpoint: Checkpoint) -> Iterator[tuple[int, int]]:
    """Yield the matches in `data` (UTF-8) in order, as byte offsets."""
    if pattern.is_plain_in(data):
        return find_plain(pattern, data, checkpoint)
    return _find_by_re2(pattern, data, checkpoint)


def count(pattern: Pattern, data: bytes, checkpoint: Checkpoint) -> int:
    """Count the matches in `data` (UTF-8)."""
    if pattern.is_plain_in(data):
        return count_plain(pattern, data, checkpoint)
    return sum(1 for _ in _find_by_re2(pattern, data, checkpoint))


def _find_by_re2(
    pattern: Pattern, data: bytes, checkpoint: Checkpoint
) -> Iterator[tuple[int, int]]:
    folded = data.replace(b"\r", b"\n") if b"\r" in data else data
    pace = Pace()
    longest = pattern.longest_match
    windows = (
        lines_and_steps(folded, pace)
        if longest is None
        else steps(folded, 0, len(folded), LITERAL_STEP, longest)
    )
    search = _Search(pattern, folded, checkpoint, pace)
    for window in windows:
        for start, end in search.within(window):
            if start < end or not _inside_crlf(data, start):
                yield start, end


class _Search:
    """Walks the windows of one text; where the last match ended carries over between them."""

    def __init__(self, pattern: Pattern, folded: bytes, checkpoint: Checkpoint, pace: Pace) -> None:
        self._search = pattern.search
        self._folded = folded
        self._checkpoint = checkpoint
        self._pace = pace
        self._position = 0
        self._last_end = -1

    def within(self, window: Window) -> Iterator[tuple[int, int]]:
        """Yield the matches that start in `window`."""
        self._position = max(self._position, window.start)
        while self._position <= window.last:
            found = self._timed(window.end)
            if found is None or found[0] > window.last:
                return
            start, end = found
            if start < end:
                self._position = self._last_end = end
                yield found
                continue
            self._position = self._next_character(end)
            if start != self._last_end and not self._inside_character(start):
                yield found

    def _timed(self, end: int) -> tuple[int, int] | None:
        before = self._checkpoint()
        found = self._search(self._folded, self._position, end)
        after = self._checkpoint()
        if found is None:  # only then was the whole window read: an early hit says little
            self._pace.took(after - before)
        return found

    def _next_character(self, position: int) -> int:
        position += 1
        while self._inside_character(position):
            position += 1
        return position

    def _inside_character(self, position: int) -> bool:
        r"""Tell whether bytes of one character lie on both sides: RE2's `\B` matches there."""
        return position < len(self._folded) and self._folded[position] & 0xC0 == 0x80


def _inside_crlf(data: bytes, position: int) -> bool:
    return data[position - 1 : position + 1] == b"\r\n" and position > 0


class _Place:
    """Turns ascending byte offsets into code points, lines and columns, reading each byte once."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._is_ascii = data.isascii()
        self._has_returns = b"\r" in data
        self._byte = 0
        self._line = 0
        self._line_byte = 0
        self._wide = 0  # characters outside the BMP in this line so far: two units each in utf-16
        self.offset = 0
        self.line_start = 0

    def advance(self, position: int) -> None:
        """Move to the byte offset `position`, which is not before the current one."""
        data, start = self._data, self._byte
        cut = max(data.rfind(b"\n", start, position), data.rfind(b"\r", start, position)) + 1
        if cut:
            self._line += data.count(b"\n", start, cut)
            if self._has_returns:
                passed = data[start:cut]
                self._line += passed.count(b"\r") - passed.count(b"\r\n")
            self.line_start = self.offset = self.offset + self._count(start, cut)
            self._byte = self._line_byte = cut
            self._wide = 0
        self.advance_within_line(position)

    def advance_within_line(self, position: int) -> None:
        """Move to the byte offset `position`, which is in the same line."""
        start, self._byte = self._byte, position
        self.offset += self._count(start, position)
        if not self._is_ascii:
            passed = self._data[start:position]
            self._wide += sum(map(passed.count, _FOUR_BYTE_LEADS))

    def point(self) -> Point:
        """Return the current place."""
        code_points = self.offset - self.line_start
        columns = Columns(self._byte - self._line_byte, code_points + self._wide, code_points)
        return Point(self._line, columns)

    def _count(self, start: int, end: int) -> int:
        return end - start if self._is_ascii else len(self._data[start:end].decode())


_FOUR_BYTE_LEADS: Final = tuple(bytes([lead]) for lead in range(0xF0, 0xF5))
