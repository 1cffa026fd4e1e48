"""The index of a library: made when it is wanted, kept up to date, and whoever watches that."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ctxls.index.candidates import OFF, CandidateIndex, IndexStatus, Report

BEGUN: Final = IndexStatus("building", 0, 0)


class Indexing:
    """Makes the index, and passes on how many records of how many are taken in."""

    def __init__(self, make: Callable[[], CandidateIndex] | None) -> None:
        self.index: CandidateIndex | None = None
        """None where there is none, or none yet: then every record in scope is read."""
        self._make = make
        self._watchers: list[Report] = []

    async def start(self) -> CandidateIndex | None:
        """Make the index, off the event loop: what it needs is slow to import."""
        if self.index is None and self._make is not None:
            self.index = await asyncio.to_thread(self._make)
        return self.index

    async def status(self) -> IndexStatus:
        """Say how far the index is; one that is wanted and not yet made is being built."""
        if self.index is not None:
            return await self.index.status()
        return OFF if self._make is None else BEGUN

    async def follow(self) -> None:
        """Keep the index at what the store holds, until cancelled."""
        index = await self.start()
        if index is not None:
            await index.follow(self.tell)

    @contextmanager
    def watched(self, report: Report) -> Iterator[None]:
        """Tell `report`, on the event loop, whenever records were taken in."""
        self._watchers.append(report)
        try:
            yield
        finally:
            self._watchers.remove(report)

    def tell(self, done: int, total: int) -> None:
        """Pass on to all who watch how many records of how many are taken in."""
        for report in tuple(self._watchers):
            report(done, total)
