"""context/navigate as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ctxls.lsp.extensions import NAVIGATE
from ctxls.lsp.extensions.params import RECORD, Params
from ctxls.lsp.extensions.view import Json, View
from ctxls.queries.navigate import DEEPEST, Navigation
from ctxls.records.document import LONGEST_NAME, Document
from ctxls.text.outline import Section


@dataclass(frozen=True, slots=True)
class NavigateRequest:
    """Which record, how deep, and whether section summaries are shown."""

    context_id: str
    max_depth: int = DEEPEST
    summaries: bool = False


def request(found: Mapping[str, Any]) -> NavigateRequest:
    """Read the params."""
    params = Params(NAVIGATE, found, (*RECORD, "maxDepth", "includeNodeSummaries"))
    return NavigateRequest(
        params.record(), params.whole("maxDepth", DEEPEST), params.flag("includeNodeSummaries")
    )


def answer(found: Navigation, asked: NavigateRequest, view: View) -> Json:
    """Show an answer."""
    record = found.document.record
    return {
        "contextId": record.id,
        "uri": view.uri(found.place),
        "title": found.place.title,
        "version": record.version,
        "totalChars": len(found.document.text),
        "nodeCount": len(found.shown),
        "root": _tree(found, view, summaries=asked.summaries),
    }


def _tree(found: Navigation, view: View, *, summaries: bool) -> Json:
    """Build the tree; the root always shows the record's own summary."""
    root = _node(found.document, found.outline.root, view, found.document.record.summary)
    trail = [root]
    for section in found.shown:
        summary = found.document.summary_of(section) if summaries else None
        node = _node(found.document, section, view, summary)
        while trail[-1]["level"] >= section.level:
            trail.pop()
        trail[-1]["children"].append(node)
        trail.append(node)
    return root


def _node(document: Document, section: Section, view: View, summary: str | None) -> Json:
    return {
        "nodeId": section.node_id,
        "level": section.level,
        "ordinal": section.ordinal,
        "title": section.title[:LONGEST_NAME],
        "charStart": section.span.start,
        "charEnd": section.span.end,
        "range": view.span(document, section.span),
        "selectionRange": view.span(document, section.heading),
        "summary": summary,
        "children": [],
    }
