"""Standard input and output as a client's two streams.

Threads of our own read and write the bare file descriptors, so that pipes, files and terminals
all work, and O_NONBLOCK is never set on a descriptor that other processes share. They are daemon
threads: one blocked on a client that says nothing must not keep the process from ending.
"""

import asyncio
import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ctxls.daemon.framing import CHUNK
from ctxls.daemon.outbox import Outbox, tell

CHUNKS_AHEAD: Final = 4
"""How far the reading thread may be ahead of the event loop."""
LARGEST_WRITE: Final = 64 << 10
"""Bytes handed to one write, so that a slow reader's progress on a large answer is seen."""


class Inbox:
    """The bytes that a thread reads from a descriptor, for the event loop to take."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._ahead = threading.Semaphore(CHUNKS_AHEAD)
        threading.Thread(target=self._pump, name="ctxls-stdin", daemon=True).start()

    async def read(self, _most: int) -> bytes:
        """Return the next chunk; empty at the end."""
        chunk = await self._chunks.get()
        self._ahead.release()
        return chunk

    def _pump(self) -> None:
        chunk = b"-"
        while chunk:
            self._ahead.acquire()
            chunk = _read(self._descriptor)
            tell(self._loop, self._chunks.put_nowait, chunk)


def start_writing(outbox: Outbox, descriptor: int) -> None:
    """Start the thread that writes what is put into `outbox`."""
    threading.Thread(
        target=_write_all, args=(outbox, descriptor), name="ctxls-stdout", daemon=True
    ).start()


def reader_gone(descriptor: int) -> bool:
    """Whether nobody can read any more what is written to `descriptor`."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))


@contextmanager
def wire() -> Iterator[tuple[int, int]]:
    """Lend stdin and stdout to a client; what else is printed meanwhile goes to stderr.

    Descriptor 1 itself points at stderr for that time, so that neither a stray print nor a
    library written in C can corrupt the stream. The copy of it is left open, since the writing
    thread may be inside a write to it.
    """
    _fill_closed()
    printed, output = sys.stdout, os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        yield 0, output
    finally:
        sys.stdout = printed
        os.dup2(output, 1)
        _forget_unheard()


def _fill_closed() -> None:
    """Open what the parent left closed of 0, 1 and 2, before a store's file gets that number."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one


def _forget_unheard() -> None:
    """Drop what stderr could not take, or the interpreter's last flush makes the exit code 120."""
    try:
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _read(descriptor: int) -> bytes:
    while True:
        try:
            return os.read(descriptor, CHUNK)
        except BlockingIOError:
            select.select([descriptor], [], [])
        except OSError:
            return b""  # a terminal that was hung up


def _write_all(outbox: Outbox, descriptor: int) -> None:
    while (data := outbox.take()) is not None:
        rest = memoryview(data)
        while rest:
            try:
                count = _write(descriptor, rest)
            except OSError:
                outbox.ended(broken=True)
                return
            outbox.wrote(count)
            rest = rest[count:]
    outbox.ended(broken=False)


def _write(descriptor: int, data: memoryview) -> int:
    while True:
        try:
            return os.write(descriptor, data[:LARGEST_WRITE])
        except BlockingIOError:
            select.select([], [descriptor], [])
