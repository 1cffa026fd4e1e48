"""The port on SQLite: what each method asks, and of which database."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from aiosqlite import Connection

from ctxls.errors import NotFoundError, ReadOnlyError, StoreDamagedError, StoreUnavailableError
from ctxls.records.access import Caller
from ctxls.records.filters import Filter
from ctxls.records.record import (
    Candidate,
    NewRecord,
    Record,
    RecordId,
    StoredRecord,
    StoredText,
    TagSummary,
    ThreadSummary,
)
from ctxls.records.store import Page, StoreDescription
from ctxls.stores.cursors import cursor_of, key_of
from ctxls.stores.sqlite import rows, statements
from ctxls.stores.sqlite.adding import additions, insert
from ctxls.stores.sqlite.faults import faults_told
from ctxls.stores.sqlite.file import StoreFile
from ctxls.stores.sqlite.layout import Shape
from ctxls.stores.sqlite.opening import Opening, OpenStore
from ctxls.stores.sqlite.statements import Statement

BATCH_ROWS: Final = 256
"""The most texts of one batch, so that a scan has its first answer soon."""
BATCH_BYTES: Final = 4 << 20
"""The most bytes of one batch unless one text is larger: above this a trip costs nothing."""
PAGE_BYTES: Final = 32 << 20
"""Where a page of records ends early, and its cursor goes on."""
TIME: Final = str | int | float | None
"""What a column of times may hold, and so a cursor."""

Item = TypeVar("Item")


class SqliteStore:
    """Records in the SQLite file at `path`, opened by the first call.

    With `create`, a missing file is made. A failed store is opened anew by the next call, so that
    one that appears later works then.
    """

    def __init__(
        self, path: Path, *, create: bool, busy_timeout_s: float, longest_text: int
    ) -> None:
        self._opening = Opening(StoreFile(path.absolute()), busy_timeout_s, create=create)
        self._longest_text = longest_text

    async def describe(self) -> StoreDescription:
        """Open the store if need be and say what it is."""
        opened = await self._opening.store()
        return StoreDescription("sqlite", opened.shape.layout.words, opened.writer is None)

    async def count(self, caller: Caller) -> int:
        """Count the readable records."""
        found = await self._rows(lambda shape: statements.count(shape, caller))
        return int(found[0]["records"])

    async def fetch(self, record_id: RecordId, caller: Caller) -> StoredRecord:
        """Read one record whole. NotFoundError when there is no readable one."""
        found = await self._whole([record_id], caller)
        if not found:
            raise NotFoundError.entry(record_id)
        return rows.stored_record(found[0])

    async def candidates(self, prefix: str, caller: Caller, limit: int) -> Sequence[Candidate]:
        """Return up to `limit` readable records whose id begins with `prefix`, newest first."""
        keys = await self._rows(lambda shape: statements.candidates(shape, prefix, caller, limit))
        found = await self._whole([key["id"] for key in keys], caller)
        return tuple(map(rows.candidate, found))

    async def select(self, scope: Filter, caller: Caller) -> Sequence[RecordId]:
        """Return the ids of all readable records in scope, newest first (created, then id)."""
        found = await self._rows(lambda shape: statements.select(shape, scope, caller))
        return [row["id"] for row in found]

    async def texts(
        self, ids: Sequence[RecordId], caller: Caller, held_bytes: int
    ) -> AsyncGenerator[Sequence[StoredText], None]:
        """Stream the texts of `ids`, in their order, in batches of about `held_bytes` at most.

        A batch holds at least one record, read whole. A record removed meanwhile is left out.
        """
        held = min(held_bytes, BATCH_BYTES)
        position = 0
        while position < len(ids):
            asked = ids[position : position + BATCH_ROWS]
            found = await self._texts(asked, caller, held)
            position += found[-1]["place"] + 1 if found else len(asked)
            if found:
                yield tuple(map(rows.stored_text, found))

    async def records(
        self, scope: Filter, caller: Caller, limit: int, cursor: str | None
    ) -> Page[StoredRecord]:
        """List records in scope with their texts, newest first.

        A page of large texts ends before its limit; its cursor goes on from there.
        """
        after = key_of("records", cursor, TIME, str)
        keys = await self._rows(
            lambda shape: statements.page(shape, scope, caller, limit + 1, after)
        )
        asked = [key["id"] for key in keys[:limit]]
        found = await self._whole(asked, caller, PAGE_BYTES)
        last = found[-1]["place"] if found else len(asked) - 1
        return Page(
            tuple(map(rows.stored_record, found)),
            cursor_of("records", rows.sort_time(keys[last]["created"]), keys[last]["id"])
            if last + 1 < len(keys)
            else None,
        )

    async def threads(
        self, scope: Filter, caller: Caller, limit: int, cursor: str | None
    ) -> Page[ThreadSummary]:
        """List the threads of the records in scope, most recently changed first."""
        after = key_of("threads", cursor, TIME, int)
        found = await self._rows(
            lambda shape: statements.threads(shape, scope, caller, limit + 1, after)
        )
        return _page(
            found,
            limit,
            rows.thread,
            lambda row: cursor_of("threads", rows.sort_time(row["updated"]), row["last"]),
        )

    async def tags(
        self, scope: Filter, caller: Caller, limit: int, cursor: str | None
    ) -> Page[TagSummary]:
        """List the tags of the records in scope, in alphabetical order."""
        after = key_of("tags", cursor, str)
        found = await self._rows(
            lambda shape: statements.tags(shape, scope, caller, limit + 1, after)
        )
        return _page(found, limit, rows.tag, lambda row: cursor_of("tags", row["tag"]))

    async def add(self, records: Sequence[NewRecord], caller: Caller) -> Sequence[Record]:
        """Store new records in one transaction, owned by the caller. ReadOnlyError if refused."""
        opened = await self._opening.store()
        writer = _writer(opened)
        added = await asyncio.to_thread(additions, records, self._longest_text)
        with faults_told():
            async with opened.writing:
                await insert(writer, added, caller.name or "")
        return [one.record for one in added]

    async def close(self) -> None:
        """Let go of the database; a later call opens it anew."""
        await self._opening.close()

    async def _texts(
        self, ids: Sequence[RecordId], caller: Caller, held_bytes: int
    ) -> Sequence[sqlite3.Row]:
        return await self._rows(lambda shape: statements.texts(shape, ids, caller, held_bytes))

    async def _whole(
        self, ids: Sequence[RecordId], caller: Caller, held_bytes: int | None = None
    ) -> Sequence[sqlite3.Row]:
        return await self._rows(lambda shape: statements.whole(shape, ids, caller, held_bytes))

    async def _rows(self, ask: Callable[[Shape], Statement]) -> Sequence[sqlite3.Row]:
        """Take one trip to the store."""
        opened = await self._opening.store()
        statement = ask(opened.shape)
        try:
            with faults_told():
                found = await opened.reader.execute_fetchall(statement.sql, statement.parameters)
        except (StoreUnavailableError, StoreDamagedError):
            await self._opening.drop(opened)  # the next call opens anew, should it be mended
            raise
        return list(found)


def _writer(opened: OpenStore) -> Connection:
    if opened.writer:
        return opened.writer
    if opened.shape.layout.is_ours:
        raise ReadOnlyError("The store may not be written by this user.")
    raise ReadOnlyError(
        "The store belongs to another program and is open read-only; store into a store of ctxls."
    )


def _page(
    found: Sequence[sqlite3.Row],
    limit: int,
    item_of: Callable[[sqlite3.Row], Item],
    cursor_after: Callable[[sqlite3.Row], str],
) -> Page[Item]:
    """Cut the row that was asked for only to learn whether there are more."""
    items = tuple(map(item_of, found[:limit]))
    return Page(items, cursor_after(found[limit - 1]) if len(found) > limit else None)
