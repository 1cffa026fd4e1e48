"""`ctxls import`: Markdown folders, Markdown files and JSON lines into the store."""

import argparse
import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ctxls import wiring
from ctxls.cli.arguments import settings_of
from ctxls.cli.asking import naming
from ctxls.cli.exits import DONE, NOTHING
from ctxls.cli.progress import shown_progress
from ctxls.cli.terminal import Output, complain
from ctxls.records.access import OWNER
from ctxls.records.record import SOURCES
from ctxls.settings import Settings
from ctxls.writing.arrivals import Arrivals, count_files
from ctxls.writing.importing import Stored, import_records
from ctxls.writing.known import Standing
from ctxls.writing.markdown import Defaults
from ctxls.writing.refusals import Refusal

EXAMPLE: Final = "ctxls import ~/notes"
MOST_LISTED: Final = 1_000
"""Refusals that are listed one by one; a folder may hold a hundred thousand."""


@dataclass(slots=True)
class Tally:
    """What came of an import."""

    standings: Counter[Standing] = field(default_factory=Counter)
    threads: set[str] = field(default_factory=set)
    refused: int = 0
    listed: list[Refusal] = field(default_factory=list)

    def add(self, item: Stored | Refusal) -> None:
        """Count one item."""
        if isinstance(item, Stored):
            self.standings[item.standing] += 1
            if item.standing is not Standing.KNOWN:
                self.threads.add(item.thread)
            return
        self.refused += 1
        if len(self.listed) < MOST_LISTED:
            self.listed.append(item)

    @property
    def stored(self) -> int:
        """How many records are new in the store."""
        return self.standings[Standing.NEW] + self.standings[Standing.NEWER]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", type=Path, help="a folder, .md, .markdown or .jsonl"
    )
    parser.add_argument(
        "--source", choices=SOURCES, default=SOURCES[0], help="unless the record says it itself"
    )
    parser.add_argument("--thread", help="instead of the folder, unless the record says it itself")


def run(args: argparse.Namespace) -> int:
    """Store what is found; 1 when something was refused, the rest being stored all the same."""
    settings, tally = settings_of(args), Tally()
    defaults = Defaults(args.source, args.thread)
    try:
        with naming(settings.store), shown_progress("importing") as report:
            asyncio.run(_import(settings, args.paths, defaults, tally, report))
    except KeyboardInterrupt:
        complain(f"Interrupted: {counted(tally.stored, 'record')} stored; import again to go on.")
        raise
    _report(tally, settings.store, Output())
    return NOTHING if tally.refused else DONE


async def _import(
    settings: Settings,
    paths: Sequence[Path],
    defaults: Defaults,
    tally: Tally,
    report: Callable[[int, int], None],
) -> None:
    library = wiring.library(settings, create=True)
    arrivals = Arrivals(settings.max_record_bytes, defaults).of(paths)
    total, done = count_files(paths), 0
    try:
        async with aclosing(import_records(arrivals, library.store, OWNER)) as items:
            async for item in items:
                tally.add(item)
                done += 1
                report(done, total)
    finally:
        await library.close()


def _report(tally: Tally, store: Path, output: Output) -> None:
    if tally.stored:
        threads = counted(len(tally.threads), "thread")
        output.line(f"Stored {counted(tally.stored, 'record')} in {threads} of {store}.")
    if newer := tally.standings[Standing.NEWER]:
        output.line(f"{counted(newer, 'file')} stored before with another text, which stays.")
    if known := tally.standings[Standing.KNOWN]:
        output.line(f"{counted(known, 'record')} stored before, and unchanged.")
    if not tally.standings:
        output.line("Nothing was stored.")
    if tally.refused:
        rows = [f"  {refusal.what}: {refusal.why}." for refusal in tally.listed]
        if tally.refused > len(rows):
            rows.append(f"  and {tally.refused - len(rows):,} more.")
        complain("\n".join([f"Refused {tally.refused:,}:", *rows]))


def counted(number: int, noun: str) -> str:
    """Put a number before its noun: `1 record`, `2 records`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
