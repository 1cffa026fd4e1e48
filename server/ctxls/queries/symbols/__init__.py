"""workspace/symbol: grep as a list of symbols, one a line, titles first.

Collected newest record first until there are 200; after that only titles equal to the query are
still looked for, so that a cut never drops one for a vaguer hit. Then ordered: equal titles,
other hits on headings and in record titles, other lines; newest first in each.
"""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from ctxls.errors import BadRequestError
from ctxls.queries.choosing import Want, choose
from ctxls.queries.clock import SHOWING_S, Clock, ScanOutOfTimeError
from ctxls.queries.hearer import Hearer
from ctxls.queries.library import Library
from ctxls.queries.scan import Scan, compiled
from ctxls.queries.symbols.asking import SymbolQuery, parse_query
from ctxls.queries.symbols.judging import SymbolJudge
from ctxls.queries.symbols.shapes import MOST_SYMBOLS, Symbol, SymbolAnswer
from ctxls.queries.symbols.showing import SymbolAnswering, record_symbol
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.text.pattern import Pattern

MOST_RECENT: Final = 100
UNHEARD: Final[Hearer[Sequence[Symbol]]] = Hearer()

__all__ = ["Symbol", "SymbolAnswer", "workspace_symbols"]


async def workspace_symbols(
    library: Library, query: str, caller: Caller, hearer: Hearer[Sequence[Symbol]] = UNHEARD
) -> SymbolAnswer:
    """Answer a symbol query: a literal, a `/regular expression/`, filters in front."""
    asked = parse_query(query)
    if not asked.text:
        return await _most_recent(library, asked, caller, hearer)
    seconds = library.limits.interactive_seconds
    clock = Clock(seconds)
    pattern = await _pattern(library, asked)
    judge = SymbolJudge(pattern)
    found = SymbolAnswering(library, pattern, hearer)
    search = _Search(library, judge, found, clock)
    try:
        async with asyncio.timeout(seconds + SHOWING_S):
            await search.run(Want(pattern, asked.scope), caller, hearer)
    except (ScanOutOfTimeError, TimeoutError):
        return found.answer(f"after {seconds:g} seconds")
    return found.answer(f"at {MOST_SYMBOLS} symbols" if judge.overflowed else None)


@dataclass(frozen=True, slots=True)
class _Search:
    library: Library
    judge: SymbolJudge
    found: SymbolAnswering
    clock: Clock

    async def run(self, want: Want, caller: Caller, hearer: Hearer[Sequence[Symbol]]) -> None:
        """Find and show; raises ScanOutOfTimeError once what was found in time is shown."""
        try:
            chosen = await choose(self.library, want, caller, self.clock)
            scan = Scan(self.library, chosen, caller, self.judge, self.clock)
            hearer.watch(scan.how_far)
            async with aclosing(scan.batches()) as batches:
                async for _ in batches:
                    await self.found.add(self.judge.take())
        except ScanOutOfTimeError:
            await self.found.add(self.judge.take())
            raise


async def _pattern(library: Library, asked: SymbolQuery) -> Pattern:
    if asked.expression is not None:
        try:
            return await compiled(library, asked.expression, is_regex=True, case_sensitive=False)
        except BadRequestError:
            pass  # one that does not compile is searched as a literal, as it was typed
    return await compiled(library, asked.text, is_regex=False, case_sensitive=False)


async def _most_recent(
    library: Library, asked: SymbolQuery, caller: Caller, hearer: Hearer[Sequence[Symbol]]
) -> SymbolAnswer:
    symbols: list[Symbol] = []
    cursor = None
    while len(symbols) < MOST_RECENT:
        page = await library.store.records(asked.scope, caller, MOST_RECENT - len(symbols), cursor)
        for row in page.items:
            place = await library.place(Document(row.record, row.text))
            symbols.append(record_symbol(place))
        cursor = page.next_cursor
        if cursor is None:
            break
    if hearer.found is not None:
        await hearer.found(symbols)
        return SymbolAnswer(())
    return SymbolAnswer(tuple(symbols))
