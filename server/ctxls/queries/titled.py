"""Which records and sections have a given title: what `[[title]]` and a word's definition name.

Titles are compared as literals are matched: case-insensitively, by RE2's folding. A heading may
spell its title with markup in between, so texts are searched for the title's longest word, and
the outline of a record is asked only where that word stands on what looks like a heading.
"""

import re
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from ctxls.queries.clock import ScanOutOfTimeError
from ctxls.queries.library import Library
from ctxls.queries.lookup import Lookup
from ctxls.queries.scan import compiled
from ctxls.records.document import spelled_title
from ctxls.records.place import Place
from ctxls.records.record import StoredText
from ctxls.text.headings import first_line_start, may_be_heading
from ctxls.text.lines import Lines
from ctxls.text.matcher import Checkpoint, find, find_bytes
from ctxls.text.outline import Section
from ctxls.text.pattern import LONGEST_LITERAL, Pattern
from ctxls.text.positions import Columns, Extent, Point, extent_of

MOST_TITLED: Final = 200
RECORD_START: Final = Extent(Point(0, Columns(0, 0, 0)), Point(0, Columns(0, 0, 0)))
_WORD: Final = re.compile(r"[^\W_]+")
"""A run that markup seldom cuts: `_` is often written as `\\_`."""


class End(Enum):
    """Why a look-up ended."""

    ALL = auto()
    TIME = auto()
    MANY = auto()


@dataclass(frozen=True, slots=True)
class Target:
    """A place to go to."""

    place: Place
    extent: Extent


@dataclass(frozen=True, slots=True)
class Titled:
    """What has the title, newest first: whole records, and sections of records."""

    records: tuple[Target, ...] = ()
    sections: tuple[Target, ...] = ()
    naming: tuple[Target, ...] = ()
    """The headings that give `records` their title, which are not among `sections`."""
    end: End = End.ALL


async def titled(lookup: Lookup, title: str) -> Titled:
    """Find the records and sections with `title`, about 200, as far as the time reaches."""
    title = title.strip()
    if not title or len(title) > LONGEST_LITERAL:
        return Titled()
    library = lookup.library
    whole = await compiled(library, title, is_regex=False, case_sensitive=False)
    word = await compiled(library, _longest_word(title), is_regex=False, case_sensitive=False)
    found = _Gathered(library, _Title(whole, title))
    judge = _TitleJudge(found.title, word)
    try:
        async with aclosing(lookup.batches(word, judge)) as batches:
            async for _ in batches:
                await found.add(judge.take())
                if found.is_full:
                    break
    except ScanOutOfTimeError:
        await found.add(judge.take())
        return found.answer(End.TIME)
    return found.answer(End.MANY if found.is_full else End.ALL)


def is_title(pattern: Pattern, title: str) -> bool:
    """Whether `pattern` matches `title` from its first character to its last."""
    data = title.encode("utf-8", "replace")
    return next(iter(find_bytes(pattern, data, _no_budget)), None) == (0, len(data))


def is_in_title(pattern: Pattern, title: str) -> bool:
    """Whether `pattern` matches somewhere in `title`."""
    data = title.encode("utf-8", "replace")
    return next(iter(find_bytes(pattern, data, _no_budget)), None) is not None


def section_target(place: Place, text: str, lines: Lines, section: Section) -> Target:
    """Return the first line of a section's heading as a target."""
    return Target(place, extent_of(text, lines, section.heading))


def _no_budget() -> float:
    return 0.0


def _longest_word(title: str) -> str:
    return max(_WORD.findall(title), key=len, default=title)


@dataclass(frozen=True, slots=True)
class _Title:
    pattern: Pattern
    text: str

    def is_of(self, title: str) -> bool:
        """Whether `title` is this one; folding keeps the length, which is quick to compare."""
        return len(title) == len(self.text) and is_title(self.pattern, title)


@dataclass(slots=True)
class _TitleJudge:
    """Runs in the worker thread: keeps the records in which the title may be one."""

    title: _Title
    word: Pattern
    _kept: list[StoredText] = field(default_factory=list)

    def __call__(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        if self._metadata_title(stored) or self._in_text(stored, checkpoint):
            self._kept.append(stored)
        return True

    def take(self) -> Sequence[StoredText]:
        """Hand over what was kept since the last call."""
        kept, self._kept = self._kept, []
        return kept

    def _metadata_title(self, stored: StoredText) -> bool:
        title = spelled_title(stored.metadata)
        return title is not None and self.title.is_of(title)

    def _in_text(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        text, first, last_line = "", 0, -1
        for match in find(self.word, stored.data, checkpoint):
            checkpoint()  # what is done for a match may take longer than the search for it
            if match.extent.start.line == last_line:
                continue
            if not text:
                text = stored.data.decode()
                first = first_line_start(text)
            last_line = match.extent.start.line
            if match.line_start == first or may_be_heading(text, match.line_start):
                return True
        return False


class _Gathered:
    """Asks the outlines of what the judge kept."""

    def __init__(self, library: Library, title: _Title) -> None:
        self.title = title
        self._library = library
        self._records: list[Target] = []
        self._sections: list[Target] = []
        self._naming: list[Target] = []

    @property
    def is_full(self) -> bool:
        return len(self._records) + len(self._sections) > MOST_TITLED

    async def add(self, kept: Sequence[StoredText]) -> None:
        if kept:
            length = sum(len(stored.data) for stored in kept)
            await self._library.off_loop(length, lambda: self._add_all(kept))

    def answer(self, end: End) -> Titled:
        sections = tuple(self._sections[:MOST_TITLED])
        return Titled(tuple(self._records), sections, tuple(self._naming), end)

    def _add_all(self, kept: Sequence[StoredText]) -> None:
        for stored in kept:
            text = stored.data.decode()
            lines = Lines.of(text)
            outline = self._library.outline_now(text, stored.data, lines)
            place = self._library.place_now(stored, text)
            own = [item for item in outline.sections if self.title.is_of(item.title)]
            targets = [section_target(place, text, lines, section) for section in own]
            if is_title(self.title.pattern, place.title):
                self._records.append(Target(place, RECORD_START))
                if own and own[0] is outline.sections[0]:
                    self._naming.append(targets.pop(0))
            self._sections.extend(targets)
