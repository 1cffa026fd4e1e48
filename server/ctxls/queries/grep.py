"""Grep: which records, and where in them, a pattern matches. Newest record first, then offset.

The scan decides record after record. It stops at the first match (or matching record) over the
ceiling, which is what makes the answer truncated: exactly at a ceiling it is not.
"""

import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final, Literal

from ctxls.errors import InvalidParamsError
from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.queries.scan import (
    FOREVER,
    Clock,
    RecordOutOfTimeError,
    ScanOutOfTimeError,
    compiled,
    scan,
)
from ctxls.records.access import Caller
from ctxls.records.filters import Filter
from ctxls.records.metadata import parsed_metadata
from ctxls.records.place import Place
from ctxls.records.record import RecordId, StoredText
from ctxls.text.lines import Lines, Span
from ctxls.text.matcher import Checkpoint, Match, find, find_bytes
from ctxls.text.outline import Outline
from ctxls.text.pattern import Pattern
from ctxls.text.positions import Extent

Mode = Literal["files_with_matches", "content", "count"]
MODES: Final[tuple[Mode, ...]] = ("files_with_matches", "content", "count")
LONGEST_LINE: Final = 400
_ROW_BYTES: Final = 500
"""About what the numbers and names of a row take in an answer."""


@dataclass(frozen=True, slots=True)
class GrepRequest:
    """What to look for. A ceiling of the limits lowers a number over it."""

    pattern: str
    is_regex: bool = False
    case_sensitive: bool = False
    mode: Mode = "files_with_matches"
    context_lines: int = 0
    max_matches: int = 100
    """Bounds rows in content mode, and records in the other two, where counts are whole."""
    max_entries: int | None = None
    scope: Filter = Filter()

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise InvalidParamsError(f"outputMode is {self.mode!r}; use {', '.join(MODES)}.")
        for name, number, least in (
            ("contextLines", self.context_lines, 0),
            ("maxMatches", self.max_matches, 1),
            ("maxEntriesScanned", self.max_entries, 1),
        ):
            if number is not None and number < least:
                raise InvalidParamsError(f"{name} is {number}; it must be {least} or more.")


@dataclass(frozen=True, slots=True)
class RecordMatches:
    """A record that matches, and how often."""

    place: Place
    count: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match: the line (a window of at most 400 characters), and the lines around it."""

    place: Place
    line_number: int
    """1-based."""
    line: str
    line_start: int
    """The offset of the first character of `line`."""
    match: Span
    extent: Extent
    before: tuple[str, ...]
    after: tuple[str, ...]
    node_id: str


@dataclass(frozen=True, slots=True)
class GrepAnswer:
    """What was found; `scanned` counts the records in scope that were decided, in order."""

    mode: Mode
    total_matches: int
    truncated_by: Literal["matches", "entries", "time", "bytes"] | None
    scanned: int
    timed_out: tuple[RecordId, ...]
    records: tuple[RecordMatches, ...] = ()
    rows: tuple[MatchRow, ...] = ()


async def grep(library: Library, request: GrepRequest, caller: Caller) -> GrepAnswer:
    """Search the readable records in scope. Cancelling the awaiting task stops the worker."""
    limits = library.limits
    total = limits.grep_seconds if request.is_regex else FOREVER
    clock = Clock(total, limits.record_seconds if request.is_regex else FOREVER)
    pattern = await compiled(
        library,
        request.pattern,
        is_regex=request.is_regex,
        case_sensitive=request.case_sensitive,
    )
    ids = await library.store.select(request.scope, caller)
    most_entries = _lower(request.max_entries, limits.most_entries)
    judge = _Judge(pattern, request, limits)
    answer = _Answer(library, request, limits)
    try:
        async with aclosing(scan(library, ids[:most_entries], caller, judge, clock)) as batches:
            async for _ in batches:
                await answer.add(judge.take())
                if answer.is_full:
                    break
    except ScanOutOfTimeError:
        await answer.add(judge.take())
        return answer.done(judge, "time")
    return answer.done(judge, "entries" if len(ids) > (most_entries or len(ids)) else None)


def _lower(asked: int | None, ceiling: int) -> int | None:
    """Return the smaller of two ceilings, where 0 and None mean none."""
    return min((number for number in (asked, ceiling) if number), default=None)


@dataclass(frozen=True, slots=True)
class _Found:
    stored: StoredText
    matches: Sequence[Match]
    count: int


@dataclass(slots=True)
class _Judge:
    """Runs in the worker thread: matches record after record, up to one over the ceiling."""

    pattern: Pattern
    request: GrepRequest
    limits: Limits
    scanned: int = 0
    timed_out: list[RecordId] = field(default_factory=list)
    overflowed: bool = False
    _room: int = 0
    _found: list[_Found] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._room = min(self.request.max_matches, self.limits.most_matches)

    def __call__(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        try:
            found = self._match(stored, checkpoint)
        except RecordOutOfTimeError:
            self.timed_out.append(stored.id)
            return True
        self.scanned += 1
        if found.count:
            self._keep(found)
        return not self.overflowed

    def take(self) -> list[_Found]:
        """Hand over what was found since the last call."""
        found, self._found = self._found, []
        return found

    def _match(self, stored: StoredText, checkpoint: Checkpoint) -> _Found:
        if self.request.mode != "content":
            count = sum(1 for _ in find_bytes(self.pattern, stored.data, checkpoint))
            return _Found(stored, (), count)
        matches: list[Match] = []
        for match in find(self.pattern, stored.data, checkpoint):
            matches.append(match)
            if len(matches) > self._room:
                break
        return _Found(stored, matches, len(matches))

    def _keep(self, found: _Found) -> None:
        if self.request.mode == "content":
            self.overflowed = len(found.matches) > self._room
            kept = found.matches[: self._room]
            found = _Found(found.stored, kept, len(kept))
            self._room -= len(kept)
        elif self._room == 0:
            self.overflowed = True
            return
        else:
            self._room -= 1
        if found.count:
            self._found.append(found)


class _Answer:
    """Gathers what an answer shows; full at 4 MiB."""

    def __init__(self, library: Library, request: GrepRequest, limits: Limits) -> None:
        self._library = library
        self._request = request
        self._context = min(request.context_lines, limits.most_context_lines)
        self._room = limits.answer_bytes
        self._records: list[RecordMatches] = []
        self._rows: list[MatchRow] = []
        self._decided = 0

    @property
    def is_full(self) -> bool:
        """Whether the next row would make the answer too large."""
        return self._room < 0

    async def add(self, found: Sequence[_Found]) -> None:
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

    async def _add_rows(self, item: _Found, place: Place) -> None:
        text = item.stored.data.decode()
        lines = Lines.of(text)
        outline = await self._library.outline_of(text, item.stored.data, lines)
        fixed = _ROW_BYTES + len(self._library.uri(place))
        for match in item.matches:
            row = _row(text, lines, outline, place, match, self._context)
            self._room -= fixed + sum(map(_size, (row.line, *row.before, *row.after)))
            if self.is_full:
                return
            self._rows.append(row)

    def done(self, judge: _Judge, reason: Literal["entries", "time"] | None) -> GrepAnswer:
        """Close the answer; what stopped the scan first is what truncated it."""
        truncated_by: Literal["matches", "entries", "time", "bytes"] | None = reason
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
