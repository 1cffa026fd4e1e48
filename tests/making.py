"""What tests make libraries from."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from ctxls.index.folder import SegmentFolder
from ctxls.index.follower import SignatureIndex
from ctxls.queries.library import Library
from ctxls.records.record import NewRecord
from ctxls.records.store import RecordStore

MakeLibrary = Callable[..., Awaitable[Library]]
"""`await library_of([text or NewRecord, ...], limits)`, oldest first."""


def record(text: str, thread: str = "t", title: str | None = None) -> NewRecord:
    """Make a record by an agent, with a title in its metadata where one is given."""
    return NewRecord(thread, "agent", text, metadata={} if title is None else {"title": title})


def index_of(store: RecordStore, path: Path) -> SignatureIndex:
    """Make the index of the store at `path`, in a folder beside it."""
    return SignatureIndex(store, SegmentFolder(path.with_suffix(".index")))


async def caught_up(library: Library) -> SignatureIndex:
    """Start the library's index, and have it take in all that is stored."""
    index = await library.start_index()
    assert isinstance(index, SignatureIndex)
    assert await index.catch_up(lambda _done, _total: None)
    return index
