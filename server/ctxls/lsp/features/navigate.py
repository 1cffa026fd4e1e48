"""context/navigate."""

from collections.abc import Mapping
from typing import Any

from ctxls.lsp.extensions import navigate as shape
from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session
from ctxls.queries import navigate as queries


async def navigate(session: Session, params: Mapping[str, Any]) -> Json:
    """Return the table of contents of one record."""
    asked = shape.request(params)
    found = await queries.navigate(
        session.library, asked.context_id, session.caller, asked.max_depth
    )
    session.say_if_cut(found.outline)
    view = session.view_of(found.place)
    return await session.make(len(found.shown), lambda: shape.answer(found, asked, view))
