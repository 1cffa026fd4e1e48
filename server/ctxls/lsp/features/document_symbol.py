"""textDocument/documentSymbol: the heading tree of one record, ready-made when asked again."""

from collections.abc import Hashable
from functools import partial
from typing import Final

from lsprotocol.types import DocumentSymbolParams

from ctxls.lsp import convert
from ctxls.lsp.ready_answers import ReadyAnswers
from ctxls.lsp.session import Session
from ctxls.records.document import Document

_READY: Final = ReadyAnswers()
"""Of the process, so that many windows on one record share the work."""


async def document_symbol(session: Session, params: DocumentSymbolParams) -> bytes:
    """Return the headings as JSON that is ready, nested where the client can show that."""
    uri = params.text_document.uri
    document = await session.open(uri)
    key = _key(session, document, uri)
    ready = _READY.get(key)
    if ready is None:
        with session.progress("Reading the outline", params.work_done_token):
            ready = await _made(session, document, uri)
        _READY.put(key, ready)
    return ready


async def _made(session: Session, document: Document, uri: str) -> bytes:
    outline = await session.library.outline(document)
    session.say_if_cut(outline)
    title = (await session.library.place(document)).title
    convert_all = (
        partial(convert.nested_symbols, document, outline, title, session.view)
        if session.client.nested_symbols
        else partial(convert.flat_symbols, document, outline, title, session.view, uri)
    )
    return await session.make(len(outline.sections), convert_all)


def _key(session: Session, document: Document, uri: str) -> Hashable:
    """Name all that an answer is made from; a flat one spells out the URI."""
    record = document.record
    return (
        document.key,
        document.summaries,
        record.id,
        record.summary,
        repr(record.metadata.get("title")),
        session.client,
        None if session.client.nested_symbols else uri,
    )
