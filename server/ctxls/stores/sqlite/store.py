"""The port on SQLite: what each method asks, and of which database."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

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
from ctxls.records.store import Page, StoreDescription, Version
from ctxls.stores.cursors import cursor_of, key_of
from ctxls.stores.sqlite import rows, statements
from ctxls.stores.sqlite.adding import additions, insert
from ctxls.stores.sqlite.connection import Asked
from ctxls.stores.sqlite.faults import faults_told
from ctxls.stores.sqlite.file import StoreFile
from ctxls.stores.sqlite.layout import Shape
from ctxls.stores.sqlite.opening import Opening, OpenStore
from ctxls.stores.sqlite.statements import Statement

FIRST_ROWS: Final = 32
"""The most texts of a first batch, so that a scan has its first answer soon; then twice as many."""
BATCH_ROWS: Final = 512
BATCH_BYTES: Final = 4 << 20
"""The most bytes of one batch unless one text is larger: above this a trip costs nothing."""
PAGE_BYTES: Final = 32 << 20
"""Where a page of records ends early, and its cursor goes on; and what candidates hold together."""
DECIDED_ROWS: Final = 256
"""Records whose metadata one trip decides: with 100 conditions, tens of milliseconds."""
TIME: Final = str | int | float | None
"""What a column of times may hold, and so a cursor."""

Item = TypeVar("Item")


class SqliteStore:
    """Records in the SQLite file at `path`, opened by the first call.

    With `create`, a file that is missing at first is made. A failed store is opened anew by the
    next call, so that one that appears later works then. Of the file, `mapped_bytes` are read
    through memory: faster, but cutting the file then ends the process (docs/decisions/0004).
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool,
        busy_timeout_s: float,
        longest_text: int,
        mapped_bytes: int = 0,
    ) -> None:
        self._opening = Opening(
            StoreFile(path.absolute()), busy_timeout_s, create=create, mapped_bytes=mapped_bytes
        )
        self._longest_text = longest_text

    async def describe(self) -> StoreDescription:
        """Open the store if need be and say what it is."""
        opened = await self._opening.store()
        return StoreDescription("sqlite", opened.shape.layout.words, not opened.may_write)

    async def state(self) -> tuple[int, ...]:
        """Return what is another value once anything stored may have changed, by whomever."""
        opened = await self._opening.store()
        found = await self._read(opened, statements.DATA_VERSION)
        return (opened.number, found[0]["data_version"])

    async def versions(self, caller: Caller) -> Sequence[Version]:
        """Return the versions of all readable records, newest first as `select` has them."""
        return await self._rows(
            lambda shape: statements.versions(shape, caller),
            Version._make,
        )

    async def count(self, caller: Caller) -> int:
        """Count the readable records."""
        found = await self._rows(lambda shape: statements.count(shape, caller))
        return int(found[0]["records"])

    async def fetch(self, record_id: RecordId, caller: Caller) -> StoredRecord:
        """Read one record whole. NotFoundError when there is no readable one."""
        found = await self._whole([record_id], caller)
        if not found:
            raise NotFoundError.entry(record_id)
        return found[0][1]

    async def candidates(self, prefix: str, caller: Caller, limit: int) -> Sequence[Candidate]:
        """Return up to `limit` readable records whose id begins with `prefix`, newest first.

        Each comes with as much of its text as all may hold together: enough for its title.
        """
        keys = await self._rows(lambda shape: statements.candidates(shape, prefix, caller, limit))
        ids, share = [key["id"] for key in keys], PAGE_BYTES // max(limit, 1)
        return tuple(
            await self._rows(
                lambda shape: statements.told_apart(shape, ids, caller, share), rows.candidate
            )
        )

    async def select(self, scope: Filter, caller: Caller) -> Sequence[RecordId]:
        """Return the ids of all readable records in scope, newest first (created, then id)."""
        return [key["id"] for key in await self._keys(scope, caller, None, None)]

    async def texts(
        self, ids: Sequence[RecordId], caller: Caller, held_bytes: int
    ) -> AsyncGenerator[Sequence[StoredText], None]:
        """Stream the texts of `ids`, in their order, in batches of about `held_bytes` at most.

        A batch holds at least one record, read whole. A record removed meanwhile is left out.
        """
        held = min(held_bytes, BATCH_BYTES)
        position, rows_asked = 0, FIRST_ROWS
        while position < len(ids):
            asked = ids[position : position + rows_asked]
            rows_asked = min(2 * rows_asked, BATCH_ROWS)
            found = await self._texts(asked, caller, held)
            position += found[-1][0] + 1 if found else len(asked)
            if found:
                yield tuple(text for _, text in found)

    async def records(
        self, scope: Filter, caller: Caller, limit: int, cursor: str | None
    ) -> Page[StoredRecord]:
        """List records in scope with their texts, newest first.

        A page of large texts ends before its limit; its cursor goes on from there.
        """
        after = _sought(key_of("records", cursor, TIME, str))
        keys = await self._keys(scope, caller, limit + 1, after)
        asked = [key["id"] for key in keys[:limit]]
        found = await self._whole(asked, caller, PAGE_BYTES)
        last = found[-1][0] if found else len(asked) - 1
        return Page(
            tuple(record for _, record in found),
            cursor_of("records", rows.sort_time(keys[last]["created"]), keys[last]["id"])
            if last + 1 < len(keys)
            else None,
        )

    async def threads(
        self, scope: Filter, caller: Caller, limit: int, cursor: str | None
    ) -> Page[ThreadSummary]:
        """List the threads of the records in scope, most recently changed first."""
        after = _sought(key_of("threads", cursor, TIME, int))
        decided = await self._decided(scope, caller)
        found = await self._rows(
            lambda shape: statements.threads(shape, decided, caller, limit + 1, after)
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
        decided = await self._decided(scope, caller)
        found = await self._rows(
            lambda shape: statements.tags(shape, decided, caller, limit + 1, after)
        )
        return _page(found, limit, rows.tag, lambda row: cursor_of("tags", row["tag"]))

    async def add(self, records: Sequence[NewRecord], caller: Caller) -> Sequence[Record]:
        """Store new records in one transaction, owned by the caller. ReadOnlyError if refused."""
        _refuse_unwritable(await self._opening.store())  # before the work
        added = await asyncio.to_thread(additions, records, self._longest_text)
        opened = await self._opening.store()  # it may have been opened anew meanwhile
        _refuse_unwritable(opened)
        with faults_told():
            async with opened.writing:
                await insert(await opened.writer(), added, caller.name or "")
        return [one.record for one in added]

    async def close(self) -> None:
        """Let go of the database; a later call opens it anew."""
        await self._opening.close()

    async def _decided(self, scope: Filter, caller: Caller) -> Filter:
        """Return the scope with its metadata conditions decided: what they admit, by id."""
        if not scope.conditions:
            return scope
        return replace(scope, conditions=(), ids=tuple(await self.select(scope, caller)))

    async def _keys(
        self, scope: Filter, caller: Caller, limit: int | None, after: Sequence[Any] | None
    ) -> Sequence[sqlite3.Row]:
        """List ids and created times in scope, newest first.

        Metadata conditions are decided a batch at a time: between two batches others have their
        turn, and a cancelled caller stops.
        """
        most = None if scope.conditions else limit
        keys = await self._undecided(scope, caller, most, after)
        if not scope.conditions:
            return keys
        admitted: list[sqlite3.Row] = []
        for start in range(0, len(keys), DECIDED_ROWS):
            admitted += await self._admitted(scope, caller, keys[start : start + DECIDED_ROWS])
            if limit is not None and len(admitted) >= limit:
                break
        return admitted[:limit]

    async def _undecided(
        self, scope: Filter, caller: Caller, limit: int | None, after: Sequence[Any] | None
    ) -> Sequence[sqlite3.Row]:
        keys = await self._rows(lambda shape: statements.page(shape, scope, caller, limit, after))
        left = None if limit is None else limit - len(keys)
        if left == 0 or after is None or after[0] is None:
            return keys
        return [
            *keys,
            *await self._rows(lambda shape: statements.undated(shape, scope, caller, left)),
        ]

    async def _admitted(
        self, scope: Filter, caller: Caller, keys: Sequence[sqlite3.Row]
    ) -> Sequence[sqlite3.Row]:
        ids = [key["id"] for key in keys]
        places = await self._rows(
            lambda shape: statements.metadata(shape, ids, caller),
            partial(rows.admitted_place, scope),
        )
        return [keys[place] for place in places if place is not None]

    async def _texts(
        self, ids: Sequence[RecordId], caller: Caller, held_bytes: int
    ) -> Sequence[tuple[int, StoredText]]:
        return await self._rows(
            lambda shape: statements.texts(shape, ids, caller, held_bytes), rows.placed_text
        )

    async def _whole(
        self, ids: Sequence[RecordId], caller: Caller, held_bytes: int | None = None
    ) -> Sequence[tuple[int, StoredRecord]]:
        return await self._rows(
            lambda shape: statements.whole(shape, ids, caller, held_bytes),
            lambda row: (row["place"], rows.stored_record(row)),
        )

    async def _rows(
        self,
        ask: Callable[[Shape], Statement],
        build: Callable[[Any], Any] = lambda row: row,
    ) -> Sequence[Any]:
        """Take one trip to the store, and build what is wanted of its rows within it."""
        opened = await self._opening.store()
        return await self._read(opened, ask(opened.shape), build)

    async def _read(
        self,
        opened: OpenStore,
        statement: Statement,
        build: Callable[[Any], Any] = lambda row: row,
    ) -> Sequence[Any]:
        asked = Asked(statement, build)
        try:
            with faults_told():
                found = await opened.reader.execute_fetchall(statement.sql, asked)
        except (StoreUnavailableError, StoreDamagedError):
            await self._opening.drop(opened)  # the next call opens anew, should it be mended
            raise
        return list(found)


def _refuse_unwritable(opened: OpenStore) -> None:
    if opened.may_write:
        return
    if opened.shape.layout.is_ours:
        raise ReadOnlyError("The store may not be written by this user.")
    raise ReadOnlyError(
        "The store belongs to another program and is open read-only; store into a store of ctxls."
    )


def _sought(key: Sequence[Any] | None) -> Sequence[Any] | None:
    return (rows.time_sought(key[0]), *key[1:]) if key else None


def _page(
    found: Sequence[sqlite3.Row],
    limit: int,
    item_of: Callable[[sqlite3.Row], Item],
    cursor_after: Callable[[sqlite3.Row], str],
) -> Page[Item]:
    """Cut the row that was asked for only to learn whether there are more."""
    items = tuple(map(item_of, found[:limit]))
    return Page(items, cursor_after(found[limit - 1]) if len(found) > limit else None)
