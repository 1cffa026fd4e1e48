"""What ten times the records cost: `make bench FULL=1`, since its corpus takes minutes to make."""

from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Final

from bench import ground, wire
from bench.grepping import params
from bench.questions import MADE, Question
from bench.table import Aim, Line, milliseconds

FEW: Final = 10_000
MANY: Final = 100_000
QUESTIONS: Final = (
    Question("no match", MADE.none, 0),
    Question("in 1 record", MADE.held[0], 0),
    Question("the commonest word, first 1,000", MADE.commonest, 0),
)
REST: Final = "memory at rest"


def lines(cache: Path, rounds: int) -> list[Line]:
    """Ask the same of both, and compare what it takes."""
    few, many = (_taken(cache, count, rounds) for count in (FEW, MANY))
    return [_line(name, few[name], many[name]) for name in few]


def _line(name: str, few: float, many: float) -> Line:
    shown = (lambda size: f"{size:.0f} MB") if name == REST else milliseconds
    work = f"{name}, {MANY:,} records"
    aim = Aim(2, "under") if name != REST else None
    return Line(work, shown(many), f"{FEW:,} records", shown(few), many / few, aim)


def _taken(cache: Path, count: int, rounds: int) -> Mapping[str, float]:
    with wire.served(ground.made(cache, count)) as ctxls:
        wire.index_ready(ctxls)
        found = {REST: ctxls.memory("VmRSS")}
        for question in QUESTIONS:
            asked = [ctxls.ask("context/grep", params(question)) for _ in range(rounds + 1)]
            found[question.shown] = median(answer.seconds for answer in asked[1:])
        return found
