"""Connections to SQLite through aiosqlite: one thread each, one trip to it a statement.

Every read is a single statement, taken to its end within its trip. So it sees one state of the
store, needs no transaction, and leaves nothing behind when its caller is cancelled: a cursor left
open would hold all later reads at its own, old state.
"""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from operator import methodcaller
from typing import Any, Final

import aiosqlite

from ctxls.stores.sqlite.statements import Statement

READING: Final = ("query_only = ON", "cell_size_check = ON")
DECODED: Final = methodcaller("decode", "utf-8", "replace")
WRITING: Final = ("foreign_keys = ON", "journal_mode = WAL")


class Asked(dict[str, Any]):
    """A statement's values, and what `build` makes of each row in the connection's thread."""

    def __init__(self, statement: Statement, build: Callable[[Any], Any]) -> None:
        super().__init__(statement.parameters)
        self.statement = statement
        self.build = build


class BatchCursor(sqlite3.Cursor):
    """Builds what was asked for of rows, until their texts hold `held_bytes` where that is bound.

    It works in the connection's thread: large texts are decoded there, not on the event loop.
    """

    _asked: Asked | None = None

    def execute(self, sql: str, parameters: Any = (), /) -> "BatchCursor":
        """Execute one statement, noting what was asked."""
        self._asked = parameters if isinstance(parameters, Asked) else None
        if self._asked and self._asked.statement.is_plain:
            self.row_factory = None
        super().execute(sql, parameters)
        return self

    def fetchall(self) -> list[Any]:
        """Take all rows, or at least one and as many as the bound allows."""
        if self._asked is None:
            return super().fetchall()
        bound = self._asked.get("held_bytes")
        rows = self if bound is None else self._bounded(self._asked.statement.texts_at, bound)
        built = list(map(self._asked.build, rows))
        self.close()
        return built

    def _bounded(self, texts_at: int, bound: int) -> Iterator[Any]:
        held = 0
        for row in self:
            yield row
            held += len(row[texts_at] or b"")
            if held >= bound:
                return


class StoreConnection(sqlite3.Connection):
    """Gives rows by name, reads text that is not UTF-8 without failing, and batches."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.row_factory = sqlite3.Row
        self.text_factory = DECODED

    def execute(self, sql: str, parameters: Any = (), /) -> BatchCursor:
        """Execute one statement with a cursor that batches."""
        return self.cursor(BatchCursor).execute(sql, parameters)


async def connect(uri: str, busy_timeout_s: float, pragmas: Sequence[str]) -> aiosqlite.Connection:
    """Open a connection and look into the file, so that what is wrong with it shows here."""
    async with AsyncExitStack() as stack:
        connection = await stack.enter_async_context(
            aiosqlite.connect(
                uri,
                uri=True,
                factory=StoreConnection,
                timeout=busy_timeout_s,
                isolation_level=None,
            )
        )
        for pragma in pragmas:
            await connection.execute_fetchall(f"PRAGMA {pragma}")
        await connection.execute_fetchall("SELECT count(*) FROM sqlite_master")
        stack.pop_all()  # nothing failed: the connection stays open
    return connection


@asynccontextmanager
async def transaction(connection: aiosqlite.Connection) -> AsyncIterator[None]:
    """Write all or nothing. IMMEDIATE, so that waiting for another writer happens here.

    The rollback has nothing to undo after a commit. In a cancelled task it is queued behind the
    statement that still runs, so that the next writer finds no transaction open.
    """
    try:
        await connection.execute_fetchall("BEGIN IMMEDIATE")
        yield
        await connection.commit()
    finally:
        await connection.rollback()
