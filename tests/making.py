"""What tests make libraries from."""

from collections.abc import Awaitable, Callable

from ctxls.queries.library import Library
from ctxls.records.record import NewRecord

MakeLibrary = Callable[..., Awaitable[Library]]
"""`await library_of([text or NewRecord, ...], limits)`, oldest first."""


def record(text: str, thread: str = "t", title: str | None = None) -> NewRecord:
    """Make a record by an agent, with a title in its metadata where one is given."""
    return NewRecord(thread, "agent", text, metadata={} if title is None else {"title": title})
