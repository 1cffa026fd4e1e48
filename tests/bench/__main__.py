"""`make bench`: ctxls beside ripgrep, codesearch and ready-made answers, in one table of ratios.

Ends with 1 where ctxls answered anything else than it should, and never because it was slow.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench import corpus, ground, growth, indexing, machine, page, rivals, sampling, wire
from bench.documents import Documents, bare_memory
from bench.grepping import Grepping
from bench.ground import ROOT, Ground, Records
from bench.table import Line, print_table

CACHE: Final = ROOT / ".cache" / "bench"
PAGE: Final = ROOT / "docs" / "performance.md"
ROUNDS: Final = 9
SMALL_SIZE: Final = 300


def main(words: Sequence[str]) -> int:
    """Measure, print, and say whether all answers were right."""
    args = _arguments().parse_args(words)
    place = _ground(args)
    records = ground.records(place)
    if args.profile:
        sampling.profile(place, records, args.profile)
        return 0
    absent = rivals.missing(install=not args.small)
    for tool in absent:
        print(f"{rivals.PACKAGES[tool]} is not installed: NOT compared with it.", file=sys.stderr)
    rounds = 1 if args.small else args.rounds
    lines, wrong = _measured(place, records, rounds, absent)
    if not args.small:
        lines += Documents(args.cache, rounds).lines()
    if args.full:
        lines += growth.lines(args.cache, rounds)
    name = "made records" if place.is_made else f"records of {args.corpus.name}"
    title = f"{len(records.ids):,} {name}, {records.size / indexing.MEGABYTE:,.0f} MB"
    print_table(title, lines, judged=not args.small)
    for sentence in wrong:
        print(f"WRONG {sentence}", file=sys.stderr)
    if args.write and not wrong:
        page.write(PAGE, title, machine.described(), lines, rounds)
    return 1 if wrong else 0


def _measured(
    place: Ground, records: Records, rounds: int, absent: Sequence[str]
) -> tuple[list[Line], list[str]]:
    """Run every row of grep in one session, between the rows of its index and of its memory."""
    csearch_bytes = None if "csearch" in absent else rivals.indexed(place)
    build = indexing.build(place, records, min(rounds, 3))
    with wire.served(place) as ctxls:
        index = wire.index_ready(ctxls)
        rest = ctxls.memory("VmRSS")
        grep = Grepping(ctxls, place, records, rounds, absent)
        lines = grep.lines()
        peak = ctxls.memory("VmHWM")
    bare = bare_memory(place)
    lines += [*indexing.size(index["bytes"], records, csearch_bytes), build]
    lines += indexing.changes(place, records)
    for name, held in (("at rest", rest), ("at its peak", peak)):
        theirs = "a bare pygls server", f"{bare:.0f} MB", held / bare
        lines.append(Line(f"memory, {name}", f"{held:.0f} MB", *theirs))
    return lines, grep.wrong


def _ground(args: argparse.Namespace) -> Ground:
    if args.corpus is not None:
        if not args.corpus.exists():
            raise SystemExit(f"{args.corpus} does not exist; name a folder or a .tar.gz.")
        return ground.given(args.cache, args.corpus)
    return ground.made(args.cache, SMALL_SIZE if args.small else corpus.FULL_SIZE)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a folder of Markdown, or a .tar.gz of one")
    parser.add_argument("--small", action="store_true", help="a tiny corpus, for correctness alone")
    parser.add_argument("--full", action="store_true", help="with the growth to 100,000 records")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    parser.add_argument("--profile", metavar="ROW", help="a part of a row's name: where time goes")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="turns of each row, at most")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where the corpus is kept")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
