"""A scan that is cancelled reads no further."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path
from time import sleep

import pytest
from making import record

from ctxls.queries.choosing import Want, choose
from ctxls.queries.clock import Clock
from ctxls.queries.library import Library
from ctxls.queries.scan import Scan, compiled
from ctxls.records.access import OWNER, Caller
from ctxls.records.record import RecordId, StoredText
from ctxls.stores.sqlite import SqliteStore
from ctxls.text.matcher import Checkpoint


class Counting(SqliteStore):
    """A store that counts the batches which it reads."""

    batches = 0

    async def texts(
        self, ids: Sequence[RecordId], caller: Caller, held_bytes: int
    ) -> AsyncGenerator[Sequence[StoredText], None]:
        async with aclosing(super().texts(ids, caller, held_bytes)) as batches:
            async for batch in batches:
                self.batches += 1
                yield batch


class Judging:
    """Takes its time over each record, as a slow pattern does, and counts its windows."""

    windows = 0

    def __call__(self, _stored: StoredText, checkpoint: Checkpoint) -> bool:
        for _ in range(5):
            checkpoint()
            self.windows += 1
            sleep(0.001)
        return True


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Counting]:
    store = Counting(tmp_path / "s.db", create=True, busy_timeout_s=5, longest_text=64 << 20)
    await store.add([record(f"needle {n}") for n in range(3000)], OWNER)
    yield store
    await store.close()


async def test_a_cancelled_scan_reads_and_judges_nothing_more(store: Counting) -> None:
    library, judge = Library(store), Judging()
    pattern = await compiled(library, "needle", is_regex=False, case_sensitive=False)

    async def run() -> None:
        clock = Clock()
        chosen = await choose(library, Want(pattern), OWNER, clock)
        async with aclosing(Scan(library, chosen, OWNER, judge, clock).batches()) as batches:
            async for _ in batches:
                pass

    running = asyncio.create_task(run())
    async with asyncio.timeout(20):
        while judge.windows < 200:  # noqa: ASYNC110 - threads set no event of a loop
            await asyncio.sleep(0.001)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    read, judged = store.batches, judge.windows
    await asyncio.sleep(0.3)
    assert store.batches == read
    assert judge.windows <= judged + 1
    assert running.cancelled()
    await library.close()
