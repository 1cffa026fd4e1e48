"""A symbol search in the worker thread: the first match of each line, until there are enough."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ctxls.queries.symbols.shapes import MOST_SYMBOLS
from ctxls.queries.titled import is_in_title
from ctxls.records.document import shown, spelled_title
from ctxls.records.record import StoredText
from ctxls.text.headings import line_end, may_be_heading
from ctxls.text.matcher import Checkpoint, Match, find
from ctxls.text.pattern import Pattern

LONGEST_NAME: Final = 120
MATCH_WITHIN: Final = 60


@dataclass(frozen=True, slots=True)
class LineHit:
    """The first match of a line, and the line as a name."""

    match: Match
    name: str


@dataclass(frozen=True, slots=True)
class Found:
    """One record with something to show; its title may match where its text does not."""

    stored: StoredText
    hits: Sequence[LineHit]
    late: Sequence[LineHit]
    """Found after the answer was full: may be titles equal to the query."""


@dataclass(slots=True)
class SymbolJudge:
    """Runs in the worker thread: the first match of each line, until the answer is full."""

    pattern: Pattern
    overflowed: bool = False
    _room: int = MOST_SYMBOLS
    _found: list[Found] = field(default_factory=list)

    def __call__(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        """Decide one record; never enough, since an equal title may still come."""
        hits: list[LineHit] = []
        late: list[LineHit] = []
        text, last_line = "", -1
        for match in find(self.pattern, stored.data, checkpoint):
            checkpoint()  # what is done for a match may take longer than the search for it
            if match.extent.start.line == last_line:
                continue
            last_line = match.extent.start.line
            text = text or stored.data.decode()
            if len(hits) < self._room:
                hits.append(LineHit(match, _line_name(text, match)))
            else:
                self.overflowed = True
                if _may_equal_title(text, match):
                    late.append(LineHit(match, ""))
        self._room -= len(hits)
        if hits or late or self._title_matches(stored):
            self._found.append(Found(stored, hits, late))
        return True

    def _title_matches(self, stored: StoredText) -> bool:
        title = spelled_title(stored.metadata)
        return title is not None and is_in_title(self.pattern, shown(title))

    def take(self) -> list[Found]:
        """Hand over what was found since the last call."""
        found, self._found = self._found, []
        return found


def _line_name(text: str, match: Match) -> str:
    """Return the line, trimmed, as a window in which the match begins early."""
    line = text[match.line_start : line_end(text, match.span.end)]
    start = match.span.start - match.line_start
    lead = len(line) - len(line.lstrip())
    if start - lead < MATCH_WITHIN:
        return line.strip()[:LONGEST_NAME].rstrip() or "(blank line)"
    return ("…" + line[start - MATCH_WITHIN // 2 :].strip())[:LONGEST_NAME].rstrip()


def _may_equal_title(text: str, match: Match) -> bool:
    """Whether the match may be a whole title: a heading with no other word, or with markup."""
    if not may_be_heading(text, match.line_start):
        return False
    line = text[match.line_start : line_end(text, match.span.end)]
    if any(mark in line for mark in "[<&\\"):
        return True
    rest = line[: match.span.start - match.line_start] + line[match.span.end - match.line_start :]
    return not any(char.isalnum() for char in rest)
