"""context/grep."""

from collections.abc import Mapping
from typing import Any

from ctxls.lsp.extensions import grep as shape
from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session
from ctxls.queries import grep as queries


async def grep(session: Session, params: Mapping[str, Any]) -> Json:
    """Return the records, counts or lines that match."""
    found = await queries.grep(session.library, shape.request(params), session.caller)
    return shape.answer(found, session.view)
