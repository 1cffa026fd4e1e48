"""What is in the store: records, threads and tags, and one record's card."""

from dataclasses import dataclass

from ctxls.errors import InvalidParamsError
from ctxls.queries.library import Library
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.records.filters import Filter
from ctxls.records.place import Place
from ctxls.records.record import Record, TagSummary, ThreadSummary
from ctxls.records.store import Page

DEFAULT_LIMIT = 100


@dataclass(frozen=True, slots=True)
class ListedRecord:
    """All of a record but its text, and how it is named."""

    record: Record
    place: Place


async def list_records(
    library: Library,
    scope: Filter,
    caller: Caller,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> Page[ListedRecord]:
    """List records in scope, newest first."""
    page = await library.store.records(scope, caller, _lowered(library, limit), cursor)
    listed = [
        ListedRecord(stored.record, await library.place(Document(stored.record, stored.text)))
        for stored in page.items
    ]
    return Page(tuple(listed), page.next_cursor)


async def list_threads(
    library: Library,
    scope: Filter,
    caller: Caller,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> Page[ThreadSummary]:
    """List the threads of the records in scope, most recently changed first."""
    return await library.store.threads(scope, caller, _lowered(library, limit), cursor)


async def list_tags(
    library: Library,
    scope: Filter,
    caller: Caller,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> Page[TagSummary]:
    """List the tags of the records in scope, in alphabetical order."""
    return await library.store.tags(scope, caller, _lowered(library, limit), cursor)


async def get_record(library: Library, context_id: str, caller: Caller) -> ListedRecord:
    """Return all of one record but its text."""
    document = await library.open(context_id, caller)
    return ListedRecord(document.record, await library.place(document))


def _lowered(library: Library, limit: int) -> int:
    if limit < 1:
        raise InvalidParamsError(f"limit is {limit}; it must be 1 or more.")
    return min(limit, library.limits.most_listed)
