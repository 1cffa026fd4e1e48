"""The search index: its size, how fast it is built, and what a changed record costs."""

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Final

from bench.ground import Ground, Records
from bench.table import Aim, Line, milliseconds

from ctxls import wiring
from ctxls.index.candidates import CandidateIndex
from ctxls.settings import Settings

MEGABYTE: Final = 1e6
AT_ONCE: Final = 200
ALONE: Final = 9
TOUCH: Final = """UPDATE context_entries SET text_content = text_content || ' once more',
    content_hash = content_hash || '+', version = version + 1 WHERE id = ?"""


def build(ground: Ground, records: Records, rounds: int) -> Line:
    """Make the index anew with the command; what it takes to do nothing is taken off."""
    whole = [_taken(ground, "--rebuild") for _ in range(rounds)]
    nothing = [_taken(ground) for _ in range(rounds)]
    seconds = max(median(whole) - median(nothing), 1e-6)
    speed = records.size / MEGABYTE / seconds
    took = milliseconds(seconds)
    return Line("index, built anew", took, "the text", "", speed, Aim(100, unit=" MB/s"))


def size(index_bytes: int, records: Records, csearch_bytes: int | None) -> list[Line]:
    """Compare the index with the text, and with csearch's."""
    work, ours = "index, its size", _megabytes(index_bytes)
    percent = 100 * index_bytes / records.size
    aim = Aim(15, "at most", " %")
    lines = [Line(work, ours, "the text", _megabytes(records.size), percent, aim)]
    if csearch_bytes is not None and index_bytes:
        ratio = csearch_bytes / index_bytes
        theirs = _megabytes(csearch_bytes)
        lines.append(Line(work, ours, "csearch's index", theirs, ratio, Aim(1, "over")))
    return lines


def changes(ground: Ground, records: Records) -> list[Line]:
    """Change records of a copy of the store as another program would, and catch up."""
    folder = ground.folder / "changing"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    store = folder / "store.db"
    shutil.copy(ground.store, store)
    at_once = records.ids[:AT_ONCE]
    try:
        many, alone = asyncio.run(_caught_up(store, at_once))
    finally:
        shutil.rmtree(folder)
    aim, each, count = Aim(1, "at most", " ms"), 1000 * many / len(at_once), len(at_once)
    return [
        Line(f"index, {count} changed records", milliseconds(many), "each of them", "", each, aim),
        Line("index, 1 changed record", milliseconds(alone), "by itself", "", 1000 * alone, aim),
    ]


async def _caught_up(store: Path, at_once: Sequence[str]) -> tuple[float, float]:
    """Return the seconds after many changes at once, and after one."""
    flags = {"CTXLS_STORE": str(store), "CTXLS_INDEX_DIR": str(store.parent / "index")}
    library = wiring.library(Settings.load(flags, {}, store.parent / "ctxls.toml"))
    try:
        index = await library.start_index()
        assert index
        await index.catch_up(_untold)
        many = await _after(index, store, at_once)
        return many, median([await _after(index, store, [one]) for one in at_once[:ALONE]])
    finally:
        await library.close()


async def _after(index: CandidateIndex, store: Path, ids: Sequence[str]) -> float:
    with closing(sqlite3.connect(store)) as other, other:
        other.executemany(TOUCH, [(one,) for one in ids])
    begun = time.perf_counter()
    await index.catch_up(_untold)
    return time.perf_counter() - begun


def _taken(ground: Ground, *words: str) -> float:
    begun = time.perf_counter()
    ran = ground.run("index", *words)
    if ran.returncode != 0:
        raise SystemExit(f"`ctxls index` failed on {ground.store}: {ran.stderr.decode()}")
    return time.perf_counter() - begun


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.1f} MB"


def _untold(_done: int, _total: int) -> None:
    """Report to nobody."""
