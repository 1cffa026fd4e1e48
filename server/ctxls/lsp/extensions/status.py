"""context/status as JSON."""

from collections.abc import Mapping
from typing import Any, Final

from ctxls import __version__
from ctxls.lsp.extensions import STATUS
from ctxls.lsp.extensions.params import Params
from ctxls.lsp.extensions.view import Json
from ctxls.queries.status import Status

_NO_INDEX: Final = {"state": "off", "records": 0, "bytes": 0}
"""This version has no index of words."""


def request(found: Mapping[str, Any]) -> None:
    """Read the params: there are none."""
    Params(STATUS, found, ())


def answer(found: Status, settings: Mapping[str, Any], sessions: int) -> Json:
    """Show an answer; `settings` must hold no secret."""
    return {
        "version": __version__,
        "backend": found.backend,
        "layout": found.layout,
        "store": found.store,
        "records": found.records,
        "readOnly": found.read_only,
        "index": {
            "state": found.index.state,
            "records": found.index.records,
            "bytes": found.index.bytes,
        },
        "words": dict(_NO_INDEX),
        "sessions": sessions,
        "settings": dict(settings),
    }
