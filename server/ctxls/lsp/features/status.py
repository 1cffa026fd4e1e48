"""context/status."""

from collections.abc import Mapping
from typing import Any

from ctxls.lsp.extensions import status as shape
from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session
from ctxls.queries import status as queries


async def status(session: Session, params: Mapping[str, Any]) -> Json:
    """Return what this server is and what it serves."""
    shape.request(params)
    found = await queries.status(session.library, session.caller)
    return shape.answer(found, session.offer.settings, sessions=1)
