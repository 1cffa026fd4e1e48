"""One store, many tasks and other programs: answers stay right, and a cancelled call harms none."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import ctxls
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter, condition
from ctxls.records.record import NewRecord
from ctxls.records.store import RecordStore
from ctxls.stores.sqlite import SqliteStore

OpenStore = Callable[..., SqliteStore]
Reads = dict[str, Callable[..., Any]]
ALL = Filter()
SERVER = str(Path(ctxls.__file__).parents[1])

WRITE_FOREVER = """
import asyncio, sys
from pathlib import Path
from ctxls.records.access import OWNER
from ctxls.records.record import NewRecord
from ctxls.stores.sqlite import SqliteStore

async def main():
    store = SqliteStore(Path(sys.argv[1]), create=True, busy_timeout_s=5, longest_text=1 << 20)
    for number in range(10**9):
        three = [NewRecord(str(number), "user", "x" * 5000, tags=("a", "b")) for _ in range(3)]
        await store.add(three, OWNER)
        print(number, flush=True)

asyncio.run(main())
"""


async def test_calls_at_once_open_once_and_answer_alike(
    open_store: OpenStore, peer: Path, reads: Reads
) -> None:
    one_by_one = open_store(peer)
    expected = {name: await read(one_by_one, OWNER) for name, read in reads.items()}
    store = open_store(peer)
    names = list(reads) * 20
    threads = _sqlite_threads()
    answers = await asyncio.gather(*(reads[name](store, OWNER) for name in names))
    assert answers == [expected[name] for name in names]
    assert _sqlite_threads() == threads + 1


async def test_many_tasks_read_and_write_at_once(store: RecordStore) -> None:
    async def write(number: int) -> None:
        new = [NewRecord(f"t{number}", "user", f"{number}", tags=("a", f"g{number}"))] * 3
        for record in await store.add(new, OWNER):
            assert (await store.fetch(record.id, OWNER)).record == record

    async def scan() -> int:
        ids = await store.select(ALL, OWNER)
        found = [text.id async for batch in store.texts(ids, OWNER, 1) for text in batch]
        assert found == ids
        return len(found)

    *_, seen = await asyncio.gather(*(write(number) for number in range(30)), scan())
    assert await store.count(OWNER) == 90
    assert await scan() == 90
    assert seen is not None
    assert seen % 3 == 0


async def test_what_was_stored_is_seen_at_once_even_while_a_scan_is_open(
    store: RecordStore,
) -> None:
    await store.add([NewRecord("t", "user", "x" * 100)] * 3, OWNER)
    scan = store.texts(await store.select(ALL, OWNER), OWNER, 1)
    await anext(scan)
    [record] = await store.add([NewRecord("t", "user", "new")], OWNER)
    assert (await store.fetch(record.id, OWNER)).text == "new"
    assert await store.count(OWNER) == 4
    assert len([batch async for batch in scan]) == 2


async def test_a_cancelled_call_leaves_the_store_usable(
    open_store: OpenStore, peer: Path, reads: Reads
) -> None:
    for name, read in reads.items():
        store = open_store(peer)
        for steps in range(6):
            task = asyncio.ensure_future(read(store, OWNER))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
        assert await store.count(OWNER) == 160, name


HUNDRED = Filter(conditions=tuple(condition(f"k{n}.a", "not_exists", None) for n in range(100)))
CONDITIONAL: dict[str, Callable[[RecordStore], Any]] = {
    "select": lambda store: store.select(HUNDRED, OWNER),
    "records": lambda store: store.records(HUNDRED, OWNER, 3_000, None),
    "threads": lambda store: store.threads(HUNDRED, OWNER, 9, None),
    "tags": lambda store: store.tags(HUNDRED, OWNER, 9, None),
}


@pytest.mark.parametrize("name", CONDITIONAL)
async def test_metadata_conditions_keep_no_other_call_waiting_and_stop_when_cancelled(
    store: RecordStore, name: str
) -> None:
    new = NewRecord("t", "user", "x", metadata={f"k{n}": n for n in range(100)})
    await store.add([new] * 3_000, OWNER)
    deciding = asyncio.ensure_future(CONDITIONAL[name](store))
    for _ in range(2):
        await asyncio.sleep(0)
        assert await store.count(OWNER) == 3_000
    assert not deciding.done()
    deciding.cancel()
    await asyncio.wait([deciding])
    assert deciding.cancelled()
    assert len(await store.select(HUNDRED, OWNER)) == 3_000


class SlowText(str):
    """A text that is long in being hashed."""

    __slots__ = ("asked", "go_on")

    asked: threading.Event
    go_on: threading.Event

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        self.asked.set()
        assert self.go_on.wait(30)
        return super().encode(encoding, errors)


async def test_a_store_opened_anew_while_texts_are_prepared_takes_them(
    tmp_path: Path, open_store: OpenStore
) -> None:
    path = tmp_path / "ctxls.db"
    store = open_store(path, create=True)
    await store.add([NewRecord("t", "user", "x")], OWNER)
    text = SlowText("slow")
    text.asked, text.go_on = threading.Event(), threading.Event()
    adding = asyncio.ensure_future(store.add([NewRecord("t", "user", text)], OWNER))
    await asyncio.to_thread(text.asked.wait, 30)
    await open_store(tmp_path / "other.db", create=True).describe()
    (tmp_path / "other.db").replace(path)
    for side in ("-wal", "-shm"):
        path.with_name(path.name + side).unlink()
    assert await store.count(OWNER) == 0
    text.go_on.set()
    await adding
    assert await store.count(OWNER) == 1


async def test_a_call_cancelled_while_the_store_opens_cancels_no_other(
    open_store: OpenStore, peer: Path
) -> None:
    store = open_store(peer)
    first, second = (asyncio.ensure_future(store.count(OWNER)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == 160
    assert first.cancelled()


async def test_a_cancelled_write_is_whole_or_nothing(store: RecordStore) -> None:
    await store.count(OWNER)
    new = [NewRecord("t", "user", "x", tags=("a",), private=True)] * 50
    stored = 0
    for steps in range(60):
        task = asyncio.ensure_future(store.add(new, OWNER))
        for _ in range(steps):
            await asyncio.sleep(0.0001)
        task.cancel()
        await asyncio.wait([task])
        stored += not task.cancelled()
    await store.add(new, OWNER)
    count = await store.count(OWNER)
    assert count % 50 == 0
    assert stored + 1 <= count // 50 <= 61
    [tag] = (await store.tags(ALL, OWNER, 9, None)).items
    assert tag.records == count


async def test_a_store_closed_while_it_opens_opens_again(open_store: OpenStore, peer: Path) -> None:
    store = open_store(peer)
    task = asyncio.ensure_future(store.count(OWNER))
    await asyncio.sleep(0)
    await store.close()
    await asyncio.wait([task])
    assert await store.count(OWNER) == 160


async def test_two_stores_made_at_once_are_one(tmp_path: Path, open_store: OpenStore) -> None:
    path = tmp_path / "new" / "ctxls.db"
    stores = [open_store(path, create=True) for _ in range(8)]
    await asyncio.gather(*(store.add([NewRecord("t", "user", "x")], OWNER) for store in stores))
    assert [await store.count(OWNER) for store in stores] == [8] * 8
    assert [found.name for found in path.parent.iterdir() if ".new" in found.name] == []


async def test_another_writer_is_waited_for(tmp_path: Path, open_store: OpenStore) -> None:
    path = tmp_path / "ctxls.db"
    store = open_store(path, create=True, busy_timeout_s=10)
    await store.count(OWNER)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(store.add([NewRecord("t", "user", "x")], OWNER))
        await asyncio.sleep(0.2)
        assert await store.count(OWNER) == 0
        assert not waiting.done()
        other.execute("COMMIT")
        await waiting
    assert await store.count(OWNER) == 1


@pytest.mark.parametrize("after", [1, 4, 9])
async def test_a_killed_writer_loses_nothing_that_it_said_was_stored(
    tmp_path: Path, open_store: OpenStore, after: int
) -> None:
    path = tmp_path / "ctxls.db"
    with subprocess.Popen(  # noqa: ASYNC220 - the test waits for it
        [sys.executable, "-c", WRITE_FOREVER, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SERVER},
    ) as writer:
        assert writer.stdout
        said = [int(writer.stdout.readline()) for _ in range(after)]
        writer.send_signal(signal.SIGKILL)
        said += [int(line) for line in writer.stdout]
    store = open_store(path)
    listed = (await store.threads(ALL, OWNER, 10_000, None)).items
    assert {str(number) for number in said} <= {one.thread for one in listed}
    assert all(one.records == 3 for one in listed)
    await store.add([NewRecord("t", "user", "x")], OWNER)


def _sqlite_threads() -> int:
    return sum("connection_worker" in thread.name for thread in threading.enumerate())
