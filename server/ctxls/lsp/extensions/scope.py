"""The `filter` of our own methods."""

import re
from typing import Any

from ctxls.errors import InvalidParamsError
from ctxls.lsp.extensions.params import Params
from ctxls.records.filters import Condition, Filter, condition, moment, tags_of
from ctxls.records.uri import normal_id
from ctxls.text.printable import quoted

_KEYS = (
    "threadId",
    "source",
    "contentType",
    "tags",
    "metadataFilters",
    "contextIds",
    "createdAfter",
    "createdBefore",
)
_ID = re.compile(r"[0-9a-f]{32}|[0-9]+")
_CONDITION_KEYS = ("key", "operator", "value", "caseSensitive")


def scope_of(params: Params) -> Filter:
    """Read the `filter` of a request; left out, it is all readable records."""
    found = params.any("filter")
    return Filter() if found is None else _filter(Params("filter", found, _KEYS))


def _filter(params: Params) -> Filter:
    ids = params.texts("contextIds")
    return Filter(
        thread=params.text("threadId"),
        source=params.text("source"),
        content_type=params.text("contentType"),
        tags=tags_of(params.texts("tags") or []),
        conditions=tuple(_condition(item) for item in params.list("metadataFilters") or []),
        ids=None if ids is None else tuple(map(_whole_id, ids)),
        created_after=_moment(params, "createdAfter"),
        created_before=_moment(params, "createdBefore"),
    )


def _whole_id(text: str) -> str:
    found = normal_id(text)
    if not _ID.fullmatch(found):
        raise InvalidParamsError(f"contextIds holds {quoted(text, 80)}; give whole ids.")
    return found


def _condition(found: Any) -> Condition:
    params = Params("A metadata filter", found, _CONDITION_KEYS)
    return condition(
        params.needed_text("key"),
        params.needed_text("operator"),
        params.any("value"),
        case_sensitive=params.flag("caseSensitive"),
    )


def _moment(params: Params, name: str) -> Any:
    found = params.text(name)
    return None if found is None else moment(name, found)
