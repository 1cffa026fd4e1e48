"""From what a grep found to what its answer shows: names, lines, the lines around, node ids."""

import json
from collections.abc import Sequence
from typing import Final

from ctxls.queries.grep.judging import Found, GrepJudge
from ctxls.queries.grep.shapes import GrepAnswer, GrepRequest, MatchRow, Reason, RecordMatches
from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.records.metadata import parsed_metadata
from ctxls.records.place import Place
from ctxls.text.lines import Lines, Span
from ctxls.text.matcher import Match
from ctxls.text.outline import Outline

LONGEST_LINE: Final = 400
_ROW_BYTES: Final = 500
"""About what the numbers and names of a row take in an answer."""


class GrepAnswering:
    """Gathers what an answer shows; full at 4 MiB."""

    def __init__(self, library: Library, request: GrepRequest, limits: Limits) -> None:
        self._library = library
        self._request = request
        self._context = min(request.context_lines, limits.most_context_lines)
        self._room = limits.answer_bytes
        self._records: list[RecordMatches] = []
        self._rows: list[MatchRow] = []

    @property
    def is_full(self) -> bool:
        """Whether the next row would make the answer too large."""
        return self._room < 0

    async def add(self, found: Sequence[Found]) -> None:
        """Name what the judge found; stops taking rows when the answer is full."""
        for item in found:
            if self.is_full:
                return
            place = await self._library.place_of(item.stored, parsed_metadata(item.stored.metadata))
            if self._request.mode == "content":
                await self._add_rows(item, place)
            else:
                self._room -= _ROW_BYTES + len(self._library.uri(place))
                self._records.append(RecordMatches(place, item.count))

    async def _add_rows(self, item: Found, place: Place) -> None:
        data = item.stored.data
        text = data.decode()
        outline = await self._library.outline_of(text, data)
        rows = await self._library.off_loop(
            len(text), lambda: _rows(text, outline, place, item.matches, self._context)
        )
        fixed = _ROW_BYTES + len(self._library.uri(place))
        for row in rows:
            self._room -= fixed + sum(map(_size, (row.line, *row.before, *row.after)))
            if self.is_full:
                return
            self._rows.append(row)

    def done(self, judge: GrepJudge, reason: Reason | None) -> GrepAnswer:
        """Close the answer; what stopped the scan first is what truncated it."""
        truncated_by = reason
        if self.is_full:
            truncated_by = "bytes"
        elif judge.overflowed:
            truncated_by = "matches"
        elif judge.timed_out:
            truncated_by = "time"
        return GrepAnswer(
            self._request.mode,
            len(self._rows) + sum(record.count for record in self._records),
            truncated_by,
            judge.scanned,
            tuple(judge.timed_out),
            tuple(self._records),
            tuple(self._rows),
        )


def _rows(
    text: str, outline: Outline, place: Place, matches: Sequence[Match], context: int
) -> list[MatchRow]:
    lines = Lines.of(text)
    return [_row(text, lines, outline, place, match, context) for match in matches]


def _row(
    text: str, lines: Lines, outline: Outline, place: Place, match: Match, context: int
) -> MatchRow:
    number = match.extent.start.line
    shown = window(lines.span(number), match.span)
    before = range(max(0, number - context), number)
    after = range(number + 1, min(number + 1 + context, lines.visible))
    return MatchRow(
        place,
        number + 1,
        text[shown.start : shown.end],
        shown.start,
        match.span,
        match.extent,
        tuple(_cut(text, lines.span(line)) for line in before),
        tuple(_cut(text, lines.span(line)) for line in after),
        outline.at(match.span.start).node_id,
    )


def window(line: Span, match: Span, longest: int = LONGEST_LINE) -> Span:
    """Return the part of `line`, at most `longest` characters, that shows `match` best."""
    spare = longest - (match.end - match.start)
    start = match.start - max(0, spare) // 2
    start = max(line.start, min(start, line.end - longest))
    return Span(start, min(line.end, start + longest))


def _cut(text: str, line: Span) -> str:
    return text[line.start : min(line.end, line.start + LONGEST_LINE)]


def _size(text: str) -> int:
    """Return how many bytes `text` takes inside JSON."""
    return len(json.dumps(text, ensure_ascii=False).encode())
