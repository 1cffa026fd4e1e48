"""A store's file, before SQLite opens it: what it is, and what this user may do with it."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ctxls.errors import StoreUnavailableError

MAGIC: Final = b"SQLite format 3\0"
SIDES: Final = ("-wal", "-journal")


@dataclass(frozen=True, slots=True)
class StoreFile:
    """The path of a store. No message ever shows it."""

    path: Path

    def is_missing(self) -> bool:
        """Whether there is nothing at the path."""
        return not os.path.lexists(self.path)

    def examine(self) -> None:
        """Raise StoreUnavailableError that says what the file is, unless it is a database."""
        try:
            self._refuse_odd(self.path.stat())
            with self.path.open("rb") as file:
                head = file.read(len(MAGIC))
        except FileNotFoundError:
            raise StoreUnavailableError(
                "The store does not exist; make it with `ctxls import`, or name one that does."
            ) from None
        except OSError as error:
            raise StoreUnavailableError(
                f"The store cannot be opened by this user: {error.strerror}."
            ) from None
        if head != MAGIC:
            kind = "a text file" if _is_text(head) else "another kind of file"
            raise StoreUnavailableError(
                f"The store is not a SQLite database but {kind}; name a database."
            )

    def uri(self, options: str) -> str:
        """Spell the path for SQLite, which reads `options` after it, for example `mode=ro`."""
        return f"{self.path.as_uri()}?{options}"

    def identity(self, *, unchanged: bool) -> tuple[int, ...] | None:
        """Return what tells this file from another that took its place; None when it is gone.

        With `unchanged`, also what tells it from itself after a write.
        """
        try:
            found = self.path.stat()
        except OSError:
            return None
        same = (found.st_dev, found.st_ino)
        return (*same, found.st_mtime_ns, found.st_size) if unchanged else same

    def folder_is_writable(self) -> bool:
        """Whether SQLite may make files beside the store."""
        return os.access(self._real.parent, os.W_OK)

    def is_writable(self) -> bool:
        """Whether this user may write the store: the file, and files beside it."""
        return os.access(self.path, os.W_OK) and self.folder_is_writable()

    def has_unmerged_changes(self) -> bool:
        """Whether a file beside the store holds changes without which it is not whole."""
        real = self._real
        beside = (real.with_name(real.name + side) for side in SIDES)
        return any(side.exists() and side.stat().st_size for side in beside)

    @property
    def _real(self) -> Path:
        """Where the file is: SQLite puts its files there, not beside a link."""
        return Path(os.path.realpath(self.path))

    def _refuse_odd(self, found: os.stat_result) -> None:
        if stat.S_ISDIR(found.st_mode):
            raise StoreUnavailableError("The store is a folder; name a database file.")
        if not stat.S_ISREG(found.st_mode):
            raise StoreUnavailableError("The store is not a regular file; name a database file.")
        if not found.st_size:
            raise StoreUnavailableError(
                "The store is an empty file of zero bytes; delete it, or name a database."
            )


def _is_text(head: bytes) -> bool:
    try:
        return "\0" not in head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end == len(head) and b"\0" not in head  # cut inside a character
