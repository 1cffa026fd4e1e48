"""The one translation of SQLite's errors into ours.

A message never holds SQLite's own words: they may quote a path or SQL.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from ctxls.errors import (
    CtxlsError,
    InvalidParamsError,
    ReadOnlyError,
    StoreBusyError,
    StoreDamagedError,
    StoreUnavailableError,
)

PRIMARY: Final = 0xFF
"""The bits of an extended result code that hold the primary one."""

BUSY: Final = StoreBusyError, "Another program keeps the store locked; try again in a moment."
UNFINISHED: Final = (
    "Another program left changes beside the store that this user may not finish; open the store"
    " once with that program."
)
HALF_WRITTEN: Final = StoreUnavailableError, UNFINISHED
DAMAGED: Final = StoreDamagedError, "The store is damaged; restore it from a backup."
NOT_OPENED: Final = StoreUnavailableError, "The store cannot be opened by this user."
CHANGED: Final = StoreUnavailableError, "The store's layout was changed by another program."

FAULTS: Final[Mapping[int, tuple[type[CtxlsError], str]]] = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_PROTOCOL: BUSY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,  # the file was seen to begin as a database does
    sqlite3.SQLITE_CANTOPEN: NOT_OPENED,
    sqlite3.SQLITE_PERM: NOT_OPENED,
    sqlite3.SQLITE_AUTH: NOT_OPENED,
    sqlite3.SQLITE_SCHEMA: CHANGED,
    sqlite3.SQLITE_READONLY: (ReadOnlyError, "The store may not be written by this user."),
    sqlite3.SQLITE_READONLY_ROLLBACK: HALF_WRITTEN,
    sqlite3.SQLITE_READONLY_RECOVERY: HALF_WRITTEN,
    sqlite3.SQLITE_READONLY_CANTINIT: HALF_WRITTEN,
    sqlite3.SQLITE_READONLY_CANTLOCK: HALF_WRITTEN,
    sqlite3.SQLITE_READONLY_DIRECTORY: HALF_WRITTEN,
    sqlite3.SQLITE_FULL: (
        StoreUnavailableError,
        "The disk is full, so nothing was stored; free some space and try again.",
    ),
    sqlite3.SQLITE_IOERR: (
        StoreUnavailableError,
        "The disk failed to read or write the store.",
    ),
    sqlite3.SQLITE_TOOBIG: (
        InvalidParamsError,
        "The record is larger than SQLite can hold; store a shorter text.",
    ),
}


@contextmanager
def faults_told() -> Iterator[None]:
    """Raise our error for SQLite's; one that means a mistake of ours passes as it is."""
    try:
        yield
    except sqlite3.Error as error:
        told = _told(error)
        if told is None:
            raise
        raise told from error


def _told(error: sqlite3.Error) -> CtxlsError | None:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    kind, message = FAULTS.get(code) or FAULTS.get(code & PRIMARY) or (None, "")
    if kind is None and str(error).startswith(("no such table", "no such column")):
        kind, message = CHANGED
    return kind(message) if kind else None
