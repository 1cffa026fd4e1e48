"""Where the time of one row goes: a server in this process, looked at a thousand times a second.

All threads are looked at, also while they are in RE2 or SQLite, which a tracing profiler is not
able to do. `itself` is the share of looks that found a thread in that very function.
"""

import asyncio
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

from bench.grepping import params
from bench.ground import SERVER, Ground, Records
from bench.questions import Question, questions
from bench.table import WIDEST, milliseconds
from peers import Peer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ctxls import wiring
from ctxls.settings import Settings

TIMES: Final = 50
EVERY_S: Final = 0.001
MOST_SHOWN: Final = 40
LEAST: Final = 0.01
PACKAGE: Final = "ctxls/"
IDLE: Final = frozenset({"wait", "select", "_worker", "_connection_worker_thread"})


class Sampler:
    """Looks at every thread's stack, and counts the functions in it."""

    def __init__(self) -> None:
        self.looks = 0
        self.itself = Counter[str]()
        self.within = Counter[str]()

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look on while the block runs."""
        done = threading.Event()
        thread = threading.Thread(target=self._look, args=(done,), name="sampler")
        before = sys.getswitchinterval()
        sys.setswitchinterval(EVERY_S / 4)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
            sys.setswitchinterval(before)

    def _look(self, done: threading.Event) -> None:
        own = threading.get_ident()
        while not done.wait(EVERY_S):
            self.looks += 1
            for ident, frame in sys._current_frames().items():
                if ident != own:
                    self._count(frame)

    def _count(self, top: FrameType) -> None:
        if top.f_code.co_name in IDLE:
            return
        self.itself[_place(top.f_code)] += 1
        frames = set[str]()
        frame: FrameType | None = top
        while frame is not None:
            frames.add(_place(frame.f_code))
            frame = frame.f_back
        self.within.update(frames)

    def table(self) -> Table:
        """Show the functions of ctxls and what they call, the slowest first."""
        table = Table(title=f"{self.looks:,} looks at every thread that is not idle")
        for heading in ("function", "with what it calls", "itself"):
            table.add_column(heading, justify="left" if heading == "function" else "right")
        worth = [found for found in self.within.most_common() if self._is_worth(*found)]
        for place, count in worth[:MOST_SHOWN]:
            shares = (f"{100 * part / self.looks:.1f} %" for part in (count, self.itself[place]))
            table.add_row(escape(place), *shares)
        return table

    def _is_worth(self, place: str, count: int) -> bool:
        """Tell whether a function says something: what only calls others must be ctxls's own."""
        own = place.startswith(PACKAGE) and count >= LEAST * self.looks
        return own or self.itself[place] >= LEAST * self.looks


class Prompt(Peer):
    """A client that is told of its answer at once, and does not read it."""

    arrived: asyncio.Future[bytes] | None = None

    def write(self, body: bytes) -> None:
        if self.arrived is None or b'"method"' in body[:60]:
            super().write(body)
        else:
            self.arrived.set_result(body)
            self.arrived = None

    async def timed(self, question: Question) -> float:
        """Ask once, and return the seconds that the answer took."""
        arrived = self.arrived = asyncio.get_running_loop().create_future()
        begun = time.perf_counter()
        self.start("context/grep", params(question))
        await arrived
        return time.perf_counter() - begun


def profile(ground: Ground, records: Records, wanted: str) -> None:
    """Ask one row TIMES times, and print where the time went."""
    named = [one for one in questions(ground, records) if wanted in one.shown]
    if not named:
        names = "\n  ".join(one.shown for one in questions(ground, records))
        raise SystemExit(f"{wanted!r} names no row; use a part of one of these:\n  {names}")
    asyncio.run(_profile(ground, named[0]))


async def _profile(ground: Ground, question: Question) -> None:
    flags = {"CTXLS_STORE": str(ground.store), "CTXLS_INDEX_DIR": str(ground.index)}
    library = wiring.library(Settings.load(flags, {}, Path("/nonexistent/ctxls.toml")))
    sampler = Sampler()
    try:
        index = await library.start_index()
        if index is not None:
            await index.catch_up(_untold)
        client = Prompt(library)
        await client.ready()
        await client.timed(question)
        with sampler.looking():
            taken = sorted([await client.timed(question) for _ in range(TIMES)])
    finally:
        await library.close()
    middle, last = (milliseconds(taken[place]) for place in (TIMES // 2, -1))
    Console(width=WIDEST).print(sampler.table())
    print(f"{question.shown}: {TIMES} times, median {middle}, slowest {last}, while looked at")


@cache
def _place(code: CodeType) -> str:
    """Name a function by its file and line."""
    path = Path(code.co_filename)
    file = path.relative_to(SERVER) if path.is_relative_to(SERVER) else Path(*path.parts[-2:])
    return f"{file}:{code.co_firstlineno} {code.co_qualname}"


def _untold(_done: int, _total: int) -> None:
    """Report to nobody."""
