"""The way to one client, for what it is told beside answers."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from lsprotocol import types

from ctxls.lsp import messages


class Wire(Protocol):
    """Where a server's messages go."""

    def write(self, body: bytes) -> None:
        """Send one message."""
        ...

    async def room(self) -> None:
        """Wait until the client has read enough to be sent more."""
        ...


class Line:
    """Notifications to one client, and requests whose answer is yes or no."""

    def __init__(self, wire: Wire, ask: Callable[[str, Any, Callable[[bool], None]], None]) -> None:
        self._wire = wire
        self.ask = ask
        """Sends a request of our own, and is told whether the client did what it asks."""

    def room(self) -> Awaitable[None]:
        """Wait until the client has read enough to be sent more."""
        return self._wire.room()

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._wire.write(messages.notification(method, params))

    def log(self, sentence: str) -> None:
        """Say one sentence in the client's log."""
        said = {"type": types.MessageType.Info.value, "message": sentence}
        self.notify(types.WINDOW_LOG_MESSAGE, said)

    def progress(self, token: messages.Id, value: Any) -> None:
        """Tell a client what belongs to a token of `$/progress`."""
        self.notify(types.PROGRESS, {"token": token, "value": value})
