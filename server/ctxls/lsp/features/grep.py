"""context/grep."""

from collections.abc import Mapping
from typing import Any

from ctxls.lsp.extensions import grep as shape
from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session
from ctxls.queries import grep as queries


async def grep(session: Session, params: Mapping[str, Any]) -> Json:
    """Return the records, counts or lines that match."""
    asked, tokens, view = shape.request(params), shape.tokens(params), session.view

    def shown(part: queries.Results) -> Json:
        return shape.part(part, view)

    with session.progress("Searching stored context", tokens.work) as progress:
        hearer = progress.hearer(tokens.parts, shown)
        found = await queries.grep(session.library, asked, session.caller, hearer)
    return shape.answer(found, view)
