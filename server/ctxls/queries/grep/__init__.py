"""Grep: which records, and where in them, a pattern matches. Newest record first, then offset.

The scan decides record after record. It stops at the first match (or matching record) over the
ceiling, which is what makes the answer truncated: exactly at a ceiling it is not.
"""

from contextlib import aclosing

from ctxls.queries.grep.judging import GrepJudge
from ctxls.queries.grep.shapes import (
    MODES,
    GrepAnswer,
    GrepRequest,
    MatchRow,
    Mode,
    RecordMatches,
)
from ctxls.queries.grep.showing import GrepAnswering, window
from ctxls.queries.library import Library
from ctxls.queries.scan import FOREVER, Clock, ScanOutOfTimeError, compiled, scan, selected
from ctxls.records.access import Caller

__all__ = [
    "MODES",
    "GrepAnswer",
    "GrepRequest",
    "MatchRow",
    "Mode",
    "RecordMatches",
    "grep",
    "window",
]


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
    most_entries = _lower(request.max_entries, limits.most_entries)
    judge = GrepJudge(pattern, request, limits)
    answer = GrepAnswering(library, request, limits)
    try:
        ids = await selected(library, request.scope, caller, clock)
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
