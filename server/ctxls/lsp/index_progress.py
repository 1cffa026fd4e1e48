"""How far the search index is, shown to a client that shows progress, from the server's side."""

import asyncio
import secrets
from typing import Final

from ctxls.lsp.line import Line

MANY: Final = 200
"""Records that must be missing before a client is shown anything: fewer take a moment."""
TICK_S: Final = 0.1
PATIENCE_S: Final = 10.0
"""How long nothing may be heard of the index before its progress is ended."""
TITLE: Final = "Indexing stored context"


class IndexProgress:
    """One client's bar: call it with how many records of how many are taken in."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._token: str | None = None
        self._is_shown = False
        self._share = 0
        self._told_at = 0.0
        self._ending: asyncio.TimerHandle | None = None

    def __call__(self, done: int, total: int) -> None:
        """Begin, go on or end; from the event loop."""
        if done >= total:
            self.end()
        elif self._token is not None:
            self._go_on(done, total)
        elif total >= MANY:
            self._begin()

    def end(self) -> None:
        """End what is shown."""
        if self._ending is not None:
            self._ending.cancel()
        if self._token is not None and self._is_shown:
            self._line.progress(self._token, {"kind": "end"})
        self._token, self._is_shown, self._share = None, False, 0

    def _begin(self) -> None:
        token = self._token = f"ctxls-index-{secrets.token_hex(4)}"
        self._wait_for_more()

        def created(is_willing: bool) -> None:  # noqa: FBT001 - what a client answers
            if is_willing and self._token == token:
                self._is_shown = True
                begin = {"kind": "begin", "title": TITLE, "cancellable": False, "percentage": 0}
                self._line.progress(token, begin)

        self._line.ask("window/workDoneProgress/create", {"token": token}, created)

    def _go_on(self, done: int, total: int) -> None:
        self._wait_for_more()
        now = asyncio.get_running_loop().time()
        share = 100 * done // total
        if self._is_shown and share > self._share and now - self._told_at >= TICK_S:
            self._share, self._told_at = share, now
            report = {
                "kind": "report",
                "percentage": share,
                "message": f"{done:,} of {total:,} records",
            }
            self._line.progress(self._token or "", report)

    def _wait_for_more(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
        self._ending = asyncio.get_running_loop().call_later(PATIENCE_S, self.end)
