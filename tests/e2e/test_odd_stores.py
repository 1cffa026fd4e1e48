"""Stores and records that nobody would write on purpose; the server stays up over all of them."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from peers import NESTED
from processes import Child, ChildOf, stored

SYMBOLS = "textDocument/documentSymbol"
CONTENT = "workspace/textDocumentContent"
ODD: list[tuple[str, bytes | None]] = [
    ("NUL", b"# A\0B\ntext\0needle\n"),
    ("lone CR", b"# A\rneedle\r## B\r"),
    ("U+2028", "# A\u2028# B\nneedle\n".encode()),
    ("BOM", b"\xef\xbb\xbf# A\nneedle\n"),
    ("not UTF-8", b"# A \xff\xfe\xc3\nneedle \xed\xa0\x80\n"),
    ("empty", b""),
    ("NULL", None),
    ("one line of 10 MB", b"# A\n" + b"x" * 10_000_000 + b" needle"),
]


def change(store: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    database = sqlite3.connect(store)
    with database:
        for statement, values in statements:
            database.execute(statement, values)
    database.close()


async def test_odd_texts_open_outline_search_and_read_alike(
    child_of: ChildOf, tmp_path: Path
) -> None:
    store = tmp_path / "store.db"
    made = await stored(store, [name for name, _ in ODD])
    statement = "UPDATE context_entries SET text_content = CAST(? AS TEXT) WHERE id = ?"
    rows = zip(made, ODD, strict=True)
    change(store, *((statement, (text, row.id)) for row, (_, text) in rows))
    child = await (await child_of(store)).ready(NESTED)
    for row, (name, data) in zip(made, ODD, strict=True):
        uri = f"context://local/t/x.{row.id}.md"
        text = (data or b"").decode("utf-8", "replace")
        assert (await child.result(CONTENT, {"uri": uri}))["text"] == text, name
        symbols = await child.result(SYMBOLS, {"textDocument": {"uri": uri}})
        assert all(symbol["name"].strip() for symbol in symbols), name
        whole = await child.result("context/readRange", {"uri": uri, "nodeId": "root"})
        assert whole["text"] == text, name
        scope = {"contextIds": [row.id]}
        asked = {"pattern": "needle", "outputMode": "content", "filter": scope}
        found = (await child.result("context/grep", asked))["results"]
        assert [text[hit["matchStart"] : hit["matchEnd"]] for hit in found] == ["needle"] * (
            "needle" in text
        )


async def test_a_record_made_anew_under_its_id_shows_its_new_text(
    child_of: ChildOf, tmp_path: Path
) -> None:
    store = tmp_path / "store.db"
    [made] = await stored(store, ["# A"])
    child = await (await child_of(store)).ready(NESTED)
    params = {"textDocument": {"uri": f"context://local/t/a.{made.id}.md"}}
    assert [item["name"] for item in await child.result(SYMBOLS, params)] == ["A"]
    row = "SELECT * FROM context_entries"
    database = sqlite3.connect(store)
    with database:
        [kept] = database.execute(row).fetchall()
        database.execute("DELETE FROM context_entries")
    error = (await child.ask(SYMBOLS, params))["error"]
    assert error["data"]["kind"] == "not-found"
    with database:
        marks = ", ".join("?" * len(kept))
        database.execute(f"INSERT INTO context_entries VALUES ({marks})", kept)  # noqa: S608
        database.execute("UPDATE context_entries SET text_content = '# B'")
    database.close()
    assert [item["name"] for item in await child.result(SYMBOLS, params)] == ["B"]


def nothing(_: Path) -> None:
    """Leave the store missing."""


BAD: dict[str, Callable[[Path], Any]] = {
    "missing": nothing,
    "empty": lambda path: path.write_bytes(b""),
    "a text file": lambda path: path.write_text("# Not a database\n" * 100),
    "a folder": lambda path: path.mkdir(),
    "some other database": lambda path: change(path, ("CREATE TABLE notes (text)", ())),
}


@pytest.mark.parametrize("kind", BAD)
async def test_a_bad_store_is_one_sentence_and_the_server_works_once_it_is_mended(
    child_of: ChildOf, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "store.db"
    BAD[kind](path)
    before = path.read_bytes() if path.is_file() else None
    child = await (await child_of(path)).ready()
    for method, params in (
        ("context/status", {}),
        ("context/grep", {"pattern": "a"}),
        ("workspace/symbol", {"query": "a"}),
        (CONTENT, {"uri": f"context://local/t/x.{'0' * 32}.md"}),
    ):
        error = (await child.ask(method, params))["error"]
        assert (error["code"], error["data"]["kind"]) == (-32803, "store-unavailable")
        assert str(tmp_path) not in str(error)
        assert error["message"].endswith(".")
    assert (path.read_bytes() if path.is_file() else None) == before
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)
    await stored(path, ["# Mended"])
    assert (await child.result("context/status"))["records"] == 1
    await said_once(child)


async def said_once(child: Child) -> None:
    await child.result("shutdown")
    child.send({"jsonrpc": "2.0", "method": "exit"})
    assert await child.code() == 0
    assert child.complaints.count("Requests are refused until that changes.") == 1
