"""What a store already holds, so that importing a folder again stores nothing twice."""

import json
from collections.abc import AsyncIterator, Sequence
from enum import Enum
from hashlib import blake2b
from typing import Any, Final

from ctxls.records.access import Caller
from ctxls.records.filters import Filter, tags_of
from ctxls.records.record import NewRecord, Record, StoredRecord
from ctxls.records.store import RecordStore
from ctxls.writing.markdown import PATH, FileRecord

PAGE: Final = 500
ANYBODY: Final = Caller("")
"""Somebody without a name, who reads what is shared and nothing private."""


class Standing(Enum):
    """How a record stands to those in the store."""

    NEW = "new"
    NEWER = "newer"
    """A file whose thread and path are known, and whose newest text is another."""
    KNOWN = "known"
    """A file whose newest text is this one, or a line of which nothing differs."""


class Known:
    """Judges records by digests of the threads that they are in, each read once.

    A digest is 16 bytes, so 100,000 records of an import take some 20 MB.
    """

    def __init__(self, store: RecordStore, caller: Caller) -> None:
        self._store = store
        self._caller = caller
        self._threads: set[str] = set()
        self._newest: dict[bytes, bytes] = {}
        """The newest text of each thread and path."""
        self._records: set[bytes] = set()

    async def judge(self, record: NewRecord) -> Standing:
        """Say how a record stands, and take it for known from now on."""
        if record.thread not in self._threads:
            await self._read(record.thread)
        place, text, whole = _digests(record, record.text, is_private=record.private)
        before = self._newest.get(place)
        is_known = whole in self._records
        self._newest[place] = text
        self._records.add(whole)
        if not isinstance(record, FileRecord):
            return Standing.KNOWN if is_known else Standing.NEW
        if before is None:
            return Standing.NEW
        return Standing.KNOWN if before == text else Standing.NEWER

    async def _read(self, thread: str) -> None:
        scope = Filter(thread=thread)
        shared = set(await self._store.select(scope, ANYBODY))
        async for page in self._pages(scope):
            for stored in page:
                is_private = stored.record.id not in shared
                place, text, whole = _digests(stored.record, stored.text, is_private=is_private)
                self._newest.setdefault(place, text)  # the newest comes first
                self._records.add(whole)
        self._threads.add(thread)

    async def _pages(self, scope: Filter) -> AsyncIterator[Sequence[StoredRecord]]:
        cursor = None
        while True:
            page = await self._store.records(scope, self._caller, PAGE, cursor)
            yield page.items
            if (cursor := page.next_cursor) is None:
                return


def _digests(
    record: NewRecord | Record, text: str, *, is_private: bool
) -> tuple[bytes, bytes, bytes]:
    """Digest the place of a record, its text, and all that it says."""
    metadata = dict(record.metadata)
    tags = sorted(tags_of(record.tags))  # as they read once stored
    place = _digest(_json([record.thread, str(metadata.get(PATH))]))
    of_text = _digest(text.encode())
    facts = [record.thread, record.source, tags, metadata, record.summary, is_private]
    return place, of_text, _digest(of_text + _json(facts))


def _json(value: Any) -> bytes:
    """Write a JSON value, which keeps apart what is written the same end to end."""
    return json.dumps(value, sort_keys=True).encode()


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
