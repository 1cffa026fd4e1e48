"""Outlines kept across restarts: one disposable SQLite file in the folder of what is derived.

It may be lost, damaged or full at any time, and several processes may use it at once: whatever it
cannot answer is parsed. A row names its own key and has a checksum, so it is either right or not
seen; so SQLite need not wait for the disk, and keeps its journal in memory, where no other process
can mistake it for its own after the file was dropped and made anew.
"""

import logging
import sqlite3
from collections.abc import Callable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Final

from ctxls.index.outline_bytes import decoded, encoded
from ctxls.index.private import make_file, make_folder
from ctxls.text.outline import Outline

NAME: Final = "outlines.db"
FORMAT: Final = 1
"""To be counted up when an outline, its bytes, or what is found in a text changes."""
MOST_BYTES: Final = 64 << 20
"""About how large the file grows before the oldest rows make room."""
_MADE_BY: Final = f"{FORMAT} {version('markdown-it-py')}".encode()[:16]
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BAD: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
_SCHEMA: Final = "CREATE TABLE IF NOT EXISTS outlines (key BLOB NOT NULL UNIQUE, row BLOB NOT NULL)"
_GET: Final = "SELECT row FROM outlines WHERE key = ?"
_PUT: Final = "INSERT OR REPLACE INTO outlines (key, row) VALUES (?, ?)"
_USED: Final = """SELECT (page_count - freelist_count) * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size"""
_DROP_OLDEST: Final = """DELETE FROM outlines WHERE rowid <=
    (SELECT min(rowid) + (max(rowid) - min(rowid)) / 4 FROM outlines)"""
_log: Final = logging.getLogger(__name__)


class OutlineFile:
    """Outlines by the keys of their texts. Any thread may call; a call may take milliseconds."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._path = folder / NAME
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._database: sqlite3.Connection | None = None
        self._is_off = False
        self._was_dropped = False

    def get(self, key: bytes) -> Outline | None:
        """Return the outline of the text with that key, if it is kept."""
        row = self._run(lambda database: _get(database, _row_key(key)))
        return decoded(row) if row is not None else None

    def put(self, key: bytes, outline: Outline) -> None:
        """Keep an outline, if the file can be written."""
        row = encoded(outline)
        if len(row) * 4 < self._most_bytes:
            self._run(lambda database: _put(database, _row_key(key), row, self._most_bytes))

    def close(self) -> None:
        """Let go of the file for good."""
        with self._lock:
            self._let_go()
            self._is_off = True

    def _run(self, work: Callable[[sqlite3.Connection], bytes | None]) -> bytes | None:
        with self._lock:
            if self._is_off:
                return None
            try:
                if self._database is None:
                    self._database = _opened(self._path)
                return work(self._database)
            except (sqlite3.Error, OSError) as error:
                self._recover(error)
            return None

    def _recover(self, error: sqlite3.Error | OSError) -> None:
        """Begin anew where the file is bad, and do without where it cannot be used."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & 0xFF
        if code in _BUSY:
            return  # another process is writing: what is asked for is parsed instead
        self._let_go()
        if code in _BAD and not self._was_dropped:
            self._was_dropped = True
            _log.warning("The file of outlines was damaged and is begun anew: %s", error)
            self._drop()
        else:
            self._is_off = True
            self._say_off(error)

    def _say_off(self, error: sqlite3.Error | OSError) -> None:
        why = error.strerror if isinstance(error, OSError) else error
        _log.warning("Outlines are not kept on disk: %s: %s.", self._path, why)

    def _let_go(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _drop(self) -> None:
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            self._is_off = True
            self._say_off(error)


def _opened(path: Path) -> sqlite3.Connection:
    make_folder(path.parent)
    make_file(path)
    database = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode = MEMORY", "synchronous = OFF", "cache_size = -1024"):
            database.execute(f"PRAGMA {pragma}").close()
        database.execute(_SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _row_key(key: bytes) -> bytes:
    """Return what a row is found by: another parser or format never sees it."""
    return blake2b(key, digest_size=16, person=_MADE_BY).digest()


def _get(database: sqlite3.Connection, key: bytes) -> bytes | None:
    found = database.execute(_GET, (key,)).fetchone()
    return found[0] if found and isinstance(found[0], bytes) else None


def _put(database: sqlite3.Connection, key: bytes, row: bytes, most_bytes: int) -> None:
    database.execute(_PUT, (key, row))
    if database.execute(_USED).fetchone()[0] > most_bytes:
        database.execute(_DROP_OLDEST)
