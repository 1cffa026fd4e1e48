"""Times as SQLite's text: UTC, `YYYY-MM-DD HH:MM:SS`, and a fraction of a second where one is.

The peer writes whole seconds, we write microseconds. Both compare rightly as text, since a
fraction of zeros is never written: what is equal in time is equal in text.
"""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

EPOCH: Final = datetime.fromtimestamp(0, UTC)


def stored_time(time: datetime) -> str:
    """Spell a time as we store it and compare with."""
    text = time.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ")
    return text.rstrip("0") if "." in text else text


def time_of(stored: Any) -> datetime:
    """Read a stored time: text, or a number of seconds; what is neither reads as 1970."""
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(stored, str):
            found = datetime.fromisoformat(stored.strip())
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        if isinstance(stored, int | float):
            return datetime.fromtimestamp(stored, UTC)
    return EPOCH
