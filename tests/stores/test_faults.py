"""What SQLite says, told as one sentence without its words."""

import sqlite3

import pytest

from ctxls.errors import (
    CtxlsError,
    InvalidParamsError,
    ReadOnlyError,
    StoreBusyError,
    StoreDamagedError,
    StoreUnavailableError,
)
from ctxls.stores.sqlite.faults import faults_told

TOLD: list[tuple[int, type[CtxlsError]]] = [
    (sqlite3.SQLITE_BUSY, StoreBusyError),
    (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreBusyError),
    (sqlite3.SQLITE_BUSY_RECOVERY, StoreBusyError),
    (sqlite3.SQLITE_LOCKED_SHAREDCACHE, StoreBusyError),
    (sqlite3.SQLITE_PROTOCOL, StoreBusyError),
    (sqlite3.SQLITE_CORRUPT, StoreDamagedError),
    (sqlite3.SQLITE_CORRUPT_INDEX, StoreDamagedError),
    (sqlite3.SQLITE_NOTADB, StoreDamagedError),
    (sqlite3.SQLITE_CANTOPEN_ISDIR, StoreUnavailableError),
    (sqlite3.SQLITE_PERM, StoreUnavailableError),
    (sqlite3.SQLITE_FULL, StoreUnavailableError),
    (sqlite3.SQLITE_IOERR_READ, StoreUnavailableError),
    (sqlite3.SQLITE_IOERR_SHORT_READ, StoreUnavailableError),
    (sqlite3.SQLITE_READONLY, ReadOnlyError),
    (sqlite3.SQLITE_READONLY_DBMOVED, ReadOnlyError),
    (sqlite3.SQLITE_READONLY_ROLLBACK, StoreUnavailableError),
    (sqlite3.SQLITE_READONLY_CANTINIT, StoreUnavailableError),
    (sqlite3.SQLITE_SCHEMA, StoreUnavailableError),
    (sqlite3.SQLITE_TOOBIG, InvalidParamsError),
]
WORDS = "near /home/anna/store.db: SELECT"


@pytest.mark.parametrize(("code", "kind"), TOLD)
def test_a_fault_of_sqlite_is_one_sentence(code: int, kind: type[CtxlsError]) -> None:
    with pytest.raises(kind) as told, faults_told():
        raise _fault(code, WORDS)
    assert type(told.value) is kind
    assert told.value.message.endswith(".")
    assert told.value.message.startswith(("The ", "Another program "))
    assert not set(WORDS.split()) & set(told.value.message.split())


@pytest.mark.parametrize("said", ["no such table: tags", "no such column: e.version"])
def test_a_table_that_went_away_is_a_changed_layout(said: str) -> None:
    with pytest.raises(StoreUnavailableError, match="layout was changed"), faults_told():
        raise _fault(sqlite3.SQLITE_ERROR, said)


@pytest.mark.parametrize("said", ["near 'SELCT': syntax error", ""])
def test_a_mistake_of_ours_is_not_dressed_up(said: str) -> None:
    with pytest.raises(sqlite3.OperationalError), faults_told():
        raise _fault(sqlite3.SQLITE_ERROR, said)


def _fault(code: int, said: str) -> sqlite3.OperationalError:
    fault = sqlite3.OperationalError(said)
    fault.sqlite_errorcode = code
    return fault
