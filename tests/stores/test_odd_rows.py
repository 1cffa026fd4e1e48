"""Rows that no program should have written: each reads as something, and breaks no list."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ctxls.records.access import OWNER
from ctxls.records.filters import Filter, condition
from ctxls.records.record import RecordFile, StoredRecord
from ctxls.stores.sqlite import SqliteStore, statements
from ctxls.stores.sqlite import rows as building

OpenStore = Callable[..., SqliteStore]
ALL = Filter()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

LAYOUT = """CREATE TABLE context_entries (rowid_int INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE, thread_id TEXT, source TEXT, content_type TEXT, text_content TEXT,
        metadata JSON, summary TEXT, content_hash TEXT, version INTEGER,
        created_at TIMESTAMP, updated_at TIMESTAMP);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, context_entry_id TEXT, tag TEXT);
    CREATE TABLE image_attachments (id INTEGER PRIMARY KEY, context_entry_id TEXT,
        image_data BLOB, mime_type TEXT, image_metadata JSON, position INTEGER);
    CREATE TABLE context_index_nodes (id INTEGER PRIMARY KEY, context_id TEXT, node_id TEXT,
        level INTEGER, ordinal INTEGER, title TEXT, node_summary TEXT, char_start INTEGER,
        char_end INTEGER);"""
SOUND: dict[str, Any] = {
    "thread_id": "t",
    "source": "user",
    "content_type": "text",
    "text_content": "x",
    "metadata": "{}",
    "summary": None,
    "content_hash": None,
    "version": 1,
    "created_at": "2026-11-30 12:00:00",
    "updated_at": "2026-11-30 12:00:00",
}


class Rows:
    """A database of the peer's layout, written as it comes."""

    def __init__(self, path: Path, encoding: str = "UTF-8") -> None:
        self.path = path
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA encoding = '{encoding}'")
            connection.executescript(LAYOUT)

    def put(self, record_id: str, **columns: Any) -> None:
        row = SOUND | columns
        names = ", ".join(row)
        marks = ", ".join("?" for _ in row)
        self.run(
            f"INSERT INTO context_entries (id, {names}) VALUES (?, {marks})",
            record_id,
            *row.values(),
        )

    def run(self, sql: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.execute(sql, values)


@pytest.fixture
def rows(tmp_path: Path) -> Rows:
    """Make an empty database of the peer's layout."""
    return Rows(tmp_path / "odd.db")


def text_of_bytes(data: bytes) -> str:
    """Spell text that is not UTF-8 for SQL."""
    return f"CAST(x'{data.hex()}' AS TEXT)"


TEXTS: list[tuple[str, str]] = [
    ("NULL", ""),
    ("''", ""),
    ("42", "42"),
    ("x'c3a9'", "é"),
    (text_of_bytes(b"a\xffb"), "a\ufffdb"),
    (text_of_bytes(b"caf\xe9"), "caf\ufffd"),
    (text_of_bytes(b"\xed\xa0\x80"), "\ufffd\ufffd\ufffd"),
    (text_of_bytes(b"cut \xf0\x9f\xa7"), "cut \ufffd"),
    (text_of_bytes(b"a\0b\0"), "a\0b\0"),
    (text_of_bytes("\ufeff# Ж\r\n".encode()), "\ufeff# Ж\r\n"),
]


@pytest.mark.parametrize(("stored", "expected"), TEXTS)
async def test_a_text_reads_everywhere_alike(
    rows: Rows, open_store: OpenStore, stored: str, expected: str
) -> None:
    rows.put("aa")
    rows.run(f"UPDATE context_entries SET text_content = {stored}")
    store = open_store(rows.path)
    found = await store.fetch("aa", OWNER)
    assert (found.text, found.record.total_chars) == (expected, len(expected))
    [text] = [text async for batch in store.texts(["aa"], OWNER, 1) for text in batch]
    assert text.data == expected.encode()
    assert [one.text for one in (await store.records(ALL, OWNER, 9, None)).items] == [expected]
    assert [one.text for one in await store.candidates("a", OWNER, 9)] == [expected]


METADATA: list[tuple[str, dict[str, Any]]] = [
    ("NULL", {}),
    ("''", {}),
    ("'[1, 2]'", {}),
    ("'{broken'", {}),
    ("7", {}),
    ("x'7b2261223a317d'", {"a": 1}),
    ("""'{"a": NaN}'""", {"a": None}),
    (text_of_bytes(b'{"a": "\xff"}'), {"a": "\ufffd"}),
    ("""'{"a": "\\ud800"}'""", {"a": "\ufffd"}),
    ("'" + "[" * 5_000 + "'", {}),
]


@pytest.mark.parametrize(("stored", "expected"), METADATA)
async def test_metadata_reads_as_an_object(
    rows: Rows, open_store: OpenStore, stored: str, expected: dict[str, Any]
) -> None:
    rows.put("aa")
    rows.put("bb", metadata='{"n": 1}')
    rows.run(f"UPDATE context_entries SET metadata = {stored} WHERE id = 'aa'")
    store = open_store(rows.path)
    assert (await store.fetch("aa", OWNER)).record.metadata == expected
    assert len([text async for batch in store.texts(["aa"], OWNER, 1) for text in batch]) == 1
    with_n = Filter(conditions=(condition("n", "exists", None),))
    assert await store.select(with_n, OWNER) == ["bb"]


TIMES: list[tuple[Any, datetime]] = [
    ("2026-11-30 12:00:00", datetime(2026, 11, 30, 12, tzinfo=UTC)),
    ("2026-11-30 12:00:00.5", datetime(2026, 11, 30, 12, 0, 0, 500_000, tzinfo=UTC)),
    ("2026-11-30T12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=UTC)),
    ("2026-11-30 12:00:00+02:00", datetime(2026, 11, 30, 10, tzinfo=UTC)),
    ("yesterday", EPOCH),
    ("", EPOCH),
    (None, EPOCH),
    (1_000_000_000, datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)),
    (1.5, datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)),
    (1e300, EPOCH),
    (float("inf"), EPOCH),
    (b"\xff", EPOCH),
    ("0001-01-01 00:00:00+14:00", EPOCH),
]


@pytest.mark.parametrize(("stored", "expected"), TIMES)
async def test_a_time_reads_as(
    rows: Rows, open_store: OpenStore, stored: Any, expected: datetime
) -> None:
    rows.put("aa", created_at=stored, updated_at=stored)
    record = (await open_store(rows.path).fetch("aa", OWNER)).record
    assert record.created == record.updated == expected


async def test_bounds_hold_for_fractions_of_any_length(rows: Rows, open_store: OpenStore) -> None:
    for number, fraction in enumerate(["", ".000000", ".4", ".499999", ".5", ".500000", ".500001"]):
        rows.put(f"{number:02x}", created_at=f"2026-11-30 12:00:00{fraction}")
    store = open_store(rows.path)
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    half = noon.replace(microsecond=500_000)
    assert len(await store.select(Filter(created_after=noon), OWNER)) == 7
    assert await store.select(Filter(created_before=noon), OWNER) == []
    assert set(await store.select(Filter(created_after=half), OWNER)) == {"04", "05", "06"}
    assert set(await store.select(Filter(created_before=half), OWNER)) == {"00", "01", "02", "03"}


@pytest.mark.parametrize("limit", [1, 2, 5])
async def test_lists_page_over_times_of_every_kind(
    rows: Rows, open_store: OpenStore, limit: int
) -> None:
    times = [stored for stored, _ in TIMES]
    times += [*times, b"\xfe", b"2026-11-30 12:00:00", b""]
    for number, stored in enumerate(times):
        rows.put(f"{number:02x}", created_at=stored, updated_at=stored, thread_id=f"t{number}")
    store = open_store(rows.path)
    page = await store.records(ALL, OWNER, limit, None)
    found = [one.record.id for one in page.items]
    while page.next_cursor:
        page = await store.records(ALL, OWNER, limit, page.next_cursor)
        found.extend(one.record.id for one in page.items)
    assert found == await store.select(ALL, OWNER)
    assert len(found) == len(times)
    threads = await store.threads(ALL, OWNER, limit, None)
    names = [one.thread for one in threads.items]
    while threads.next_cursor:
        threads = await store.threads(ALL, OWNER, limit, threads.next_cursor)
        names.extend(one.thread for one in threads.items)
    assert sorted(names) == sorted(f"t{number}" for number in range(len(times)))


@pytest.mark.parametrize("column", ["thread_id", "source", "content_type", "summary"])
async def test_columns_that_are_not_utf_8_or_null_break_no_list(
    rows: Rows, open_store: OpenStore, column: str
) -> None:
    for record_id in ("aa", "bb", "cc"):
        rows.put(record_id)
    rows.run(f"UPDATE context_entries SET {column} = CAST(x'61ff' AS TEXT) WHERE id = 'aa'")
    rows.run(f"UPDATE context_entries SET {column} = NULL WHERE id = 'bb'")
    rows.run(f"UPDATE context_entries SET {column} = x'61ff' WHERE id = 'cc'")
    store = open_store(rows.path)
    listed = (await store.records(ALL, OWNER, 9, None)).items
    name = {"thread_id": "thread"}.get(column, column)
    found = {one.record.id: getattr(one.record, name) for one in listed}
    assert found["aa"] == found["cc"] == "a\ufffd"
    assert not found["bb"]
    threads = (await store.threads(ALL, OWNER, 9, None)).items
    assert sum(one.records for one in threads) == 3
    page = await store.threads(ALL, OWNER, 1, None)
    names = [one.thread for one in page.items]
    while page.next_cursor:
        page = await store.threads(ALL, OWNER, 1, page.next_cursor)
        names.extend(one.thread for one in page.items)
    assert names == [one.thread for one in threads]


async def test_odd_tags_are_listed_and_found(rows: Rows, open_store: OpenStore) -> None:
    rows.put("aa")
    rows.put("bb")
    for tag in ("' Db '", "'db'", "CAST(x'ff' AS TEXT)", "x'c3a9'", "''", "NULL", "'a' || char(0)"):
        rows.run(f"INSERT INTO tags (context_entry_id, tag) VALUES ('aa', {tag})")
    rows.run("INSERT INTO tags (context_entry_id, tag) VALUES ('bb', 'DB'), ('gone', 'lost')")
    store = open_store(rows.path)
    tags = (await store.tags(ALL, OWNER, 99, None)).items
    assert [(one.tag, one.records) for one in tags] == [
        ("a\0", 1),
        ("db", 2),
        ("é", 1),
        ("\ufffd", 1),
    ]
    assert await store.select(Filter(tags=("DB",)), OWNER) == ["bb", "aa"]
    assert (await store.fetch("aa", OWNER)).record.tags == ("db", "\ufffd", "é", "a\0")


async def test_files_have_names_of_their_own(rows: Rows, open_store: OpenStore) -> None:
    rows.put("aa")
    for media, metadata, position, data in [
        ("'image/png'", "NULL", "0", "x'00ff'"),
        ("'image/png'", "'{broken'", "0", "x'00'"),
        ("'image/jpeg'", """'{"filename": "../../etc/a.jpg"}'""", "1", "NULL"),
        ("'image/jpeg'", """'{"name": "C:\\\\x\\\\a.jpg"}'""", "2", "x'00'"),
        ("NULL", """'{"filename": 7}'""", "NULL", "'text'"),
        ("CAST(x'ff' AS TEXT)", "'[]'", "'odd'", "x''"),
    ]:
        rows.run(
            "INSERT INTO image_attachments (context_entry_id, mime_type, image_metadata, position,"
            f" image_data) VALUES ('aa', {media}, {metadata}, {position}, {data})"
        )
    files = (await open_store(rows.path).fetch("aa", OWNER)).record.files
    assert sorted(files, key=lambda file: file.name) == [
        RecordFile("a-2.jpg", "image/jpeg", 1),
        RecordFile("a.jpg", "image/jpeg", 0),
        RecordFile("image-0", "", 4),
        RecordFile("image-0-2", "\ufffd", 0),
        RecordFile("image-0-2.png", "image/png", 1),
        RecordFile("image-0.png", "image/png", 2),
    ]


async def test_thousands_of_files_of_one_name_are_named_at_once(
    rows: Rows, open_store: OpenStore
) -> None:
    rows.put("aa")
    rows.run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
        " INSERT INTO image_attachments (context_entry_id, mime_type, image_data, image_metadata,"
        """ position) SELECT 'aa', 'image/png', x'00', '{"name": "a.png"}', i FROM n"""
    )
    stored: StoredRecord = await asyncio.wait_for(open_store(rows.path).fetch("aa", OWNER), 30)
    names = [file.name for file in stored.record.files]
    assert names == ["a.png", *(f"a-{number}.png" for number in range(2, 20_001))]


async def test_candidates_hold_no_more_than_a_page(rows: Rows, open_store: OpenStore) -> None:
    for number in range(10):
        rows.put(f"a{number}", text_content=f"# {number}\n" + "x" * (4 << 20))
    found = await open_store(rows.path).candidates("a", OWNER, 10)
    assert [one.text[:3] for one in found] == [f"# {number}" for number in reversed(range(10))]
    assert sum(len(one.text) for one in found) <= 32 << 20


async def test_large_texts_are_decoded_off_the_event_loop(
    rows: Rows, open_store: OpenStore, reads: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set()
    for build in (building.stored_record, building.placed_text, building.candidate):

        def watched(row: sqlite3.Row, build: Callable[..., Any] = build) -> Any:
            threads.add(threading.current_thread())
            return build(row)

        monkeypatch.setattr(building, build.__name__, watched)
    rows.put("a" * 32)
    store = open_store(rows.path)
    for name in ("fetch", "texts", "records", "candidates"):
        threads.clear()
        assert await reads[name](store, OWNER), name
        assert threads, name
        assert threading.current_thread() not in threads, name


async def test_odd_section_summaries_break_no_record(rows: Rows, open_store: OpenStore) -> None:
    rows.put("aa")
    rows.run(
        "INSERT INTO context_index_nodes (context_id, node_id, node_summary, char_start, char_end)"
        " VALUES ('aa', 'a', NULL, 0, 1), ('aa', CAST(x'ff' AS TEXT), 'b', 'x', NULL),"
        " ('aa', NULL, x'63', 1, 2), ('gone', 'd', 'd', 0, 1)"
    )
    stored: StoredRecord = await open_store(rows.path).fetch("aa", OWNER)
    assert [one.text for one in stored.summaries] == ["b", "c"]


async def test_a_page_far_back_is_found_by_the_index(tmp_path: Path, open_store: OpenStore) -> None:
    path = tmp_path / "ctxls.db"
    await open_store(path, create=True).describe()
    shape = (await open_store(path)._opening.store()).shape
    asked = statements.page(shape, ALL, OWNER, 10, ("2026-11-30 12:00:00", "aa"))
    with closing(sqlite3.connect(path)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {asked.sql}", asked.parameters).fetchall()
    assert [row[3].split(" USING ")[0] for row in plan] == ["SEARCH e"]


UTF16 = ["UTF-16le", "UTF-16be"]


@pytest.mark.parametrize("encoding", UTF16)
@pytest.mark.parametrize("text", ["", "# Ü 🧭\r\n\0 end", "a" * 5_000])
async def test_a_utf_16_database_reads_alike(
    tmp_path: Path, open_store: OpenStore, encoding: str, text: str
) -> None:
    rows = Rows(tmp_path / "16.db", encoding)
    rows.put("aa", text_content=text, thread_id="Ж", metadata='{"ключ": "Ü"}')
    rows.run("INSERT INTO tags (context_entry_id, tag) VALUES ('aa', ' ÄRGER ')")
    store = open_store(rows.path)
    stored = await store.fetch("aa", OWNER)
    assert stored.text == text
    assert (stored.record.thread, stored.record.metadata) == ("Ж", {"ключ": "Ü"})
    [found] = [found async for batch in store.texts(["aa"], OWNER, 9) for found in batch]
    assert (found.data, found.metadata) == (text.encode(), '{"ключ": "Ü"}')
    scope = Filter(thread="Ж", tags=("ärger",), conditions=(condition("a", "not_exists", None),))
    assert await store.select(scope, OWNER) == ["aa"]
    assert [tag.tag for tag in (await store.tags(ALL, OWNER, 9, None)).items] == ["ärger"]


async def test_a_lone_surrogate_in_utf_16_swallows_nothing(
    tmp_path: Path, open_store: OpenStore
) -> None:
    rows = Rows(tmp_path / "16.db", "UTF-16le")
    rows.put("aa")
    stored = "a\ud800bc\udc00".encode("utf-16-le", "surrogatepass")
    rows.run(f"UPDATE context_entries SET text_content = CAST(x'{stored.hex()}' AS TEXT)")
    assert (await open_store(rows.path).fetch("aa", OWNER)).text == "a\ufffdbc\ufffd"
