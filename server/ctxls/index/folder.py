"""The folder of one store's segments: files written whole, read by many, written by one.

A file is written under another name and renamed, so that a crash leaves the old files or one that
its checksum shows to be bad. Files are mapped and never changed; one that is deleted stays mapped
for those who use it.
"""

import fcntl
import logging
import mmap
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import time_ns
from typing import Final

from ctxls.index.segment import BadSegmentError, Segment, decoded, encoded

SUFFIX: Final = ".columns"
UNFINISHED: Final = ".part"
LOCK: Final = "lock"
_log: Final = logging.getLogger(__name__)


class SegmentFolder:
    """Segments by the names of their files. OSError says that the folder cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self) -> frozenset[str]:
        """Return the names of the segments that are there; none where there is no folder."""
        try:
            return frozenset(name for name in os.listdir(self._path) if name.endswith(SUFFIX))  # noqa: PTH208 - names are all that is wanted
        except FileNotFoundError:
            return frozenset()

    def load(self, known: Mapping[str, Segment]) -> dict[str, Segment]:
        """Return all segments that are there, opening those that are not yet known.

        One that is not whole is left out, with a line in the log.
        """
        found: dict[str, Segment] = {}
        for name in sorted(self.names()):
            segment = known.get(name) or self._opened(name)
            if segment is not None:
                found[name] = segment
        return found

    def save(self, segment: Segment) -> tuple[str, Segment]:
        """Write a segment, and return its name and what is mapped of its file."""
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"{time_ns():020d}{SUFFIX}"
        with NamedTemporaryFile(dir=self._path, suffix=UNFINISHED, delete=False) as file:
            try:
                file.writelines(encoded(segment))
                file.flush()
                os.replace(file.name, self._path / name)  # noqa: PTH105 - both are names, not paths
            except OSError:
                Path(file.name).unlink(missing_ok=True)
                raise
        return name, self._opened(name) or segment

    def drop(self, name: str) -> None:
        """Delete a segment's file."""
        (self._path / name).unlink(missing_ok=True)

    def tidy(self, known: Collection[str]) -> None:
        """Delete what a writer left unfinished, and each file that is no whole segment."""
        for path in self._path.glob(f"*{UNFINISHED}"):
            path.unlink(missing_ok=True)
        for name in self.names().difference(known):
            if self._opened(name) is None:
                self.drop(name)

    @contextmanager
    def writing(self) -> Iterator[bool]:
        """Be the one writer while this lasts; false where another process is.

        The lock ends with the process that holds it, however that ends.
        """
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self._path / LOCK).open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def _opened(self, name: str) -> Segment | None:
        try:
            with (self._path / name).open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return decoded(memoryview(data))
        except FileNotFoundError:
            return None  # another process has merged it meanwhile
        except (OSError, ValueError, BadSegmentError):  # ValueError: an empty file maps nothing
            _log.warning("A file of the search index was not whole and is left out: %s", name)
            return None
