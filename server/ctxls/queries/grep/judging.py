"""Grep in the worker thread: deciding record after record, up to one match over the ceiling."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ctxls.queries.clock import RecordOutOfTimeError
from ctxls.queries.grep.shapes import GrepRequest
from ctxls.queries.limits import Limits
from ctxls.records.record import RecordId, StoredText
from ctxls.text.matcher import Checkpoint, Match, count, find
from ctxls.text.pattern import Pattern


@dataclass(frozen=True, slots=True)
class Found:
    """One record that matches; `matches` is empty where only counts are asked for."""

    stored: StoredText
    matches: Sequence[Match]
    count: int


@dataclass(slots=True)
class GrepJudge:
    """Runs in the worker thread: matches record after record, up to one over the ceiling."""

    pattern: Pattern
    request: GrepRequest
    limits: Limits
    timed_out: list[RecordId] = field(default_factory=list)
    overflowed: bool = False
    _room: int = 0
    _found: list[Found] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._room = min(self.request.max_matches, self.limits.most_matches)

    def __call__(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        """Decide one record; false once there is more than the answer may hold."""
        try:
            found = self._match(stored, checkpoint)
        except RecordOutOfTimeError:
            self.timed_out.append(stored.id)
            return True
        if found.count:
            self._keep(found)
        return not self.overflowed

    def take(self) -> list[Found]:
        """Hand over what was found since the last call."""
        found, self._found = self._found, []
        return found

    def _match(self, stored: StoredText, checkpoint: Checkpoint) -> Found:
        if self.request.mode != "content":
            return Found(stored, (), count(self.pattern, stored.data, checkpoint))
        matches: list[Match] = []
        for match in find(self.pattern, stored.data, checkpoint):
            matches.append(match)
            if len(matches) > self._room:
                break
        return Found(stored, matches, len(matches))

    def _keep(self, found: Found) -> None:
        if self.request.mode == "content":
            self.overflowed = len(found.matches) > self._room
            kept = found.matches[: self._room]
            found = Found(found.stored, kept, len(kept))
            self._room -= len(kept)
        elif self._room == 0:
            self.overflowed = True
            return
        else:
            self._room -= 1
        if found.count:
            self._found.append(found)
