"""context/list and context/get."""

from collections.abc import Mapping
from typing import Any

from ctxls.lsp.extensions import listing as shape
from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session
from ctxls.queries import listing as queries

_QUERIES: Mapping[str, Any] = {
    "threads": queries.list_threads,
    "records": queries.list_records,
    "tags": queries.list_tags,
}


async def list_items(session: Session, params: Mapping[str, Any]) -> Json:
    """Return a page of threads, records or tags."""
    asked = shape.request(params)
    found = await _QUERIES[asked.what](
        session.library, asked.scope, session.caller, asked.limit, asked.cursor
    )
    return shape.answer(found, session.view)


async def get_record(session: Session, params: Mapping[str, Any]) -> Json:
    """Return all of one record but its text."""
    found = await queries.get_record(session.library, shape.get_request(params), session.caller)
    return shape.record(found, session.view)
