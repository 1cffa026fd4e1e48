"""context/readRange."""

from collections.abc import Mapping
from typing import Any

from ctxls.lsp.extensions import read_range as shape
from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session
from ctxls.queries import read_range as queries


async def read_range(session: Session, params: Mapping[str, Any]) -> Json:
    """Return part of one record's text."""
    context_id, asked = shape.request(params)
    found = await queries.read_range(session.library, context_id, asked, session.caller)
    return shape.answer(found, session.view)
