"""The threads that match, shared fairly by sessions."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Final, TypeVar

Made = TypeVar("Made")
WORKERS: Final = 4
MOST_OF_ONE: Final = WORKERS - 1


class Lane:
    """One session's way to the workers: it may hold all but one of them, first come first served.

    So a session that starts many hostile searches waits for itself, and others do not wait for it.
    A worker counts as held until it has really ended: RE2 cannot be interrupted, so the thread of
    a request that was cancelled may go on for a moment.
    """

    def __init__(self, workers: ThreadPoolExecutor) -> None:
        self._workers = workers
        self._free = asyncio.Semaphore(MOST_OF_ONE)
        self.reading = asyncio.Lock()
        """Held by a scan while it reads: whatever else is asked of the store waits for one only."""

    async def run(self, work: Callable[[], Made], patience: float | None = None) -> Made:
        """Run something in a worker; TimeoutError where none is free for so many seconds.

        What has begun is waited for, however long it takes.
        """
        since = monotonic()
        async with asyncio.timeout(patience):
            await self._free.acquire()
        begun = self._begin(work)
        ended = asyncio.wrap_future(begun)
        left = None if patience is None else max(0, patience - monotonic() + since)
        try:
            await asyncio.wait([ended], timeout=left)
        except asyncio.CancelledError:
            ended.cancel()
            raise
        if not ended.done() and begun.cancel():
            raise TimeoutError
        return await ended

    def _begin(self, work: Callable[[], Made]) -> Future[Made]:
        loop = asyncio.get_running_loop()

        def release(_ended: Future[Made]) -> None:
            with suppress(RuntimeError):  # of a loop that is closed nobody waits
                loop.call_soon_threadsafe(self._free.release)

        begun = self._workers.submit(work)
        begun.add_done_callback(release)
        return begun
