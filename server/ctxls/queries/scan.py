"""Judging the texts of many records in a worker thread, within a budget, until told to stop.

A scan ends at its total budget, at cancelling (the task that awaits it is cancelled, so the
`finally` here stops the thread at its next checkpoint), or when the judge has enough.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from time import monotonic
from typing import Final

from ctxls.errors import CancelledScanError
from ctxls.queries.library import Library
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.records.filters import Filter
from ctxls.records.record import RecordId, StoredText
from ctxls.text.matcher import Checkpoint
from ctxls.text.pattern import Pattern, compile_pattern

FOREVER: Final = float("inf")


class ScanOutOfTimeError(Exception):
    """The whole scan used up its budget; the query answers with what it has."""


class RecordOutOfTimeError(Exception):
    """One record used up its budget; the scan goes on with the next."""


class Clock:
    """The checkpoint of one scan: its budgets, and the flag that stops it.

    Time runs from the making of the clock, so that compiling and reading count.
    """

    def __init__(self, total: float = FOREVER, a_record: float = FOREVER) -> None:
        self._a_record = a_record
        self._deadline = monotonic() + total
        self._record_deadline = FOREVER
        self._stopped = False

    def __call__(self) -> float:
        """Return the time, or raise what ends this record or the scan."""
        now = monotonic()
        if self._stopped:
            raise CancelledScanError
        if now >= self._deadline:
            raise ScanOutOfTimeError
        if now >= self._record_deadline:
            raise RecordOutOfTimeError
        return now

    def left(self) -> float | None:
        """Return the seconds until the scan ends, as timeouts take them; None where it need not."""
        return None if self._deadline == FOREVER else self._deadline - monotonic()

    def begin_record(self) -> None:
        """Start the budget of the next record."""
        self._record_deadline = FOREVER
        self._record_deadline = self() + self._a_record

    def stop(self) -> None:
        """Make the next checkpoint end the scan; safe from any thread."""
        self._stopped = True


Judge = Callable[[StoredText, Checkpoint], bool]
"""Decides one record in the worker thread, keeping what it finds; false means enough."""


def reading(document: Document, judge: Judge) -> Judge:
    """Let `judge` see `document`'s text, which a client may be editing, for the stored one."""
    data = document.text.encode("utf-8", "replace")

    def judged(stored: StoredText, checkpoint: Checkpoint) -> bool:
        is_open = stored.id == document.record.id
        return judge(replace(stored, data=data) if is_open else stored, checkpoint)

    return judged


async def compiled(
    library: Library, source: str, *, is_regex: bool, case_sensitive: bool
) -> Pattern:
    """Compile a pattern off the event loop: a large one takes 0.1 s."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(
        library.workers,
        lambda: compile_pattern(source, is_regex=is_regex, case_sensitive=case_sensitive),
    )


async def selected(
    library: Library, scope: Filter, caller: Caller, clock: Clock
) -> Sequence[RecordId]:
    """Select what to scan, or raise ScanOutOfTimeError: metadata conditions take their time."""
    try:
        async with asyncio.timeout(clock.left()):
            return await library.store.select(scope, caller)
    except TimeoutError:
        raise ScanOutOfTimeError from None


async def scan(
    library: Library, ids: Sequence[RecordId], caller: Caller, judge: Judge, clock: Clock
) -> AsyncGenerator[None, None]:
    """Judge the texts of `ids` in order; yields after each batch, when the judge may be read.

    Raises ScanOutOfTimeError when the budget ends first.
    """
    loop = asyncio.get_running_loop()
    try:
        async with aclosing(library.store.texts(ids, caller, library.limits.held_bytes)) as texts:
            async for batch in texts:
                more = await loop.run_in_executor(library.workers, _judge, batch, judge, clock)
                yield
                if not more:
                    return
    finally:
        clock.stop()


def _judge(batch: Sequence[StoredText], judge: Judge, clock: Clock) -> bool:
    return all(_judge_one(stored, judge, clock) for stored in batch)


def _judge_one(stored: StoredText, judge: Judge, clock: Clock) -> bool:
    clock.begin_record()
    return judge(stored, clock)
