"""One client's session: who asks, what its client can do, and the texts that it has open."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from ctxls.lsp.buffers import Buffers
from ctxls.lsp.client import Client
from ctxls.lsp.extensions.view import View
from ctxls.lsp.offer import Offer
from ctxls.queries.library import Library
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.records.place import Place
from ctxls.records.uri import parse_uri

Made = TypeVar("Made")
MANY: Final = 1_000
"""Items above which an answer is made in a worker thread: a conversion takes some 10 µs each."""


class Session:
    """What a feature is handed beside its params."""

    def __init__(
        self, library: Library, caller: Caller, offer: Offer, log: Callable[[str], None]
    ) -> None:
        self.library = library
        self.caller = caller
        self.offer = offer
        self.client = Client()
        self.buffers = Buffers()
        self.log = log
        """Says one sentence in the client's log (`window/logMessage`)."""

    async def open(self, uri: str) -> Document:
        """Return the record with the text that the client has open, or else its stored text.

        The open text is the one of the moment when this is called, whatever is edited meanwhile.
        """
        buffer = self.buffers.find(uri)
        document = await self.stored(uri)
        if buffer is None:
            return document
        return await self.library.prepare(replace(document, text=buffer.text))

    async def stored(self, uri: str) -> Document:
        """Return the record that a URI names with its stored text."""
        parse_uri(uri)  # refuses what is no URI of a record
        return await self.library.open(uri, self.caller)

    def uri(self, place: Place) -> str:
        """Return the URI under which the client has a record open, or else the canonical one."""
        buffer = self.buffers.of_record(place.record_id)
        return self.library.uri(place) if buffer is None else buffer.uri

    @property
    def view(self) -> View:
        """How this client is shown things."""
        return View(self.uri, self.client.encoding)

    async def make(self, items: int, convert: Callable[[], Made]) -> Made:
        """Run a pure conversion of so many items, off the event loop when they are many."""
        if items <= MANY:
            return convert()
        return await asyncio.get_running_loop().run_in_executor(self.library.workers, convert)
