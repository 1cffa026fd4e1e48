"""Handing new records to a store: in batches, each stored as a whole or not at all."""

from collections.abc import Sequence
from typing import Final

from ctxls.records.access import Caller
from ctxls.records.record import NewRecord
from ctxls.records.store import RecordStore

MOST_RECORDS: Final = 256
MOST_CHARACTERS: Final = 4 << 20


class Batch:
    """Records on their way into a store, bounded in number and size."""

    def __init__(self, store: RecordStore, caller: Caller) -> None:
        self._store = store
        self._caller = caller
        self._records: list[NewRecord] = []
        self._characters = 0

    @property
    def is_full(self) -> bool:
        """Whether it should be stored before more is added."""
        return len(self._records) >= MOST_RECORDS or self._characters >= MOST_CHARACTERS

    def add(self, record: NewRecord) -> None:
        """Take one more record."""
        self._records.append(record)
        self._characters += len(record.text)

    async def store(self) -> Sequence[NewRecord]:
        """Store what was added, in one transaction, and begin anew."""
        records, self._records, self._characters = self._records, [], 0
        if records:
            await self._store.add(records, self._caller)
        return records
