"""From what a grep found to what its answer shows: names, lines, the lines around, node ids."""

from collections.abc import Iterator, Sequence
from typing import Final

import orjson

from ctxls.queries.grep.judging import Found, GrepJudge
from ctxls.queries.grep.shapes import (
    GrepAnswer,
    GrepRequest,
    MatchRow,
    Reason,
    RecordMatches,
    Results,
)
from ctxls.queries.hearer import Hearer
from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.records.place import Place
from ctxls.records.record import RecordId
from ctxls.text.around import lines_after, lines_before
from ctxls.text.headings import line_end
from ctxls.text.lines import Span
from ctxls.text.matcher import Match
from ctxls.text.outline import Outline

LONGEST_LINE: Final = 400
_ROW_BYTES: Final = 500
"""About what the numbers and names of a row take in an answer."""


class GrepAnswering:
    """Gathers what an answer shows; full at 4 MiB of JSON. Parts that were heard are not kept."""

    def __init__(
        self, library: Library, request: GrepRequest, limits: Limits, hearer: Hearer[Results]
    ) -> None:
        self._library = library
        self._request = request
        self._context = min(request.context_lines, limits.most_context_lines)
        self._room = limits.answer_bytes
        self.last: RecordId = ""
        """The record that was added last; where the answer is full, it did not fit."""
        self._hearer = hearer
        self._total = 0
        self._records: list[RecordMatches] = []
        self._rows: list[MatchRow] = []

    @property
    def is_full(self) -> bool:
        """Whether the next row would make the answer too large."""
        return self._room < 0

    async def add(self, found: Sequence[Found]) -> None:
        """Name what the judge found; stops taking rows when the answer is full."""
        if found:
            length = sum(len(item.stored.data) for item in found)
            await self._library.off_loop(length, lambda: self._add_all(found))
            await self._tell()

    async def _tell(self) -> None:
        if self._hearer.found is not None:
            part = Results(self._request.mode, tuple(self._records), tuple(self._rows))
            self._records, self._rows = [], []
            await self._hearer.found(part)

    def _add_all(self, found: Sequence[Found]) -> None:
        for item in found:
            if self.is_full:
                return
            self.last = item.stored.id
            if self._request.mode == "content":
                self._add_rows(item)
            else:
                place = self._library.place_now(item.stored, item.stored.data.decode())
                title = place.title if self._request.mode == "files_with_matches" else ""
                self._room -= _ROW_BYTES + len(self._library.uri(place)) + _size(title)
                if self.is_full:
                    return
                self._records.append(RecordMatches(place, item.count))
                self._total += item.count

    def _add_rows(self, item: Found) -> None:
        text = item.stored.data.decode()
        outline = self._library.outline_now(text, item.stored.data)
        place = self._library.place_now(item.stored, text, outline)
        fixed = _ROW_BYTES + len(self._library.uri(place))
        for row in _rows(text, outline, place, item.matches, self._context):
            self._room -= fixed + sum(map(_size, (row.line, *row.before, *row.after, row.node_id)))
            if self.is_full:
                return
            self._rows.append(row)
            self._total += 1

    def done(self, judge: GrepJudge, decided: int, reason: Reason | None) -> GrepAnswer:
        """Close the answer after so many records; what stopped it first is what truncated it."""
        truncated_by = reason
        if self.is_full:
            truncated_by = "bytes"
        elif judge.overflowed:
            truncated_by = "matches"
        elif judge.timed_out:
            truncated_by = "time"
        return GrepAnswer(
            self._request.mode,
            self._total,
            truncated_by,
            decided - len(judge.timed_out),
            tuple(judge.timed_out),
            tuple(self._records),
            tuple(self._rows),
        )


def _rows(
    text: str, outline: Outline, place: Place, matches: Sequence[Match], context: int
) -> Iterator[MatchRow]:
    line = Span(0, -1)
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    for match in matches:
        if match.span.start > line.end or match.line_start != line.start:
            line = Span(match.line_start, line_end(text, match.span.end))
            before = _shown(text, lines_before(text, line.start, context))
            after = _shown(text, lines_after(text, line.end, context))
        shown = window(line, match.span)
        yield MatchRow(
            place,
            match.extent.start.line + 1,
            text[shown.start : shown.end],
            shown.start,
            match.span,
            match.extent,
            before,
            after,
            outline.at(match.span.start).node_id,
        )


def _shown(text: str, lines: Sequence[Span]) -> tuple[str, ...]:
    return tuple(text[line.start : min(line.end, line.start + LONGEST_LINE)] for line in lines)


def window(line: Span, match: Span, longest: int = LONGEST_LINE) -> Span:
    """Return the part of `line`, at most `longest` characters, that shows `match` best."""
    spare = longest - (match.end - match.start)
    start = match.start - max(0, spare) // 2
    start = max(line.start, min(start, line.end - longest))
    return Span(start, min(line.end, start + longest))


def _size(text: str) -> int:
    """Return how many bytes `text` takes inside JSON."""
    return len(orjson.dumps(text))
