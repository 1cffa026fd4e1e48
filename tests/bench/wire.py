"""The real server over its pipes, with a clock: JSON is read after the time is taken."""

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from bench.ground import Ground

from ctxls.cli.lsp_client import ENDED, hello, read_body

PATIENCE_S: Final = 300.0
STARTING_S: Final = 3.0
"""The index is off until its parts are imported."""
POLL_S: Final = 0.2


class Answered(NamedTuple):
    """One answer as it came, and the seconds from the request's first byte to its last."""

    seconds: float
    body: bytes

    @property
    def result(self) -> Any:
        found = json.loads(self.body)
        if "error" in found:
            raise SystemExit(f"The server answered with an error: {found['error']}")
        return found["result"]


class Wire:
    """One client of one server."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self._input: IO[bytes] = process.stdin
        self._output: IO[bytes] = process.stdout
        self._last = 0

    def ask(self, method: str, params: Any) -> Answered:
        """Send a request and wait for its answer."""
        self._last += 1
        body = _message(method, params, id=self._last)
        begun = time.perf_counter()
        self._input.write(body)
        self._input.flush()
        while True:
            found = self._read()
            # Whatever has a method is the server's own message.
            if b'"method"' not in found[:200] or "method" not in json.loads(found):
                return Answered(time.perf_counter() - begun, found)

    def notify(self, method: str, params: Any) -> None:
        self._input.write(_message(method, params))
        self._input.flush()

    def memory(self, name: str) -> float:
        """Return VmRSS or VmHWM of the server, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if name in line) / 1024

    def _read(self) -> bytes:
        body = read_body(self._output)
        if not body:
            raise SystemExit(ENDED)
        return body


@contextmanager
def spoken(command: Sequence[str], environment: dict[str, str] | Any) -> Iterator[Wire]:
    """Start a server, shake hands with it, and see it off at the end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as process:
        wire = Wire(process)
        try:
            _ = wire.ask("initialize", hello("utf-16")).result
            wire.notify("initialized", {})
            yield wire
            wire.ask("shutdown", None)
            wire.notify("exit", None)
            process.wait(PATIENCE_S)
        finally:
            process.kill()


@contextmanager
def served(ground: Ground, **settings: str) -> Iterator[Wire]:
    """Lend a session with ctxls on a ground."""
    with spoken(ground.ctxls("serve"), {**ground.environment, **settings}) as wire:
        yield wire


def index_ready(wire: Wire) -> dict[str, Any]:
    """Wait until the server's index is ready, and return what its status says of it.

    A state that stays `off` is no error: then nothing is indexed.
    """
    begun = time.monotonic()
    while True:
        found = wire.ask("context/status", {}).result["index"]
        waited = time.monotonic() - begun
        if found["state"] == "ready" or (found["state"] == "off" and waited > STARTING_S):
            return dict(found)
        if waited > PATIENCE_S:
            raise SystemExit(f"The index is not ready after {PATIENCE_S:.0f} s: {found}")
        time.sleep(POLL_S)


def _message(method: str, params: Any, **more: Any) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **more, "method": method, "params": params}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
