"""The index never changes an answer: ready, off, cold, half built, stale or damaged."""

import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from hostile import WORDS, random_pattern, random_text
from making import index_of

from ctxls.index import follower
from ctxls.index.follower import SignatureIndex
from ctxls.queries.grep import MODES, GrepRequest, grep
from ctxls.queries.library import Library
from ctxls.queries.symbols import workspace_symbols
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord
from ctxls.stores.sqlite import SqliteStore
from ctxls.text.matcher import find_bytes
from ctxls.text.pattern import Pattern

PATTERNS = 120
RECORDS = 40


@dataclass(slots=True)
class Shelves:
    """One store, and libraries over it whose indexes are in different states."""

    path: Path
    store: SqliteStore
    off: Library
    indexed: Sequence[Library]


class InterruptedBuildError(Exception):
    pass


def untold(_done: int, _total: int) -> None:
    pass


def interrupt(done: int, total: int) -> None:
    if done > total // 2:
        raise InterruptedBuildError


def records(random: Random, number: int) -> list[NewRecord]:
    return [
        NewRecord(
            random.choice(["one", "two"]),
            "agent",
            random_text(random).replace("\0", "") * random.choice([1, 1, 1, 1, 1, 1, 10, 100]),
            metadata={"title": random.choice(WORDS)} if random.random() < 0.3 else {},
        )
        for _ in range(number)
    ]


@pytest.fixture
async def shelves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shelves]:
    path = tmp_path / "records.db"
    store = SqliteStore(path, create=True, busy_timeout_s=5, longest_text=64 << 20)
    try:
        yield await filled(path, store, monkeypatch)
    finally:
        await store.close()


async def filled(path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> Shelves:
    random = Random(7)
    added = await store.add(records(random, RECORDS), OWNER)
    states = {name: path.with_name(name) for name in ("cold", "half", "stale", "damaged", "ready")}
    indexes = {name: index_of(store, folder) for name, folder in states.items()}
    await indexes["stale"].catch_up(untold)
    await indexes["damaged"].catch_up(untold)
    damage(states["damaged"].with_suffix(".index"))
    indexes["damaged"] = index_of(store, states["damaged"])
    change(path, [record.id for record in added], random)
    await store.add(records(random, 5), OWNER)
    with monkeypatch.context() as patched:
        patched.setattr(follower, "MOST_COLUMNS", 1)
        patched.setattr(follower, "HELD_BYTES", 1)
        with pytest.raises(InterruptedBuildError):
            await indexes["half"].catch_up(interrupt)
    await indexes["ready"].catch_up(untold)
    libraries = [await library_with(store, index) for index in indexes.values()]
    return Shelves(path, store, Library(store), libraries)


async def library_with(store: SqliteStore, index: SignatureIndex) -> Library:
    library = Library(store, make_index=lambda: index)
    await library.start_index()
    return library


def damage(folder: Path) -> None:
    for file in folder.glob("*.columns"):
        file.write_bytes(file.read_bytes()[:-7])


def change(path: Path, ids: Sequence[str], random: Random) -> None:
    """Change and remove records behind everybody's back."""
    with closing(sqlite3.connect(path)) as database, database:
        for record_id in random.sample(list(ids), 10):
            database.execute(
                "UPDATE context_entries SET text_content = ?, version = 9 WHERE id = ?",
                (random_text(random), record_id),
            )
        database.execute("DELETE FROM context_entries WHERE id IN (?, ?)", ids[:2])


def counted(texts: Mapping[str, bytes], pattern: Pattern) -> dict[str, int]:
    """Count the matches in every record by matching alone."""
    counts = {
        record_id: sum(1 for _ in find_bytes(pattern, data, lambda: 0.0))
        for record_id, data in texts.items()
    }
    return {record_id: count for record_id, count in counts.items() if count}


async def test_random_patterns_match_what_they_match_in_each_record(shelves: Shelves) -> None:
    random = Random(11)
    ids = await shelves.store.select(Filter(), OWNER)
    batches = [batch async for batch in shelves.store.texts(ids, OWNER, 1 << 30)]
    texts = {stored.id: stored.data for batch in batches for stored in batch}
    for _ in range(PATTERNS):
        pattern = random_pattern(random)
        spelled = (pattern.source, pattern.is_regex, pattern.case_sensitive)
        expected = counted(texts, pattern)
        for library in shelves.indexed:
            answer = await grep(library, GrepRequest(*spelled, max_matches=1000), OWNER)
            found = {one.place.record_id: one.count for one in answer.records}
            assert (found, answer.scanned) == (expected, len(ids)), pattern


async def test_answers_are_the_same_to_the_last_field(shelves: Shelves) -> None:
    random = Random(12)
    for _ in range(PATTERNS // 2):
        pattern = random_pattern(random)
        request = GrepRequest(
            pattern.source,
            pattern.is_regex,
            pattern.case_sensitive,
            mode=random.choice(MODES),
            context_lines=random.choice([0, 1, 3]),
            max_matches=random.choice([1, 5, 1000]),
            max_entries=random.choice([None, None, 20]),
            scope=random.choice([Filter(), Filter(thread="one")]),
        )
        expected = await grep(shelves.off, request, OWNER)
        for library in shelves.indexed:
            assert await grep(library, request, OWNER) == expected, pattern


@pytest.mark.parametrize("query", [*WORDS, "/k+s/", "/^.a/", "thread:one kasse", "zzz", "a"])
async def test_symbols_are_found_alike(shelves: Shelves, query: str) -> None:
    expected = await workspace_symbols(shelves.off, query, OWNER)
    for library in shelves.indexed:
        assert await workspace_symbols(library, query, OWNER) == expected
