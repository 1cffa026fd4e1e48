"""workspace/textDocumentContent: the stored text of a record, as an editor opens it."""

from lsprotocol.types import TextDocumentContentParams

from ctxls.lsp.extensions.view import Json
from ctxls.lsp.session import Session


async def text_document_content(session: Session, params: TextDocumentContentParams) -> Json:
    """Return the stored text, also of a record that is open: this is what a reload loads."""
    document = await session.stored(params.uri)
    return {"text": document.text}
