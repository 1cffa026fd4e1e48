"""What ends a server besides its client: the parent process, or the client's process, vanishing.

A killed editor cannot say goodbye, and its end of a pipe may have been inherited by others.
"""

import asyncio
import os
from typing import Final

POLL_S: Final = 2.0


class Lifeline:
    """The processes that this one must not outlive."""

    def __init__(self) -> None:
        self._parent = os.getppid()
        self._client: int | None = None

    def follow(self, process: int) -> None:
        """End with that process too; one that is not alive now was never really named."""
        if alive(process):
            self._client = process

    def cut(self) -> bool:
        """Whether one of the processes has gone."""
        return os.getppid() != self._parent or not (self._client is None or alive(self._client))

    async def wait(self) -> None:
        """Return once one of the processes has gone, seen by looking every two seconds."""
        while not self.cut():  # noqa: ASYNC110 - nothing tells of another process's end
            await asyncio.sleep(POLL_S)


def alive(process: int) -> bool:
    """Whether a process with that id exists, as far as POSIX tells without touching it."""
    if process <= 0 or os.name != "posix":  # elsewhere signal 0 is no question
        return False
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True
