"""How long an outline takes while hostile searches run in the same session: `make load`.

Measured from outside: a real server, asked by a real client. For each pattern and number of
searches at once, one documentSymbol is asked after the other for as long as the searches run.
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from peers import message
from processes import Child, command, environment, stored

from ctxls.cli.terminal import Output

PATTERNS: Final = (
    r"[\pL\pN]{1,200}zq",
    r"[\pL\pN ]{1,190}zq",
    r"(?:[\pL ]{1,30}){1,30}zq",
    r"(?:x+x+)+y",
)
"""The worst that are known, and two that are so for other machines than RE2 only."""
SECONDS: Final = 5.0
ALLOWED_MS: Final = 50.0
LETTERS: Final = "".join(map(chr, range(0x4E00, 0x4E00 + 7919)))
WORDS: Final = "The rolling release waits for the seat map and the fog signals alike. "


@dataclass(frozen=True, slots=True)
class Measured:
    """How long documentSymbol took, in milliseconds, and whether all searches outlasted it."""

    times: Sequence[float]
    outlasted: bool

    def at(self, share: float) -> float:
        """Return the time that so many of the answers did not pass."""
        return sorted(self.times)[min(len(self.times) - 1, int(share * len(self.times)))]


async def filled(path: Path) -> None:
    """Store records of every kind: many small ones, some large, one that is one long line."""
    outline = "".join(f"## Part {n}\n\n{WORDS}\n" for n in range(100))
    small = [f"# Note {n}\n\n{outline[: 400 + n % 6000]}" for n in range(2000)]
    large = [LETTERS * 40, *(f"# Log\n\n{WORDS * 4000}" for _ in range(8))]
    await stored(path, [*small[:1000], *large, *small[1000:], f"# Last\n\n{outline}"])


async def measured(home: Path, pattern: str, searches: int, seconds: float) -> Measured:
    """Ask a server of the store in `home` for outlines while so many searches run."""
    settings = {"GREP_REGEX_TOTAL_TIMEOUT_S": str(seconds * 20), "CTXLS_INDEX": "off"}
    child = await Child.start(command(home / "store.db"), environment(home, **settings))
    try:
        await child.ready()
        uris = (await child.uris())[-20:]
        for uri in uris:
            await child.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        child.send(*_searches(pattern, searches))
        times, ended = await _outlines(child, uris, seconds)
        return Measured(times, outlasted=not ended)
    finally:
        await child.end()


def _searches(pattern: str, count: int) -> list[Any]:
    params = {"pattern": pattern, "isRegex": True, "maxMatches": 1}
    return [message("context/grep", params) | {"id": f"hostile-{n}"} for n in range(count)]


async def _outlines(
    child: Child, uris: Sequence[str], seconds: float
) -> tuple[Sequence[float], int]:
    times: list[float] = []
    ended, began = 0, perf_counter()
    while perf_counter() < began + seconds:
        uri, number, asked = uris[len(times) % len(uris)], f"outline-{len(times)}", perf_counter()
        params = {"textDocument": {"uri": uri}}
        child.send(message("textDocument/documentSymbol", params) | {"id": number})
        while (found := await child.read())["id"] != number:
            ended += str(found["id"]).startswith("hostile")
        times.append(1000 * (perf_counter() - asked))
        await asyncio.sleep(0.01)
    return times, ended


async def main() -> int:
    """Print one row for each pattern and number of searches; 1 where a row is too slow."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as home:
        await filled(Path(home) / "store.db")
        Output().line("at once  outlines   p50 ms   p99 ms   max ms  pattern")
        for pattern in PATTERNS:
            for searches in (1, 4):
                found = await measured(Path(home), pattern, searches, SECONDS)
                worst = max(worst, found.at(0.99) if searches == 1 else 0)
                cells = "  ".join(f"{found.at(share):7.1f}" for share in (0.5, 0.99, 1))
                ends = "" if found.outlasted else "  (it ended before)"
                row = f"{searches:7}  {len(found.times):8}  {cells}  {pattern}{ends}"
                Output().line(row)
                sys.stdout.flush()
    return int(worst > ALLOWED_MS)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
