"""One look-up from a place in a record: who asks, and the one clock of all its scans."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from ctxls.queries.choosing import Want, choose
from ctxls.queries.clock import Clock
from ctxls.queries.library import Library
from ctxls.queries.scan import Judge, Scan, reading
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.text.pattern import Pattern


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the scans of one request share."""

    library: Library
    document: Document
    """The record that is asked from, with the text that its reader sees."""
    caller: Caller
    clock: Clock

    async def batches(self, pattern: Pattern, judge: Judge) -> AsyncGenerator[None, None]:
        """Judge every record where `pattern` may be; yields when the judge may be read.

        Of the record that is asked from, its open text is judged. Raises ScanOutOfTimeError.
        """
        want = Want(pattern, always={self.document.record.id})
        clock = self.clock.part()
        chosen = await choose(self.library, want, self.caller, clock)
        seen = reading(self.document, judge)
        scan = Scan(self.library, chosen, self.caller, seen, clock)
        async with aclosing(scan.batches()) as batches:
            async for _ in batches:
                yield
