"""From what a symbol search found to symbols in their order."""

from collections.abc import Sequence
from typing import Final

from ctxls.queries.hearer import Hearer
from ctxls.queries.library import Library
from ctxls.queries.symbols.judging import Found, LineHit
from ctxls.queries.symbols.shapes import MOST_SYMBOLS, Symbol, SymbolAnswer
from ctxls.queries.titled import RECORD_START, is_in_title, is_title
from ctxls.records.document import named, shown
from ctxls.records.metadata import parsed_metadata
from ctxls.records.place import Place
from ctxls.text.headings import first_line_start
from ctxls.text.outline import Outline, Section
from ctxls.text.pattern import Pattern
from ctxls.text.positions import Extent

SEPARATOR: Final = " › "
EQUAL, TITLE, LINE = range(3)


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
        """Turn what the judge found into symbols."""
        for item in found:
            metadata = parsed_metadata(item.stored.metadata)
            text = item.stored.data.decode()
            outline = await self._library.outline_of(text, item.stored.data)
            place = await self._library.place_of(item.stored, metadata)
            if named(metadata):
                self._add_record(place, outline)
            titled_by_line = not named(metadata) and not outline.sections
            first_line = first_line_start(text) if titled_by_line else None
            self._add_hits(item, place, outline, first_line)
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

    def _add_record(self, place: Place, outline: Outline) -> None:
        """List the record itself when its title matches and no heading says the same."""
        if not is_in_title(self._pattern, place.title):
            return
        if any(shown(section.title) == place.title for section in outline.sections):
            return
        self._symbols[self._rank(place.title)].append(record_symbol(place))

    def _add_hits(
        self, item: Found, place: Place, outline: Outline, first_line: int | None
    ) -> None:
        headings = {section.heading.start: section for section in outline.sections}
        for hit in item.hits:
            if hit.match.line_start == first_line:
                symbol = record_symbol(place, hit.match.extent)
                self._symbols[self._rank(place.title)].append(symbol)
            else:
                self._add_hit(hit, place, outline, headings.get(hit.match.line_start))
        for hit in item.late:
            section = headings.get(hit.match.line_start)
            if section and is_title(self._pattern, section.title):
                self._symbols[EQUAL].append(_heading_symbol(hit, place, outline, section))

    def _add_hit(
        self, hit: LineHit, place: Place, outline: Outline, section: Section | None
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
