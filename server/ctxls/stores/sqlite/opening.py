"""Opening a store: as what, how far, and anew when it failed or was replaced."""

import asyncio
import logging
import sqlite3
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from aiosqlite import Connection

from ctxls.errors import StoreUnavailableError
from ctxls.stores.sqlite.connection import MAPPED, READING, WRITING, connect
from ctxls.stores.sqlite.faults import PRIMARY, UNFINISHED, faults_told
from ctxls.stores.sqlite.file import StoreFile
from ctxls.stores.sqlite.layout import Shape
from ctxls.stores.sqlite.making import bring_up_to_date, make_store
from ctxls.stores.sqlite.recognising import our_version, recognise
from ctxls.stores.sqlite.schema import SCHEMA_VERSION

log: Final = logging.getLogger("ctxls.stores.sqlite")

CANNOT_SHARE: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""How SQLite says that it cannot make the files that readers and writers of a WAL share."""


@dataclass(frozen=True, slots=True)
class OpenStore:
    """An open database: a connection to read by and, for a store that we may write, another."""

    file: StoreFile
    reader: Connection
    writer: Connection | None
    shape: Shape
    is_frozen: bool
    """Whether it is read as immutable: without locks, and without what is written from now on."""
    identity: tuple[int, ...] | None
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held for a whole transaction, since the tasks of this process share one writer."""

    def is_current(self) -> bool:
        """Whether the path still leads to this file, unchanged where that matters."""
        return self.identity == self.file.identity(unchanged=self.is_frozen)

    async def close(self) -> None:
        """Let a write end, and close the writer last: it can put away the files beside ours."""
        await self.reader.close()
        if self.writer:
            async with self.writing:
                await self.writer.close()


class Opening:
    """The one open database that all calls share: opened at the first, and anew when it failed."""

    def __init__(self, file: StoreFile, busy_timeout_s: float, *, create: bool) -> None:
        self._file = file
        self._busy_timeout_s = busy_timeout_s
        self._create = create
        self._task: asyncio.Task[OpenStore] | None = None
        self._has_warned = False

    async def store(self) -> OpenStore:
        """Return the open database. Callers that come while it opens share one opening.

        A cancelled caller leaves the opening to the others.
        """
        task = self._task
        if task is None or _is_over(task):
            task = self._task = asyncio.create_task(self._open_anew(task))
            task.add_done_callback(_has_failed)
        return await asyncio.shield(task)

    async def drop(self, opened: OpenStore) -> None:
        """Close a database that failed, unless another caller did."""
        task = self._task
        if task and task.done() and not _has_failed(task) and task.result() is opened:
            self._task = None
            await opened.close()

    async def close(self) -> None:
        """Close the database; a later call opens it anew."""
        task, self._task = self._task, None
        await _close(task)

    async def _open_anew(self, former: asyncio.Task[OpenStore] | None) -> OpenStore:
        await _close(former)
        if self._create and await asyncio.to_thread(self._file.is_missing):
            await make_store(self._file, self._busy_timeout_s)
        await asyncio.to_thread(self._file.examine)
        with faults_told():
            opened = await _open(self._file, self._busy_timeout_s)
        self._warn_once(opened)
        return opened

    def _warn_once(self, opened: OpenStore) -> None:
        if opened.is_frozen and not self._has_warned:
            self._has_warned = True
            log.warning(
                "The store's folder cannot be written by this user, so the store is read without"
                " locks: what another program writes at the same moment may be read torn."
            )


async def _open(file: StoreFile, busy_timeout_s: float) -> OpenStore:
    identity = file.identity(unchanged=False)
    async with AsyncExitStack() as stack:
        reader, is_frozen = await _reader(file, busy_timeout_s)
        stack.push_async_callback(reader.close)
        version = await our_version(reader)
        may_write = version is not None and not is_frozen and file.is_writable()
        if may_write and version != SCHEMA_VERSION:
            await bring_up_to_date(file, busy_timeout_s)
        shape = await recognise(reader)
        writer = await connect(file.uri("mode=rw"), busy_timeout_s, WRITING) if may_write else None
        stack.pop_all()  # nothing failed: the connections stay open
    if is_frozen:
        identity = file.identity(unchanged=True)
    return OpenStore(file, reader, writer, shape, is_frozen, identity)


async def _reader(file: StoreFile, busy_timeout_s: float) -> tuple[Connection, bool]:
    """Open the connection that reads, as immutable only where nothing else is possible.

    A database in WAL mode needs files beside it, which a folder that cannot be written refuses.
    Immutable reading would miss what such files hold, so it needs that there are none.
    """
    try:
        return await connect(file.uri("mode=ro"), busy_timeout_s, (*READING, *MAPPED)), False
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & PRIMARY not in CANNOT_SHARE or file.folder_is_writable():
            raise
        if file.has_unmerged_changes():
            raise StoreUnavailableError(UNFINISHED) from error
    return await connect(file.uri("mode=ro&immutable=1"), busy_timeout_s, READING), True


async def _close(task: asyncio.Task[OpenStore] | None) -> None:
    if task:
        await asyncio.wait([task])
        if not _has_failed(task):
            await task.result().close()


def _is_over(task: asyncio.Task[OpenStore]) -> bool:
    """Whether an opening failed, or what it opened is no longer what the path leads to."""
    return task.done() and (_has_failed(task) or not task.result().is_current())


def _has_failed(task: asyncio.Task[OpenStore]) -> bool:
    return task.cancelled() or task.exception() is not None
