"""Outlines and partial reads, against a server that has the same bytes ready."""

import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench import ground, wire
from bench.ground import ROOT, SERVER, Ground
from bench.table import Aim, Line, milliseconds
from bench.wire import Wire
from markdown_it import MarkdownIt

SIZES: Final = {"10 KB": 10_000, "1 MB": 1_000_000}
EACH: Final = 5
"""Documents of each size, so that each can be asked for a first time."""
HEADINGS: Final = 5_000
READ_CHARACTERS: Final = 200


@dataclass(frozen=True)
class Ask:
    """One request, and how its time compares with that of a server that has the bytes ready."""

    name: str
    method: str
    params: Mapping[str, Any]
    aim: Aim | None = None


class Documents:
    """A store of a few documents, and what is asked about them."""

    def __init__(self, cache: Path, rounds: int) -> None:
        self.rounds = rounds
        self._texts = {title: _text(title, size) for title, size in _titles()}
        self._texts["headings"] = "# headings\n" + "".join(
            f"\n## Part {number}\n\nwords\n" for number in range(1, HEADINGS)
        )
        self._ground = ground.written(cache, "documents", self._texts.values())
        self._uris: Mapping[str, str] = {}

    def lines(self) -> list[Line]:
        """Ask in a session of ctxls, and of the other server beside it."""
        with wire.served(self._ground) as ctxls:
            listed = ctxls.ask("context/list", {"what": "records"}).result["items"]
            self._uris = {item["title"]: item["uri"] for item in listed}
            ctxls.ask("context/navigate", {"uri": self._uris["warm-up 0"]})
            cold = [self._cold(ctxls, size) for size in SIZES]
            return [*cold, *(self._warm(ctxls, ask) for ask in self._asks())]

    def _asks(self) -> list[Ask]:
        symbols = {"textDocument": {"uri": self._uris["headings"]}}
        asks = [Ask("5,000 headings", "textDocument/documentSymbol", symbols, Aim(3, "at most"))]
        asks += [Ask(size, "context/navigate", {"uri": self._uris[f"{size} 0"]}) for size in SIZES]
        at = SIZES["1 MB"] * 9 // 10
        part = {
            "uri": self._uris["1 MB 0"],
            "startChar": at,
            "endChar": at + READ_CHARACTERS,
        }
        return [*asks, Ask("1 MB", "context/readRange", part)]

    def _cold(self, ctxls: Wire, size: str) -> Line:
        """Ask for outlines that nobody has asked for, and parse the same texts here."""
        ours, theirs = [], []
        for number in range(EACH):
            title = f"{size} {number}"
            ours.append(ctxls.ask("context/navigate", {"uri": self._uris[title]}).seconds)
            begun = time.perf_counter()
            MarkdownIt("commonmark").parse(self._texts[title])
            theirs.append(time.perf_counter() - begun)
        taken = median(ours), median(theirs)
        name = f"context/navigate, {size}, cold"
        shown = milliseconds(taken[0]), "markdown-it-py", milliseconds(taken[1])
        return Line(name, *shown, taken[0] / taken[1])

    def _warm(self, ctxls: Wire, ask: Ask) -> Line:
        ready = ctxls.ask(ask.method, ask.params).result
        ours, theirs = [], []
        with _ready_server(self._ground, ask.method, ready) as other:
            other.ask(ask.method, ask.params)
            for _ in range(max(3, 3 * self.rounds)):
                ours.append(ctxls.ask(ask.method, ask.params).seconds)
                theirs.append(other.ask(ask.method, ask.params).seconds)
        taken = median(ours), median(theirs)
        name = f"{ask.method.partition('/')[2]}, {ask.name}, warm"
        shown = milliseconds(taken[0]), "ready-made bytes", milliseconds(taken[1])
        return Line(name, *shown, taken[0] / taken[1], ask.aim)


def bare_memory(place: Ground) -> float:
    """Return the MB that a pygls server without any work of its own takes."""
    with _ready_server(place, "textDocument/hover", None) as bare:
        return bare.memory("VmRSS")


@contextmanager
def _ready_server(place: Ground, method: str, ready: Any) -> Iterator[Wire]:
    file = place.folder / "ready.json"
    text = json.dumps(ready, ensure_ascii=False, separators=(",", ":"))
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-P", "-m", "bench.ready_server", method, str(file)]
    path = f"{SERVER}:{ROOT / 'tests'}"
    with wire.spoken(command, {**place.environment, "PYTHONPATH": path}) as other:
        yield other


def _titles() -> Sequence[tuple[str, int]]:
    usual = [(f"{size} {number}", most) for size, most in SIZES.items() for number in range(EACH)]
    return [("warm-up 0", 1_000), *usual]


def _text(title: str, size: int) -> str:
    """Make a document of sections of some 600 characters."""
    rng = random.Random(title)
    parts = [f"# {title}\n"]
    made = 0
    while made < size:
        words = [f"word{rng.randrange(1_000)}" for _ in range(60)]
        parts.append(f"\n## Section {made}\n\n{' '.join(words)}\n\n- one\n- two\n")
        made += len(parts[-1])
    return "".join(parts)[:size]
