"""The one table: what was measured, against what, and the ratio with its aim beside it."""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.console import Console
from rich.markup import escape
from rich.table import Table

HEADINGS: Final = ("work", "found", "ctxls", "against", "takes", "ratio", "aim", "")
WIDEST: Final = 160
LEFT: Final = {"work", "against"}
Side = Literal["at least", "at most", "over", "under"]
SIGNS: Final[Mapping[Side, str]] = {"at least": "≥", "at most": "≤", "over": ">", "under": "<"}
HOLDS: Final[Mapping[Side, Callable[[float, float], bool]]] = {
    "at least": operator.ge,
    "at most": operator.le,
    "over": operator.gt,
    "under": operator.lt,
}


@dataclass(frozen=True)
class Aim:
    """What a ratio should be: `number`, and on which side of it."""

    number: float
    side: Side = "at least"
    unit: str = "×"

    def holds(self, ratio: float) -> bool:
        """Tell whether the aim is met."""
        return HOLDS[self.side](ratio, self.number)

    def __str__(self) -> str:
        return f"{SIGNS[self.side]} {self.number:g}{self.unit}"


@dataclass(frozen=True)
class Line:
    """One comparison, ready to be shown; a ratio without an aim is shown for itself."""

    work: str
    ours: str
    against: str = ""
    theirs: str = ""
    ratio: float | None = None
    aim: Aim | None = None
    found: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands under each of HEADINGS."""
        unit = self.aim.unit if self.aim else "×"
        ratio = "" if self.ratio is None else f"{shown(self.ratio)}{unit}"
        aim = "" if self.aim is None else str(self.aim)
        return (self.work, self.found, self.ours, self.against, self.theirs, ratio, aim, self.mark)

    @property
    def mark(self) -> str:
        """Whether the aim is met, in a word."""
        if self.ratio is None or self.aim is None:
            return ""
        return "met" if self.aim.holds(self.ratio) else "short"


def shown(number: float) -> str:
    """Write a number with as many digits as are worth reading."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def milliseconds(seconds: float) -> str:
    """Write a time."""
    return f"{shown(1000 * seconds)} ms"


def print_table(title: str, lines: Sequence[Line], *, judged: bool = True) -> None:
    """Print the table, as wide as it needs to be; without its aims where it is not judged."""
    table = Table(title=title)
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in LEFT else "right", no_wrap=True)
    for before, line in zip([None, *lines], lines, strict=False):
        cells = list(line.cells)
        if before is not None and before.work == line.work:
            cells[:3] = "", "", ""
        if not judged:
            cells[-2:] = "", ""
        style = "red" if judged and line.mark == "short" else None
        table.add_row(*map(escape, cells), style=style)
    Console(width=max(Console().width, WIDEST)).print(table)


def markdown(lines: Iterable[Line]) -> Sequence[str]:
    """Return the lines of the table as Markdown has tables."""
    rules = ["---" if heading in LEFT else "---:" for heading in HEADINGS]
    rows = [[cell.replace("|", "\\|") for cell in line.cells] for line in lines]
    return [f"| {' | '.join(row)} |" for row in (HEADINGS, rules, *rows)]
