"""pygls's protocol, used for dispatch and for the bookkeeping of tasks, with its traps taken out.

What stays out, and why: its built-in features (they read files of any scheme, move positions and
end the process), its cached methods (they keep closed sessions alive), its reader and writer (one
client's answers reach another), its error reports (tracebacks on the wire, pop-ups for the user).
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, LanguageServerProtocol

from ctxls.lsp import messages
from ctxls.lsp.messages import Id, Request, Response
from ctxls.lsp.wire_errors import REQUEST_CANCELLED, WireError, opaque_error

_log = logging.getLogger(__name__)
logging.getLogger("pygls").setLevel(logging.WARNING)  # below it, it logs every message whole


class Protocol(LanguageServerProtocol):
    """One connection's dispatch: a request becomes a task, its result one message."""

    send: Callable[[bytes], None]
    """Sends one message; pygls's own writer stays unset."""

    def __init__(self, server: LanguageServer, shared: Converter) -> None:
        super().__init__(server, shared)
        self.fm.builtin_features.clear()
        self._asked: dict[Id, tuple[str, Callable[[bool], None]]] = {}
        self._numbers = count(1)

    # The two below are cached where they are overridden, and the cache keeps every session.

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """Return the class of a method's messages."""
        return types.METHOD_TO_TYPES.get(method, (None,))[0]

    def get_result_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        """Return the class of a method's responses."""
        return types.METHOD_TO_TYPES.get(method, (None, None))[1]

    @property
    def in_flight(self) -> Mapping[Id, Any]:
        """The tasks of the client's requests that are not answered yet, by their ids."""
        return self._request_futures

    async def settle(self, grace: float) -> None:
        """Give the requests in flight some seconds to finish, then stop them."""
        tasks = list(self.in_flight.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def dispatch(self, request: Request, params: Any) -> None:
        """Start a request's handler with its typed params."""
        self.handle_message(JsonRPCRequestMessage(request.id, request.method, self.VERSION, params))

    def hear(self, method: str, params: Any) -> None:
        """Run a notification's handler, which is done when this returns."""
        self.handle_message(JsonRPCNotification(method, self.VERSION, params))

    def cancel(self, message_id: Any) -> None:
        """Cancel a request; one that is answered already, or never was, is no matter."""
        if messages.is_id(message_id) and message_id in self.in_flight:
            self.in_flight[message_id].cancel()

    def ask(
        self, method: str, params: Any, then: Callable[[bool], None] = lambda _done: None
    ) -> None:
        """Send a request of our own; `then` is told whether the client did what it asks."""
        message_id = f"ctxls-{next(self._numbers)}"
        self._asked[message_id] = method, then
        self._send_data(JsonRPCRequestMessage(message_id, method, self.VERSION, params))

    def heed(self, response: Response) -> None:
        """Take a client's answer, and log what it could not do."""
        asked = self._asked.pop(response.id, None) if messages.is_id(response.id) else None
        if asked is None:
            return
        method, then = asked
        if response.error is not None:
            _log.warning("The client refused %s.", method)
        then(response.error is None)

    def refuse(self, message_id: Id | None, error: WireError) -> None:
        """Answer with an error at once."""
        self.send(messages.failure(message_id, error))

    def _send_response(self, msg_id: Id, result: Any = None, error: Any = None) -> None:
        """Send what a handler made: JSON that is ready, or the error to tell.

        pygls itself makes one error that is right, for a cancelled request. Its others would
        tell a traceback.
        """
        if error is not None:
            cancelled = error.code == REQUEST_CANCELLED
            result = (
                WireError(REQUEST_CANCELLED, "The request was cancelled.")
                if cancelled
                else opaque_error("An answer")
            )
        if isinstance(result, WireError):
            self.refuse(msg_id, result)
        else:
            self.send(messages.result(msg_id, result))

    def _send_data(self, data: Any) -> None:
        self.send(messages.encode(self._converter.unstructure(data)))
