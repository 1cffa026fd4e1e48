"""Threads shared by sessions."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ctxls.queries.lane import MOST_OF_ONE, WORKERS, Lane


class Work:
    """Blocks a worker until it is let go, and counts how many are inside."""

    def __init__(self) -> None:
        self.inside = 0
        self.go = threading.Event()

    def __call__(self) -> str:
        self.inside += 1
        self.go.wait(20)
        self.inside -= 1
        return "done"


@pytest.fixture
def workers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(WORKERS) as pool:
        yield pool


async def begun(work: Work, count: int) -> None:
    async with asyncio.timeout(20):
        while work.inside < count:  # noqa: ASYNC110 - threads set no event of a loop
            await asyncio.sleep(0.001)


async def test_one_session_leaves_a_worker_to_the_others(workers: ThreadPoolExecutor) -> None:
    greedy, modest, work = Lane(workers), Lane(workers), Work()
    waiting = [asyncio.create_task(greedy.run(work)) for _ in range(2 * WORKERS)]
    await begun(work, MOST_OF_ONE)
    async with asyncio.timeout(20):
        assert await modest.run(lambda: "at once") == "at once"
    assert work.inside == MOST_OF_ONE
    work.go.set()
    assert await asyncio.gather(*waiting) == ["done"] * 2 * WORKERS


async def test_a_worker_counts_as_held_until_it_has_really_ended(
    workers: ThreadPoolExecutor,
) -> None:
    lane, work = Lane(workers), Work()
    cancelled = [asyncio.create_task(lane.run(work)) for _ in range(MOST_OF_ONE)]
    await begun(work, MOST_OF_ONE)
    for task in cancelled:
        task.cancel()
    await asyncio.gather(*cancelled, return_exceptions=True)
    following = asyncio.create_task(lane.run(lambda: "next"))
    await asyncio.sleep(0.05)
    assert not following.done()
    work.go.set()
    async with asyncio.timeout(20):
        assert await following == "next"


async def test_who_waits_too_long_for_a_worker_is_told_and_its_work_never_begins(
    workers: ThreadPoolExecutor,
) -> None:
    first, second, work = Lane(workers), Lane(workers), Work()
    held = [asyncio.create_task(lane.run(work)) for lane in (first, second) for _ in range(2)]
    await begun(work, WORKERS)
    late: list[str] = []
    for lane in (first, Lane(workers)):  # with a turn in the lane, and no worker
        with pytest.raises(TimeoutError):
            await lane.run(lambda: late.append("begun"), patience=0.05)
    work.go.set()
    await asyncio.gather(*held)
    assert await first.run(lambda: "free again") == "free again"
    assert late == []


async def test_what_has_begun_is_waited_for(workers: ThreadPoolExecutor) -> None:
    work = Work()
    running = asyncio.create_task(Lane(workers).run(work, patience=0.05))
    await begun(work, 1)
    await asyncio.sleep(0.2)
    work.go.set()
    assert await running == "done"
