"""Stores over files of the test's own, closed at its end."""

import hashlib
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ctxls.records.access import OWNER, Caller
from ctxls.records.filters import Filter
from ctxls.records.record import RecordId
from ctxls.records.store import RecordStore
from ctxls.stores.sqlite import SqliteStore

DATA = Path(__file__).parents[1] / "data"
LONGEST_TEXT = 1 << 20

OpenStore = Callable[..., SqliteStore]
Ask = Callable[[RecordStore, Caller], Awaitable[Any]]


@pytest.fixture
async def open_store() -> AsyncIterator[OpenStore]:
    """Open a SQLite store: `open_store(path, create=True, busy_timeout_s=0.1)`."""
    opened: list[SqliteStore] = []

    def open_at(path: Path, *, create: bool = False, busy_timeout_s: float = 5.0) -> SqliteStore:
        opened.append(
            SqliteStore(
                path, create=create, busy_timeout_s=busy_timeout_s, longest_text=LONGEST_TEXT
            )
        )
        return opened[-1]

    yield open_at
    for store in opened:
        await store.close()


@pytest.fixture(params=["sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path, open_store: OpenStore) -> RecordStore:
    """Make an empty store of ours in each database."""
    stores: dict[str, Callable[[], RecordStore]] = {
        "sqlite": lambda: open_store(tmp_path / "ctxls.db", create=True)
    }
    return stores[request.param]()


@pytest.fixture
def peer(tmp_path: Path) -> Path:
    """Copy the peer's development database."""
    return Path(shutil.copy(DATA / "peer-small.db", tmp_path / "peer.db"))


@pytest.fixture
def released_peer(tmp_path: Path) -> Path:
    """Copy the peer's database of its released layout."""
    return Path(shutil.copy(DATA / "peer-small-2.x.db", tmp_path / "peer-2.x.db"))


@pytest.fixture
def sql() -> Callable[..., list[Any]]:
    """Run SQL on a file as another program: `sql(path, "INSERT ...", values, "DELETE ...")`."""

    def run(path: Path, *statements: str | tuple[Any, ...]) -> list[Any]:
        found: list[Any] = []
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for statement in statements:
                text, values = (
                    (statement, ())
                    if isinstance(statement, str)
                    else (
                        statement[0],
                        statement[1:],
                    )
                )
                found = connection.execute(text, values).fetchall()
        return found

    return run


@pytest.fixture
def untouched() -> Iterator[Callable[[Path], None]]:
    """Watch files: at the test's end their bytes must be those of now."""
    watched: dict[Path, str] = {}

    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    yield lambda path: watched.update({path: digest(path)})
    assert watched == {path: digest(path) for path in watched}


def _first(store: RecordStore, caller: Caller) -> Awaitable[RecordId]:
    async def found() -> RecordId:
        return (await store.select(Filter(), caller))[0]

    return found()


async def _fetch(store: RecordStore, caller: Caller) -> Any:
    return await store.fetch(await _first(store, caller), caller)


async def _candidates(store: RecordStore, caller: Caller) -> Any:
    return await store.candidates((await _first(store, caller))[:8], caller, 10)


async def _texts(store: RecordStore, caller: Caller) -> Any:
    ids = await store.select(Filter(), caller)
    return [text async for batch in store.texts(ids, caller, 1 << 16) for text in batch]


READS: dict[str, Ask] = {
    "describe": lambda store, _: store.describe(),
    "count": lambda store, caller: store.count(caller),
    "fetch": _fetch,
    "candidates": _candidates,
    "select": lambda store, caller: store.select(Filter(), caller),
    "texts": _texts,
    "records": lambda store, caller: store.records(Filter(), caller, 1000, None),
    "threads": lambda store, caller: store.threads(Filter(), caller, 1000, None),
    "tags": lambda store, caller: store.tags(Filter(), caller, 1000, None),
}


@pytest.fixture(params=list(READS))
def read(request: pytest.FixtureRequest) -> Callable[[RecordStore], Awaitable[Any]]:
    """Call each reading method of the port, over all that the store's owner sees."""
    return lambda store: READS[request.param](store, OWNER)


@pytest.fixture
def reads() -> dict[str, Ask]:
    """All reading methods of the port by name."""
    return READS
