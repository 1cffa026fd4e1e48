"""The time that a scan may take, and the flag that stops it."""

from time import monotonic
from typing import Final

from ctxls.errors import CancelledScanError

FOREVER: Final = float("inf")


class ScanOutOfTimeError(Exception):
    """The whole scan used up its budget; the query answers with what it has."""


class RecordOutOfTimeError(Exception):
    """One record used up its budget; the scan goes on with the next."""


SHOWING_S: Final = 0.5
"""What showing the finds may take after an interactive scan had its time."""


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

    def part(self) -> "Clock":
        """Return the clock of one of several scans: it ends with this one, but stops by itself."""
        clock = Clock(a_record=self._a_record)
        clock._deadline = self._deadline
        return clock

    def begin_record(self) -> float:
        """Start the budget of the next record, and return the time."""
        self._record_deadline = FOREVER
        now = self()
        self._record_deadline = now + self._a_record
        return now

    def stop(self) -> None:
        """Make the next checkpoint end the scan; safe from any thread."""
        self._stopped = True
