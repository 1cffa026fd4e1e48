"""What a grep is asked, and what it answers."""

from dataclasses import dataclass
from typing import Final, Literal

from ctxls.errors import InvalidParamsError
from ctxls.records.filters import Filter
from ctxls.records.place import Place
from ctxls.records.record import RecordId
from ctxls.text.lines import Span
from ctxls.text.positions import Extent

Reason = Literal["matches", "entries", "time", "bytes"]
"""What truncated an answer."""
Mode = Literal["files_with_matches", "content", "count"]
MODES: Final[tuple[Mode, ...]] = ("files_with_matches", "content", "count")


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
class Results:
    """A part of what was found: rows in content mode, records in the other two."""

    mode: Mode
    records: tuple[RecordMatches, ...] = ()
    rows: tuple[MatchRow, ...] = ()


@dataclass(frozen=True, slots=True)
class GrepAnswer:
    """What was found; `scanned` counts the records in scope that were decided, in order."""

    mode: Mode
    total_matches: int
    truncated_by: Reason | None
    scanned: int
    timed_out: tuple[RecordId, ...]
    records: tuple[RecordMatches, ...] = ()
    rows: tuple[MatchRow, ...] = ()
