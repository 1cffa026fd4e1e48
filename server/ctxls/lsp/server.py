"""The server of one connection. `FEATURES` is its table of contents."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from ctxls import __version__
from ctxls.errors import InvalidParamsError
from ctxls.lsp import extensions, gate, messages
from ctxls.lsp.capabilities import initialize_result, text_content_registration
from ctxls.lsp.client import Client
from ctxls.lsp.features import documents
from ctxls.lsp.features.definition import definition
from ctxls.lsp.features.document_symbol import document_symbol
from ctxls.lsp.features.grep import grep
from ctxls.lsp.features.listing import get_record, list_items
from ctxls.lsp.features.navigate import navigate
from ctxls.lsp.features.read_range import read_range
from ctxls.lsp.features.status import status
from ctxls.lsp.features.text_document_content import text_document_content
from ctxls.lsp.features.workspace_symbol import workspace_symbol
from ctxls.lsp.gate import Phase
from ctxls.lsp.index_progress import IndexProgress
from ctxls.lsp.line import Line, Wire
from ctxls.lsp.messages import MalformedMessageError, Notification, Request, Response
from ctxls.lsp.offer import Offer
from ctxls.lsp.protocol import Protocol
from ctxls.lsp.session import Session
from ctxls.lsp.typed_params import converter, typed
from ctxls.lsp.wire_errors import PARSE_ERROR, WireError, answered, attempted, wire_error
from ctxls.queries.library import Library
from ctxls.records.access import Caller

Feature = Callable[[Session, Any], Awaitable[Any]]

FEATURES: Final[Mapping[str, Feature]] = {
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: text_document_content,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: document_symbol,
    types.WORKSPACE_SYMBOL: workspace_symbol,
    types.TEXT_DOCUMENT_DEFINITION: definition,
    extensions.GREP: grep,
    extensions.NAVIGATE: navigate,
    extensions.READ_RANGE: read_range,
    extensions.LIST: list_items,
    extensions.GET: get_record,
    extensions.STATUS: status,
}

DOCUMENTS: Final[Mapping[str, Callable[[Session, Any], None]]] = {
    types.TEXT_DOCUMENT_DID_OPEN: documents.did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: documents.did_change,
    types.TEXT_DOCUMENT_DID_SAVE: documents.did_save,
    types.TEXT_DOCUMENT_DID_CLOSE: documents.did_close,
}

SWITCHES: Final[Mapping[str, Callable[[Offer], bool]]] = {
    types.WORKSPACE_SYMBOL: lambda offer: offer.grep,
    extensions.GREP: lambda offer: offer.grep,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda offer: offer.navigation,
    extensions.NAVIGATE: lambda offer: offer.navigation,
    extensions.READ_RANGE: lambda offer: offer.range,
}
"""The methods that a setting can switch off, and where its answer stands."""

WHOLE_TEXTS: Final = frozenset({types.WORKSPACE_TEXT_DOCUMENT_CONTENT, extensions.READ_RANGE})
"""The methods whose answers may be as large as a record: read only when there is room to send."""

_log = logging.getLogger(__name__)


class Server(LanguageServer):
    """One client's server: takes its messages one by one and answers each request once.

    `follow` is called with the process id that the client names in `initialize`.
    """

    protocol: Protocol

    def __init__(
        self,
        library: Library,
        caller: Caller,
        offer: Offer,
        wire: Wire,
        follow: Callable[[int], None],
    ) -> None:
        super().__init__("ctxls", __version__, protocol_cls=Protocol, converter_factory=converter)
        self.session = Session(library, caller, offer, Line(wire, self.protocol.ask))
        self.exited = False
        self._closing = ExitStack()
        self._wire = wire
        self._follow = follow
        self._phase = Phase.NEW
        self._turn = asyncio.Lock()
        """Held while an answer is written out, so that few of them wait for a slow reader."""
        self._whole = asyncio.Semaphore(2)
        """How many whole texts are read at once, so that few wait; nothing else waits for them."""
        self._features = {
            method: feature
            for method, feature in FEATURES.items()
            if method not in SWITCHES or SWITCHES[method](offer)
        }
        self._register()
        self.protocol.send = wire.write

    @property
    def exit_code(self) -> int:
        """0 when the client asked for `shutdown` before it left, else 1."""
        return 0 if self._phase is Phase.SHUT else 1

    def receive(self, body: bytes) -> None:
        """Take one message; every request gets exactly one answer, now or later."""
        try:
            message = messages.parse(body)
        except MalformedMessageError as error:
            self.protocol.refuse(error.id, error.error)
            return
        match message:
            case Request():
                self._request(message)
            case Notification():
                self._notification(message)
            case Response():
                self.protocol.heed(message)

    def refuse(self, sentence: str) -> None:
        """Tell the client why its stream cannot be read any further."""
        self.protocol.refuse(None, WireError(PARSE_ERROR, sentence))

    async def end(self, grace: float) -> None:
        """Give requests in flight some seconds to finish, then stop them."""
        await self.protocol.settle(grace)
        self._closing.close()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what pygls could not do; the client's user is shown nothing."""
        _log.warning("%s: %s", getattr(source, "__name__", source), type(error).__name__)

    def _register(self) -> None:
        for method, feature in self._features.items():
            self.feature(method)(self._task(method, feature))
        self.feature(types.INITIALIZE)(_step(self._initialize))
        self.feature(types.SHUTDOWN)(_step(self._shutdown))
        for method, document in DOCUMENTS.items():
            self.feature(method)(_step(partial(document, self.session)))

    def _task(self, method: str, feature: Feature) -> Callable[[Any], Awaitable[bytes | WireError]]:
        """Make of a feature what pygls starts: it answers JSON that is ready, or an error."""
        answer = self._whole_text if method in WHOLE_TEXTS else self._found

        async def run(params: Any) -> bytes | WireError:
            return await answered(method, answer(feature, params))

        return run

    async def _found(self, feature: Feature, params: Any) -> bytes:
        found = await feature(self.session, params)
        async with self._turn:
            await self._wire.room()
            return messages.encode(found)

    async def _whole_text(self, feature: Feature, params: Any) -> bytes:
        async with self._whole:
            await self._wire.room()
            return await self._found(feature, params)

    def _request(self, request: Request) -> None:
        error = gate.refusal(self._phase, request, self.protocol.in_flight)
        found = error or self._unanswered(request.method)
        if found is None:
            found = attempted(request.method, lambda: typed(request.method, request.params))
        if isinstance(found, WireError):
            self.protocol.refuse(request.id, found)
        else:
            self.protocol.dispatch(request, found)

    def _unanswered(self, method: str) -> WireError | None:
        if method in self._features or method in {types.INITIALIZE, types.SHUTDOWN}:
            return None
        return gate.switched_off(method) if method in FEATURES else gate.unknown(method)

    def _notification(self, notification: Notification) -> None:
        """Take what wants no answer; what nobody knows is ignored, as LSP asks."""
        method, params = notification.method, notification.params
        if method == types.EXIT:
            self.exited = True
        elif method == types.CANCEL_REQUEST:
            self.protocol.cancel(params.get("id") if isinstance(params, dict) else None)
        elif method == types.WINDOW_WORK_DONE_PROGRESS_CANCEL:
            self.session.works.cancel(params.get("token") if isinstance(params, dict) else None)
        elif self._phase is Phase.READY and method == types.INITIALIZED:
            self._initialized()
        elif self._phase is Phase.READY and method in DOCUMENTS:
            self._document(method, params)

    def _document(self, method: str, params: Any) -> None:
        found = attempted(method, lambda: typed(method, params))
        if isinstance(found, WireError):
            _log.warning("Ignored a notification: %s", found.message)
        else:
            self.protocol.hear(method, found)

    def _initialize(self, params: Any) -> bytes | WireError:
        """Answer at once, so that whatever follows meets a session that is ready."""
        if not isinstance(params, dict) or not isinstance(params.get("capabilities", {}), dict):
            return wire_error(InvalidParamsError("initialize needs params with capabilities."))
        self.session.client = Client.of(params.get("capabilities", {}))
        process = params.get("processId")
        if isinstance(process, int):
            self._follow(process)
        self._phase = Phase.READY
        methods = {*self._features, *DOCUMENTS}
        return messages.encode(initialize_result(self.session.client, methods))

    def _initialized(self) -> None:
        if self.session.client.registers_text_content:
            self.protocol.ask(types.CLIENT_REGISTER_CAPABILITY, text_content_registration())
        if self.session.client.shows_progress:
            shown = IndexProgress(self.session.line)
            self._closing.enter_context(self.session.library.indexing.watched(shown))
            self._closing.callback(shown.end)

    def _shutdown(self, _: Any) -> bytes:
        """Let nothing else in; what is in flight may still be answered."""
        self._phase = Phase.SHUT
        return messages.encode(None)


def _step(step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make of something that does not wait what pygls runs at once."""

    def run(params: Any) -> Any:
        return attempted("A message", lambda: step(params))

    return run
