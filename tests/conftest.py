"""A library over a real SQLite store, filled by the test."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from making import MakeLibrary, index_of, record

from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.records.access import OWNER
from ctxls.records.record import NewRecord
from ctxls.stores.sqlite import SqliteStore


@pytest.fixture
async def library_of(tmp_path: Path) -> AsyncIterator[MakeLibrary]:
    """Make a library whose records are given oldest first: texts, or NewRecords."""
    made: list[Library] = []

    async def make(records: Sequence[str | NewRecord], limits: Limits | None = None) -> Library:
        path = tmp_path / f"{len(made)}.db"
        store = SqliteStore(path, create=True, busy_timeout_s=5, longest_text=64 << 20)
        made.append(Library(store, "local", limits, make_index=lambda: index_of(store, path)))
        new = [item if isinstance(item, NewRecord) else record(item) for item in records]
        if new:
            await store.add(new, OWNER)
        return made[-1]

    yield make
    for library in made:
        await library.close()
