"""Importing: what paths hold goes into a store, batch after batch.

What cannot be stored is refused with the reason and never stops the rest. A record that is stored
already is left as it is, so that importing again stores only what is new; a file with another text
than last time is stored as a new record, and the older one stays.
"""

from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from typing import Final

from ctxls.records.access import Caller
from ctxls.records.record import NewRecord
from ctxls.records.store import RecordStore
from ctxls.writing.known import Known, Standing
from ctxls.writing.refusals import Refusal
from ctxls.writing.store import Batch

MOST_UNTOLD: Final = 1_000
"""How many are looked at before they are told about, so that progress moves."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A record that is in the store now, since this import or since an earlier one."""

    thread: str
    standing: Standing


async def import_records(
    arrivals: Iterable[NewRecord | Refusal], store: RecordStore, caller: Caller
) -> AsyncGenerator[Stored | Refusal, None]:
    """Store what arrives and tell about each. What was told is stored, whatever comes after it."""
    known, batch = Known(store, caller), Batch(store, caller)
    told: list[Stored | Refusal] = []
    for item in arrivals:
        told.append(await _take(item, known, batch))
        if batch.is_full or len(told) >= MOST_UNTOLD:
            await batch.store()
            for one in told:
                yield one
            told.clear()
    await batch.store()
    for one in told:
        yield one


async def _take(item: NewRecord | Refusal, known: Known, batch: Batch) -> Stored | Refusal:
    if isinstance(item, Refusal):
        return item
    standing = await known.judge(item)
    if standing is not Standing.KNOWN:
        batch.add(item)
    return Stored(item.thread, standing)
