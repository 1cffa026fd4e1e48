"""Every query, on a store without an index and on one that is indexed: the answers are the same."""

from collections.abc import Sequence

import pytest
from making import MakeLibrary, caught_up

from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.records.record import NewRecord


@pytest.fixture(params=["unindexed", "indexed"])
def library_of(library_of: MakeLibrary, request: pytest.FixtureRequest) -> MakeLibrary:
    """Make a library whose records are given oldest first, with or without its index."""

    async def make(records: Sequence[str | NewRecord], limits: Limits | None = None) -> Library:
        library = await library_of(records, limits)
        if request.param == "indexed":
            await caught_up(library)
        return library

    return make
