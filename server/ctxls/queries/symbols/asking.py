"""What a symbol query asks: a literal or a `/regular expression/`, with filters in front."""

import re
from dataclasses import dataclass, replace
from typing import Final

from ctxls.records.filters import Filter, tags_of
from ctxls.records.record import SOURCES

_FILTER: Final = re.compile(r"(thread|tag|source):(\S+)(?:\s+|$)")


@dataclass(frozen=True, slots=True)
class SymbolQuery:
    """The text to look for, as typed; `expression` is what stands between two slashes."""

    text: str
    expression: str | None
    scope: Filter


def parse_query(query: str) -> SymbolQuery:
    """Read `thread:deploy tag:db source:agent rollback`; tags are any of."""
    scope, rest = Filter(), query.strip()
    while found := _FILTER.match(rest):
        narrowed = _narrow(scope, found[1], found[2])
        if narrowed is None:
            break
        scope, rest = narrowed, rest[found.end() :]
    is_expression = len(rest) > 2 and rest.startswith("/") and rest.endswith("/")
    return SymbolQuery(rest, rest[1:-1] if is_expression else None, scope)


def _narrow(scope: Filter, name: str, value: str) -> Filter | None:
    """Add one filter, or return None where the word is no filter after all."""
    if name == "thread":
        return replace(scope, thread=value)
    if name == "tag":
        return replace(scope, tags=scope.tags + tags_of([value]))
    return replace(scope, source=value) if value in SOURCES else None
