"""A client of a server in this process."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import pytest
from making import MakeLibrary
from peers import Peer, PeerOf

from ctxls.lsp.offer import Offer
from ctxls.queries.limits import Limits
from ctxls.records.record import NewRecord


@pytest.fixture
async def peer_of(library_of: MakeLibrary) -> AsyncIterator[PeerOf]:
    """Make a client that has shaken hands, of a library with these records, oldest first."""
    peers: list[Peer] = []

    async def make(
        records: Sequence[str | NewRecord] = (),
        capabilities: Mapping[str, Any] | None = None,
        offer: Offer | None = None,
        limits: Limits | None = None,
    ) -> Peer:
        peers.append(await Peer(await library_of(records, limits), offer).ready(capabilities))
        return peers[-1]

    yield make
    for peer in peers:
        await peer.server.end(0)


@pytest.fixture
async def fresh(library_of: MakeLibrary) -> Peer:
    """Make a client that has said nothing yet."""
    return Peer(await library_of(["# Title\n"]))
