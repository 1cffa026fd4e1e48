"""A store where this user may not write: read, said once, and never written.

Run in a child process that gives up root, where the tests have it: root may write anywhere.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ctxls
from ctxls.records.access import OWNER
from ctxls.records.record import NewRecord
from ctxls.stores.sqlite import SqliteStore

OpenStore = Callable[..., SqliteStore]
Look = Callable[..., Any]
SERVER = str(Path(ctxls.__file__).parents[1])
NOBODY = 65_534

LOOK = """
import asyncio, json, logging, os, sys
from pathlib import Path
from ctxls.errors import CtxlsError
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord
from ctxls.stores.sqlite import SqliteStore

warnings = []
logging.getLogger("ctxls.stores.sqlite").addFilter(lambda record: warnings.append(record.msg))

async def said(asked):
    try:
        return await asked
    except CtxlsError as error:
        return f"{error.kind}: {error.message}"

async def main(path, create):
    store = SqliteStore(path, create=create, busy_timeout_s=1, longest_text=100)
    for _ in range(3):
        count = await said(store.count(OWNER))
        ids = await said(store.select(Filter(), OWNER))
    added = await said(store.add([NewRecord("t", "user", "x")], OWNER))
    kind = await said(store.describe())
    await store.close()
    print(json.dumps({"count": count, "ids": len(ids), "added": added,
        "read_only": getattr(kind, "read_only", None), "warnings": warnings}))

asyncio.run(asyncio.to_thread(Path("/").as_uri))  # loads what may not be readable in a moment
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(int(sys.argv[2]))
    os.setuid(int(sys.argv[2]))
asyncio.run(main(Path(sys.argv[1]), create=len(sys.argv) > 3))
"""
WARNED = (
    "The store's folder cannot be written by this user, so the store is read without locks: what"
    " another program writes at the same moment may be read torn."
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Make a folder that another user can reach; pytest's own are closed to all others."""
    found = Path(tempfile.mkdtemp(prefix="ctxls-"))
    found.chmod(0o777)
    yield found
    found.chmod(0o777)
    shutil.rmtree(found)


@pytest.fixture
def look() -> Look:
    """Count, store and describe as a user without any rights of its own."""

    def run(path: Path, *, create: bool = False) -> Any:
        arguments = [str(path), str(NOBODY), *(["create"] if create else [])]
        done = subprocess.run(
            [sys.executable, "-c", LOOK, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env={**os.environ, "PYTHONPATH": SERVER},
        )
        assert not done.stderr
        return json.loads(done.stdout)

    return run


def _closed(folder: Path) -> None:
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


def test_a_peers_store_in_a_closed_folder_is_read_and_that_is_said_once(
    folder: Path, peer: Path, look: Look, untouched: Callable[[Path], None]
) -> None:
    path = Path(shutil.copy(peer, folder / "peer.db"))
    untouched(path)
    _closed(folder)
    seen = look(path)
    assert (seen["count"], seen["ids"], seen["read_only"]) == (160, 160, True)
    assert seen["warnings"] == [WARNED]
    assert seen["added"].startswith("read-only: The store belongs to another program")
    assert list(folder.iterdir()) == [path]


async def test_our_store_in_a_closed_folder_is_read_and_not_written(
    folder: Path, open_store: OpenStore, look: Look, untouched: Callable[[Path], None]
) -> None:
    path = await _own(folder, open_store)
    untouched(path)
    _closed(folder)
    assert look(path) == {
        "count": 2,
        "ids": 2,
        "read_only": True,
        "added": "read-only: The store may not be written by this user.",
        "warnings": [WARNED],
    }


async def test_our_file_without_the_right_to_write_is_read_under_locks(
    folder: Path, open_store: OpenStore, look: Look, untouched: Callable[[Path], None]
) -> None:
    path = await _own(folder, open_store)
    untouched(path)
    path.chmod(0o444)
    assert look(path) == {
        "count": 2,
        "ids": 2,
        "read_only": True,
        "added": "read-only: The store may not be written by this user.",
        "warnings": [],
    }


async def test_changes_beside_a_store_in_a_closed_folder_are_not_passed_over(
    folder: Path, open_store: OpenStore, look: Look
) -> None:
    path = await _own(folder, open_store)
    store = open_store(path)
    await store.add([NewRecord("t", "user", "in the WAL alone")], OWNER)
    shutil.copy(folder / "ctxls.db-wal", folder / "copy.db-wal")
    shutil.copy(path, folder / "copy.db")
    await store.close()
    _closed(folder)
    seen = look(folder / "copy.db")
    assert seen["count"] == (
        "store-unavailable: Another program left changes beside the store that this user may not"
        " finish; open the store once with that program."
    )
    assert seen["warnings"] == []


def test_a_peers_store_without_wal_needs_no_files_beside_it(
    folder: Path, peer: Path, look: Look, sql: Callable[..., list[Any]]
) -> None:
    path = Path(shutil.copy(peer, folder / "peer.db"))
    sql(path, "PRAGMA journal_mode = DELETE")
    _closed(folder)
    seen = look(path)
    assert (seen["count"], seen["warnings"]) == (160, [])


def test_a_file_that_may_not_be_read_says_so(folder: Path, peer: Path, look: Look) -> None:
    path = Path(shutil.copy(peer, folder / "peer.db"))
    path.chmod(0)
    refused = "store-unavailable: The store cannot be opened by this user: Permission denied."
    seen = look(path)
    assert (seen["count"], seen["added"]) == (refused, refused)


def test_a_store_is_not_made_in_a_closed_folder(folder: Path, look: Look) -> None:
    _closed(folder)
    refused = "store-unavailable: The store cannot be made: Permission denied."
    assert look(folder / "ctxls.db", create=True)["added"] == refused
    assert look(folder / "new" / "ctxls.db", create=True)["added"] == refused


async def _own(folder: Path, open_store: OpenStore) -> Path:
    path = folder / "ctxls.db"
    store = open_store(path, create=True)
    await store.add([NewRecord("t", "user", "x")] * 2, OWNER)
    await store.close()
    if os.getuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    return path
