"""docs/performance.md: the table, the machine, and what each row asks, in plain words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.table import Line, markdown

HEAD: Final = """# Performance

How quick ctxls is beside other tools that search or outline the same text. `make bench WRITE=1`
measures this again and writes this page. Read the ratios: the milliseconds are this machine's.
"""
READING: Final = """## How to read it

Every row is measured through the protocol: a request of JSON-RPC goes to a real `ctxls serve` over
its pipes, and the clock stops with the last byte of the answer. The server is warm and its index is
ready. The other tools run as whole processes whose output is read to its end, on the same records
as files, with the system's file cache warm. Everybody takes turns, and a time is the median of its
turns. In the rows of grep, the **ratio** is how many times as long the other tool takes: more is
better. In the rows below them it is how many times as much ctxls takes: less is better, but for a
speed, and for the size of csearch's index. **Aim** is what the project set out to hold, and the
last column says whether it does.

Before a row is timed, ctxls's answer is compared with ripgrep's, line by line. A difference ends
the benchmark with an error. Where csearch finds another number of lines, its name says so.

## What the rows ask

- **no match, in N records**: a literal, of which so many records hold one, with every matching
  line, its number and its place in the record. Letters' case does not count, unless the row says
  so. Most searches for a name are like these, and the index leaves few texts to read for them.
- **in 1 record, of common letters**: a rare word whose letters, by threes, are common, so that the
  index leaves more texts to read than for most.
- **regex**: a regular expression. One that has a literal in it profits from the index; one of
  classes alone has to read every text.
- **first 1,000**: a word that stands in many thousands of lines. ctxls answers with the newest
  1,000 matches. ripgrep finds all of them, or is stopped by `head` after as many.
- **two common letters, one and two characters**: too short for the index.
- **100,000 records** (`FULL=1`): the same search, and the memory, beside 10,000 records.
- **index**: its size on disk, how fast it is made from nothing (`ctxls index --rebuild`), and how
  long it takes to notice and take in records that another program has changed.
- **documentSymbol, navigate, readRange**: an editor's outline, the outline with node ids, and 200
  characters near the end of a record. *Warm* is against a server of the same kind that has exactly
  those bytes ready and does nothing but send them. *Cold* is a record that was never asked for,
  against parsing its whole text with markdown-it-py.
- **memory**: what the server holds with its index ready and at its peak over all rows of grep,
  beside a pygls server that does nothing.

## How to run it

```console
$ make bench
$ make bench CORPUS=notes
$ make bench FULL=1
$ make bench SMALL=1
$ make bench PROFILE=vector
```

`CORPUS` is a folder of your own Markdown, or a `.tar.gz` of one. `FULL=1` adds the growth from
10,000 to 100,000 records, `SMALL=1` is correctness alone, in seconds, and `PROFILE` shows where the
time goes of the first row with that in its name.

It makes its corpus from a seed, the same everywhere, and keeps it in `.cache/bench`: Markdown of a
made language that is as rich in sequences of three letters as real Markdown is, with terms planted
in known numbers of records. ripgrep and codesearch are Debian's packages; root gets them installed,
anybody else is told how.
"""


def write(
    path: Path, corpus: str, machine: Sequence[str], lines: Sequence[Line], rounds: int
) -> None:
    """Write the page."""
    measured = [f"{corpus}; medians of up to {rounds} turns.", *machine]
    parts = [HEAD, *(f"- {line}" for line in measured), "", *markdown(lines), "", READING]
    path.write_text("\n".join(parts), encoding="utf-8")
