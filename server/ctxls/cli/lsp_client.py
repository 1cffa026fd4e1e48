"""A small LSP client that starts the real server as a child and speaks to it over its pipes."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import IO, Any, ClassVar, Final, cast

from ctxls.errors import FailedRequestError

ENDED: Final = "The server ended before it answered."
PATIENCE_S: Final = 10.0


class AnswerError(FailedRequestError):
    """The server answered a request with an error, or ended instead of answering."""

    kind: ClassVar[str] = "answer"


class LspClient:
    """One session. Requests may be sent ahead; their answers come in any order."""

    def __init__(self, to_server: IO[bytes], from_server: IO[bytes]) -> None:
        self._input = to_server
        self._output = from_server
        self._last_id = 0
        self._answers: dict[int, Any] = {}

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result; AnswerError where it failed."""
        wanted = self.send(method, params)
        while wanted not in self._answers:
            number, answer = self._next()
            self._answers[number] = answer
        return result_of(self._answers.pop(wanted))

    def send(self, method: str, params: Any) -> int:
        """Send a request and return its id."""
        self._last_id += 1
        self._write({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    def receive(self) -> tuple[int, Any]:
        """Return the id of a request that was answered, and the answer: see `result_of`."""
        return self._answers.popitem() if self._answers else self._next()

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._write({"method": method, "params": params})

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self._input.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._input.flush()
        except BrokenPipeError:
            raise AnswerError(ENDED) from None

    def _next(self) -> tuple[int, Any]:
        """Read on to the next answer; the server's own messages are not for us."""
        while "method" in (message := self._read()):
            pass
        return message["id"], message

    def _read(self) -> dict[str, Any]:
        body = read_body(self._output)
        if not body:
            raise AnswerError(ENDED)
        found: dict[str, Any] = json.loads(body)
        return found


def read_body(stream: IO[bytes]) -> bytes:
    """Read one message as it came; nothing once the other side has ended."""
    length = 0
    while header := stream.readline().strip():
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return stream.read(length)


@contextmanager
def session(command: Sequence[str], encoding: str = "utf-32") -> Iterator[LspClient]:
    """Start a server, shake hands with it, and say goodbye at the end; it does not outlive this."""
    with Popen(command, stdin=PIPE, stdout=PIPE) as server:  # noqa: S603 - our own server
        try:
            client = LspClient(cast("IO[bytes]", server.stdin), cast("IO[bytes]", server.stdout))
            client.ask("initialize", hello(encoding))
            client.notify("initialized", {})
            yield client
            client.ask("shutdown", None)
            client.notify("exit", None)
            server.wait(PATIENCE_S)
        finally:
            server.kill()  # after a goodbye there is nothing left to end


def result_of(answer: Any) -> Any:
    """Return the result of an answer; AnswerError where it is an error."""
    if "error" in answer:
        raise AnswerError(f"The server answered: {answer['error']['message']}")
    return answer["result"]


def hello(encoding: str) -> dict[str, Any]:
    """Return what a client of this process says in `initialize`."""
    nested = {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
    capabilities = {"general": {"positionEncodings": [encoding]}, "textDocument": nested}
    return {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities}


def server_command(store: Path) -> list[str]:
    """Return how this very ctxls is started as a server for `store`."""
    return [sys.executable, "-P", "-m", "ctxls", "serve", "--store", str(store)]
