"""From what a symbol search found to symbols in their order."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, TypeAlias

from ctxls.queries.hearer import Hearer
from ctxls.queries.library import Library
from ctxls.queries.symbols.judging import Found, LineHit
from ctxls.queries.symbols.shapes import MOST_SYMBOLS, Symbol, SymbolAnswer
from ctxls.queries.titled import RECORD_START, is_in_title, is_title
from ctxls.records.document import shown, spelled_title
from ctxls.records.place import Place
from ctxls.text.headings import first_line_start
from ctxls.text.outline import Outline, Section
from ctxls.text.pattern import Pattern
from ctxls.text.positions import Extent

SEPARATOR: Final = " › "
EQUAL, TITLE, LINE = range(3)
LARGE: Final = 256 << 10
"""Bytes of a text whose outline may take a while."""
Ranked: TypeAlias = tuple[int, Symbol]


class SymbolAnswering:
    """Turns hits into symbols, with the outline of each record that has one.

    Parts that are heard are in the order of the scan. What was heard cannot be taken back, so
    titles equal to the query that come after 200 others are heard beyond them.
    """

    def __init__(
        self, library: Library, pattern: Pattern, hearer: Hearer[Sequence[Symbol]]
    ) -> None:
        self._library = library
        self._pattern = pattern
        self._hearer = hearer
        self._passed = self._told = self._told_equal = 0
        self._symbols: tuple[list[Symbol], list[Symbol], list[Symbol]] = ([], [], [])

    async def add(self, found: Sequence[Found]) -> None:
        """Turn what the judge found into symbols, off the event loop; a large record by itself."""
        for items in _apart(found):
            length = sum(len(item.stored.data) for item in items)
            made = await self._library.off_loop(length, partial(self._made, items))
            for rank, symbol in made:
                self._symbols[rank].append(symbol)
        if self._hearer.found is not None and (part := self._part()):
            await self._hearer.found(part)

    def _part(self) -> Sequence[Symbol]:
        """Take out what was found since the last part, as far as there is room."""
        equal, title, line = self._symbols
        vaguer = title + line
        self._symbols = ([], [], [])
        self._passed += len(equal) + len(vaguer)
        part = equal[: MOST_SYMBOLS - self._told_equal]
        self._told_equal += len(part)
        part += vaguer[: max(0, MOST_SYMBOLS - self._told - len(part))]
        self._told += len(part)
        return part

    def answer(self, cut: str | None) -> SymbolAnswer:
        """Order what was collected, and say what cut it."""
        equal, title, line = self._symbols
        symbols = (equal + title + line)[:MOST_SYMBOLS]
        count = self._passed + len(equal) + len(title) + len(line)
        if cut is None and count > MOST_SYMBOLS:
            cut = f"at {MOST_SYMBOLS} symbols"
        sentence = f"The symbol search was cut {cut}; a longer query or a filter finds the rest."
        return SymbolAnswer(tuple(symbols), sentence if cut else None)

    def _made(self, found: Sequence[Found]) -> Sequence[Ranked]:
        return [made for item in found for made in self._of_record(item)]

    def _of_record(self, item: Found) -> Iterator[Ranked]:
        text = item.stored.data.decode()
        outline = self._library.outline_now(text, item.stored.data)
        place = self._library.place_now(item.stored, text, outline)
        first_line = None
        if spelled_title(item.stored.metadata) is not None:
            yield from self._record(place, outline)
        elif not outline.sections:
            first_line = first_line_start(text)
        for hit in item.hits:
            if hit.match.line_start == first_line:
                yield self._rank(place.title), record_symbol(place, hit.match.extent)
            else:
                yield self._hit(hit, place, outline)
        for hit in item.late:
            section = _headed(outline, hit)
            if section and is_title(self._pattern, section.title):
                yield EQUAL, _heading_symbol(hit, place, outline, section)

    def _record(self, place: Place, outline: Outline) -> Iterator[Ranked]:
        """List the record itself when its title matches and no heading says the same."""
        if is_in_title(self._pattern, place.title) and not any(
            shown(section.title) == place.title for section in outline.sections
        ):
            yield self._rank(place.title), record_symbol(place)

    def _hit(self, hit: LineHit, place: Place, outline: Outline) -> Ranked:
        section = _headed(outline, hit)
        if section:
            return self._rank(section.title), _heading_symbol(hit, place, outline, section)
        container = _container(place, outline.at(hit.match.span.start))
        return LINE, Symbol(hit.name, False, container, place, hit.match.extent)  # noqa: FBT003

    def _rank(self, title: str) -> int:
        return EQUAL if is_title(self._pattern, title) else TITLE


def _apart(found: Sequence[Found]) -> Iterator[Sequence[Found]]:
    """Cut what was found so that what a slow outline holds up is that record alone."""
    small: list[Found] = []
    for item in found:
        if len(item.stored.data) > LARGE:
            yield from filter(None, (small, [item]))
            small = []
        else:
            small.append(item)
    yield from filter(None, (small,))


def _headed(outline: Outline, hit: LineHit) -> Section | None:
    """Return the section whose heading a hit stands in."""
    section = outline.at(hit.match.line_start)
    return section if section.level and section.heading.start == hit.match.line_start else None


def record_symbol(place: Place, extent: Extent = RECORD_START) -> Symbol:
    """Return a record as a symbol, at its start unless its title was found in a line."""
    return Symbol(shown(place.title), True, place.thread, place, extent)  # noqa: FBT003


def _heading_symbol(hit: LineHit, place: Place, outline: Outline, section: Section) -> Symbol:
    parent = outline.root if section.parent is None else outline.sections[section.parent]
    container = _container(place, parent)
    return Symbol(shown(section.title), False, container, place, hit.match.extent)  # noqa: FBT003


def _container(place: Place, section: Section) -> str:
    names = [place.thread, place.title, *([shown(section.title)] if section.level else [])]
    return SEPARATOR.join(names)
