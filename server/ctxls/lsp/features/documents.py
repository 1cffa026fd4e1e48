"""textDocument/didOpen, didChange, didSave and didClose: the texts that the client has open.

They are done when they return, so that the next request sees what they changed.
"""

import logging

from lsprotocol import types

from ctxls.lsp.session import Session
from ctxls.text.edits import Edit
from ctxls.text.positions import Position

_log = logging.getLogger(__name__)


def did_open(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    """Take over a text. One that is no record's is kept, and later requests say what is wrong."""
    document = params.text_document
    if session.buffers.open(document.uri, document.text).record_id is None:
        _log.warning("The client opened a document that is no record of this store.")


def did_change(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """Make the changes one after the other."""
    document = params.text_document
    changes = [_edit(change) for change in params.content_changes]
    if not session.buffers.change(document.uri, changes, session.client.encoding):
        _log.warning("The client changed a document that it had not opened; ignored.")


def did_save(_session: Session, _params: types.DidSaveTextDocumentParams) -> None:
    """Change nothing: a virtual document is stored by its own method, never by saving it."""


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the text; the stored one counts again."""
    session.buffers.close(params.text_document.uri)


def _edit(change: types.TextDocumentContentChangeEvent) -> Edit:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return Edit(change.text)
    start, end = change.range.start, change.range.end
    return Edit(
        change.text,
        (Position(start.line, start.character), Position(end.line, end.character)),
    )
