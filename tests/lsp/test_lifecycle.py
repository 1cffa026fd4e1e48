"""initialize, shutdown and exit, and what is said before, between and after them."""

import gc
import weakref
from typing import Any

import pytest
from making import MakeLibrary
from peers import Peer, PeerOf, encodings

from ctxls.lsp import typed_params
from ctxls.lsp.extensions import METHODS
from ctxls.lsp.offer import Offer

SYMBOLS = "textDocument/documentSymbol"


async def test_before_initialize_only_initialize_is_answered(fresh: Peer) -> None:
    for method in ("shutdown", SYMBOLS, "context/status", "no/such"):
        assert (await fresh.error(method))["code"] == -32002
    await fresh.ready()
    assert await fresh.result("context/status")


async def test_a_second_initialize_is_refused(fresh: Peer) -> None:
    await fresh.ready()
    assert (await fresh.error("initialize", {"capabilities": {}}))["code"] == -32600


async def test_after_shutdown_only_exit_counts(fresh: Peer) -> None:
    await fresh.ready()
    assert await fresh.result("shutdown") is None
    for method in ("shutdown", SYMBOLS, "initialize"):
        assert (await fresh.error(method))["code"] == -32600
    assert not fresh.server.exited
    fresh.notify("exit")
    assert (fresh.server.exited, fresh.server.exit_code) == (True, 0)


@pytest.mark.parametrize("shaken", [True, False])
async def test_exit_without_shutdown_ends_with_code_1(fresh: Peer, shaken: bool) -> None:
    if shaken:
        await fresh.ready()
    fresh.notify("exit")
    assert (fresh.server.exited, fresh.server.exit_code) == (True, 1)


async def test_exit_ends_its_own_session_only(peer_of: PeerOf) -> None:
    leaving, staying = await peer_of(["# A\n"]), await peer_of(["# B\n"])
    leaving.notify("exit")
    assert leaving.server.exited
    assert not staying.server.exited
    assert (await staying.result("context/status"))["records"] == 1


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32"], "utf-32"),
        (["utf-16"], "utf-16"),
        (["utf-7", "utf-32", "utf-8"], "utf-32"),
        (["utf-7"], "utf-16"),
        ([], "utf-16"),
        (None, "utf-16"),
        ("utf-8", "utf-16"),
        ([8, None, "utf-8"], "utf-8"),
    ],
)
async def test_the_clients_first_known_encoding_is_chosen_and_used(
    fresh: Peer, offered: Any, chosen: str
) -> None:
    capabilities = {"general": {"positionEncodings": offered}}
    found = await fresh.result("initialize", {"capabilities": capabilities})
    assert found["capabilities"]["positionEncoding"] == chosen


async def test_what_is_advertised_is_exactly_what_works(fresh: Peer) -> None:
    found = await fresh.result("initialize", {"processId": 1, "capabilities": {}})
    capabilities = found["capabilities"]
    version = found["serverInfo"].pop("version")
    assert found["serverInfo"] == {"name": "ctxls"}
    assert capabilities == {
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": True, "change": 2, "save": True},
        "documentSymbolProvider": {"workDoneProgress": True},
        "workspaceSymbolProvider": {"workDoneProgress": True},
        "definitionProvider": {"workDoneProgress": True},
        "workspace": {"textDocumentContent": {"schemes": ["context"]}},
        "experimental": {"ctxls": {"version": version, "methods": sorted(METHODS)}},
    }


SWITCHES = [
    (Offer(grep=False), {"workspace/symbol", "context/grep"}, {"workspaceSymbolProvider"}),
    (Offer(navigation=False), {SYMBOLS, "context/navigate"}, {"documentSymbolProvider"}),
    (Offer(range=False), {"context/readRange"}, set()),
]


@pytest.mark.parametrize(("offer", "methods", "providers"), SWITCHES)
async def test_what_is_switched_off_is_not_advertised_and_answers_disabled(
    library_of: MakeLibrary, offer: Offer, methods: set[str], providers: set[str]
) -> None:
    peer = Peer(await library_of(["# A\n"]), offer)
    found = (await peer.result("initialize", {"capabilities": {}}))["capabilities"]
    assert not providers & set(found)
    assert not methods & set(found["experimental"]["ctxls"]["methods"])
    for method in methods:
        error = await peer.error(method, {})
        assert (error["code"], error["data"]) == (-32803, {"kind": "disabled"})
    for method in set[str]().union(*(named for _, named, _ in SWITCHES)) - methods:
        assert (await peer.error(method, {}))["code"] == -32602


async def test_a_client_that_registers_dynamically_is_asked_to_and_may_refuse(
    fresh: Peer,
) -> None:
    capabilities = {"workspace": {"textDocumentContent": {"dynamicRegistration": True}}}
    found = await fresh.result("initialize", {"capabilities": capabilities})
    assert "textDocumentContent" not in found["capabilities"].get("workspace", {})
    fresh.notify("initialized", {})
    asked = fresh.written[-1]
    assert asked["method"] == "client/registerCapability"
    [registration] = asked["params"]["registrations"]
    assert registration["method"] == "workspace/textDocumentContent"
    assert registration["registerOptions"] == {"schemes": ["context"]}
    fresh.send({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no"}})
    assert await fresh.result("context/status")


@pytest.mark.parametrize(
    "params",
    [
        {"capabilities": {}, "processId": "x", "rootUri": 5, "initializationOptions": ["odd"]},
        {"capabilities": {}, "initializationOptions": {"token": "unused", "grep": {"off": True}}},
        {"capabilities": {"textDocument": None, "general": []}},
        {"capabilities": {"textDocument": {"documentSymbol": {"symbolKind": {"valueSet": [999]}}}}},
        {"processId": None},
    ],
)
async def test_a_client_that_says_odd_things_about_itself_is_still_served(
    fresh: Peer, params: Any
) -> None:
    assert (await fresh.result("initialize", params))["capabilities"]["definitionProvider"]
    assert (await fresh.result("context/grep", {"pattern": "title"}))["totalMatches"] == 1


@pytest.mark.parametrize("params", [None, [], "x", {"capabilities": 5}, {"capabilities": None}])
async def test_initialize_without_usable_params_is_refused_and_may_be_sent_again(
    fresh: Peer, params: Any
) -> None:
    assert (await fresh.error("initialize", params))["code"] == -32602
    await fresh.ready()


async def test_the_clients_process_is_followed(fresh: Peer) -> None:
    await fresh.result("initialize", {"processId": 4242, "capabilities": {}})
    assert fresh.followed == [4242]


async def test_notifications_that_nobody_knows_or_that_come_early_are_ignored(
    fresh: Peer,
) -> None:
    fresh.notify("initialized", {})
    fresh.notify("textDocument/didOpen", {})
    await fresh.ready(encodings("utf-8"))
    before = list(fresh.written)
    settings = {"settings": {"ctxls": {"ENABLE_GREP_CONTEXT": False}}}
    fresh.notify("workspace/didChangeConfiguration", settings)
    fresh.notify("$/setTrace", {"value": "verbose"})
    fresh.notify("$/setTrace", {"value": 5})
    fresh.notify("$/unknown")
    fresh.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}})
    fresh.notify("textDocument/didOpen", {"textDocument": {"uri": 5}})
    fresh.notify("textDocument/documentSymbol", {})
    fresh.notify("$/cancelRequest", {"id": 77})
    fresh.notify("$/cancelRequest", None)
    fresh.send({"jsonrpc": "2.0", "id": "ctxls-9", "result": None})
    fresh.send({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "m"}})
    assert fresh.written == before
    assert (await fresh.result("context/grep", {"pattern": "title"}))["totalMatches"] == 1


async def test_closed_sessions_are_forgotten(library_of: MakeLibrary) -> None:
    library = await library_of(["# A\n"])
    servers = []
    for _ in range(10):
        peer = await Peer(library).ready()
        uri = (await peer.uris())[0]
        await peer.result(SYMBOLS, {"textDocument": {"uri": uri}})
        peer.notify("exit")
        await peer.server.end(0)
        servers.append(weakref.ref(peer.server))
        del peer
    gc.collect()
    assert [found for found in servers if found() is not None] == []


async def test_all_sessions_share_one_converter(peer_of: PeerOf) -> None:
    peers = [await peer_of(), await peer_of()]
    assert {id(peer.server.protocol._converter) for peer in peers} == {id(typed_params.converter())}
