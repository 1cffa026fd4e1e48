"""How a request goes on, as far as its client asked: work done, and its results so far.

LSP 3.18, "Work Done Progress" and "Partial Result Progress". Nothing is told faster than the client
reads.
"""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from ctxls.lsp.line import Line
from ctxls.lsp.messages import Id, is_id
from ctxls.queries.hearer import Hearer, HowFar

Part = TypeVar("Part")
TICK_S: Final = 0.1
"""How long after one report the next may follow."""


class Works:
    """The requests in flight that a client can cancel by their tokens."""

    def __init__(self) -> None:
        self._tasks: dict[Id, asyncio.Task[Any]] = {}

    def begin(self, token: Id) -> None:
        """Let the token stand for the request being answered."""
        task = asyncio.current_task()
        if task is not None:
            self._tasks[token] = task

    def end(self, token: Id) -> None:
        """Let the token stand for nothing again."""
        self._tasks.pop(token, None)

    def cancel(self, token: Any) -> None:
        """Cancel the request that the token stands for; one that has ended is no matter."""
        if is_id(token) and token in self._tasks:
            self._tasks[token].cancel()


class Progress:
    """One request's progress: begun and ended with the block that it is entered for."""

    def __init__(self, line: Line, works: Works, title: str, work: Id | None) -> None:
        self._line = line
        self._works = works
        self._title = title
        self._work = work
        self._ticking: asyncio.Task[None] | None = None

    def __enter__(self) -> Self:
        """Tell that the work begins."""
        if self._work is not None:
            self._works.begin(self._work)
            begin = {"kind": "begin", "title": self._title, "cancellable": True, "percentage": 0}
            self._line.progress(self._work, begin)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Tell that the work has ended, however it did."""
        if self._ticking is not None:
            self._ticking.cancel()
        if self._work is not None:
            self._works.end(self._work)
            self._line.progress(self._work, {"kind": "end"})

    def hearer(self, parts: Id | None, shown: Callable[[Part], Any]) -> Hearer[Part]:
        """Return who hears the query; `shown` makes a part what the token `parts` is told."""
        if parts is None:
            return Hearer(watch=self._watch)

        async def found(part: Part) -> None:
            await self._line.room()
            self._line.progress(parts, shown(part))

        return Hearer(found, self._watch)

    def _watch(self, how_far: HowFar) -> None:
        if self._work is not None:
            self._ticking = asyncio.create_task(self._tick(self._work, how_far))

    async def _tick(self, work: Id, how_far: HowFar) -> None:
        told = 0
        while True:
            await asyncio.sleep(TICK_S)
            await self._line.room()
            percentage = int(100 * how_far())
            if percentage > told:
                told = percentage
                self._line.progress(work, {"kind": "report", "percentage": percentage})
