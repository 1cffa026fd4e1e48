"""context/list and context/get as JSON."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ctxls.lsp.extensions import GET, LIST
from ctxls.lsp.extensions.params import RECORD, Params
from ctxls.lsp.extensions.scope import scope_of
from ctxls.lsp.extensions.view import Json, View, utc
from ctxls.queries.listing import DEFAULT_LIMIT, ListedRecord
from ctxls.records.filters import Filter
from ctxls.records.record import RecordFile, TagSummary, ThreadSummary
from ctxls.records.store import Page

KINDS: Final = ("threads", "records", "tags")
_KEYS = ("what", "filter", "limit", "cursor")


@dataclass(frozen=True, slots=True)
class ListRequest:
    """What is listed, in which scope, and which page of it."""

    what: str
    scope: Filter = Filter()
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None


def request(found: Mapping[str, Any]) -> ListRequest:
    """Read the params of context/list."""
    params = Params(LIST, found, _KEYS)
    return ListRequest(
        params.choice("what", KINDS),
        scope_of(params),
        params.whole("limit", DEFAULT_LIMIT),
        params.text("cursor"),
    )


def get_request(found: Mapping[str, Any]) -> str:
    """Read the params of context/get: which record."""
    return Params(GET, found, RECORD).record()


def answer(found: Page[Any], view: View) -> Json:
    """Show a page of threads, records or tags."""
    shown: Json = {"items": [_SHOWN[type(item)](item, view) for item in found.items]}
    if found.next_cursor is not None:
        shown["nextCursor"] = found.next_cursor
    return shown


def record(found: ListedRecord, view: View) -> Json:
    """Show all of a record but its text."""
    stored = found.record
    return {
        "contextId": stored.id,
        "uri": view.uri(found.place),
        "title": found.place.title,
        "threadId": stored.thread,
        "source": stored.source,
        "contentType": stored.content_type,
        "tags": list(stored.tags),
        "metadata": dict(stored.metadata),
        "summary": stored.summary,
        "contentHash": stored.content_hash,
        "version": stored.version,
        "createdAt": utc(stored.created),
        "updatedAt": utc(stored.updated),
        "totalChars": stored.total_chars,
        "files": [_file(item) for item in stored.files],
    }


def _file(found: RecordFile) -> Json:
    return {"name": found.name, "mediaType": found.media_type, "size": found.size}


def _thread(found: ThreadSummary, _: View) -> Json:
    return {"threadId": found.thread, "records": found.records, "updatedAt": utc(found.updated)}


def _tag(found: TagSummary, _: View) -> Json:
    return {"tag": found.tag, "records": found.records}


_SHOWN: Final[Mapping[type, Callable[[Any, View], Json]]] = {
    ThreadSummary: _thread,
    TagSummary: _tag,
    ListedRecord: record,
}
