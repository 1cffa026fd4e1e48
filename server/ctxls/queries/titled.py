"""Which records and sections have a given title: what `[[title]]` and a word's definition name.

Titles are compared as literals are matched: case-insensitively, by RE2's folding. A heading may
spell its title with markup in between, so texts are searched for the title's longest word, and
the outline of a record is asked only where that word stands on what looks like a heading.
"""

import re
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from ctxls.queries.library import Library
from ctxls.queries.scan import Clock, ScanOutOfTimeError, compiled, reading, scan
from ctxls.records.access import Caller
from ctxls.records.document import Document, named
from ctxls.records.filters import Filter
from ctxls.records.metadata import parsed_metadata
from ctxls.records.place import Place
from ctxls.records.record import StoredText
from ctxls.text.headings import first_line_start, may_be_heading
from ctxls.text.lines import Lines
from ctxls.text.matcher import Checkpoint, find, find_bytes
from ctxls.text.outline import Outline, Section
from ctxls.text.pattern import LONGEST_LITERAL, Pattern
from ctxls.text.positions import Columns, Extent, Point, extent_of

MOST_TITLED: Final = 200
RECORD_START: Final = Extent(Point(0, Columns(0, 0, 0)), Point(0, Columns(0, 0, 0)))
_WORD: Final = re.compile(r"\w+")


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


async def titled(library: Library, title: str, document: Document, caller: Caller) -> Titled:
    """Find the records and sections with `title`, as far as the interactive budget reaches.

    Of the record that `document` is, its text is read and not the stored one.
    """
    title = title.strip()
    if not title or len(title) > LONGEST_LITERAL:
        return Titled()
    clock = Clock(library.limits.interactive_seconds)
    whole = await compiled(library, title, is_regex=False, case_sensitive=False)
    word = await compiled(library, _longest_word(title), is_regex=False, case_sensitive=False)
    found = _Gathered(library, whole)
    judge = _TitleJudge(whole, word)
    ids = await library.store.select(Filter(), caller)
    try:
        async with aclosing(scan(library, ids, caller, reading(document, judge), clock)) as batches:
            async for _ in batches:
                await found.add(judge.take())
                if found.is_full:
                    break
    except ScanOutOfTimeError:
        await found.add(judge.take())
    return Titled(tuple(found.records), tuple(found.sections), tuple(found.naming))


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


@dataclass(slots=True)
class _TitleJudge:
    """Runs in the worker thread: keeps the records in which the title may be one."""

    whole: Pattern
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
        if '"title"' not in stored.metadata:
            return False
        metadata = parsed_metadata(stored.metadata)
        return named(metadata) and is_title(self.whole, str(metadata["title"]).strip())

    def _in_text(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        text, first, last_line = "", 0, -1
        for match in find(self.word, stored.data, checkpoint):
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

    def __init__(self, library: Library, whole: Pattern) -> None:
        self._library = library
        self._whole = whole
        self.records: list[Target] = []
        self.sections: list[Target] = []
        self.naming: list[Target] = []

    @property
    def is_full(self) -> bool:
        return len(self.records) + len(self.sections) >= MOST_TITLED

    async def add(self, kept: Sequence[StoredText]) -> None:
        for stored in kept:
            text = stored.data.decode()
            lines = Lines.of(text)
            outline = await self._library.outline_of(text, stored.data, lines)
            place = await self._library.place_of(stored, parsed_metadata(stored.metadata))
            self._add(place, text, lines, outline)

    def _add(self, place: Place, text: str, lines: Lines, outline: Outline) -> None:
        sections = [section for section in outline.sections if is_title(self._whole, section.title)]
        if is_title(self._whole, place.title):
            self.records.append(Target(place, RECORD_START))
            if outline.sections and sections[:1] == [outline.sections[0]]:
                self.naming.append(section_target(place, text, lines, sections.pop(0)))
        self.sections.extend(section_target(place, text, lines, section) for section in sections)
