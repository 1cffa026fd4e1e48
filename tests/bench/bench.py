"""Grep through ctxls beside a plain scan with Python's `re`, in one run: ratios, not seconds.

The corpus is made from a seed: 2,000 records of about 4 KB. The plain scan has every text in memory
already; ctxls reads them from SQLite, decides each line for itself and says which records match.
Both must find the same number of matches, or the run fails.
"""

import asyncio
import random
import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

from ctxls.queries.grep import GrepRequest, grep
from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.records.access import OWNER
from ctxls.records.record import NewRecord
from ctxls.stores.sqlite.store import SqliteStore

RECORDS: Final = 2_000
RUNS: Final = 7
SYLLABLES: Final = ("ka", "mo", "ri", "ten", "sol", "vik", "bar", "nu", "lo", "esh", "dra", "pi")


class Query(NamedTuple):
    """What is looked for, and what it is an example of."""

    name: str
    pattern: str
    is_regex: bool = False


QUERIES: Final = (
    Query("no match", "zzyzx"),
    Query("in 5 records", "quokka"),
    Query("in 200 records", "wombat"),
    Query("a common word", "heading"),
    Query("two characters", "ka"),
    Query("regex with a literal", r"quokka\s+\d+", is_regex=True),
    Query("regex without one", r"[a-z]{4}\d{3}", is_regex=True),
)


def corpus() -> list[str]:
    """Make the texts: headings, paragraphs, and the words that the queries look for."""
    rng = random.Random(20261130)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(3_000)]
    return [_text(rng, words, number) for number in range(RECORDS)]


def _text(rng: random.Random, words: list[str], number: int) -> str:
    lines = [f"# Heading {number}"]
    for part in range(8):
        lines.append(f"## Part {part}")
        lines += [" ".join(rng.choices(words, k=10)) for _ in range(6)]
    if number % (RECORDS // 5) == 0:
        lines.append(f"the quokka {number} was here")
    if number % (RECORDS // 200) == 0:
        lines.append("a wombat sleeps")
    return "\n".join(lines) + "\n"


def plain_scan(texts: list[str], query: Query) -> int:
    """Count the matches as a loop over `re` does."""
    pattern = query.pattern if query.is_regex else re.escape(query.pattern)
    compiled = re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.ASCII)
    return sum(1 for text in texts for _ in compiled.finditer(text))


async def compare(library: Library, texts: list[str], query: Query) -> tuple[int, float, float]:
    """Run a query both ways, taking turns; return its matches and both medians, milliseconds."""
    request = GrepRequest(query.pattern, is_regex=query.is_regex, mode="count", max_matches=RECORDS)
    ours, plain = [], []
    for _ in range(RUNS):
        start = time.perf_counter()
        found = (await grep(library, request, OWNER)).total_matches
        between = time.perf_counter()
        expected = plain_scan(texts, query)
        plain.append(1000 * (time.perf_counter() - between))
        ours.append(1000 * (between - start))
        if found != expected:
            raise SystemExit(f"{query.name}: ctxls found {found} matches, `re` {expected}.")
    return found, statistics.median(ours), statistics.median(plain)


async def main() -> None:
    """Build the store, compare, print."""
    texts = corpus()
    size = sum(len(text) for text in texts) / 1e6
    table = Table(title=f"grep over {RECORDS:,} records, {size:.1f} MB; median of {RUNS}")
    for heading in ("query", "matches", "ctxls ms", "re ms", "re ÷ ctxls"):
        table.add_column(heading, justify="left" if heading == "query" else "right")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        store = SqliteStore(path, create=True, busy_timeout_s=5.0, longest_text=1 << 20)
        library = Library(store, limits=Limits(most_matches=RECORDS))
        await store.add([NewRecord("bench", "agent", text) for text in texts], OWNER)
        for query in QUERIES:
            found, ours, plain = await compare(library, texts, query)
            row = (f"{found:,}", f"{ours:.1f}", f"{plain:.1f}", f"{plain / ours:.1f}×")
            table.add_row(query.name, *row)
        await library.close()
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
