"""A cancelled request is answered at once, and what it had started stops."""

import asyncio
from typing import Any

import pytest
from making import MakeLibrary
from peers import Peer, PeerOf

from ctxls.queries.lane import WORKERS

SLOW = r"[\pL\pN]{1,200}zq"
"""Takes 0.2 s to compile, and as long for each 20 KB of letters."""
LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 7919))) * 430
"""10 MB of UTF-8 in one line."""
GREP: dict[str, Any] = {"pattern": SLOW, "isRegex": True}


async def cancelled(peer: Peer, message_id: Any) -> None:
    """Cancel a request whose work takes minutes, and wait for its answer, which takes seconds."""
    peer.notify("$/cancelRequest", {"id": message_id})
    error = (await peer.answer(message_id))["error"]
    assert error["code"] == -32800


@pytest.mark.parametrize(
    ("method", "params"),
    [("context/grep", GREP), ("workspace/symbol", {"query": f"/{SLOW}/"})],
)
async def test_a_search_inside_one_record_of_10_mb_is_cancelled_at_once(
    peer_of: PeerOf, method: str, params: Any
) -> None:
    peer = await peer_of([LETTERS])
    asked = peer.start(method, params)
    await asyncio.sleep(0.6)
    assert not [found for found in peer.written if found.get("id") == asked]
    await cancelled(peer, asked)


async def test_cancelled_work_frees_the_workers_for_the_next_request(peer_of: PeerOf) -> None:
    peer = await peer_of([LETTERS])
    asked = [peer.start("context/grep", GREP) for _ in range(2 * WORKERS)]
    await asyncio.sleep(0.5)
    for message_id in asked:
        await cancelled(peer, message_id)
    async with asyncio.timeout(10):
        assert (await peer.result("context/grep", {"pattern": "zzz"}))["scanned"] == 1


async def test_a_cancelled_requests_id_can_be_used_again(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"])
    for _ in range(3):
        asked = peer.start("context/grep", {"pattern": "A"}, "same")
        await cancelled(peer, asked)
        peer.written.clear()
    peer.start("context/grep", {"pattern": "A"}, "same")
    assert (await peer.answer("same"))["result"]["totalMatches"] == 1


async def test_work_stops_when_the_session_ends(library_of: MakeLibrary) -> None:
    library = await library_of([LETTERS])
    leaving, staying = await Peer(library).ready(), await Peer(library).ready()
    for _ in range(2 * WORKERS):
        leaving.start("context/grep", GREP)
    await asyncio.sleep(0.5)
    await leaving.server.end(0)
    async with asyncio.timeout(3):
        assert (await staying.result("context/grep", {"pattern": "zzz"}))["scanned"] == 1


async def test_an_answered_request_is_not_answered_again_when_it_is_cancelled(
    peer_of: PeerOf,
) -> None:
    peer = await peer_of(["# A\n"])
    asked = peer.start("context/status")
    await peer.answer(asked)
    peer.notify("$/cancelRequest", {"id": asked})
    await asyncio.sleep(0.05)
    assert len([found for found in peer.written if found.get("id") == asked]) == 1


async def test_one_sessions_hostile_searches_leave_room_for_anothers(
    library_of: MakeLibrary,
) -> None:
    library = await library_of([LETTERS])
    greedy, modest = await Peer(library).ready(), await Peer(library).ready()
    asked = [greedy.start("context/grep", GREP) for _ in range(2 * WORKERS)]
    await asyncio.sleep(0.5)
    async with asyncio.timeout(10):
        assert (await modest.result("context/grep", {"pattern": "zzz"}))["scanned"] == 1
    assert not [found for found in greedy.written if found.get("id") in asked]
    await greedy.server.end(0)
