"""Grep: which records, and where in them, a pattern matches. Newest record first, then offset.

The scan decides record after record. It stops at the first match (or matching record) over the
ceiling, which is what makes the answer truncated: exactly at a ceiling it is not.
"""

from contextlib import aclosing
from typing import Final

from ctxls.queries.choosing import Want, choose
from ctxls.queries.clock import FOREVER, Clock, ScanOutOfTimeError
from ctxls.queries.grep.judging import GrepJudge
from ctxls.queries.grep.shapes import (
    MODES,
    GrepAnswer,
    GrepRequest,
    MatchRow,
    Mode,
    Reason,
    RecordMatches,
    Results,
)
from ctxls.queries.grep.showing import GrepAnswering, window
from ctxls.queries.hearer import Hearer
from ctxls.queries.library import Library
from ctxls.queries.scan import Scan, compiled
from ctxls.records.access import Caller

__all__ = [
    "MODES",
    "GrepAnswer",
    "GrepRequest",
    "MatchRow",
    "Mode",
    "RecordMatches",
    "Results",
    "grep",
    "window",
]


UNHEARD: Final[Hearer[Results]] = Hearer()


async def grep(
    library: Library, request: GrepRequest, caller: Caller, hearer: Hearer[Results] = UNHEARD
) -> GrepAnswer:
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
    judge = GrepJudge(pattern, request, limits)
    answer = GrepAnswering(library, request, limits, hearer)
    try:
        want = Want(pattern, request.scope, _lower(request.max_entries, limits.most_entries))
        chosen = await choose(library, want, caller, clock)
    except ScanOutOfTimeError:
        return answer.done(judge, 0, "time")
    scan = Scan(library, chosen, caller, judge, clock)
    hearer.watch(scan.how_far)
    reason: Reason | None = "entries" if chosen.has_more else None
    try:
        async with aclosing(scan.batches()) as batches:
            async for _ in batches:
                await answer.add(judge.take())
                if answer.is_full:
                    break
    except ScanOutOfTimeError:
        await answer.add(judge.take())
        reason = "time"
    decided = scan.decided
    if answer.is_full:  # the judge may have been ahead of what was shown
        decided = chosen.decided_with(answer.last)
        shown = frozenset(chosen.ids[: chosen.ids.index(answer.last) + 1])
        judge.timed_out = [one for one in judge.timed_out if one in shown]
    return answer.done(judge, decided, reason)


def _lower(asked: int | None, ceiling: int) -> int | None:
    """Return the smaller of two ceilings, where 0 and None mean none."""
    return min((number for number in (asked, ceiling) if number), default=None)
