"""The heading tree as editors get it. One range that sticks out empties a whole outline."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import DocumentSymbolParams, TextDocumentIdentifier
from making import record
from peers import NESTED, PeerOf, encodings

from ctxls.lsp import convert
from ctxls.lsp.extensions.view import View
from ctxls.lsp.features.document_symbol import document_symbol
from ctxls.records.document import Document
from ctxls.records.record import NewRecord, Record, SectionSummary
from ctxls.text.outline import parse_outline
from ctxls.text.positions import Encoding

SYMBOLS = "textDocument/documentSymbol"
CASES = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text("utf-8"))
NOW = datetime(2026, 1, 1, tzinfo=UTC)
VIEW = View(lambda place: place.record_id, Encoding.UTF16)


def document(text: str, summaries: tuple[SectionSummary, ...] = ()) -> Document:
    stored = Record("1", "t", "agent", "text", (), {}, "About it.", None, 1, NOW, NOW, len(text))
    return Document(stored, text, summaries)


def flattened(symbols: list[Any]) -> Iterator[Any]:
    for symbol in symbols:
        yield symbol
        yield from flattened(symbol["children"])


def place(found: Any) -> tuple[int, int]:
    return found["line"], found["character"]


def check_nesting(symbols: list[Any], around: Any, text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for symbol in symbols:
        outer, inner = symbol["range"], symbol["selectionRange"]
        assert place(outer["start"]) <= place(inner["start"]) <= place(inner["end"])
        assert place(inner["end"]) <= place(outer["end"])
        assert symbol["name"].strip()
        for end in (outer["start"], outer["end"], inner["start"], inner["end"]):
            assert end["character"] <= len(lines[end["line"]].encode("utf-16-le")) // 2
        if around is not None:
            assert place(around["start"]) <= place(outer["start"])
            assert place(outer["end"]) <= place(around["end"])
        check_nesting(symbol["children"], outer, text)


SYMBOL_CASES = [case for case in CASES if case["request"].get("op") == SYMBOLS]


@pytest.mark.parametrize("case", SYMBOL_CASES, ids=lambda case: case["id"])
async def test_the_symbols_are_those_that_the_report_asks_for(
    peer_of: PeerOf, case: dict[str, Any]
) -> None:
    peer = await peer_of([case["input"]], NESTED)
    [uri] = await peer.uris()
    found = await peer.result(SYMBOLS, {"textDocument": {"uri": uri}})
    shown = [
        {name: symbol[name] for name in ("name", "range", "selectionRange")}
        for symbol in flattened(found)
    ]
    expected = case["expected"]["symbols_flat_in_order"]
    assert shown == [item | {"name": item["name"] or "(untitled)"} for item in expected]
    check_nesting(found, None, case["input"])


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", 8), ("utf-16", 6), ("utf-32", 5)])
async def test_a_heading_line_ends_where_the_sessions_encoding_says(
    peer_of: PeerOf, encoding: str, end: int
) -> None:
    peer = await peer_of(["# \U0001f9edab\r\ntext"], NESTED | encodings(encoding))
    [uri] = await peer.uris()
    [symbol] = await peer.result(SYMBOLS, {"textDocument": {"uri": uri}})
    assert symbol["selectionRange"]["end"] == {"line": 0, "character": end}


@given(
    st.lists(
        st.sampled_from(
            ["# ", "## ", "###### ", "#", "\n", "\r", "\r\n", "a", "\U0001f9ed", "\u2028", "===",
             "---", "- ", "> ", "```", "\0", "\ufeff", " ", "\t"]
        ),
        max_size=30,
    ).map("".join)
)  # fmt: skip
def test_every_range_lies_in_its_line_and_its_parent_whatever_the_text(text: str) -> None:
    outline = parse_outline(text)
    symbols = json.loads(convert.nested_symbols(document(text), outline, "t", VIEW))
    check_nesting(symbols, None, text)
    flat = json.loads(convert.flat_symbols(document(text), outline, "t", VIEW, "u"))
    nested = list(flattened(symbols))
    assert [item["location"]["range"] for item in flat] == [item["range"] for item in nested]
    assert [item["name"] for item in flat] == [item["name"] for item in nested]


async def test_a_record_without_headings_is_one_symbol_with_its_title(peer_of: PeerOf) -> None:
    plain = NewRecord("t", "agent", "first line\nmore", summary="s" * 100)
    peer = await peer_of([plain, record("text", title="Named"), ""], NESTED)
    found = []
    for uri in await peer.uris():
        found += await peer.result(SYMBOLS, {"textDocument": {"uri": uri}})
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 4}}
    assert [(item["kind"], item["name"]) for item in found[:2]] == [(2, "first line"), (2, "Named")]
    assert (found[0]["range"], found[0]["detail"]) == (whole, "s" * 80)
    assert found[2]["name"] == (await peer.uris())[2].rsplit(".", 2)[1]


def test_a_sections_summary_is_its_detail_cut_at_80_characters() -> None:
    summaries = (SectionSummary("a", 0, 12, "x" * 100), SectionSummary("a/b", 0, 3, "stale"))
    text = "# A\ntext\n# B\n"
    summaries = (SectionSummary("a", 0, 9, "x" * 100), SectionSummary("b", 0, 3, "stale"))
    shown = document(text, summaries)
    found = json.loads(convert.nested_symbols(shown, parse_outline(text), "t", VIEW))
    assert [item.get("detail") for item in found] == ["x" * 80, None]


def test_a_client_that_cannot_nest_gets_each_heading_with_its_parents_name() -> None:
    text = "# A\n## B\n### \n# C\n"
    found = json.loads(
        convert.flat_symbols(document(text), parse_outline(text), "t", VIEW, "uri:x")
    )
    assert [(item["name"], item.get("containerName")) for item in found] == [
        ("A", None),
        ("B", "A"),
        ("(untitled)", "B"),
        ("C", None),
    ]
    assert {item["location"]["uri"] for item in found} == {"uri:x"}


async def test_a_long_title_is_cut(peer_of: PeerOf) -> None:
    peer = await peer_of(["# " + "x" * 1000], NESTED)
    [uri] = await peer.uris()
    [symbol] = await peer.result(SYMBOLS, {"textDocument": {"uri": uri}})
    assert symbol["name"] == "x" * 400


async def test_5000_headings_asked_again_cost_no_conversion(peer_of: PeerOf) -> None:
    text = "".join(f"{'#' * (1 + n % 3)} Heading \U0001f9ed {n}\ntext\n" for n in range(5000))
    peer = await peer_of([text], NESTED)
    [uri] = await peer.uris()
    params = DocumentSymbolParams(text_document=TextDocumentIdentifier(uri=uri))
    first = await document_symbol(peer.server.session, params)
    assert await document_symbol(peer.server.session, params) is first
    assert len(list(flattened(json.loads(first)))) == 5000


async def test_30000_headings_leave_the_session_responsive(peer_of: PeerOf) -> None:
    peer = await peer_of(["# n\n" * 30_000], NESTED)
    [uri] = await peer.uris()
    asked = peer.start(SYMBOLS, {"textDocument": {"uri": uri}})
    answered_meanwhile = 0
    while not any(found.get("id") == asked for found in peer.written):
        await peer.result("context/status")
        answered_meanwhile += 1
    assert len((await peer.answer(asked))["result"]) == 30_000
    assert answered_meanwhile > 3


async def test_a_changed_record_never_shows_the_symbols_of_before(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"], NESTED)
    [uri] = await peer.uris()
    params = {"textDocument": {"uri": uri}}
    shown = [await peer.result(SYMBOLS, params)]
    for text in ("# B\n", "# A\n"):
        opened = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        peer.notify("textDocument/didOpen", {"textDocument": opened})
        shown.append(await peer.result(SYMBOLS, params))
    assert [item[0]["name"] for item in shown] == ["A", "B", "A"]
