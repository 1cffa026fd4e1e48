"""textDocument/definition: go to match."""

from lsprotocol.types import DefinitionParams

from ctxls.lsp import convert
from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session
from ctxls.queries import definition as queries
from ctxls.text.positions import Position, offset_at


async def definition(session: Session, params: DefinitionParams) -> list[Json]:
    """Return where the text under the cursor leads; a cut answer is said in the client's log."""
    document = await session.open(params.text_document.uri)
    place = Position(params.position.line, params.position.character)
    offset = offset_at(document.text, document.lines, place, session.client.encoding)
    with session.progress("Looking for the definition", params.work_done_token):
        found = await queries.definition(session.library, document, offset, session.caller)
    if found.cut is not None:
        session.log(found.cut)
    return [convert.location(target, session.view) for target in found.targets]
