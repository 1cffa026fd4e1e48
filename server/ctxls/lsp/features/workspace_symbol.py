"""workspace/symbol: grep as an editor's symbol search."""

from lsprotocol.types import WorkspaceSymbolParams

from ctxls.lsp import convert
from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session
from ctxls.queries.symbols import workspace_symbols


async def workspace_symbol(session: Session, params: WorkspaceSymbolParams) -> list[Json]:
    """Return the hits; a cut answer is said once in the client's log."""
    found = await workspace_symbols(session.library, params.query, session.caller)
    if found.cut is not None:
        session.log(found.cut)
    return [convert.workspace_symbol(symbol, session.view) for symbol in found.symbols]
