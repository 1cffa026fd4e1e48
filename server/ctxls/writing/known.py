"""What a store already holds, so that importing a folder again stores nothing twice."""

from contextlib import aclosing
from enum import Enum
from hashlib import blake2b
from typing import Final

from ctxls.records.access import Caller
from ctxls.records.filters import Filter
from ctxls.records.metadata import parsed_metadata
from ctxls.records.record import NewRecord
from ctxls.records.store import RecordStore
from ctxls.writing.markdown import PATH

HELD_BYTES: Final = 16 << 20


class Standing(Enum):
    """How a record stands to those in the store."""

    NEW = "new"
    NEWER = "newer"
    """Its thread and path are known, with another text."""
    KNOWN = "known"
    """Its thread, path and text are all there."""


class Known:
    """Judges records by digests of the threads that they are in, each read once.

    A digest is 16 bytes, so 100,000 records of an import take some 20 MB.
    """

    def __init__(self, store: RecordStore, caller: Caller) -> None:
        self._store = store
        self._caller = caller
        self._threads: set[str] = set()
        self._places: set[bytes] = set()
        self._texts: set[bytes] = set()

    async def judge(self, record: NewRecord) -> Standing:
        """Say how a record stands, and take it for known from now on."""
        if record.thread not in self._threads:
            await self._read(record.thread)
        place = _place(record.thread, record.metadata.get(PATH))
        text = _digest(place, record.text.encode())
        if text in self._texts:
            return Standing.KNOWN
        standing = Standing.NEWER if PATH in record.metadata and place in self._places else None
        self._places.add(place)
        self._texts.add(text)
        return standing or Standing.NEW

    async def _read(self, thread: str) -> None:
        ids = await self._store.select(Filter(thread=thread), self._caller)
        async with aclosing(self._store.texts(ids, self._caller, HELD_BYTES)) as batches:
            async for batch in batches:
                for stored in batch:
                    place = _place(thread, parsed_metadata(stored.metadata).get(PATH))
                    self._places.add(place)
                    self._texts.add(_digest(place, stored.data))
        self._threads.add(thread)


def _place(thread: str, path: object) -> bytes:
    return _digest(thread.encode(), str(path).encode())


def _digest(first: bytes, second: bytes) -> bytes:
    """Digest a pair; the length keeps apart what is written the same end to end."""
    return blake2b(b"%d:%b%b" % (len(first), first, second), digest_size=16).digest()
