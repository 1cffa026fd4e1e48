"""What queries ask of a search index: of a selection of records, those that may match.

An index never decides that a record matches. It only leaves out records that cannot.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from ctxls.records.access import Caller
from ctxls.records.filters import Filter
from ctxls.records.record import RecordId

Required: TypeAlias = Sequence[frozenset[bytes]]
"""Of each set, one literal (folded UTF-8) stands in every line that matches; text/literals."""

Report = Callable[[int, int], None]
"""Is told how many records of how many are taken in."""


class Selected(Protocol):
    """The readable records in a scope, newest first."""

    @property
    def ids(self) -> Sequence[RecordId]:
        """All of them."""
        ...

    def may_match(self, required: Required) -> Sequence[int]:
        """Return the places in `ids`, ascending, of the records that may hold what is required.

        A record's title from its metadata counts as one of its lines.
        """
        ...


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """How far an index is: the records that it has in their present version, and its size."""

    state: Literal["ready", "building", "off"]
    records: int
    bytes: int


OFF = IndexStatus("off", 0, 0)


class CandidateIndex(Protocol):
    """Follows one store; any store error passes through."""

    async def selection(self, scope: Filter, caller: Caller) -> Selected:
        """Select the readable records in scope as they are now."""
        ...

    async def catch_up(self, report: Report) -> bool:
        """Take in what is unseen; false where another process is doing so."""
        ...

    async def follow(self, report: Report) -> None:
        """Catch up now and whenever the store changes, until cancelled."""
        ...

    async def rebuild(self, report: Report) -> bool:
        """Throw all away and take everything in; false where another process is writing."""
        ...

    async def wrong(self, report: Report) -> Sequence[RecordId]:
        """Compare with the store, and return the records that a search could miss."""
        ...

    async def status(self) -> IndexStatus:
        """Say how far the index is."""
        ...

    @property
    def is_kept(self) -> bool:
        """Whether the next process finds what this one has taken in."""
        ...

    def close(self) -> None:
        """Let go of threads."""
        ...
