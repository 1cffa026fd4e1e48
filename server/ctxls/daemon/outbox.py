"""What waits to be written to one client, and how much of it.

Bounded: a client that stops reading is not listened to either until it reads again.
"""

import asyncio
import queue
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from ctxls.daemon.framing import frame

HIGH_WATER: Final = 4 << 20
"""Bytes that may wait; above this no request is read and no answer is made."""


class Outbox:
    """A queue of messages between the event loop, which fills it, and a writing thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting = 0
        self._room = asyncio.Event()
        self._room.set()
        self.broken = asyncio.Event()
        """Set when nothing can be sent any more, since the client has gone."""
        self.flushed = asyncio.Event()
        """Set when all that came before `finish` is written, or never can be."""

    def write(self, body: bytes) -> None:
        """Queue one message; from the event loop only."""
        if self.broken.is_set():
            return
        data = frame(body)
        self._waiting += len(data)
        if self._waiting > HIGH_WATER:
            self._room.clear()
        self._queue.put(data)

    async def room(self) -> None:
        """Wait until the client has read enough to be sent more."""
        await self._room.wait()

    async def finish(self, patience: float) -> None:
        """Wait until all is written, or the client has read nothing for `patience` seconds."""
        self._queue.put(None)
        before = self._waiting + 1
        while not self.flushed.is_set() and self._waiting < before:
            before = self._waiting
            with suppress(TimeoutError):
                await asyncio.wait_for(self.flushed.wait(), patience)

    def take(self) -> bytes | None:
        """Block for the next message, or None at the end; for the writing thread."""
        return self._queue.get()

    def wrote(self, count: int) -> None:
        """Take note that so many bytes are written; for the writing thread."""
        tell(self._loop, self._settle, count)

    def ended(self, *, broken: bool) -> None:
        """Take note that nothing more will be written; for the writing thread."""
        tell(self._loop, self._end, broken)

    def _settle(self, count: int) -> None:
        self._waiting -= count
        if self._waiting <= HIGH_WATER // 2:
            self._room.set()

    def _end(self, broken: bool) -> None:  # noqa: FBT001 - an argument of call_soon_threadsafe
        if broken:
            self.broken.set()
        self.flushed.set()
        self._room.set()


def tell(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *arguments: object) -> None:
    """Call something on the event loop from a thread; a loop that is closed hears nothing."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call, *arguments)
