"""context/readRange as JSON."""

from collections.abc import Mapping
from typing import Any

from ctxls.lsp.extensions import READ_RANGE
from ctxls.lsp.extensions.params import RECORD, Params
from ctxls.lsp.extensions.view import Json, View
from ctxls.queries.read_range import RangeAnswer, RangeRequest

_KEYS = (*RECORD, "startChar", "endChar", "startLine", "endLine", "nodeId")


def request(found: Mapping[str, Any]) -> tuple[str, RangeRequest]:
    """Read the params: which record, and which part of it."""
    params = Params(READ_RANGE, found, _KEYS)
    return params.record(), RangeRequest(
        params.whole("startChar", None),
        params.whole("endChar", None),
        params.whole("startLine", None),
        params.whole("endLine", None),
        params.text("nodeId"),
    )


def answer(found: RangeAnswer, view: View) -> Json:
    """Show an answer."""
    return {
        "contextId": found.place.record_id,
        "uri": view.uri(found.place),
        "version": found.document.record.version,
        "startChar": found.span.start,
        "endChar": found.span.end,
        "startLine": found.start_line,
        "endLine": found.end_line,
        "range": view.range(found.extent),
        "text": found.text,
    }
