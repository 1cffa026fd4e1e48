"""Values to the JSON of LSP: symbols and locations.

Plain objects and lists, since protocol classes cost five times as much to make and to write.
"""

from typing import Any, Final

from ctxls.lsp import messages
from ctxls.lsp.extensions.view import Json, View
from ctxls.queries.symbols import Symbol
from ctxls.queries.titled import Target
from ctxls.records.document import Document, shown
from ctxls.text.lines import Span
from ctxls.text.outline import Outline, Section

MODULE: Final = 2
_END: Final = b"]}"
"""Ends a symbol, and its children before it."""
NAMESPACE: Final = 3
LONGEST_DETAIL: Final = 80


def nested_symbols(document: Document, outline: Outline, title: str, view: View) -> bytes:
    """Return the heading tree as `DocumentSymbol[]`; without headings, the record alone.

    It is written symbol by symbol: to look over a tree of a million values, as Python does to free
    memory, stops every thread for 0.2 s.
    """
    if not outline.sections:
        return messages.encode([_node(document, outline.root, title, MODULE, view)])
    written: list[bytes] = []
    levels: list[int] = []
    for section in outline.sections:
        while levels and levels[-1] >= section.level:
            levels.pop()
            written.append(_END)
        if written and written[-1] is _END:
            written.append(b",")
        node = _node(document, section, section.title, NAMESPACE, view)
        written.append(messages.encode(node).removesuffix(_END))
        levels.append(section.level)
    return b"[%b%b]" % (b"".join(written), _END * len(levels))


def flat_symbols(document: Document, outline: Outline, title: str, view: View, uri: str) -> bytes:
    """Return the headings in order as `SymbolInformation[]`, for a client that cannot nest."""
    if not outline.sections:
        span = Span(0, len(document.text))
        return messages.encode([_information(shown(title), MODULE, uri, view.span(document, span))])
    written: list[bytes] = []
    for section in outline.sections:
        place = view.span(document, section.span)
        symbol = _information(shown(section.title), NAMESPACE, uri, place)
        if section.parent is not None:
            symbol["containerName"] = shown(outline.sections[section.parent].title)
        written.append(messages.encode(symbol))
    return b"[%b]" % b",".join(written)


def workspace_symbol(symbol: Symbol, view: View) -> Json:
    """Return one hit as a `WorkspaceSymbol`, its range included: not all clients resolve."""
    kind = MODULE if symbol.is_record else NAMESPACE
    made = _information(symbol.name, kind, view.uri(symbol.place), view.range(symbol.extent))
    return made | {"containerName": symbol.container}


def location(target: Target, view: View) -> Json:
    """Return a target as a `Location`."""
    return {"uri": view.uri(target.place), "range": view.range(target.extent)}


def _node(document: Document, section: Section, title: str, kind: int, view: View) -> Json:
    node: dict[str, Any] = {
        "name": shown(title),
        "kind": kind,
        "range": view.span(document, section.span),
        "selectionRange": view.span(document, section.heading),
    }
    summary = document.summary_of(section)
    if summary:
        node["detail"] = summary[:LONGEST_DETAIL]
    return node | {"children": []}  # last, so that others can be written into them


def _information(name: str, kind: int, uri: str, place: Json) -> Json:
    return {"name": name, "kind": kind, "location": {"uri": uri, "range": place}}
