"""context/grep as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from ctxls.lsp.extensions import GREP
from ctxls.lsp.extensions.params import Params
from ctxls.lsp.extensions.scope import scope_of
from ctxls.lsp.extensions.view import Json, View
from ctxls.queries.grep import (
    MODES,
    GrepAnswer,
    GrepRequest,
    MatchRow,
    Mode,
    RecordMatches,
    Results,
)

_KEYS = (
    "pattern",
    "isRegex",
    "caseSensitive",
    "outputMode",
    "contextLines",
    "maxMatches",
    "maxEntriesScanned",
    "filter",
    "workDoneToken",
    "partialResultToken",
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a client gave for hearing of the work, and of the results, while it goes on."""

    work: int | str | None
    parts: int | str | None


def tokens(found: Mapping[str, Any]) -> Tokens:
    """Read the tokens among the params."""
    params = Params(GREP, found, _KEYS)
    return Tokens(params.token("workDoneToken"), params.token("partialResultToken"))


def request(found: Mapping[str, Any]) -> GrepRequest:
    """Read the params."""
    params = Params(GREP, found, _KEYS)
    mode = params.choice("outputMode", MODES) if "outputMode" in found else MODES[0]
    return GrepRequest(
        pattern=params.needed_text("pattern"),
        is_regex=params.flag("isRegex"),
        case_sensitive=params.flag("caseSensitive"),
        mode=cast("Mode", mode),
        context_lines=params.whole("contextLines", 0),
        max_matches=params.whole("maxMatches", 100),
        max_entries=params.whole("maxEntriesScanned", None),
        scope=scope_of(params),
    )


def part(found: Results, view: View) -> Json:
    """Show a part of the results."""
    return {"results": _results(found, view)}


def answer(found: GrepAnswer, view: View) -> Json:
    """Show an answer."""
    shown: Json = {
        "mode": found.mode,
        "totalMatches": found.total_matches,
        "truncated": found.truncated_by is not None,
        "scanned": found.scanned,
        "results": _results(found, view),
    }
    if found.truncated_by is not None:
        shown["truncatedBy"] = found.truncated_by
    if found.timed_out:
        shown["timedOutContextIds"] = list(found.timed_out)
    return shown


def _results(found: GrepAnswer | Results, view: View) -> list[Json]:
    if found.mode == "content":
        return [_row(row, view) for row in found.rows]
    make = _count if found.mode == "count" else _file
    return [make(matches, view) for matches in found.records]


def _file(matches: RecordMatches, view: View) -> Json:
    return {
        "contextId": matches.place.record_id,
        "uri": view.uri(matches.place),
        "title": matches.place.title,
        "matchCount": matches.count,
    }


def _count(matches: RecordMatches, view: View) -> Json:
    return {
        "contextId": matches.place.record_id,
        "uri": view.uri(matches.place),
        "count": matches.count,
    }


def _row(row: MatchRow, view: View) -> Json:
    return {
        "contextId": row.place.record_id,
        "uri": view.uri(row.place),
        "lineNumber": row.line_number,
        "line": row.line,
        "lineStart": row.line_start,
        "matchStart": row.match.start,
        "matchEnd": row.match.end,
        "range": view.range(row.extent),
        "before": list(row.before),
        "after": list(row.after),
        "nodeId": row.node_id,
    }
