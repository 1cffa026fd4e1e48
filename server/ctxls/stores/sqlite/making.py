"""Making a new store, and bringing an older one of ours up to date."""

import errno
import os
from asyncio import to_thread
from pathlib import Path
from secrets import token_hex
from typing import Final

from aiosqlite import Connection

from ctxls.errors import StoreUnavailableError
from ctxls.stores.sqlite.connection import WRITING, connect, transaction
from ctxls.stores.sqlite.faults import faults_told
from ctxls.stores.sqlite.file import StoreFile
from ctxls.stores.sqlite.recognising import our_version
from ctxls.stores.sqlite.schema import MIGRATIONS, SET_VERSION, VERSION_KEY

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
"""What people store is theirs: SQLite gives the files that it makes beside ours the same mode."""


NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.EMLINK)
"""How a file system says that it has no hard links, or has no more of them."""


async def make_store(file: StoreFile, busy_timeout_s: float) -> None:
    """Make an empty store of ours where nothing is.

    It is made under another name and put in place whole, so that no other process ever opens
    half a store; where one was put there meanwhile, that one stays.
    """
    try:
        made = await to_thread(_empty_file, file.path)
        try:
            await bring_up_to_date(StoreFile(made), busy_timeout_s)
            await to_thread(_put_in_place, made, file.path)
        finally:
            await to_thread(made.unlink, missing_ok=True)
    except OSError as error:
        raise StoreUnavailableError(f"The store cannot be made: {error.strerror}.") from None


async def bring_up_to_date(file: StoreFile, busy_timeout_s: float) -> None:
    """Take a store of ours, or a new file, through the migrations that it lacks."""
    with faults_told():
        writer = await connect(file.uri("mode=rw"), busy_timeout_s, WRITING)
        try:
            await _migrate(writer)
        finally:
            await writer.close()


async def _migrate(writer: Connection) -> None:
    async with transaction(writer):
        found = await our_version(writer) or 0
        for migration in MIGRATIONS:
            if migration.number > found:
                for statement in migration.sql:
                    await writer.execute_fetchall(statement)
                version = VERSION_KEY, str(migration.number)
                await writer.execute_fetchall(SET_VERSION, version)


def _empty_file(path: Path) -> Path:
    for folder in reversed(path.parents):
        if not folder.exists():
            folder.mkdir(FOLDER_MODE, exist_ok=True)
    made = path.with_name(f".{path.name}.{token_hex(8)}.new")
    os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    return made


def _put_in_place(made: Path, path: Path) -> None:
    try:
        os.link(made, path)
    except FileExistsError:
        pass
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        _copy_in_place(made, path)


def _copy_in_place(made: Path, path: Path) -> None:
    """Do what a hard link would: put a file where none is, never over another's."""
    try:
        place = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
    except FileExistsError:
        return
    try:
        with os.fdopen(place, "wb") as file:
            file.write(made.read_bytes())
    except OSError:
        path.unlink()
        raise
