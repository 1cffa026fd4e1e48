"""Records past the bounds of an outline: answered as far as they go, and said to be cut."""

from typing import Any

from making import MakeLibrary
from peers import Peer, PeerOf

from ctxls.queries.limits import Limits

SYMBOLS = "textDocument/documentSymbol"


def logged(peer: Peer) -> list[str]:
    found = [item for item in peer.written if item.get("method") == "window/logMessage"]
    return [item["params"]["message"] for item in found]


async def test_an_outline_that_is_cut_is_answered_and_said_to_be(peer_of: PeerOf) -> None:
    peer = await peer_of(["# n\n" * 100_001])
    [uri] = await peer.uris()
    symbols: list[Any] = await peer.result(SYMBOLS, {"textDocument": {"uri": uri}})
    assert len(symbols) == 100_000
    [sentence] = logged(peer)
    assert "up to heading 100,000" in sentence
    found = await peer.result("context/navigate", {"uri": uri})
    assert found["nodeCount"] == 100_000
    assert found["root"]["children"][-1]["charEnd"] == 400_004
    assert logged(peer) == [sentence, sentence]
    last = {"uri": uri, "nodeId": "n-100000"}
    assert (await peer.result("context/readRange", last))["text"] == "# n\n# n\n"
    unknown = await peer.error("context/readRange", {"uri": uri, "nodeId": "n-100001"})
    assert unknown["data"]["kind"] == "unknown-node"


async def test_a_whole_outline_is_not_said_to_be_cut(peer_of: PeerOf) -> None:
    peer = await peer_of(["# n\n"])
    [uri] = await peer.uris()
    await peer.result(SYMBOLS, {"textDocument": {"uri": uri}})
    await peer.result("context/navigate", {"uri": uri})
    assert logged(peer) == []


async def test_navigate_cuts_a_long_title(peer_of: PeerOf) -> None:
    peer = await peer_of(["# " + "x" * 1000])
    [uri] = await peer.uris()
    found = await peer.result("context/navigate", {"uri": uri})
    assert found["root"]["children"][0]["title"] == "x" * 400


async def test_a_definition_that_runs_out_of_time_is_said_in_the_log(
    library_of: MakeLibrary,
) -> None:
    library = await library_of(["word word"], Limits(interactive_seconds=0))
    peer = await Peer(library).ready()
    [uri] = await peer.uris()
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
    assert await peer.result("textDocument/definition", place) == []
    assert logged(peer) == ["Go to definition was cut after 0 seconds; there may be more to find."]
