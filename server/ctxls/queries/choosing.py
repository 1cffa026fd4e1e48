"""Choosing what a scan reads: of the records in scope, those that the index cannot rule out.

What the index rules out is decided as surely as what is read, and counted with it.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ctxls.queries.clock import Clock, ScanOutOfTimeError
from ctxls.queries.library import Library
from ctxls.records.access import Caller
from ctxls.records.filters import Filter
from ctxls.records.record import RecordId
from ctxls.text.pattern import Pattern


@dataclass(frozen=True, slots=True)
class Want:
    """What is looked for, and where."""

    pattern: Pattern
    scope: Filter = Filter()
    most: int | None = None
    """How many records in scope may be decided; None: all."""
    always: Collection[RecordId] = ()
    """Records to be read in any case: those whose text is not the stored one."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The records to read, in order."""

    want: Want
    ids: Sequence[RecordId]
    decided: Sequence[int]
    """How many records in scope are decided once each of `ids` is."""
    total: int
    """How many records are in scope, as far as they may be scanned."""
    has_more: bool
    """Whether the scope has more than may be scanned."""
    is_narrow: bool
    """Whether an index chose, so that most of them match."""

    def decided_with(self, record_id: RecordId) -> int:
        """Return how many records are decided once this one is."""
        return self.decided[self.ids.index(record_id)]


async def choose(library: Library, want: Want, caller: Caller, clock: Clock) -> Chosen:
    """Choose what to read for `want`.

    Raises ScanOutOfTimeError, since metadata conditions take their time.
    """
    scope, most = want.scope, want.most
    try:
        async with asyncio.timeout(clock.left()):
            if library.index is None:
                return _all(want, await library.store.select(scope, caller))
            selection = await library.index.selection(scope, caller)
    except TimeoutError:
        raise ScanOutOfTimeError from None
    ids = selection.ids
    required = want.pattern.required
    if not required:
        return _all(want, ids)
    total = len(ids) if most is None else min(most, len(ids))
    places = [place for place in selection.may_match(required) if place < total]
    if want.always:
        here = (place for place, record_id in enumerate(ids[:total]) if record_id in want.always)
        places = sorted({*places, *here})
    chosen = [ids[place] for place in places]
    decided = [place + 1 for place in places]
    return Chosen(want, chosen, decided, total, total < len(ids), is_narrow=True)


def _all(want: Want, ids: Sequence[RecordId]) -> Chosen:
    kept = ids[: want.most]
    return Chosen(
        want, kept, range(1, len(kept) + 1), len(kept), len(kept) < len(ids), is_narrow=False
    )
