"""Stores that cannot serve: one plain sentence each, nothing altered, and a cure that works."""

import asyncio
import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import ctxls
from ctxls.errors import (
    CtxlsError,
    ReadOnlyError,
    StoreBusyError,
    StoreDamagedError,
    StoreNewerError,
    StoreUnavailableError,
)
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord
from ctxls.records.store import RecordStore
from ctxls.stores.sqlite import SqliteStore, checking

Read = Callable[[RecordStore], Awaitable[Any]]
OpenStore = Callable[..., SqliteStore]
Sql = Callable[..., list[Any]]
Watch = Callable[[Path], None]

SERVER = str(Path(ctxls.__file__).parents[1])
NEW = NewRecord("t", "user", "x")
DAMAGED = "The store is damaged; restore it from a backup."
UNFINISHED = (
    "Another program left changes beside the store that this user may not finish; open the store"
    " once with that program."
)
BUSY = "Another program keeps the store locked; try again in a moment."

TABLES = """CREATE TABLE context_entries (id TEXT UNIQUE, rowid_int INTEGER PRIMARY KEY,
    source, content_type, text_content, metadata, version, created_at, updated_at)"""


def _unknown(what: str) -> str:
    return f"The store is a SQLite database of a layout that ctxls does not know: {what}."


UNUSABLE: list[tuple[bytes | str | None, str]] = [
    (None, "The store does not exist; make it with `ctxls import`, or name one that does."),
    (b"", "The store is an empty file of zero bytes; delete it, or name a database."),
    (b"# Notes\n", "The store is not a SQLite database but a text file; name a database."),
    (
        "Заметки о выкладке".encode(),
        "The store is not a SQLite database but a text file; name a database.",
    ),
    (
        b"\x7fELF\0\0\0\0" * 4,
        "The store is not a SQLite database but another kind of file; name a database.",
    ),
    (b"SQLite format 3\0" + b"\xff" * 4_096, DAMAGED),
    (b"SQLite format 3\0", DAMAGED),
    (
        "CREATE TABLE notes (id)",
        _unknown("it has no table context_entries"),
    ),
    (
        "VACUUM",
        _unknown("it has no table context_entries"),
    ),
    (
        TABLES,
        _unknown("its table context_entries lacks the column thread_id"),
    ),
    (
        TABLES.replace("source, content_type", "thread_id").replace("version,", ""),
        _unknown("its table context_entries lacks the columns content_type, source, version"),
    ),
    (
        TABLES.replace("source", "thread_id, source"),
        _unknown("it has no table tags"),
    ),
    (
        "CREATE TABLE ctxls_meta (key, value)",
        _unknown("its table ctxls_meta names no schema version"),
    ),
    (
        "CREATE TABLE ctxls_meta (name, value)",
        _unknown("its table ctxls_meta names no schema version"),
    ),
    (
        "CREATE TABLE ctxls_meta AS SELECT 'schema_version' AS key, 'one' AS value",
        _unknown("its table ctxls_meta names no schema version"),
    ),
    (
        "CREATE TABLE ctxls_meta AS SELECT 'schema_version' AS key, 1 AS value",
        _unknown("it has no table context_entries"),
    ),
    (
        "CREATE VIEW context_entries AS SELECT 1 AS id",
        _unknown("it has no table context_entries"),
    ),
]


@pytest.mark.parametrize(("made_of", "said"), UNUSABLE)
async def test_an_unusable_store_says_what_it_is(
    made_of: bytes | str | None,
    said: str,
    tmp_path: Path,
    open_store: OpenStore,
    sql: Sql,
    read: Read,
    untouched: Watch,
) -> None:
    path = tmp_path / "store.db"
    if isinstance(made_of, str):
        sql(path, made_of)
    elif made_of is not None:
        path.write_bytes(made_of)
    if made_of is not None:
        untouched(path)
    kind = StoreDamagedError if said == DAMAGED else StoreUnavailableError
    store = open_store(path)
    for _ in range(2):
        await _fails(read(store), kind, said)
    await _fails(store.add([NEW], OWNER), kind, said)
    assert set(tmp_path.iterdir()) <= {path}


async def test_a_folder_or_a_pipe_is_no_store(tmp_path: Path, open_store: OpenStore) -> None:
    os.mkfifo(tmp_path / "pipe")
    await _fails(
        open_store(tmp_path).count(OWNER),
        StoreUnavailableError,
        "The store is a folder; name a database file.",
    )
    await _fails(
        open_store(tmp_path / "pipe").count(OWNER),
        StoreUnavailableError,
        "The store is not a regular file; name a database file.",
    )
    await _fails(
        open_store(tmp_path / "pipe" / "below").count(OWNER),
        StoreUnavailableError,
        "The store cannot be opened by this user: Not a directory.",
    )


async def test_a_store_that_appears_later_works_then(
    tmp_path: Path, open_store: OpenStore, peer: Path
) -> None:
    store = open_store(tmp_path / "later.db")
    with pytest.raises(StoreUnavailableError):
        await store.count(OWNER)
    peer.rename(tmp_path / "later.db")
    assert await store.count(OWNER) == 160


async def test_a_store_that_goes_and_comes_back_is_missed_meanwhile(
    tmp_path: Path, open_store: OpenStore, peer: Path
) -> None:
    store = open_store(peer)
    assert await store.count(OWNER) == 160
    peer.rename(tmp_path / "away.db")
    with pytest.raises(StoreUnavailableError, match="does not exist"):
        await store.count(OWNER)
    (tmp_path / "away.db").rename(peer)
    assert await store.count(OWNER) == 160


async def test_a_store_that_was_made_and_goes_is_not_made_anew(
    tmp_path: Path, open_store: OpenStore
) -> None:
    path, away = tmp_path / "ctxls.db", tmp_path / "away.db"
    store = open_store(path, create=True)
    await store.add([NEW], OWNER)
    path.rename(away)
    for asked in (store.count(OWNER), store.add([NEW], OWNER)):
        with pytest.raises(StoreUnavailableError, match="does not exist"):
            await asked
    assert not path.exists()
    away.rename(path)
    assert await store.count(OWNER) == 1


async def test_another_store_in_the_same_place_is_opened_instead(
    open_store: OpenStore, peer: Path, released_peer: Path
) -> None:
    store = open_store(peer)
    assert await store.count(OWNER) == 160
    released_peer.replace(peer)
    assert (await store.describe()).layout == "mcp-context-server 2.x"
    assert await store.count(OWNER) == 12


async def test_a_missing_store_is_made_only_when_asked(
    tmp_path: Path, open_store: OpenStore
) -> None:
    path = tmp_path / "a" / "b" / "ctxls.db"
    with pytest.raises(StoreUnavailableError):
        await open_store(path).count(OWNER)
    assert not (tmp_path / "a").exists()
    store = open_store(path, create=True)
    await store.add([NEW], OWNER)
    assert await open_store(path).count(OWNER) == 1


async def test_a_store_is_made_for_its_user_alone(tmp_path: Path, open_store: OpenStore) -> None:
    path = tmp_path / "a" / "b" / "ctxls.db"
    store = open_store(path, create=True)
    await store.add([NEW], OWNER)
    modes = {found.name: found.stat().st_mode & 0o777 for found in tmp_path.rglob("*")}
    assert {modes.pop("a"), modes.pop("b")} == {0o700}
    assert set(modes) == {"ctxls.db", "ctxls.db-wal", "ctxls.db-shm"}
    assert set(modes.values()) == {0o600}
    await store.close()
    assert list(path.parent.iterdir()) == [path]


async def test_an_existing_empty_file_is_not_made_a_store(
    tmp_path: Path, open_store: OpenStore
) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(StoreUnavailableError, match="empty file"):
        await open_store(path, create=True).count(OWNER)
    assert path.stat().st_size == 0


@pytest.mark.parametrize("reason", [errno.EPERM, errno.ENOTSUP, errno.EMLINK])
@pytest.mark.parametrize("others", [0, 1])
async def test_a_store_is_made_without_hard_links_and_over_no_other(
    tmp_path: Path,
    open_store: OpenStore,
    monkeypatch: pytest.MonkeyPatch,
    reason: int,
    others: int,
) -> None:
    path, other = tmp_path / "ctxls.db", tmp_path / "other.db"
    await open_store(other, create=True).add([NEW] * others, OWNER)
    await open_store(other).count(OWNER)

    def refuse(_made: Path, _path: Path) -> None:
        if others:
            shutil.copy(other, path)
            shutil.copy(f"{other}-wal", f"{path}-wal")
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(os, "link", refuse)
    store = open_store(path, create=True)
    assert await store.count(OWNER) == others
    await store.add([NEW], OWNER)
    assert await store.count(OWNER) == others + 1
    assert path.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("*.new"))


async def test_another_failure_to_put_a_store_in_place_is_told(
    tmp_path: Path, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_made: Path, _path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "link", fail)
    store = open_store(tmp_path / "ctxls.db", create=True)
    said = "The store cannot be made: No space left on device."
    await _fails(store.count(OWNER), StoreUnavailableError, said)
    assert not list(tmp_path.iterdir())


READ_WHILE_IT_IS_CUT = """
import asyncio, os, sys
from pathlib import Path
from ctxls.errors import CtxlsError
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.stores.sqlite import SqliteStore

async def main():
    path = Path(sys.argv[1])
    store = SqliteStore(path, create=False, busy_timeout_s=5, longest_text=100)
    await store.count(OWNER)
    os.truncate(path, 8192)
    try:
        await store.records(Filter(), OWNER, 1000, None)
    except CtxlsError as error:
        print(error.message)
    await store.close()

asyncio.run(main())
"""


def test_a_store_cut_in_place_while_it_is_open_ends_no_process(peer: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", READ_WHILE_IT_IS_CUT, str(peer)],
        env={**os.environ, "PYTHONPATH": SERVER},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (found.returncode, found.stdout) == (0, f"{DAMAGED}\n"), found.stderr


async def test_a_store_that_cannot_be_made_says_so(tmp_path: Path, open_store: OpenStore) -> None:
    (tmp_path / "file").touch()
    store = open_store(tmp_path / "file" / "ctxls.db", create=True)
    await _fails(
        store.count(OWNER), StoreUnavailableError, "The store cannot be made: Not a directory."
    )


async def test_a_damaged_page_is_told_and_the_rest_still_serves(
    open_store: OpenStore, peer: Path, read: Read, untouched: Watch
) -> None:
    sound = open_store(peer)
    whole = await read(sound)
    await sound.close()
    with peer.open("r+b") as file:
        file.seek(peer.stat().st_size // 2)
        file.write(b"\xff" * 65_536)
    untouched(peer)
    store = open_store(peer)
    [answer] = await asyncio.gather(read(store), return_exceptions=True)
    assert isinstance(answer, StoreDamagedError) or answer == whole
    assert (await store.describe()).read_only


@pytest.mark.parametrize("page", [0, 1])
async def test_a_store_damaged_near_its_start_is_told(
    open_store: OpenStore, peer: Path, page: int, untouched: Watch
) -> None:
    with peer.open("r+b") as file:
        file.seek(page * 4_096 + 100)
        file.write(b"\xff" * 3_900)
    untouched(peer)
    store = open_store(peer)
    for _ in range(2):
        await _fails(store.select(Filter(), OWNER), StoreDamagedError, DAMAGED)


async def test_a_cut_store_is_told(open_store: OpenStore, peer: Path) -> None:
    os.truncate(peer, peer.stat().st_size // 2)
    store = open_store(peer)
    await _fails(store.records(Filter(), OWNER, 1000, None), StoreDamagedError, DAMAGED)


async def test_a_half_done_change_of_another_program_is_not_read_past(
    tmp_path: Path, open_store: OpenStore, peer: Path, untouched: Watch
) -> None:
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(peer, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("PRAGMA cache_size = 5")  # so that the change reaches the file early
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE context_entries SET text_content = text_content || 'x'")
        shutil.copy(peer, copy)
        shutil.copy(f"{peer}-journal", f"{copy}-journal")
    untouched(copy)
    untouched(Path(f"{copy}-journal"))
    for _ in range(2):
        await _fails(open_store(copy).count(OWNER), StoreUnavailableError, UNFINISHED)


async def test_a_newer_store_names_both_versions_and_stays_untouched(
    tmp_path: Path, open_store: OpenStore, sql: Sql, read: Read, untouched: Watch
) -> None:
    path = await _made(tmp_path, open_store)
    sql(path, "UPDATE ctxls_meta SET value = '9999'", "DROP TABLE tags")
    untouched(path)
    said = (
        "The store was written by a newer ctxls (its layout is version 9999, this one knows up to"
        " 1); update ctxls to open it."
    )
    store = open_store(path, create=True)
    await _fails(read(store), StoreNewerError, said)
    await _fails(store.add([NEW], OWNER), StoreNewerError, said)


async def test_a_store_that_a_newer_ctxls_migrates_meanwhile_takes_no_writes(
    tmp_path: Path, open_store: OpenStore, sql: Sql
) -> None:
    path = await _made(tmp_path, open_store)
    store = open_store(path)
    await store.add([NEW], OWNER)
    sql(path, "UPDATE ctxls_meta SET value = '2'")
    with pytest.raises(StoreNewerError, match="version 2"):
        await store.add([NEW], OWNER)
    assert await store.count(OWNER) == 1


async def test_a_layout_changed_meanwhile_is_told_and_known_again(
    open_store: OpenStore, peer: Path, sql: Sql
) -> None:
    store = open_store(peer)
    assert await store.select(Filter(), OWNER)
    sql(peer, "ALTER TABLE context_entries RENAME TO away")
    await _fails(
        store.select(Filter(), OWNER),
        StoreUnavailableError,
        "The store's layout was changed by another program.",
    )
    with pytest.raises(StoreUnavailableError, match="it has no table context_entries"):
        await store.select(Filter(), OWNER)
    sql(peer, "ALTER TABLE away RENAME TO context_entries")
    assert len(await store.select(Filter(), OWNER)) == 160


async def test_a_locked_store_is_busy_and_then_free(
    open_store: OpenStore, peer: Path, sql: Sql, read: Read, untouched: Watch
) -> None:
    sql(peer, "PRAGMA journal_mode = DELETE")
    untouched(peer)
    store = open_store(peer, busy_timeout_s=0.05)
    with closing(sqlite3.connect(peer, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        await _fails(read(store), StoreBusyError, BUSY)
        other.execute("ROLLBACK")
        assert await read(store)
        other.execute("BEGIN EXCLUSIVE")
        await _fails(store.count(OWNER), StoreBusyError, BUSY)
    assert await store.count(OWNER) == 160


async def test_a_write_waits_for_another_writer_and_then_is_busy(
    tmp_path: Path, open_store: OpenStore
) -> None:
    path = await _made(tmp_path, open_store)
    store = open_store(path, busy_timeout_s=0.05)
    await store.add([NEW], OWNER)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await _fails(store.add([NEW], OWNER), StoreBusyError, BUSY)
        assert await store.count(OWNER) == 1
        other.execute("ROLLBACK")
    await store.add([NEW], OWNER)
    assert await store.count(OWNER) == 2


async def test_a_full_disk_stores_nothing_and_loses_nothing(
    tmp_path: Path, open_store: OpenStore, sql: Sql
) -> None:
    path = await _made(tmp_path, open_store)
    store = open_store(path)
    await store.add([NEW], OWNER)
    opened = await store._opening.store()
    writer = await opened.writer()
    await writer.execute_fetchall("PRAGMA max_page_count = 20")
    large = NewRecord("t", "user", "x" * 200_000)
    await _fails(
        store.add([NEW, large], OWNER),
        StoreUnavailableError,
        "The disk is full, so nothing was stored; free some space and try again.",
    )
    assert await store.count(OWNER) == 1
    await writer.execute_fetchall("PRAGMA max_page_count = 2000")
    await store.add([NEW, large], OWNER)
    assert await store.count(OWNER) == 3
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]


async def test_reading_changes_nothing_of_a_store_of_ours(
    tmp_path: Path, open_store: OpenStore, sql: Sql, read: Read, untouched: Watch
) -> None:
    path = await _made(tmp_path, open_store)
    store = open_store(path)
    await store.add([NEW], OWNER)
    await store.close()
    sql(path, "PRAGMA journal_mode = DELETE")
    untouched(path)
    await read(store)
    assert not (await store.describe()).read_only
    assert await checking.damage(path, 1.0) == []
    await store.close()


async def test_another_programs_store_takes_no_writes(
    open_store: OpenStore, peer: Path, released_peer: Path, untouched: Watch
) -> None:
    for path in (peer, released_peer):
        untouched(path)
        await _fails(
            open_store(path, create=True).add([NEW], OWNER),
            ReadOnlyError,
            "The store belongs to another program and is open read-only; store into a store of"
            " ctxls.",
        )


async def _made(tmp_path: Path, open_store: OpenStore) -> Path:
    store = open_store(tmp_path / "ctxls.db", create=True)
    await store.describe()
    await store.close()
    return tmp_path / "ctxls.db"


async def _fails(asked: Awaitable[Any], kind: type[CtxlsError], said: str) -> None:
    with pytest.raises(kind) as failed:
        await asked
    assert failed.value.message == said
    assert "/" not in said
