"""workspace/symbol: grep as an editor's symbol search."""

from collections.abc import Sequence
from functools import partial

from lsprotocol.types import WorkspaceSymbolParams

from ctxls.lsp import convert
from ctxls.lsp.extensions.view import Json, View
from ctxls.lsp.session import Session
from ctxls.queries.symbols import Symbol, workspace_symbols


async def workspace_symbol(session: Session, params: WorkspaceSymbolParams) -> list[Json]:
    """Return the hits; a cut answer is said once in the client's log."""
    with session.progress("Searching stored context", params.work_done_token) as progress:
        hearer = progress.hearer(params.partial_result_token, partial(_shown, session.view))
        found = await workspace_symbols(session.library, params.query, session.caller, hearer)
    if found.cut is not None:
        session.log(found.cut)
    return _shown(session.view, found.symbols)


def _shown(view: View, symbols: Sequence[Symbol]) -> list[Json]:
    return [convert.workspace_symbol(symbol, view) for symbol in symbols]
