"""A table of contents as columns: what the headings of a text say, one entry each, in order.

All else about a section follows from these: its parent from the levels, its end from the starts,
its node id from its parent's and its own slug. An outline is made of them, and kept as them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ctxls.text.blocks import Heading
from ctxls.text.lines import Lines
from ctxls.text.slugs import slug
from ctxls.text.titles import Titles

ROOT_ID: Final = "root"


@dataclass(frozen=True, slots=True)
class Contents:
    """The columns, all of one length, and what is known of the text itself."""

    levels: Sequence[int]
    starts: Sequence[int]
    heading_ends: Sequence[int]
    """Where the first line of each heading ends."""
    slugs: Sequence[str]
    """The last part of each node id."""
    ordinals: Sequence[int]
    titles: Sequence[str]
    length: int
    first_line_end: int
    is_whole: bool
    """Whether all headings are there."""

    def parents(self) -> Sequence[int | None]:
        """Return the place of each entry's parent; None at the top."""
        found: list[int | None] = []
        trail: list[int] = []
        for number, level in enumerate(self.levels):
            while trail and self.levels[trail[-1]] >= level:
                trail.pop()
            found.append(trail[-1] if trail else None)
            trail.append(number)
        return found

    def ends(self) -> Sequence[int]:
        """Return where each section ends: where the next of the same or a shallower level begins.

        Found by walking backwards.
        """
        ends = [0] * len(self.levels)
        next_start = [self.length] * 7  # by level
        for number in range(len(self.levels) - 1, -1, -1):
            level = self.levels[number]
            ends[number] = min(next_start[1 : level + 1])
            next_start[level] = self.starts[number]
        return ends


def contents(
    headings: Sequence[Heading], titles: Titles, lines: Lines, *, is_whole: bool
) -> Contents:
    """Return the contents of the text with those headings and lines."""
    levels = [heading.level for heading in headings]
    named = _named(levels, [slug(heading.source) for heading in headings])
    return Contents(
        levels,
        [lines.starts[heading.line] for heading in headings],
        [lines.ends[heading.line] for heading in headings],
        [own for own, _ in named],
        [ordinal for _, ordinal in named],
        [titles.plain(heading.source) for heading in headings],
        lines.length,
        lines.ends[0],
        is_whole,
    )


def _named(levels: Sequence[int], bases: Sequence[str]) -> list[tuple[str, int]]:
    """Make slugs that differ among siblings, each with how many siblings have had its base."""
    named: list[tuple[str, int]] = []
    trail: list[tuple[int, _Slugs]] = [(0, _Slugs({ROOT_ID}))]
    for level, base in zip(levels, bases, strict=True):
        while trail[-1][0] >= level:
            trail.pop()
        named.append(trail[-1][1].take(base))
        trail.append((level, _Slugs(set())))
    return named


class _Slugs:
    """The slugs taken under one parent; each next free one is found without a rescan."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._seen: dict[str, int] = {}
        self._next: dict[str, int] = {}

    def take(self, base: str) -> tuple[str, int]:
        """Return a free slug made from `base`, and how many siblings have had that base."""
        ordinal = self._seen[base] = self._seen.get(base, 0) + 1
        own = base
        if own in self._taken:
            suffix = self._next.get(base, 2)
            while (own := f"{base}-{suffix}") in self._taken:
                suffix += 1
            self._next[base] = suffix + 1
        self._taken.add(own)
        return own, ordinal
