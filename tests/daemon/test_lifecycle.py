import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ctxls.daemon import lifecycle
from ctxls.daemon.lifecycle import Lifeline, alive


@pytest.fixture
def other() -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that lives until it is told to end."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process


def test_this_process_is_alive_and_impossible_ones_are_not() -> None:
    assert alive(os.getpid())
    assert alive(1)
    assert not any(alive(process) for process in (0, -1, 2**70))


def test_the_lifeline_is_cut_when_the_followed_process_ends(
    other: subprocess.Popen[bytes],
) -> None:
    line = Lifeline()
    line.follow(other.pid)
    assert not line.cut()
    other.communicate(b"\n")
    assert line.cut()


def test_a_process_that_was_dead_already_is_not_followed(other: subprocess.Popen[bytes]) -> None:
    other.communicate(b"\n")
    line = Lifeline()
    line.follow(other.pid)
    assert not line.cut()


async def test_waiting_ends_with_the_process(
    other: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "POLL_S", 0.01)
    line = Lifeline()
    line.follow(other.pid)
    waiting = asyncio.create_task(line.wait())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    other.communicate(b"\n")
    async with asyncio.timeout(5):
        await waiting
