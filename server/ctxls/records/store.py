"""The port: where records live, as the queries see it.

Adapters (stores/sqlite, stores/postgres) implement it; only wiring names them. Every method
sees only what the caller may read. Every method may raise StoreUnavailableError,
StoreDamagedError, StoreNewerError or StoreBusyError; none turns an error into an empty answer.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from ctxls.records.access import Caller
from ctxls.records.filters import Filter
from ctxls.records.record import (
    Candidate,
    NewRecord,
    Record,
    RecordId,
    StoredRecord,
    StoredText,
    TagSummary,
    ThreadSummary,
)

Item = TypeVar("Item", covariant=True)


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some rows of a list and, where there are more, the cursor that continues it."""

    items: tuple[Item, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class StoreDescription:
    """What kind of store this is: `layout` says whose tables they are, in words for people."""

    backend: str
    layout: str
    read_only: bool


class Version(NamedTuple):
    """A record as it is now: `spelled` is another text after every change of it."""

    id: RecordId
    spelled: str


class RecordStore(Protocol):
    """Where records live. Every method sees only what the caller may read."""

    async def describe(self) -> StoreDescription:
        """Open the store if need be and say what it is."""
        ...

    async def state(self) -> tuple[int, ...]:
        """Return what is another value once anything stored may have changed, by whomever.

        Taken before a read, it tells later whether what was read still holds. It tells no caller
        anything about records.
        """
        ...

    async def versions(self, caller: Caller) -> Sequence[Version]:
        """Return the versions of all readable records, newest first as `select` has them."""
        ...

    async def count(self, caller: Caller) -> int:
        """Count the readable records."""
        ...

    async def fetch(self, record_id: RecordId, caller: Caller) -> StoredRecord:
        """Read one record whole. NotFoundError when there is no readable one."""
        ...

    async def candidates(self, prefix: str, caller: Caller, limit: int) -> Sequence[Candidate]:
        """Return up to `limit` readable records whose id begins with `prefix`, newest first."""
        ...

    async def select(self, scope: Filter, caller: Caller) -> Sequence[RecordId]:
        """Return the ids of all readable records in scope, newest first (created, then id)."""
        ...

    def texts(
        self, ids: Sequence[RecordId], caller: Caller, held_bytes: int
    ) -> AsyncGenerator[Sequence[StoredText], None]:
        """Stream the texts of `ids`, in their order, in batches of about `held_bytes` at most.

        A batch holds at least one record, read whole. A record removed meanwhile is left out.
        """
        ...

    async def records(
        self, scope: Filter, caller: Caller, limit: int, cursor: str | None
    ) -> Page[StoredRecord]:
        """List records in scope with their texts (a title may need it), newest first."""
        ...

    async def threads(
        self, scope: Filter, caller: Caller, limit: int, cursor: str | None
    ) -> Page[ThreadSummary]:
        """List the threads of the records in scope, most recently changed first."""
        ...

    async def tags(
        self, scope: Filter, caller: Caller, limit: int, cursor: str | None
    ) -> Page[TagSummary]:
        """List the tags of the records in scope, in alphabetical order."""
        ...

    async def add(self, records: Sequence[NewRecord], caller: Caller) -> Sequence[Record]:
        """Store new records in one transaction, owned by the caller. ReadOnlyError if refused."""
        ...

    async def close(self) -> None:
        """Let go of the database; a later call opens it anew."""
        ...
