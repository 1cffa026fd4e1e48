"""workspace/symbol: grep as a list of symbols, one a line, titles first.

Collected newest record first until there are 200; after that only titles equal to the query are
still looked for, so that a cut never drops one for a vaguer hit. Then ordered: equal titles,
other hits on headings and in record titles, other lines; newest first in each.
"""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from ctxls.errors import BadRequestError
from ctxls.queries.library import Library
from ctxls.queries.scan import Clock, ScanOutOfTimeError, compiled, scan
from ctxls.queries.symbol_query import SymbolQuery, parse_query
from ctxls.queries.titled import RECORD_START, is_title
from ctxls.records.access import Caller
from ctxls.records.document import Document, named, shown
from ctxls.records.metadata import parsed_metadata
from ctxls.records.place import Place
from ctxls.records.record import StoredText
from ctxls.text.headings import first_line_start, line_end, may_be_heading
from ctxls.text.matcher import Checkpoint, Match, find, find_bytes
from ctxls.text.outline import Outline, Section
from ctxls.text.pattern import Pattern
from ctxls.text.positions import Extent

MOST_SYMBOLS: Final = 200
MOST_RECENT: Final = 100
LONGEST_NAME: Final = 120
MATCH_WITHIN: Final = 60
SEPARATOR: Final = " › "
EQUAL, TITLE, LINE = range(3)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A record (`is_record`), a heading or a line, with where it is."""

    name: str
    is_record: bool
    container: str
    place: Place
    extent: Extent


@dataclass(frozen=True, slots=True)
class SymbolAnswer:
    """At most 200 symbols, and, where there may be more, the sentence that says so."""

    symbols: tuple[Symbol, ...]
    cut: str | None = None


async def workspace_symbols(library: Library, query: str, caller: Caller) -> SymbolAnswer:
    """Answer a symbol query: a literal, a `/regular expression/`, filters in front."""
    asked = parse_query(query)
    if not asked.text:
        return await _most_recent(library, asked, caller)
    clock = Clock(library.limits.interactive_seconds)
    pattern = await _pattern(library, asked)
    ids = await library.store.select(asked.scope, caller)
    judge = _Judge(pattern)
    found = _Gathered(library, pattern)
    try:
        async with aclosing(scan(library, ids, caller, judge, clock)) as batches:
            async for _ in batches:
                await found.add(judge.take())
    except ScanOutOfTimeError:
        await found.add(judge.take())
        return found.answer(f"after {library.limits.interactive_seconds:g} seconds")
    return found.answer(f"at {MOST_SYMBOLS} symbols" if judge.overflowed else None)


async def _pattern(library: Library, asked: SymbolQuery) -> Pattern:
    if asked.expression is not None:
        try:
            return await compiled(library, asked.expression, is_regex=True, case_sensitive=False)
        except BadRequestError:
            pass  # one that does not compile is searched as a literal, as it was typed
    return await compiled(library, asked.text, is_regex=False, case_sensitive=False)


async def _most_recent(library: Library, asked: SymbolQuery, caller: Caller) -> SymbolAnswer:
    page = await library.store.records(asked.scope, caller, MOST_RECENT, None)
    places = [await library.place(Document(row.record, row.text)) for row in page.items]
    return SymbolAnswer(tuple(_record_symbol(place) for place in places))


def _record_symbol(place: Place, extent: Extent = RECORD_START) -> Symbol:
    return Symbol(shown(place.title), True, place.thread, place, extent)  # noqa: FBT003


@dataclass(frozen=True, slots=True)
class _LineHit:
    match: Match
    name: str


@dataclass(frozen=True, slots=True)
class _Found:
    stored: StoredText
    hits: Sequence[_LineHit]
    late: Sequence[_LineHit]
    """Found after the answer was full: may be titles equal to the query."""


@dataclass(slots=True)
class _Judge:
    """Runs in the worker thread: the first match of each line, until the answer is full."""

    pattern: Pattern
    overflowed: bool = False
    _room: int = MOST_SYMBOLS
    _found: list[_Found] = field(default_factory=list)

    def __call__(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        hits: list[_LineHit] = []
        late: list[_LineHit] = []
        text, last_line = "", -1
        for match in find(self.pattern, stored.data, checkpoint):
            if match.extent.start.line == last_line:
                continue
            last_line = match.extent.start.line
            text = text or stored.data.decode()
            if len(hits) < self._room:
                hits.append(_LineHit(match, _line_name(text, match)))
            else:
                self.overflowed = True
                if _may_equal_title(text, match):
                    late.append(_LineHit(match, ""))
        self._room -= len(hits)
        if hits or late or '"title"' in stored.metadata:
            self._found.append(_Found(stored, hits, late))
        return True

    def take(self) -> list[_Found]:
        """Hand over what was found since the last call."""
        found, self._found = self._found, []
        return found


def _line_name(text: str, match: Match) -> str:
    """Return the line, trimmed, as a window in which the match begins early."""
    line = text[match.line_start : line_end(text, match.span.end)]
    start = match.span.start - match.line_start
    lead = len(line) - len(line.lstrip())
    if start - lead < MATCH_WITHIN:
        return line.strip()[:LONGEST_NAME].rstrip() or "(blank line)"
    return ("…" + line[start - MATCH_WITHIN // 2 :].strip())[:LONGEST_NAME].rstrip()


def _may_equal_title(text: str, match: Match) -> bool:
    """Whether the match may be a whole title: a heading with no other word, or with markup."""
    if not may_be_heading(text, match.line_start):
        return False
    line = text[match.line_start : line_end(text, match.span.end)]
    if any(mark in line for mark in "[<&\\"):
        return True
    rest = line[: match.span.start - match.line_start] + line[match.span.end - match.line_start :]
    return not any(char.isalnum() for char in rest)


class _Gathered:
    """Turns hits into symbols, with the outline of each record that has one."""

    def __init__(self, library: Library, pattern: Pattern) -> None:
        self._library = library
        self._pattern = pattern
        self._symbols: tuple[list[Symbol], list[Symbol], list[Symbol]] = ([], [], [])

    async def add(self, found: Sequence[_Found]) -> None:
        for item in found:
            metadata = parsed_metadata(item.stored.metadata)
            if not item.hits and not item.late and not self._title_matches(metadata.get("title")):
                continue
            text = item.stored.data.decode()
            outline = await self._library.outline_of(text, item.stored.data)
            place = await self._library.place_of(item.stored, metadata)
            if named(metadata):
                self._add_record(place, outline)
            titled_by_line = not named(metadata) and not outline.sections
            first_line = first_line_start(text) if titled_by_line else None
            self._add_hits(item, place, outline, first_line)

    def answer(self, cut: str | None) -> SymbolAnswer:
        """Order what was collected, and say what cut it."""
        equal, title, line = self._symbols
        symbols = (equal + title + line)[:MOST_SYMBOLS]
        if cut is None and len(equal) + len(title) + len(line) > MOST_SYMBOLS:
            cut = f"at {MOST_SYMBOLS} symbols"
        sentence = f"The symbol search was cut {cut}; a longer query or a filter finds the rest."
        return SymbolAnswer(tuple(symbols), sentence if cut else None)

    def _title_matches(self, title: object) -> bool:
        if not isinstance(title, str):
            return False
        data = title.encode("utf-8", "replace")
        return next(iter(find_bytes(self._pattern, data, lambda: 0.0)), None) is not None

    def _add_record(self, place: Place, outline: Outline) -> None:
        """List the record itself when its title matches and no heading says the same."""
        if not self._title_matches(place.title):
            return
        if any(shown(section.title) == place.title for section in outline.sections):
            return
        self._symbols[self._rank(place.title)].append(_record_symbol(place))

    def _add_hits(
        self, item: _Found, place: Place, outline: Outline, first_line: int | None
    ) -> None:
        headings = {section.heading.start: section for section in outline.sections}
        for hit in item.hits:
            if hit.match.line_start == first_line:
                symbol = _record_symbol(place, hit.match.extent)
                self._symbols[self._rank(place.title)].append(symbol)
            else:
                self._add_hit(hit, place, outline, headings.get(hit.match.line_start))
        for hit in item.late:
            section = headings.get(hit.match.line_start)
            if section and is_title(self._pattern, section.title):
                self._symbols[EQUAL].append(_heading_symbol(hit, place, outline, section))

    def _add_hit(
        self, hit: _LineHit, place: Place, outline: Outline, section: Section | None
    ) -> None:
        if section:
            symbol = _heading_symbol(hit, place, outline, section)
            self._symbols[self._rank(section.title)].append(symbol)
        else:
            around = outline.at(hit.match.span.start)
            container = _container(place, around)
            self._symbols[LINE].append(
                Symbol(hit.name, False, container, place, hit.match.extent)  # noqa: FBT003
            )

    def _rank(self, title: str) -> int:
        return EQUAL if is_title(self._pattern, title) else TITLE


def _heading_symbol(hit: _LineHit, place: Place, outline: Outline, section: Section) -> Symbol:
    parent = outline.root if section.parent is None else outline.sections[section.parent]
    container = _container(place, parent)
    return Symbol(shown(section.title), False, container, place, hit.match.extent)  # noqa: FBT003


def _container(place: Place, section: Section) -> str:
    names = [place.thread, place.title, *([shown(section.title)] if section.level else [])]
    return SEPARATOR.join(names)
