"""One client's session: who asks, what its client can do, and the texts that it has open."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from ctxls.lsp.buffers import Buffers
from ctxls.lsp.client import Client
from ctxls.lsp.extensions.view import View
from ctxls.lsp.line import Line
from ctxls.lsp.messages import Id
from ctxls.lsp.offer import Offer
from ctxls.lsp.progress import Progress, Works
from ctxls.queries.library import Library
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.records.place import Place
from ctxls.records.uri import parse_uri
from ctxls.text.outline import Outline

Made = TypeVar("Made")


class Session:
    """What a feature is handed beside its params."""

    def __init__(self, library: Library, caller: Caller, offer: Offer, line: Line) -> None:
        self.library = library.for_session()
        self.caller = caller
        self.offer = offer
        self.client = Client()
        self.buffers = Buffers()
        self.line = line
        self.works = Works()

    def log(self, sentence: str) -> None:
        """Say one sentence in the client's log."""
        self.line.log(sentence)

    def progress(self, title: str, work: Id | None) -> Progress:
        """Return the progress of the request being answered, whose client gave `work` for it."""
        return Progress(self.line, self.works, title, work)

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

    def say_if_cut(self, outline: Outline) -> None:
        """Say in the client's log where an outline does not reach the end of its text."""
        if not outline.is_whole:
            self.log(
                f"The record is too large for a whole outline: it is shown up to heading"
                f" {len(outline.sections):,}, and the text behind belongs to that one."
            )

    def view_of(self, place: Place) -> View:
        """Return how one record alone is shown; any thread may use it.

        The URI is asked for now, since the open texts change while a thread works.
        """
        uri = self.uri(place)
        return View(lambda _place: uri, self.client.encoding)

    async def make(self, items: int, convert: Callable[[], Made]) -> Made:
        """Run a pure conversion of so many items, off the event loop when they are many.

        It takes some 10 µs an item, as a parse does a character at its worst.
        """
        return await self.library.off_loop(items, convert)
