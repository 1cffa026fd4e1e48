"""New record ids: UUIDv7 (RFC 9562, section 5.7) as 32 hex digits, each greater than the last.

Python has its own only since 3.14. An id is made of the time in milliseconds and 74 random bits;
within a millisecond, or when the clock steps back, those bits count on from the last id by a
random step (section 6.2, method 2), so that the order of ids is the order of storing.
"""

from collections.abc import Callable
from secrets import randbits
from threading import Lock
from time import time_ns
from typing import Final

from ctxls.records.record import RecordId

TAIL_BITS: Final = 74
RANDOM_BITS: Final = TAIL_BITS - 1
"""The highest random bit starts at 0, so that counting on has room before it meets the time."""
STEP_BITS: Final = 32
RAND_B_BITS: Final = 62


def _milliseconds() -> int:
    return time_ns() // 1_000_000


class IdSource:
    """Gives ids in ascending order, to any thread."""

    def __init__(self, milliseconds: Callable[[], int] = _milliseconds) -> None:
        self._milliseconds = milliseconds
        self._last = 0
        self._lock = Lock()

    def take(self) -> RecordId:
        """Return the next id."""
        with self._lock:
            fresh = self._milliseconds() << TAIL_BITS | randbits(RANDOM_BITS)
            later = self._last + 1 + randbits(STEP_BITS)
            is_later = fresh >> TAIL_BITS > self._last >> TAIL_BITS
            self._last = fresh if is_later else later
            return _spelled(self._last)


def _spelled(value: int) -> RecordId:
    """Set the version and variant among the bits of time and chance, as section 5.7 places them."""
    time, tail = value >> TAIL_BITS, value & ((1 << TAIL_BITS) - 1)
    rand_a, rand_b = tail >> RAND_B_BITS, tail & ((1 << RAND_B_BITS) - 1)
    return f"{time << 80 | 7 << 76 | rand_a << 64 | 2 << 62 | rand_b:032x}"


IDS: Final = IdSource()
"""The ids of this process: one source, so that two stores never break the order."""
