"""Texts that a client has open: the truth for that document in that session, and nowhere else."""

import logging
from typing import Any

import pytest
from peers import NESTED, Peer, PeerOf, encodings

SYMBOLS = "textDocument/documentSymbol"
COMPASS = "\U0001f9ed"


def open_text(peer: Peer, uri: str, text: str, version: int = 1) -> None:
    document = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
    peer.notify("textDocument/didOpen", {"textDocument": document})


def change(peer: Peer, uri: str, *changes: Any, version: int = 2) -> None:
    document = {"uri": uri, "version": version}
    params = {"textDocument": document, "contentChanges": list(changes)}
    peer.notify("textDocument/didChange", params)


def between(text: str, *numbers: int) -> dict[str, Any]:
    start = {"line": numbers[0], "character": numbers[1]}
    end = {"line": numbers[2], "character": numbers[3]}
    return {"text": text, "range": {"start": start, "end": end}}


async def names(peer: Peer, uri: str) -> list[str]:
    found = await peer.result(SYMBOLS, {"textDocument": {"uri": uri}})
    return [symbol["name"] for symbol in found]


async def test_the_open_text_counts_in_its_document_and_the_stored_one_elsewhere(
    peer_of: PeerOf,
) -> None:
    peer = await peer_of(["# Stored\n"])
    [uri] = await peer.uris()
    open_text(peer, uri, "# Local\n")
    assert await names(peer, uri) == ["Local"]
    content = await peer.result("workspace/textDocumentContent", {"uri": uri})
    assert content == {"text": "# Stored\n"}
    assert (await peer.result("context/grep", {"pattern": "local"}))["totalMatches"] == 0
    assert (await peer.result("context/readRange", {"uri": uri, "nodeId": "stored"}))["text"]
    assert [found["name"] for found in await peer.result("workspace/symbol", {"query": "s"})] == [
        "Stored"
    ]
    peer.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": "# Saved"})
    assert await names(peer, uri) == ["Local"]
    peer.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert await names(peer, uri) == ["Stored"]


async def test_one_sessions_open_text_is_not_anothers(peer_of: PeerOf) -> None:
    peer = await peer_of(["# Stored\n"])
    other = await Peer(peer.library).ready()
    [uri] = await peer.uris()
    open_text(peer, uri, "# Local\n")
    assert (await names(peer, uri), await names(other, uri)) == (["Local"], ["Stored"])


async def test_changes_apply_one_after_the_other_whole_or_in_part(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"])
    [uri] = await peer.uris()
    open_text(peer, uri, "# One\n")
    change(peer, uri, between("## ", 1, 0, 1, 0), between("Two\n", 1, 3, 1, 3))
    assert await names(peer, uri) == ["One", "Two"]
    change(peer, uri, {"text": "# New\n"}, between("er", 0, 5, 0, 5), version=3)
    assert await names(peer, uri) == ["Newer"]
    change(peer, uri, {"text": "# Null range\n", "range": None}, version=4)
    assert await names(peer, uri) == ["Null range"]


@pytest.mark.parametrize(("encoding", "behind"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_an_edit_behind_an_emoji_and_odd_line_ends_is_right_in_every_encoding(
    peer_of: PeerOf, encoding: str, behind: int, end: str
) -> None:
    peer = await peer_of(["# A\n"], encodings(encoding))
    [uri] = await peer.uris()
    open_text(peer, uri, f"# \u2028\x85\x0c{end}# {COMPASS}xy{end}")
    change(peer, uri, between("Z", 1, 2 + behind, 1, 3 + behind))
    assert (await names(peer, uri))[1] == f"{COMPASS}Zy"


async def test_half_an_emoji_is_shown_as_a_replacement_and_can_be_made_whole(
    peer_of: PeerOf,
) -> None:
    peer = await peer_of(["# A\n"], encodings("utf-16"))
    [uri] = await peer.uris()
    open_text(peer, uri, f"# a{COMPASS}b\n")
    change(peer, uri, between("", 0, 4, 0, 5))
    assert await names(peer, uri) == ["a\ufffdb"]
    change(peer, uri, between("\udded", 0, 4, 0, 4))
    assert await names(peer, uri) == [f"a{COMPASS}b"]


@pytest.mark.parametrize(
    "odd",
    [
        between("X", 0, 0, 2**31, 2**40),
        between("X", -5, -1, 99, 99),
        between("X", 99, 0, 0, 0),
    ],
)
async def test_a_range_outside_the_text_clamps_to_it(peer_of: PeerOf, odd: Any) -> None:
    peer = await peer_of(["# A\n"])
    [uri] = await peer.uris()
    open_text(peer, uri, "# B\n# C\n")
    change(peer, uri, odd, between("# ", 0, 0, 0, 0))
    assert await names(peer, uri) == ["X"]


async def test_a_request_reads_the_text_as_it_was_when_it_was_asked(peer_of: PeerOf) -> None:
    peer = await peer_of(["# Stored\n"])
    [uri] = await peer.uris()
    open_text(peer, uri, "# Before\n")
    asked = peer.start(SYMBOLS, {"textDocument": {"uri": uri}})
    await peer.settle()
    change(peer, uri, {"text": "# After\n"})
    assert [symbol["name"] for symbol in (await peer.answer(asked))["result"]] == ["Before"]
    assert await names(peer, uri) == ["After"]


async def test_a_position_of_an_older_text_is_clamped(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n" * 10])
    [uri] = await peer.uris()
    open_text(peer, uri, "a\nb\n")
    params = {"textDocument": {"uri": uri}, "position": {"line": 9, "character": 5}}
    assert await peer.result("textDocument/definition", params) == []


async def test_a_change_without_an_open_document_is_ignored_and_logged(
    peer_of: PeerOf, caplog: pytest.LogCaptureFixture
) -> None:
    peer = await peer_of(["# Stored\n"])
    [uri] = await peer.uris()
    with caplog.at_level(logging.WARNING):
        change(peer, uri, {"text": "# Secret\n"})
        peer.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert await names(peer, uri) == ["Stored"]
    assert "had not opened" in caplog.text
    assert "Secret" not in caplog.text


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("file:///etc/hostname", -32602),
        ("untitled:Untitled-1", -32602),
        ("context://local/a/b.md", -32602),
        ("context://local/t/x.00000000000000000000000000000000.md", -32803),
    ],
)
async def test_an_open_document_that_is_no_record_is_tolerated_and_its_requests_say_so(
    peer_of: PeerOf, uri: str, code: int
) -> None:
    peer = await peer_of(["# A\n"])
    open_text(peer, uri, "# Local\n")
    change(peer, uri, {"text": "# Still local\n"})
    assert (await peer.error(SYMBOLS, {"textDocument": {"uri": uri}}))["code"] == code
    assert (await peer.error("workspace/textDocumentContent", {"uri": uri}))["code"] == code
    assert len(peer.written) == 3


SPELLINGS = [
    "context://local/t/a-b.{id}.md",
    "context:///t/a-b.{id}.md",
    "CONTEXT://LOCAL/T/A-B.{ID}.MD",
    "context://local/t/stale%2Ftitle.{id}.md",
    "context://local/t/%E4%BD%A0.{id}.md",
    "context://local/t/你好 🚀.{id}.md",
    "context://local/t/a%2Db%2E{id}%2Emd",
    "context://elsewhere/%252F/a%FE.{id}.md#L10",
    "context:t/a.{dashed}.md",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_every_spelling_of_a_uri_reaches_the_record_and_its_open_text(
    peer_of: PeerOf, spelling: str
) -> None:
    peer = await peer_of(["# Stored\n", "# Other\n"])
    uri = (await peer.uris())[0]
    found = uri.rsplit(".", 2)[1]
    dashed = "-".join([found[:8], found[8:12], found[12:16], found[16:20], found[20:]])
    spelt = spelling.format(id=found, ID=found.upper(), dashed=dashed)
    assert await names(peer, spelt) == ["Stored"]
    open_text(peer, uri, "# Local\n")
    assert await names(peer, spelt) == ["Local"]


@pytest.mark.parametrize("tail", ["%FE", "%C2%20", "%F0%9F", "%", "%4", "%xy", "\ud800"])
async def test_a_uri_of_bad_escapes_is_an_error_of_its_own_request_only(
    peer_of: PeerOf, tail: str
) -> None:
    peer = await peer_of(["# A\n"])
    error = await peer.error(SYMBOLS, {"textDocument": {"uri": f"context://local/t/{tail}"}})
    assert (error["code"], error["data"]["kind"]) == (-32602, "invalid-params")
    assert (await peer.result("context/status"))["records"] == 1


async def test_answers_name_an_open_record_as_its_client_does(peer_of: PeerOf) -> None:
    peer = await peer_of(["# Needle\n", "# Other needle\n"])
    opened, other = await peer.uris()
    own = opened.replace("context://local/", "context://LOCAL/%74/../").replace("needle", "old")
    open_text(peer, own, "# Needle\n[[needle]]\n")
    expected = {own, other}
    symbols = await peer.result("workspace/symbol", {"query": "needle"})
    assert {symbol["location"]["uri"] for symbol in symbols} == expected
    matches = await peer.result("context/grep", {"pattern": "needle"})
    assert {row["uri"] for row in matches["results"]} == expected
    position = {"textDocument": {"uri": own}, "position": {"line": 1, "character": 3}}
    targets = await peer.result("textDocument/definition", position)
    assert {target["uri"] for target in targets} == {own}
    peer.notify("textDocument/didClose", {"textDocument": {"uri": own}})
    matches = await peer.result("context/grep", {"pattern": "needle"})
    assert {row["uri"] for row in matches["results"]} == {opened, other}


async def test_flat_symbols_name_the_document_as_it_was_asked(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"])
    other = await Peer(peer.library).ready(NESTED)
    [uri] = await peer.uris()
    assert await names(other, uri) == ["A"]
    for spelt in (uri, uri.replace("local", "LOCAL")):
        [symbol] = await peer.result(SYMBOLS, {"textDocument": {"uri": spelt}})
        assert symbol["location"]["uri"] == spelt
