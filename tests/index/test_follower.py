"""The index follows its store: what is stored, changed and removed, by whomever, at any moment."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from making import index_of

from ctxls.index import follower, upkeep
from ctxls.index.folder import SUFFIX
from ctxls.index.follower import SignatureIndex
from ctxls.records.access import OWNER, Caller
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord, StoredText
from ctxls.records.store import Version
from ctxls.stores.sqlite import SqliteStore

ALL = Filter()
PEER = Path(__file__).parent.parent / "data" / "peer-small.db"
CHANGE = "UPDATE context_entries SET text_content = ?, version = version + 1 WHERE id = ?"


class Shelf:
    """A store, indexes over it, and a way to change it behind their backs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = SqliteStore(path, create=True, busy_timeout_s=5, longest_text=64 << 20)
        self.indexes: list[SignatureIndex] = []

    def index(self) -> SignatureIndex:
        self.indexes.append(index_of(self.store, self.path))
        return self.indexes[-1]

    async def add(self, *texts: str, private: bool = False) -> list[str]:
        new = [NewRecord("t", "agent", text, private=private) for text in texts]
        return [record.id for record in await self.store.add(new, OWNER)]

    def change(self, sql: str, *values: str) -> None:
        """Write as another program does."""
        with closing(sqlite3.connect(self.path)) as database, database:
            database.execute(sql, values)

    def files(self) -> list[str]:
        return sorted(path.name for path in self.path.with_suffix(".index").glob(f"*{SUFFIX}"))


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    shelf = Shelf(tmp_path / "records.db")
    yield shelf
    for index in shelf.indexes:
        index.close()
    await shelf.store.close()


def untold(_done: int, _total: int) -> None:
    pass


async def found(index: SignatureIndex, literal: bytes, caller: Caller = OWNER) -> list[str]:
    selection = await index.selection(ALL, caller)
    return [selection.ids[place] for place in selection.may_match([frozenset({literal})])]


def text(word: str) -> str:
    """Return a text that fills a column of its own."""
    return f"{word}\n" * (7_000 // (len(word) + 1))


async def test_what_is_not_yet_taken_in_may_match(shelf: Shelf) -> None:
    index = shelf.index()
    first, second = await shelf.add("alpha", "beta")
    assert await found(index, b"nowhere") == [second, first]
    assert (await index.status()).state == "building"
    assert await index.catch_up(untold)
    assert await found(index, b"nowhere") == []
    assert (await index.status()).state == "ready"
    (third,) = await shelf.add("gamma")
    assert await found(index, b"nowhere") == [third]


async def test_a_changed_record_may_match_until_it_is_taken_in_anew(shelf: Shelf) -> None:
    index = shelf.index()
    first, second = await shelf.add(text("alpha"), text("beta"))
    await index.catch_up(untold)
    shelf.change(
        "UPDATE context_entries SET text_content = ?, version = version + 1 WHERE id = ?",
        text("gamma"),
        first,
    )
    assert await found(index, b"gamma") == [first]
    assert await found(index, b"beta") == [second, first]
    await index.catch_up(untold)
    assert await found(index, b"gamma") == [first]
    assert await found(index, b"beta") == [second]
    assert await found(index, b"alpha") == []


async def test_a_removed_record_is_gone_at_once(shelf: Shelf) -> None:
    index = shelf.index()
    first, second = await shelf.add(text("alpha"), text("alphabet"))
    await index.catch_up(untold)
    shelf.change("DELETE FROM context_entries WHERE id = ?", second)
    assert await found(index, b"alpha") == [first]


async def test_a_selection_holds_what_its_caller_may_read(shelf: Shelf) -> None:
    index = shelf.index()
    (shared,) = await shelf.add(text("alpha"))
    (private,) = await shelf.add(text("alpha two"), private=True)
    await index.catch_up(untold)
    assert await found(index, b"alpha") == [private, shared]
    assert await found(index, b"alpha", Caller("anna")) == [shared]


async def test_a_title_in_the_metadata_counts_as_a_line(shelf: Shelf) -> None:
    index = shelf.index()
    new = NewRecord("t", "agent", text("alpha"), metadata={"title": "The Tunnel Plan"})
    (record,) = await shelf.store.add([new], OWNER)
    await index.catch_up(untold)
    assert await found(index, b"tunnel plan") == [record.id]
    assert await found(index, b"nowhere") == []


async def test_a_new_process_finds_the_index_as_it_was_left(shelf: Shelf) -> None:
    await shelf.add(text("alpha"), text("beta"))
    await shelf.index().catch_up(untold)
    again = shelf.index()
    assert (await again.status()).state == "ready"
    assert await found(again, b"nowhere") == []


async def test_a_damaged_index_is_made_anew(shelf: Shelf) -> None:
    (first,) = await shelf.add(text("alpha"))
    await shelf.index().catch_up(untold)
    file = shelf.path.with_suffix(".index") / shelf.files()[0]
    file.write_bytes(file.read_bytes()[:-100])
    again = shelf.index()
    assert await found(again, b"nowhere") == [first]
    assert await again.catch_up(untold)
    assert await found(again, b"nowhere") == []
    assert len(shelf.files()) == 1


async def test_another_process_that_writes_is_waited_for(shelf: Shelf) -> None:
    await shelf.add(text("alpha"))
    writer, reader = shelf.index(), shelf.index()
    with writer._folder.writing() as is_writer:
        assert is_writer
        assert not await reader.catch_up(untold)
        await writer._tend(untold)
    assert await reader.catch_up(untold)
    assert await found(reader, b"nowhere") == []
    assert len(shelf.files()) == 1


async def test_a_folder_that_cannot_be_written_leaves_the_index_in_memory(
    shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    shelf.path.with_suffix(".index").write_text("a file where the folder should be")
    first, _ = await shelf.add(text("alpha"), text("beta"))
    index = shelf.index()
    assert await index.catch_up(untold)
    assert await found(index, b"alpha") == [first]
    (second,) = await shelf.add(text("gamma"))
    assert await index.catch_up(untold)
    assert await found(index, b"gamma") == [second]
    assert len(caplog.records) == 1


async def test_many_small_additions_leave_few_files(shelf: Shelf) -> None:
    index = shelf.index()
    ids = []
    for number in range(30):
        ids += await shelf.add(text(f"word{number:03}"))
        await index.catch_up(untold)
    assert len(shelf.files()) <= upkeep.MOST_SMALL + 1
    for number, record_id in enumerate(ids):
        assert await found(index, b"word%03d" % number) == [record_id]


async def test_the_columns_of_removed_records_are_reclaimed(shelf: Shelf) -> None:
    index = shelf.index()
    ids = await shelf.add(*(text(f"word{number:03}") for number in range(100)))
    await index.catch_up(untold)
    before = (await index.status()).bytes
    shelf.change("DELETE FROM context_entries WHERE id NOT IN (?, ?)", ids[7], ids[50])
    await index.catch_up(untold)
    assert (await index.status()).bytes < before / 10
    assert await found(index, b"word007") == [ids[7]]
    shelf.change("DELETE FROM context_entries")
    await index.catch_up(untold)
    assert shelf.files() == []


async def test_a_long_build_is_of_use_before_it_ends(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "MOST_COLUMNS", 1)
    monkeypatch.setattr(follower, "HELD_BYTES", 1)
    index = shelf.index()
    await shelf.add(*(text(f"word{number}") for number in range(5)))
    left: list[int] = []
    told: list[tuple[int, int]] = []

    async def look() -> None:
        while len(told) < 5:
            left.append(len(await found(index, b"nowhere")))
            await asyncio.sleep(0)

    looking = asyncio.create_task(look())
    await index.catch_up(lambda done, total: told.append((done, total)))
    await looking
    assert told[:5] == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]
    assert left == sorted(left, reverse=True)
    assert len(set(left)) > 2


async def test_a_rebuild_and_a_check_answer_for_every_record(shelf: Shelf) -> None:
    index = shelf.index()
    ids = await shelf.add(text("alpha"), text("beta") * 9)
    await index.catch_up(untold)
    assert await index.wrong(untold) == []
    sql = "UPDATE context_entries SET text_content = ? WHERE id = ?"
    shelf.change(sql, text("not told"), ids[0])
    assert await index.wrong(untold) == [ids[0]]
    assert await index.rebuild(untold)
    assert await index.wrong(untold) == []
    assert await found(index, b"not told") == [ids[0]]


async def test_searches_while_the_store_changes_and_the_index_follows_miss_nothing(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "POLL_S", 0.001)
    index = shelf.index()
    following = asyncio.create_task(index.follow(untold))
    try:
        for number in range(40):
            ids = await shelf.add(text(f"word{number:03}"))
            assert ids[0] in await found(index, b"word%03d" % number)
            if number % 3 == 0:
                shelf.change(
                    "UPDATE context_entries SET text_content = ?, updated_at = ? WHERE id = ?",
                    text(f"other{number:03}"),
                    f"2030-01-01 00:00:{number:02}",
                    ids[0],
                )
                assert ids[0] in await found(index, b"other%03d" % number)
    finally:
        following.cancel()


async def test_two_changes_within_one_second_are_both_taken_in(tmp_path: Path) -> None:
    """The peer's layouts keep no finer time, and a change of metadata counts up no version."""
    path = tmp_path / "peer.db"
    shutil.copy(PEER, path)
    shelf = Shelf(path)
    index = shelf.index()
    try:
        ids = await shelf.store.select(ALL, OWNER)
        sql = "UPDATE context_entries SET metadata = ?, updated_at = datetime('now') WHERE id = ?"
        for title in ("Aardvark plan", "Zeppelin plan"):
            shelf.change(sql, json.dumps({"title": title}), ids[0])
            await index.catch_up(untold)
            assert ids[0] in await found(index, title.lower().encode())
    finally:
        index.close()
        await shelf.store.close()


async def test_a_change_while_the_versions_are_listed_is_not_lost(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = shelf.index()
    (first,) = await shelf.add(text("alpha"))
    await index.catch_up(untold)
    await shelf.add(text("beta"))
    listed = shelf.store.versions

    async def changed_after(caller: Caller) -> Sequence[Version]:
        versions = await listed(caller)
        monkeypatch.undo()
        shelf.change(CHANGE, text("gamma"), first)
        return versions

    monkeypatch.setattr(shelf.store, "versions", changed_after)
    await index.catch_up(untold)
    assert await found(index, b"gamma") == [first]
    await index.catch_up(untold)
    assert await found(index, b"gamma") == [first]


async def test_a_text_is_never_taken_in_as_an_older_version(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = shelf.index()
    first, _ = await shelf.add(text("alpha"), text("beta"))
    with closing(sqlite3.connect(shelf.path)) as database:
        backup = "\n".join(database.iterdump())
    read = shelf.store.texts

    def changed_before(
        ids: Sequence[str], caller: Caller, held_bytes: int
    ) -> AsyncGenerator[Sequence[StoredText], None]:
        monkeypatch.undo()
        shelf.change(CHANGE, text("gamma"), first)
        return read(ids, caller, held_bytes)

    monkeypatch.setattr(shelf.store, "texts", changed_before)
    await index.catch_up(untold)
    with closing(sqlite3.connect(shelf.path)) as database, database:
        database.execute("DELETE FROM context_entries WHERE id = ?", [first])
        row = next(
            line for line in backup.split(";\n") if first in line and '"context_entries"' in line
        )
        database.execute(row)
    await index.catch_up(untold)
    assert await found(index, b"alpha") == [first]


async def test_a_rebuild_by_another_process_is_taken_over(shelf: Shelf) -> None:
    serving, rebuilding = shelf.index(), shelf.index()
    (first,) = await shelf.add(text("alpha"))
    await serving.catch_up(untold)
    shelf.change("UPDATE context_entries SET text_content = ? WHERE id = ?", text("by hand"), first)
    await serving.catch_up(untold)
    assert await found(serving, b"by hand") == []  # what rebuilding is for
    assert await rebuilding.rebuild(untold)
    await serving.catch_up(untold)
    assert await found(serving, b"by hand") == [first]
