"""An index that is being built, shown to clients that show progress."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from making import index_of, record
from peers import Peer

from ctxls.lsp.index_progress import MANY
from ctxls.queries.library import Library
from ctxls.records.access import OWNER
from ctxls.stores.sqlite import SqliteStore

SHOWS = {"window": {"workDoneProgress": True}}
CREATE = "window/workDoneProgress/create"
TEXT = "some words of a record " * 400


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    path = tmp_path / "store.db"
    store = SqliteStore(path, create=True, busy_timeout_s=5, longest_text=64 << 20)
    library = Library(store, make_index=lambda: index_of(store, path))
    yield library
    await library.close()


async def follow(library: Library, records: int, *peers: Peer) -> None:
    """Store some records, have them taken in, and answer what the clients are asked meanwhile."""
    await library.store.add([record(f"{TEXT}{n}") for n in range(records)], OWNER)
    following = asyncio.create_task(library.indexing.follow())
    async with asyncio.timeout(20):
        while library.index is None or (await library.index.status()).state == "building":
            for peer in peers:
                agree(peer)
            await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    following.cancel()


def agree(peer: Peer, answer: Any = None) -> None:
    """Answer whatever the client is asked and has not answered yet."""
    for asked in [found for found in peer.written if found.get("method") == CREATE]:
        asked["method"] = "answered"
        peer.send({"jsonrpc": "2.0", "id": asked["id"]} | (answer or {"result": None}))


def shown(peer: Peer) -> list[Any]:
    return [found["params"] for found in peer.written if found.get("method") == "$/progress"]


async def test_every_session_that_shows_progress_is_shown_the_index_being_built(
    library: Library,
) -> None:
    peers = [await Peer(library).ready(SHOWS), await Peer(library).ready(SHOWS)]
    await follow(library, 5 * MANY, *peers)
    for peer in peers:
        begin, *reports, end = [params["value"] for params in shown(peer)]
        assert begin["kind"] == "begin"
        assert begin["title"] == "Indexing stored context"
        assert end == {"kind": "end"}
        percentages = [report["percentage"] for report in reports]
        assert percentages == sorted({*percentages})
        assert len({params["token"] for params in shown(peer)}) == 1
        await peer.server.end(0)


@pytest.mark.parametrize("capabilities", [{}, {"window": {"workDoneProgress": False}}])
async def test_a_client_that_shows_no_progress_is_asked_nothing(
    library: Library, capabilities: Any
) -> None:
    peer = await Peer(library).ready(capabilities)
    before = len(peer.written)
    await follow(library, 2 * MANY, peer)
    assert len(peer.written) == before


async def test_a_few_records_are_taken_in_without_a_word(library: Library) -> None:
    peer = await Peer(library).ready(SHOWS)
    before = len(peer.written)
    await follow(library, MANY - 1, peer)
    assert len(peer.written) == before


class Bar:
    """A session's watcher of the index, told by hand how far it is."""

    def __init__(self, peer: Peer, library: Library) -> None:
        self.peer = peer
        self.tell: Callable[[int, int], None] = library.indexing.tell


@pytest.fixture
async def bar(library: Library) -> AsyncIterator[Bar]:
    peer = await Peer(library).ready(SHOWS)
    yield Bar(peer, library)
    await peer.server.end(0)


async def test_a_client_that_refuses_is_shown_nothing(bar: Bar) -> None:
    bar.tell(1, 1000)
    agree(bar.peer, {"error": {"code": -32601, "message": "no"}})
    bar.tell(500, 1000)
    bar.tell(1000, 1000)
    assert shown(bar.peer) == []


async def test_what_is_shown_ends_with_its_session(bar: Bar) -> None:
    bar.tell(1, 1000)
    agree(bar.peer)
    await bar.peer.server.end(0)
    bar.tell(600, 1000)
    assert [params["value"]["kind"] for params in shown(bar.peer)] == ["begin", "end"]


async def test_reports_are_at_most_ten_a_second(bar: Bar) -> None:
    bar.tell(0, 10_000)
    agree(bar.peer)
    for done in range(10_000):
        bar.tell(done, 10_000)
    bar.tell(10_000, 10_000)
    kinds = [params["value"]["kind"] for params in shown(bar.peer)]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert len(kinds) < 20
