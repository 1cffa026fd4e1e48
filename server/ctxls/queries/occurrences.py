"""The whole-word, case-sensitive occurrences of a word, other than the one that was asked from."""

from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from ctxls.queries.clock import ScanOutOfTimeError
from ctxls.queries.library import Library
from ctxls.queries.lookup import Lookup
from ctxls.queries.scan import compiled
from ctxls.queries.titled import End, Target
from ctxls.records.record import StoredText
from ctxls.text.lines import Span
from ctxls.text.matcher import Checkpoint, Match, find
from ctxls.text.pattern import Pattern
from ctxls.text.references import Pointed, is_whole_word

MOST_OCCURRENCES: Final = 50


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where a word stands, newest record first."""

    targets: tuple[Target, ...]
    end: End


async def occurrences(lookup: Lookup, pointed: Pointed) -> Occurrences:
    """Find at most 50 occurrences, as far as the look-up's time reaches."""
    library = lookup.library
    pattern = await compiled(library, pointed.text, is_regex=False, case_sensitive=True)
    judge = _WordJudge(pattern, lookup.document.record.id, pointed.span)
    found: list[Target] = []
    try:
        async with aclosing(lookup.batches(pattern, judge)) as batches:
            async for _ in batches:
                found += await _targets(library, judge.take())
    except ScanOutOfTimeError:
        found += await _targets(library, judge.take())
        return Occurrences(tuple(found), End.TIME)
    return Occurrences(tuple(found), End.ALL)


_Taken = list[tuple[StoredText, list[Match]]]


async def _targets(library: Library, taken: _Taken) -> list[Target]:
    def named() -> list[Target]:
        found: list[Target] = []
        for stored, matches in taken:
            place = library.place_now(stored, stored.data.decode())
            found += [Target(place, match.extent) for match in matches]
        return found

    return await library.off_loop(sum(len(stored.data) for stored, _ in taken), named)


@dataclass(slots=True)
class _WordJudge:
    """Runs in the worker thread: whole-word matches other than the one that was asked from."""

    pattern: Pattern
    own_id: str
    own_span: Span
    _room: int = MOST_OCCURRENCES
    _taken: _Taken = field(default_factory=list)

    def __call__(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        matches: list[Match] = []
        text = ""
        for match in find(self.pattern, stored.data, checkpoint):
            text = text or stored.data.decode()
            if not is_whole_word(text, match.span):
                continue
            if (stored.id, match.span) != (self.own_id, self.own_span):
                matches.append(match)
            if len(matches) == self._room:
                break
        self._room -= len(matches)
        if matches:
            self._taken.append((stored, matches))
        return self._room > 0

    def take(self) -> _Taken:
        """Hand over what was found since the last call."""
        taken, self._taken = self._taken, []
        return taken
