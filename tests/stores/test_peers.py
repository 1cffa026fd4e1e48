"""Databases of mcp-context-server, opened in place: read whole, and not a byte changed."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ctxls.errors import NotFoundError
from ctxls.records.access import OWNER, Caller
from ctxls.records.filters import Filter, condition
from ctxls.records.record import RecordFile
from ctxls.records.store import RecordStore, StoreDescription
from ctxls.stores.sqlite import SqliteStore

OpenStore = Callable[..., SqliteStore]
Read = Callable[[RecordStore], Awaitable[Any]]
Sql = Callable[..., list[Any]]
ALL = Filter()


async def test_each_layout_is_known_by_name(
    open_store: OpenStore, peer: Path, released_peer: Path
) -> None:
    assert await open_store(peer).describe() == StoreDescription(
        "sqlite", "mcp-context-server (development)", read_only=True
    )
    assert await open_store(released_peer).describe() == StoreDescription(
        "sqlite", "mcp-context-server 2.x", read_only=True
    )


async def test_reading_changes_no_byte(
    open_store: OpenStore,
    peer: Path,
    released_peer: Path,
    read: Read,
    untouched: Callable[[Path], None],
) -> None:
    for path in (peer, released_peer):
        untouched(path)
        store = open_store(path)
        await read(store)
        await store.close()


async def test_every_record_reads_as_sqlite_has_it(open_store: OpenStore, peer: Path) -> None:
    store = open_store(peer)
    with closing(sqlite3.connect(peer)) as other:
        rows = other.execute(
            "SELECT id, text_content, thread_id, source, content_hash, version, created_at"
            " FROM context_entries ORDER BY created_at DESC, id DESC"
        ).fetchall()
    found = [await store.fetch(record_id, OWNER) for record_id in await store.select(ALL, OWNER)]
    assert len(found) == 160
    assert [
        (
            one.record.id,
            one.text,
            one.record.thread,
            one.record.source,
            one.record.content_hash,
            one.record.version,
            one.record.created.strftime("%Y-%m-%d %H:%M:%S"),
        )
        for one in found
    ] == rows
    assert all(one.record.total_chars == len(one.text) for one in found)


async def test_scans_and_lists_read_the_same_texts(open_store: OpenStore, peer: Path) -> None:
    store = open_store(peer)
    ids = await store.select(ALL, OWNER)
    texts = [text async for batch in store.texts(ids, OWNER, 1 << 16) for text in batch]
    listed = (await store.records(ALL, OWNER, 1000, None)).items
    assert [text.id for text in texts] == [one.record.id for one in listed] == list(ids)
    assert [text.data.decode() for text in texts] == [one.text for one in listed]
    assert [text.thread for text in texts] == [one.record.thread for one in listed]


async def test_texts_keep_their_order_whatever_sqlite_thinks_of_the_table(
    open_store: OpenStore, peer: Path, sql: Sql
) -> None:
    sql(
        peer,
        "ANALYZE",
        "UPDATE sqlite_stat1 SET stat = '1000 1000 1000' WHERE tbl = 'context_entries'",
    )
    store = open_store(peer)
    ids = sorted(await store.select(ALL, OWNER), key=lambda record_id: record_id[::-1])
    texts = [text async for batch in store.texts(ids, OWNER, 1 << 16) for text in batch]
    assert [text.id for text in texts] == ids


async def test_section_summaries_and_files_come_with_their_record(
    open_store: OpenStore, peer: Path, sql: Sql
) -> None:
    store = open_store(peer)
    [(record_id, count)] = sql(
        peer, "SELECT context_id, count(*) AS n FROM context_index_nodes GROUP BY 1 ORDER BY n DESC"
    )[:1]
    stored = await store.fetch(record_id, OWNER)
    assert len(stored.summaries) == count
    query = """SELECT node_id, char_start, char_end, node_summary FROM context_index_nodes
        WHERE context_id = ? ORDER BY id"""
    assert sql(peer, (query, record_id)) == [
        (one.node_id, one.start, one.end, one.text) for one in stored.summaries
    ]
    [(with_file,)] = sql(peer, "SELECT context_entry_id FROM image_attachments")
    assert (await store.fetch(with_file, OWNER)).record.files == (
        RecordFile("image-0.png", "image/png", 70),
    )


async def test_everybody_sees_everything(open_store: OpenStore, peer: Path) -> None:
    assert await open_store(peer).count(Caller("anna")) == 160


async def test_integer_ids_are_read_in_decimal_and_in_their_order(
    open_store: OpenStore, released_peer: Path
) -> None:
    store = open_store(released_peer)
    ids = await store.select(ALL, OWNER)
    assert ids == [str(number) for number in range(12, 0, -1)]
    stored = await store.fetch("2", OWNER)
    assert (stored.record.id, stored.record.version) == ("2", 0)
    assert stored.record.created == datetime(2026, 11, 30, 21, 16, 52, tzinfo=UTC)
    assert stored.text.startswith("# Record 1\n")
    assert stored.record.tags == ("v2", "t1")
    assert stored.summaries == ()
    texts = [text async for batch in store.texts(["3", "12", "1"], OWNER, 9) for text in batch]
    assert [text.id for text in texts] == ["3", "12", "1"]
    assert await store.select(Filter(ids=("2", "10", "99")), OWNER) == ["10", "2"]
    assert await store.select(Filter(tags=("T1",)), OWNER) == ["2"]
    assert await store.select(Filter(conditions=(condition("seq", "gte", 10),)), OWNER) == [
        "12",
        "11",
    ]


async def test_pages_follow_integer_ids(open_store: OpenStore, released_peer: Path) -> None:
    store = open_store(released_peer)
    page = await store.records(ALL, OWNER, 5, None)
    found = [one.record.id for one in page.items]
    while page.next_cursor:
        page = await store.records(ALL, OWNER, 5, page.next_cursor)
        found.extend(one.record.id for one in page.items)
    assert found == [str(number) for number in range(12, 0, -1)]


@pytest.mark.parametrize("spelling", ["02", "2.0", " 2", "+2", "2 ", "0x2", "2e0", "9" * 40, "13"])
async def test_an_integer_id_has_one_spelling(
    open_store: OpenStore, released_peer: Path, spelling: str
) -> None:
    store = open_store(released_peer)
    with pytest.raises(NotFoundError):
        await store.fetch(spelling, OWNER)
    assert await store.select(Filter(ids=(spelling,)), OWNER) == []


async def test_integer_ids_have_no_prefixes(open_store: OpenStore, released_peer: Path) -> None:
    assert await open_store(released_peer).candidates("1", OWNER, 10) == ()


async def test_what_the_peer_writes_meanwhile_is_seen(
    open_store: OpenStore, peer: Path, sql: Sql
) -> None:
    store = open_store(peer)
    assert await store.count(OWNER) == 160
    sql(peer, "UPDATE context_entries SET text_content = 'new' WHERE rowid_int = 1")
    [(record_id,)] = sql(peer, "SELECT id FROM context_entries WHERE rowid_int = 1")
    assert (await store.fetch(record_id, OWNER)).text == "new"
    sql(peer, ("DELETE FROM context_entries WHERE id = ?", record_id))
    assert await store.count(OWNER) == 159


async def test_tables_columns_and_indexes_of_others_are_tolerated(
    open_store: OpenStore, peer: Path
) -> None:
    with closing(sqlite3.connect(peer)) as other:
        other.create_function("unknown_here", 1, lambda value: value, deterministic=True)
        other.executescript(
            """CREATE INDEX odd ON context_entries(unknown_here(thread_id));
            ALTER TABLE context_entries ADD COLUMN extra;
            CREATE TABLE "a strange table" (x);
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES
                ('table', 'vec', 'vec', 0, 'CREATE VIRTUAL TABLE vec USING vec0(e float[3])');"""
        )
        other.commit()
    store = open_store(peer)
    assert await store.count(OWNER) == 160
    assert len(await store.select(Filter(thread="edge"), OWNER)) > 10


async def test_an_older_release_without_summaries_and_hashes_is_read(
    open_store: OpenStore, released_peer: Path, sql: Sql
) -> None:
    sql(
        released_peer,
        "DROP INDEX idx_context_entries_dedup_hash",
        "ALTER TABLE context_entries DROP COLUMN summary",
        "ALTER TABLE context_entries DROP COLUMN content_hash",
        "DROP TABLE image_attachments",
    )
    stored = await open_store(released_peer).fetch("1", OWNER)
    assert (stored.record.summary, stored.record.content_hash) == (None, None)
    assert stored.record.files == ()
