"""The real server as a child process, and a bare client of a few lines at its other end."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from making import record
from peers import OMITTED, message

from ctxls.records.access import OWNER
from ctxls.records.record import NewRecord, Record
from ctxls.stores.sqlite import SqliteStore

PATIENCE: Final = 30.0
SERVER: Final = Path(__file__).parents[1] / "server"


async def stored(path: Path, records: Sequence[str | NewRecord]) -> Sequence[Record]:
    """Add records to the store at `path`, oldest first; it is made where there is none."""
    store = SqliteStore(path, create=True, busy_timeout_s=5, longest_text=64 << 20)
    new = [item if isinstance(item, NewRecord) else record(item) for item in records]
    try:
        return await store.add(new, OWNER)
    finally:
        await store.close()


def command(store: Path) -> list[str]:
    return [sys.executable, "-m", "ctxls", "serve", "--store", str(store)]


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment in which the server touches no file of whoever runs the tests."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    own = {"HOME": str(home), "CTXLS_LOG": str(home / "ctxls.log"), "PYTHONPATH": str(SERVER)}
    return kept | own | more


class Child:
    """A server process; what it says on standard error is in `complaints` once it has ended."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.complaints = ""
        self._next = 0

    @classmethod
    async def start(
        cls, command: Sequence[str], environment: Mapping[str, str], **streams: Any
    ) -> Self:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), asyncio.subprocess.PIPE)
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, limit=1 << 20, **(pipes | streams)
        )
        return cls(process)

    def send(self, *messages: Any) -> None:
        """Send messages, or bytes as they are."""
        assert self.process.stdin
        for item in messages:
            if isinstance(item, bytes):
                self.process.stdin.write(item)
            else:
                body = json.dumps(item).encode()
                self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def read(self) -> Any:
        """Return the next message, or None at the end."""
        assert self.process.stdout
        async with asyncio.timeout(PATIENCE):
            head = await self.process.stdout.readline()
            if not head:
                return None
            name, length = head.split(b":")
            assert (name, await self.process.stdout.readline()) == (b"Content-Length", b"\r\n")
            return json.loads(await self.process.stdout.readexactly(int(length)))

    async def ask(self, method: str, params: Any = OMITTED) -> Any:
        """Send a request and return its response; what comes before it is dropped."""
        self._next += 1
        self.send(message(method, params) | {"id": self._next})
        while (found := await self.read()) is not None:
            if found.get("id") == self._next and "method" not in found:
                return found
        raise AssertionError(f"the server ended before it answered {method}")

    async def result(self, method: str, params: Any = OMITTED) -> Any:
        found = await self.ask(method, params)
        assert "result" in found, found
        return found["result"]

    async def ready(self, capabilities: Mapping[str, Any] | None = None) -> Self:
        await self.result("initialize", {"processId": None, "capabilities": capabilities or {}})
        self.send(message("initialized", {}))
        return self

    async def uris(self) -> list[str]:
        """Return the URIs of all records, oldest first."""
        found = await self.result("context/list", {"what": "records"})
        return [item["uri"] for item in reversed(found["items"])]

    async def code(self) -> int:
        """Wait for the process to end by itself and return its exit code."""
        async with asyncio.timeout(PATIENCE):
            rest = await self.process.stderr.read() if self.process.stderr else b""
            self.complaints = rest.decode()
            return await self.process.wait()

    async def end(self) -> None:
        """End the process, however it is."""
        if self.process.returncode is None:
            self.process.kill()
        if self.process.stdin:
            self.process.stdin.close()
        await self.process.communicate()


ChildOf = Callable[..., Awaitable[Child]]
"""`await child_of(store, words, stdin=..., stdout=..., stderr=...)`."""
