"""Importing into a real store: in batches, in order, and nothing twice."""

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

import pytest

from ctxls.errors import ReadOnlyError
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord
from ctxls.records.store import RecordStore
from ctxls.stores.sqlite import SqliteStore
from ctxls.writing.arrivals import Arrivals
from ctxls.writing.importing import MOST_UNTOLD, Stored, import_records
from ctxls.writing.known import PAGE, Standing
from ctxls.writing.refusals import Refusal
from ctxls.writing.store import MOST_CHARACTERS, MOST_RECORDS

PEER: Final = Path(__file__).parent.parent / "data" / "peer-small.db"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    made = SqliteStore(tmp_path / "s.db", create=True, busy_timeout_s=5, longest_text=64 << 20)
    yield made
    await made.close()


async def take(store: RecordStore, path: Path) -> Counter[str]:
    """Import a path and count what came of it."""
    told: Counter[str] = Counter()
    async with aclosing(import_records(Arrivals(64 << 20).of([path]), store, OWNER)) as items:
        async for item in items:
            told[item.standing.value if isinstance(item, Stored) else "refused"] += 1
    return told


async def count(items: AsyncGenerator[Stored | Refusal, None], told: Counter[str]) -> None:
    async with aclosing(items):
        async for _ in items:
            told["all"] += 1


async def texts(store: RecordStore) -> list[str]:
    """Return all texts, newest first."""
    page = await store.records(Filter(), OWNER, 1_000, None)
    return [stored.text for stored in page.items]


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


async def test_the_last_file_is_the_newest_record(store: SqliteStore, tmp_path: Path) -> None:
    assert await take(store, write(tmp_path / "n", a="1", b="2", c="3")) == {"new": 3}
    assert await texts(store) == ["3", "2", "1"]


async def test_importing_again_stores_nothing_twice(store: SqliteStore, tmp_path: Path) -> None:
    folder = write(tmp_path / "n", a="1", b="1", c="---\ntitle: x\n---\n🧭\r\n\ufeff")
    await take(store, folder)
    assert await take(store, folder) == {"known": 3}
    assert len(await texts(store)) == 3


async def test_a_changed_file_is_stored_beside_what_it_was(
    store: SqliteStore, tmp_path: Path
) -> None:
    folder = tmp_path / "n"
    await take(store, write(folder, a="old", b="same"))
    assert await take(store, write(folder, a="new", c="more")) == {"newer": 1, "new": 1, "known": 1}
    assert await texts(store) == ["more", "new", "same", "old"]


async def test_a_file_that_is_changed_back_is_the_newest_again(
    store: SqliteStore, tmp_path: Path
) -> None:
    told = [await take(store, write(tmp_path / "n", a=text)) for text in ("A", "B", "A", "A")]
    assert told == [{"new": 1}, {"newer": 1}, {"newer": 1}, {"known": 1}]
    assert await texts(store) == ["A", "B", "A"]


SAME: Final[dict[str, Any]] = {"thread": "t", "source": "user", "text": "x"}
DIFFERENT: Final = [
    NewRecord(**SAME),
    NewRecord(**SAME | {"source": "agent"}),
    NewRecord(**SAME, tags=("a",)),
    NewRecord(**SAME, metadata={"n": 1}),
    NewRecord(**SAME, metadata={"path": "a.md"}),
    NewRecord(**SAME | {"text": "y"}, metadata={"path": "a.md"}),
    NewRecord(**SAME, summary="short"),
    NewRecord(**SAME, private=True),
]


async def test_records_that_differ_in_anything_are_each_stored_and_once(store: SqliteStore) -> None:
    for standing in (Standing.NEW, Standing.KNOWN):
        async with aclosing(import_records(DIFFERENT, store, OWNER)) as items:
            assert [item async for item in items] == [Stored("t", standing)] * len(DIFFERENT)
    assert await store.count(OWNER) == len(DIFFERENT)


async def test_what_reads_otherwise_once_stored_is_not_stored_again(store: SqliteStore) -> None:
    record = NewRecord("t", "user", "x", tags=("B ", "a"), metadata={"b": 1.0, "a": [2**60]})
    for _ in range(2):
        async with aclosing(import_records([record], store, OWNER)) as items:
            assert [type(item) async for item in items] == [Stored]
    assert await store.count(OWNER) == 1


async def test_a_thread_of_several_pages_is_known_whole(store: SqliteStore) -> None:
    records = [NewRecord("t", "user", str(number)) for number in range(2 * PAGE + 1)]
    for _ in range(2):
        async with aclosing(import_records(records, store, OWNER)) as items:
            assert len([item async for item in items]) == len(records)
    assert await store.count(OWNER) == len(records)


async def test_the_same_text_in_another_place_is_another_record(
    store: SqliteStore, tmp_path: Path
) -> None:
    await take(store, write(tmp_path / "n", a="x"))
    assert await take(store, write(tmp_path / "m", a="x")) == {"new": 1}


async def test_a_record_that_is_twice_in_one_import_is_stored_once(store: SqliteStore) -> None:
    twice = [NewRecord("t", "user", "x"), NewRecord("t", "user", "x"), NewRecord("t", "user", "y")]
    async with aclosing(import_records(twice, store, OWNER)) as items:
        told = [item async for item in items]
    assert told == [
        Stored("t", Standing.NEW),
        Stored("t", Standing.KNOWN),
        Stored("t", Standing.NEW),
    ]
    assert await texts(store) == ["y", "x"]


async def test_one_bad_file_does_not_stop_the_others(store: SqliteStore, tmp_path: Path) -> None:
    folder = write(tmp_path / "n", a="1", c="3")
    (folder / "b.md").write_bytes(b"\xff")
    assert await take(store, folder) == {"new": 2, "refused": 1}


async def test_what_was_told_is_stored_whatever_comes_later(store: SqliteStore) -> None:
    def arrivals() -> Iterator[NewRecord | Refusal]:
        for number in range(MOST_RECORDS):
            yield NewRecord("t", "user", str(number))
        raise KeyboardInterrupt

    told: Counter[str] = Counter()
    with pytest.raises(KeyboardInterrupt):
        await count(import_records(arrivals(), store, OWNER), told)
    assert told["all"] == await store.count(OWNER) == MOST_RECORDS


@pytest.mark.parametrize("number", [MOST_RECORDS - 1, MOST_RECORDS, 2 * MOST_RECORDS + 1])
async def test_every_record_arrives_whatever_the_batches(store: SqliteStore, number: int) -> None:
    records = [NewRecord("t", "user", str(number)) for number in range(number)]
    async with aclosing(import_records(records, store, OWNER)) as items:
        assert len([item async for item in items]) == number
    assert await store.count(OWNER) == number


async def test_only_a_batch_is_held_at_a_time(store: SqliteStore) -> None:
    size = MOST_CHARACTERS // 2
    ahead = 0
    most_ahead = 0

    def arrivals() -> Iterator[NewRecord | Refusal]:
        nonlocal ahead, most_ahead
        for number in range(8):
            ahead += 1
            most_ahead = max(most_ahead, ahead)
            yield NewRecord("t", "user", str(number) * size)

    async with aclosing(import_records(arrivals(), store, OWNER)) as items:
        async for _ in items:
            ahead -= 1
    assert most_ahead == 2


async def test_refusals_are_told_while_an_import_runs(store: SqliteStore) -> None:
    refusals = (Refusal("x", "y") for _ in range(10 * MOST_UNTOLD))
    async with aclosing(import_records(refusals, store, OWNER)) as items:
        assert isinstance(await anext(items), Refusal)
        assert len(list(refusals)) == 9 * MOST_UNTOLD


async def test_nothing_is_imported_into_another_programs_store(tmp_path: Path) -> None:
    peer = tmp_path / "peer.db"
    peer.write_bytes(PEER.read_bytes())
    store = SqliteStore(peer, create=True, busy_timeout_s=5, longest_text=64 << 20)
    with pytest.raises(ReadOnlyError, match="belongs to another program"):
        await take(store, write(tmp_path / "n", a="1"))
    await store.close()
    assert peer.read_bytes() == PEER.read_bytes()


async def test_a_store_is_not_made_for_nothing(store: SqliteStore, tmp_path: Path) -> None:
    (tmp_path / "n").mkdir()
    assert await take(store, tmp_path / "n") == {}
    assert not (tmp_path / "s.db").exists()
