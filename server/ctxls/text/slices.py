"""The headings of a large text, found a slice at a time.

A block at the top level depends on nothing before it. So a slice is parsed, all its blocks but the
last are kept, and the next slice begins with that one, which may go on; where one block fills a
slice, the slice grows. The headings are those of one parse of the whole text (a test compares
them), but it can end at its bounds, or where no line can be a heading any more, it holds the
tokens of one slice alone, and no call in it is so long that other threads have to wait.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from ctxls.text.blocks import Blocks, Heading
from ctxls.text.headings import next_heading
from ctxls.text.lines import Lines

BOM: Final = "\ufeff"
SLICE: Final = 1 << 16
"""Characters that are parsed at a time."""
_GROWTH: Final = 4
_LOOKED_AHEAD: Final = 1 << 18


@dataclass(slots=True)
class Headings:
    """What is found in a text."""

    found: list[Heading] = field(default_factory=list)
    references: dict[str, Any] = field(default_factory=dict)
    """Link definitions by label, as markdown-it-py's inline rules read them."""
    is_whole: bool = True
    """Whether the bounds left all of the text to be looked at."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far headings are looked for."""

    headings: int = 100_000
    characters: int = 16 << 20
    steps: int = 3_000_000
    """What the block rules may do: about 3 MB of nothing but lists, in some 3 seconds."""
    slice_lines: int = 1 << 19
    """Lines that one block may have: the rules take some 100 bytes for each."""


BOUNDS: Final = Bounds()


def headings(text: str, lines: Lines, first_line: int, bounds: Bounds) -> Headings:
    """Find the headings from `first_line` on, where no block is under way."""
    return _Search(text, lines, bounds).headings(first_line)


class _Search:
    def __init__(self, text: str, lines: Lines, bounds: Bounds) -> None:
        self._text = text
        self._lines = lines
        self._bounds = bounds
        self._steps = bounds.steps
        self._made = Headings()
        self._next = -1  # a line that may be a heading; none lies between it and where we are

    def headings(self, line: int) -> Headings:
        reach = len(self._lines)
        if self._lines.length > self._bounds.characters:
            reach = self._lines.at(self._bounds.characters)
        size = SLICE
        while line < reach and self._made.is_whole and self._may_change(line):
            end = self._slice_end(line, size, reach)
            kept = self._parse(line, end, is_last=end == reach)
            read = self._start(end) - self._start(line)
            size = SLICE if kept else max(size, read) * _GROWTH
            line += kept
        self._made.is_whole &= line < reach or not self._may_change(line)
        return self._made

    def _parse(self, line: int, end: int, *, is_last: bool) -> int:
        """Take in what a slice holds for sure, and return how many lines that are."""
        piece = Blocks.of(self._source(line, end), self._steps)
        self._steps = piece.steps
        kept = end - line if is_last and piece.is_whole else piece.settled()
        if not piece.is_whole or (not kept and end - line >= self._bounds.slice_lines):
            self._made.is_whole = False
        self._take(piece, line, kept)
        return kept

    def _may_change(self, line: int) -> bool:
        """Whether what follows may hold a heading, or a definition that a title waits for."""
        if self._next < line < len(self._lines):
            self._next = self._next_heading(line)
        if line <= self._next < len(self._lines):
            return True
        waits = any("[" in heading.source for heading in self._made.found)
        return waits and "]:" in self._text[self._start(line) :]

    def _next_heading(self, line: int) -> int:
        while line < len(self._lines):
            end = self._slice_end(line, _LOOKED_AHEAD, len(self._lines))
            found = next_heading(self._text, self._start(line), self._start(end))
            if found is not None:
                return self._lines.at(found)
            line = end
        return line

    def _take(self, piece: Blocks, line: int, kept: int) -> None:
        self._made.found += piece.headings(line, kept)
        if len(self._made.found) > self._bounds.headings:
            del self._made.found[self._bounds.headings :]
            self._made.is_whole = False
        for label, definition in piece.references.items():
            if definition["map"][0] < kept:
                self._made.references.setdefault(label, definition)

    def _slice_end(self, line: int, size: int, reach: int) -> int:
        """Return the line where about so many characters end: a later one than `line`."""
        behind = self._start(line) + size
        end = self._lines.at(behind) if behind < self._lines.length else len(self._lines)
        return min(max(end, line + 1), line + self._bounds.slice_lines, reach)

    def _source(self, line: int, end: int) -> str:
        """Return lines as markdown-it-py's own first step would make them."""
        source = self._text[self._start(line) : self._start(end)]
        if line == 0:
            source = source.removeprefix(BOM)
        return source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")

    def _start(self, line: int) -> int:
        return self._lines.starts[line] if line < len(self._lines) else self._lines.length
