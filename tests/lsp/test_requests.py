"""Every request gets exactly one answer, whatever is in it."""

import asyncio
import logging
import re
from typing import Any

import pytest
from peers import OMITTED, PeerOf

from ctxls.records.access import OWNER, Caller
from ctxls.records.filters import Filter
from ctxls.records.record import StoredRecord
from ctxls.stores.sqlite import SqliteStore

SYMBOLS = "textDocument/documentSymbol"
DEFINITION = "textDocument/definition"


async def test_interleaved_requests_of_two_sessions_get_their_own_answers(
    peer_of: PeerOf,
) -> None:
    peers = [await peer_of(["# One\nfirst"]), await peer_of(["# Two\nsecond"])]
    for start in range(0, 250, 50):
        names = [f"r{number}" for number in range(start, start + 50)]
        for name in names:
            for peer in peers:
                peer.start("context/grep", {"pattern": "first"}, name)
        for peer, total in zip(peers, (1, 0), strict=True):
            answers = [await peer.answer(name) for name in names]
            assert {found["result"]["totalMatches"] for found in answers} == {total}
    for peer in peers:
        ids = [found["id"] for found in peer.written if str(found.get("id")).startswith("r")]
        assert sorted(ids) == sorted(f"r{number}" for number in range(250))


@pytest.mark.parametrize(
    ("method", "params", "named"),
    [
        (SYMBOLS, OMITTED, "must be an object"),
        (SYMBOLS, [], "must be an object"),
        (SYMBOLS, {}, "textDocument "),
        (SYMBOLS, {"textDocument": {}}, "textDocument.uri "),
        (SYMBOLS, {"textDocument": {"uri": 5}}, "textDocument.uri of .* must be a string"),
        (SYMBOLS, {"textDocument": {"uri": "file:///etc/hostname"}}, "file:///etc/hostname"),
        (DEFINITION, {"textDocument": {"uri": "x"}}, "position "),
        (DEFINITION, {"textDocument": {"uri": "x"}, "position": {"line": 0}}, "character"),
        (
            DEFINITION,
            {"textDocument": {"uri": "x"}, "position": {"line": -1, "character": 0}},
            "line",
        ),
        (
            DEFINITION,
            {"textDocument": {"uri": "x"}, "position": {"line": True, "character": 0}},
            "line",
        ),
        (
            DEFINITION,
            {"textDocument": {"uri": "x"}, "position": {"line": "0", "character": 0}},
            "line",
        ),
        (DEFINITION, {"textDocument": {"uri": "x"}, "position": [0, 0]}, "position"),
        ("workspace/symbol", {}, "query"),
        ("workspace/symbol", {"query": None}, "query"),
        ("workspace/textDocumentContent", {"uri": None}, "uri"),
        ("workspace/textDocumentContent", {"uri": "ctx:///etc/hostname"}, "ctx:///etc/hostname"),
        ("context/grep", OMITTED, "pattern"),
        ("context/grep", [], "context/grep"),
        ("context/grep", {"pattern": 5}, "pattern"),
        ("context/grep", {"pattern": "a", "maxMatches": True}, "maxMatches"),
        (
            "context/grep",
            {"pattern": "a", "maxmatches": 5},
            "'maxmatches'; did you mean maxMatches",
        ),
        ("context/grep", {"pattern": "a", "class": 5}, "'class'"),
        ("context/grep", {"pattern": "a", "filter": {"thread": "x"}}, "did you mean threadId"),
        ("context/status", {"jsonrpc": "2.0"}, "'jsonrpc'"),
    ],
)
async def test_wrong_params_are_refused_with_the_requests_id_and_the_fields_name(
    peer_of: PeerOf, method: str, params: Any, named: str
) -> None:
    peer = await peer_of(["# A\n"])
    error = await peer.error(method, params)
    assert (error["code"], error["data"]["kind"]) == (-32602, "invalid-params")
    assert_sentence(error["message"], named)


def assert_sentence(message: str, named: str) -> None:
    assert re.search(named, message), message
    assert message.endswith(".")
    assert "\n" not in message
    assert "Traceback" not in message


async def test_keys_that_lsp_does_not_know_are_ignored_in_lsps_methods(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"])
    [uri] = await peer.uris()
    params = {"textDocument": {"uri": uri, "extra": {"jsonrpc": "2.0"}}, "more": [1]}
    assert [symbol["name"] for symbol in await peer.result(SYMBOLS, params)] == ["A"]


@pytest.mark.parametrize("method", ["textDocument/hover", "context/search", "no", "", "$/ask"])
async def test_a_request_that_nobody_knows_is_told_so(peer_of: PeerOf, method: str) -> None:
    peer = await peer_of()
    assert (await peer.error(method, {}))["code"] == -32601


@pytest.mark.parametrize("method", ["textDocument/didOpen", "initialized", "exit"])
async def test_a_notification_with_an_id_gets_an_answer_and_does_nothing(
    peer_of: PeerOf, method: str
) -> None:
    peer = await peer_of()
    assert (await peer.error(method, {}))["code"] == -32601
    assert not peer.server.exited


async def test_bad_messages_are_answered_and_the_session_goes_on(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"])
    bad = [b"{", b"\xff", b"NaN", b"[]", b"5", b'{"jsonrpc":"2.0","id":null,"method":"x"}']
    for body in bad:
        peer.send(body)
    told = peer.written[-len(bad) :]
    assert [found["error"]["code"] for found in told] == [-32700] * 3 + [-32600] * 3
    assert [found["id"] for found in told] == [None] * len(bad)
    assert (await peer.result("context/status"))["records"] == 1


async def test_an_id_in_flight_cannot_be_used_again_until_it_is_answered(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"])
    peer.start("context/status", message_id="same")
    peer.start("context/status", message_id="same")
    await asyncio.sleep(0.2)
    codes = [found.get("error", {}).get("code") for found in peer.written if found["id"] == "same"]
    assert codes == [-32600, None]
    peer.written.clear()
    peer.start("context/status", message_id="same")
    assert "result" in await peer.answer("same")


async def test_a_response_with_the_id_of_a_request_in_flight_disturbs_nothing(
    peer_of: PeerOf,
) -> None:
    peer = await peer_of(["# A\n"])
    peer.start("context/status", message_id=5)
    peer.send({"jsonrpc": "2.0", "id": 5, "result": "mine"})
    assert (await peer.answer(5))["result"]["records"] == 1


async def test_more_than_64_requests_in_flight_are_overload_but_shutdown_is_let_in(
    peer_of: PeerOf,
) -> None:
    peer = await peer_of(["# A\n"])
    ids = [peer.start("context/status") for _ in range(70)]
    last = peer.start("shutdown")
    assert "result" in await peer.answer(last)
    answers = [await peer.answer(message_id) for message_id in ids]
    refused = [found["error"] for found in answers if "error" in found]
    assert [error["data"]["kind"] for error in refused] == ["overloaded"] * 6
    assert {error["code"] for error in refused} == {-32803}


class FailingStore(SqliteStore):
    """A store with a fault of its own, as a bug would be."""

    failure: BaseException

    async def fetch(self, _record_id: str, _caller: Caller) -> StoredRecord:
        raise self.failure


@pytest.mark.parametrize(
    "failure",
    [
        RuntimeError("secret /home/x"),
        SystemExit("secret"),
        RecursionError("secret"),
        KeyError("secret"),
    ],
    ids=lambda failure: type(failure).__name__,
)
async def test_an_unforeseen_error_is_told_by_number_and_logged(
    peer_of: PeerOf, caplog: pytest.LogCaptureFixture, failure: BaseException
) -> None:
    peer = await peer_of(["# A\n"])
    [uri] = await peer.uris()
    store = peer.library.store
    assert isinstance(store, SqliteStore)
    store.__class__ = FailingStore
    store.failure = failure  # type: ignore[attr-defined]
    with caplog.at_level(logging.WARNING):
        error = await peer.error(SYMBOLS, {"textDocument": {"uri": uri}})
    reference = error["data"]["reference"]
    assert (error["code"], error["data"]["kind"]) == (-32603, "internal")
    assert reference in error["message"]
    assert "secret" not in str(peer.written)
    assert reference in caplog.text
    assert "secret" in caplog.text
    assert not [found for found in peer.written if found.get("method") == "window/showMessage"]
    assert (await peer.result("context/status"))["records"] == 1


async def test_a_slow_read_of_one_record_holds_up_no_other_answer(peer_of: PeerOf) -> None:
    peer = await peer_of(["text\n" + "# h\n" * 30_000, "# Small"])
    small, huge = await peer.library.store.select(Filter(), OWNER)
    slow = peer.start("context/readRange", {"contextId": huge, "nodeId": "h-30000"})
    await peer.result("context/get", {"contextId": small})
    assert not [found for found in peer.written if found.get("id") == slow]
    assert (await peer.answer(slow))["result"]["text"] == "# h\n"
