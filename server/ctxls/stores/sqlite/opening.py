"""Opening a store: as what, how far, and anew when it failed or was replaced."""

import asyncio
import logging
import sqlite3
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Final

from aiosqlite import Connection

from ctxls.errors import StoreUnavailableError
from ctxls.stores.sqlite.connection import READING, WRITING, connect
from ctxls.stores.sqlite.faults import PRIMARY, UNFINISHED, faults_told
from ctxls.stores.sqlite.file import StoreFile
from ctxls.stores.sqlite.layout import Shape
from ctxls.stores.sqlite.making import bring_up_to_date, make_store
from ctxls.stores.sqlite.recognising import our_version, recognise
from ctxls.stores.sqlite.schema import SCHEMA_VERSION

log: Final = logging.getLogger("ctxls.stores.sqlite")

CANNOT_SHARE: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""How SQLite says that it cannot make the files that readers and writers of a WAL share."""
_openings: Final = count()


@dataclass(frozen=True, slots=True)
class OpenStore:
    """An open database: a connection to read by and, once a store of ours is written, another."""

    file: StoreFile
    busy_timeout_s: float
    reader: Connection
    shape: Shape
    may_write: bool
    is_frozen: bool
    """Whether it is read as immutable: without locks, and without what is written from now on."""
    identity: tuple[int, ...] | None
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held for a whole transaction, since the tasks of this process share one writer."""
    number: int = field(default_factory=partial(next, _openings))
    """Tells this opening from others of this process."""
    _writers: list[Connection] = field(default_factory=list)

    def is_current(self) -> bool:
        """Whether the path still leads to this file, unchanged where that matters."""
        return self.identity == self.file.identity(unchanged=self.is_frozen)

    async def writer(self) -> Connection:
        """Return the connection to write by, opened at the first write, with `writing` held.

        Opening it may change the file, for example to WAL mode: no reader does that.
        """
        if not self._writers:
            uri = self.file.uri("mode=rw")
            self._writers.append(await connect(uri, self.busy_timeout_s, WRITING))
        return self._writers[0]

    async def close(self) -> None:
        """Let a write end, and close the writer last: it can put away the files beside ours."""
        await self.reader.close()
        async with self.writing:
            while self._writers:
                await self._writers.pop().close()


class Opening:
    """The one open database that all calls share: opened at the first, and anew when it failed.

    With `create`, a missing store is made until one was opened: to make another in the place of
    one that is gone for a moment would hide all that it holds.
    """

    def __init__(
        self, file: StoreFile, busy_timeout_s: float, *, create: bool, mapped_bytes: int = 0
    ) -> None:
        self._file = file
        self._mapped_bytes = mapped_bytes
        self._busy_timeout_s = busy_timeout_s
        self._may_create = create
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
        if self._may_create and await asyncio.to_thread(self._file.is_missing):
            await make_store(self._file, self._busy_timeout_s)
        await asyncio.to_thread(self._file.examine)
        with faults_told():
            opened = await _open(self._file, self._busy_timeout_s, self._mapped_bytes)
        self._may_create = False  # from now on a missing store is one that went away
        self._warn_once(opened)
        return opened

    def _warn_once(self, opened: OpenStore) -> None:
        if opened.is_frozen and not self._has_warned:
            self._has_warned = True
            log.warning(
                "The store's folder cannot be written by this user, so the store is read without"
                " locks: what another program writes at the same moment may be read torn."
            )


async def _open(file: StoreFile, busy_timeout_s: float, mapped_bytes: int) -> OpenStore:
    identity = file.identity(unchanged=False)
    async with AsyncExitStack() as stack:
        reader, is_frozen = await _reader(file, busy_timeout_s, mapped_bytes)
        stack.push_async_callback(reader.close)
        version = await our_version(reader)
        may_write = version is not None and not is_frozen and file.is_writable()
        if may_write and version != SCHEMA_VERSION:
            await bring_up_to_date(file, busy_timeout_s)
        shape = await recognise(reader)
        stack.pop_all()  # nothing failed: the connection stays open
    if is_frozen:
        identity = file.identity(unchanged=True)
    return OpenStore(file, busy_timeout_s, reader, shape, may_write, is_frozen, identity)


async def _reader(
    file: StoreFile, busy_timeout_s: float, mapped_bytes: int
) -> tuple[Connection, bool]:
    """Open the connection that reads, as immutable only where nothing else is possible.

    A database in WAL mode needs files beside it, which a folder that cannot be written refuses.
    Immutable reading would miss what such files hold, so it needs that there are none.
    """
    pragmas = (*READING, f"mmap_size = {mapped_bytes}")
    try:
        return await connect(file.uri("mode=ro"), busy_timeout_s, pragmas), False
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
