"""Connections to SQLite through aiosqlite: one thread each, one trip to it a statement.

Every read is a single statement, taken to its end within its trip. So it sees one state of the
store, needs no transaction, and leaves nothing behind when its caller is cancelled: a cursor left
open would hold all later reads at its own, old state.
"""

import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, Final

import aiosqlite

READING: Final = ("query_only = ON", "cell_size_check = ON")
DECODED: Final = partial(str, encoding="utf-8", errors="replace")
WRITING: Final = ("foreign_keys = ON", "journal_mode = WAL")


class Asked(dict[str, Any]):
    """The values of a statement, and what `build` makes of each row in the connection's thread."""

    def __init__(self, values: Mapping[str, Any], build: Callable[[sqlite3.Row], Any]) -> None:
        super().__init__(values)
        self.build = build


class BatchCursor(sqlite3.Cursor):
    """Builds what was asked for of rows, until their texts hold `held_bytes` where that is bound.

    It works in the connection's thread: large texts are decoded there, not on the event loop.
    """

    _asked: Asked | None = None

    def execute(self, sql: str, parameters: Any = (), /) -> "BatchCursor":
        """Execute one statement, noting what was asked."""
        self._asked = parameters if isinstance(parameters, Asked) else None
        super().execute(sql, parameters)
        return self

    def fetchall(self) -> list[Any]:
        """Take all rows, or at least one and as many as the bound allows."""
        if self._asked is None:
            return super().fetchall()
        bound = self._asked.get("held_bytes")
        built, held = [], 0
        for row in self:
            built.append(self._asked.build(row))
            if bound is not None:
                held += len(row["text"] or b"")
                if held >= bound:
                    break
        self.close()
        return built


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
