"""Every error names its kind."""

from typing import Any

import pytest
from peers import Peer, PeerOf, message

BAD: dict[str, tuple[bytes | dict[str, Any], int]] = {
    "parse-error": (b"{", -32700),
    "invalid-request": ([], -32600),  # type: ignore[dict-item]
    "unknown-method": (message("no/such") | {"id": 1}, -32601),
}


@pytest.mark.parametrize("kind", BAD)
async def test_what_the_protocol_itself_refuses_has_a_kind_too(peer_of: PeerOf, kind: str) -> None:
    peer = await peer_of()
    said, code = BAD[kind]
    peer.send(said)
    error = peer.written[-1]["error"]
    assert (error["code"], error["data"]) == (code, {"kind": kind})


async def test_a_request_before_initialize_has_a_kind(fresh: Peer) -> None:
    assert (await fresh.error("context/status"))["data"] == {"kind": "not-initialized"}


async def test_a_cancelled_request_has_a_kind(peer_of: PeerOf) -> None:
    peer = await peer_of(["a"])
    asked = peer.start("context/grep", {"pattern": "a"})
    peer.notify("$/cancelRequest", {"id": asked})
    error = (await peer.answer(asked))["error"]
    assert (error["code"], error["data"]) == (-32800, {"kind": "cancelled"})


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","id":7,"method":"x","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"jsonrpc":"2.0","id":7,"method":"x","params":{"n":' + b"9" * 6000 + b"}}",
    ],
)
async def test_what_cannot_be_read_to_its_end_is_answered_without_an_id(
    peer_of: PeerOf, body: bytes
) -> None:
    peer = await peer_of()
    peer.send(body)
    assert peer.written[-1]["id"] is None
    assert peer.written[-1]["error"]["data"] == {"kind": "parse-error"}
    assert await peer.result("context/status")


async def test_a_link_with_a_nul_character_leads_nowhere(peer_of: PeerOf) -> None:
    peer = await peer_of(["[text](a%00b.md)"])
    [uri] = await peer.uris()
    at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 9}}
    assert await peer.result("textDocument/definition", at) == []
