"""What this process serves."""

from dataclasses import dataclass

from ctxls.index.candidates import IndexStatus
from ctxls.queries.library import Library
from ctxls.records.access import Caller


@dataclass(frozen=True, slots=True)
class Status:
    """The store as its users see it; `records` counts the readable ones."""

    backend: str
    layout: str
    store: str
    records: int
    read_only: bool
    index: IndexStatus


async def status(library: Library, caller: Caller) -> Status:
    """Describe the store."""
    kind = await library.store.describe()
    count = await library.store.count(caller)
    index = await library.indexing.status()
    return Status(kind.backend, kind.layout, library.name, count, kind.read_only, index)
