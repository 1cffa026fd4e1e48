"""Looking for damage that no request has met yet. It reads the whole file and writes nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ctxls.stores.sqlite.faults import faults_told
from ctxls.stores.sqlite.file import StoreFile
from ctxls.stores.sqlite.opening import Opening

QUICK_CHECK: Final = "PRAGMA quick_check(10)"
SOUND: Final = "ok"
HEADING: Final = "*** in database"


async def damage(path: Path, busy_timeout_s: float) -> Sequence[str]:
    """Return what SQLite finds wrong with the store, in its own words; nothing where it is sound.

    Raises what opening the store raises.
    """
    opening = Opening(StoreFile(path), busy_timeout_s, create=False)
    try:
        opened = await opening.store()
        with faults_told():
            rows = await opened.reader.execute_fetchall(QUICK_CHECK)
    finally:
        await opening.close()
    found = [line for row in rows for line in str(row[0]).splitlines()]
    return [line for line in found if line != SOUND and not line.startswith(HEADING)]
