"""Judging the texts of many records in a worker thread, within a budget, until told to stop.

A scan ends at its total budget, at cancelling (the task that awaits it is cancelled, so the
`finally` here stops the thread at its next checkpoint), or when the judge has enough.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Final

from ctxls.queries.choosing import Chosen
from ctxls.queries.clock import Clock, ScanOutOfTimeError
from ctxls.queries.library import Library
from ctxls.records.access import Caller
from ctxls.records.document import Document, spelled_title
from ctxls.records.record import StoredText
from ctxls.text.matcher import Checkpoint
from ctxls.text.pattern import Pattern, compile_pattern
from ctxls.text.sieve import SlowPatternError, sieve

Judge = Callable[[StoredText, Checkpoint], bool]
"""Decides one record in the worker thread, keeping what it finds; false means enough."""


def reading(document: Document, judge: Judge) -> Judge:
    """Let `judge` see `document`'s text, which a client may be editing, for the stored one."""
    data = document.text.encode("utf-8", "replace")

    def judged(stored: StoredText, checkpoint: Checkpoint) -> bool:
        is_open = stored.id == document.record.id
        return judge(stored._replace(data=data) if is_open else stored, checkpoint)

    return judged


async def compiled(
    library: Library, source: str, *, is_regex: bool, case_sensitive: bool
) -> Pattern:
    """Compile a pattern off the event loop: a large one takes 0.1 s.

    One at a time: RE2 holds Python's lock while it compiles, so that nothing is gained by more, and
    equal patterns that come together are compiled once.
    """
    return await asyncio.get_running_loop().run_in_executor(
        library.compiler,
        lambda: compile_pattern(source, is_regex=is_regex, case_sensitive=case_sensitive),
    )


FEW: Final = 8
"""Records that are not worth joining."""


class Scan:
    """One pass over what was chosen; `decided` counts the records in scope, in order, so far."""

    def __init__(
        self, library: Library, chosen: Chosen, caller: Caller, judge: Judge, clock: Clock
    ) -> None:
        self.decided = 0
        self._library = library
        self._chosen = chosen
        self._caller = caller
        self._judge = judge
        self._clock = clock
        self._next = 0
        self._is_slow = False

    def how_far(self) -> float:
        """Return how much of the scope is decided, from 0 to 1."""
        return self.decided / max(1, self._chosen.total)

    async def batches(self) -> AsyncGenerator[None, None]:
        """Judge the texts in order; yields after each batch, when the judge may be read.

        Raises ScanOutOfTimeError when the budget ends first.
        """
        async with aclosing(self._ahead()) as texts:
            try:
                async for batch in texts:
                    more = await self._judged(batch)
                    yield
                    if not more:
                        return
            finally:
                self._clock.stop()
        self.decided = self._chosen.total

    async def _judged(self, batch: Sequence[StoredText]) -> bool:
        work, left = partial(self._judge_all, batch), self._clock.left()
        try:
            return await self._library.lane.run(work, left)
        except TimeoutError:
            raise ScanOutOfTimeError from None

    def _texts(self) -> AsyncGenerator[Sequence[StoredText], None]:
        """Read what was chosen; two batches are held at a time."""
        held_bytes = self._library.limits.held_bytes // 2
        return self._library.store.texts(self._chosen.ids, self._caller, held_bytes)

    def _judge_all(self, batch: Sequence[StoredText]) -> bool:
        more = all(self._judge_one(stored) for stored in self._sieved(batch))
        if more:
            self._pass(batch[-1])
        return more

    def _sieved(self, batch: Sequence[StoredText]) -> Sequence[StoredText]:
        """Leave out records that cannot match, where learning that for all at once is quicker.

        What an index chose mostly matches. A title in the metadata, and a text that is not the
        stored one, are for the judge to look at; so is all that a slow pattern is to search, since
        the judge tells which record took too long.
        """
        if self._chosen.is_narrow or self._is_slow or len(batch) < FEW:
            return batch
        always = self._chosen.want.always
        unsure = [
            place
            for place, stored in enumerate(batch)
            if spelled_title(stored.metadata) is not None or stored.id in always
        ]
        texts = [stored.data for stored in batch]
        try:
            found = sieve(self._chosen.want.pattern, texts, self._clock.begin_record)
            return [batch[place] for place in sorted({*unsure, *found})]
        except SlowPatternError:
            self._is_slow = True
            return batch

    def _judge_one(self, stored: StoredText) -> bool:
        self._clock.begin_record()
        more = self._judge(stored, self._clock)
        self._pass(stored)
        return more

    def _pass(self, stored: StoredText) -> None:
        """Count all up to this record as decided, those among them that are gone by now too."""
        while self._chosen.ids[self._next] != stored.id:
            self._next += 1
        self.decided = self._chosen.decided[self._next]

    async def _ahead(self) -> AsyncGenerator[Sequence[StoredText], None]:
        """Read the next batch while one is judged."""
        async with aclosing(self._texts()) as texts:
            coming = asyncio.ensure_future(self._read(texts))
            try:
                while (batch := await coming) is not None:
                    coming = asyncio.ensure_future(self._read(texts))
                    yield batch
            finally:
                coming.cancel()
                await asyncio.wait([coming])
                if not coming.cancelled():
                    coming.exception()  # what reading ahead met is nobody's any more

    async def _read(
        self, texts: AsyncGenerator[Sequence[StoredText], None]
    ) -> Sequence[StoredText] | None:
        async with self._library.lane.reading:
            return await anext(texts, None)
