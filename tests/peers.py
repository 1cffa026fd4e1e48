"""A client in the same process as its server: what it sends, and what it was sent."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from ctxls.lsp.offer import Offer
from ctxls.lsp.server import Server
from ctxls.queries.library import Library
from ctxls.records.access import OWNER, Caller
from ctxls.records.filters import Filter

PATIENCE: Final = 20.0
OMITTED: Final = object()


class Peer:
    """One client of one `Server`; `written` is every message that it was sent, in order."""

    def __init__(
        self, library: Library, offer: Offer | None = None, caller: Caller = OWNER
    ) -> None:
        self.library = library
        self.caller = caller
        self.written: list[Any] = []
        self.followed: list[int] = []
        self.server = Server(library, caller, offer or Offer(), self, self.followed.append)
        self._next = 0

    def write(self, body: bytes) -> None:
        self.written.append(json.loads(body))

    async def room(self) -> None:
        """Return at once: a list takes everything."""

    def send(self, message: Any) -> None:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.server.receive(body)

    def start(self, method: str, params: Any = OMITTED, message_id: Any = None) -> Any:
        """Send a request and return its id."""
        if message_id is None:
            self._next += 1
            message_id = self._next
        self.send(message(method, params) | {"id": message_id})
        return message_id

    def notify(self, method: str, params: Any = OMITTED) -> None:
        self.send(message(method, params))

    async def settle(self) -> None:
        """Let what was sent begin, as the reading loop does after each message."""
        await asyncio.sleep(0)

    async def answer(self, message_id: Any) -> Any:
        """Wait for the response to an id."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = [item for item in self.written if item.get("id") == message_id]
                if found and "method" not in found[0]:
                    return found[0]
                await asyncio.sleep(0.001)

    async def result(self, method: str, params: Any = OMITTED) -> Any:
        found = await self.answer(self.start(method, params))
        assert "result" in found, found
        return found["result"]

    async def error(self, method: str, params: Any = OMITTED) -> Any:
        found = await self.answer(self.start(method, params))
        assert "error" in found, found
        return found["error"]

    async def ready(self, capabilities: Mapping[str, Any] | None = None) -> "Peer":
        """Go through the handshake."""
        await self.result("initialize", {"processId": None, "capabilities": capabilities or {}})
        self.notify("initialized", {})
        return self

    async def uris(self) -> Sequence[str]:
        """Return the canonical URIs of all records, oldest first."""
        ids = await self.library.store.select(Filter(), self.caller)
        documents = [await self.library.open(record_id, self.caller) for record_id in ids[::-1]]
        return [self.library.uri(await self.library.place(found)) for found in documents]


def message(method: str, params: Any = OMITTED) -> dict[str, Any]:
    found = {"jsonrpc": "2.0", "method": method}
    return found if params is OMITTED else found | {"params": params}


def encodings(*names: str) -> dict[str, Any]:
    return {"general": {"positionEncodings": list(names)}}


NESTED: Final = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}

PeerOf = Callable[..., Awaitable[Peer]]
"""`await peer_of([text or NewRecord, ...], capabilities, offer, limits)`, oldest first."""
