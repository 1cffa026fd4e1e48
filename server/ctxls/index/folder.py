"""The folder of one store's segments: files written whole, read by many, written by one.

A file is written under another name and renamed, so that a crash leaves the old files or one that
its checksum shows to be bad. Files are mapped and never changed; one that is deleted stays mapped
for those who use it. Should somebody change one all the same, it is not read any more.
"""

import fcntl
import logging
import mmap
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import time_ns
from typing import Final
from weakref import finalize

from ctxls.index.private import make_file, make_folder
from ctxls.index.segment import BadSegmentError, Segment, decoded, encoded

SUFFIX: Final = ".columns"
UNFINISHED: Final = ".part"
LOCK: Final = "lock"
_log: Final = logging.getLogger(__name__)


class SegmentFolder:
    """Segments by the names of their files. OSError says that the folder cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left_out: set[str] = set()

    def names(self) -> frozenset[str]:
        """Return the names of the segments that are there; none where there is no folder."""
        try:
            return frozenset(name for name in os.listdir(self._path) if name.endswith(SUFFIX))  # noqa: PTH208 - names are all that is wanted
        except FileNotFoundError:
            return frozenset()

    def load(self, known: Mapping[str, Segment]) -> dict[str, Segment]:
        """Return all segments that are there, opening those that are not known as they are now.

        One that is not whole is left out, and the log says so once.
        """
        found: dict[str, Segment] = {}
        for name in sorted(self.names()):
            segment = known.get(name)
            if segment is None or not segment.is_intact():
                segment = self._opened(name)
            if segment is not None:
                found[name] = segment
        return found

    def save(self, segment: Segment) -> tuple[str, Segment]:
        """Write a segment, and return its name and what is mapped of its file."""
        make_folder(self._path)
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
        make_folder(self._path)
        make_file(self._path / LOCK)
        with (self._path / LOCK).open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def _opened(self, name: str) -> Segment | None:
        try:
            return _mapped(self._path / name)
        except FileNotFoundError:
            return None  # another process has merged it meanwhile
        except (OSError, ValueError, BadSegmentError) as error:  # ValueError: it is empty
            if name not in self._left_out:
                self._left_out.add(name)
                why = error.strerror if isinstance(error, OSError) else "it is damaged"
                _log.warning("A file of the search index is left out, to be made anew: %s", why)
            return None


class _Mapped:
    """A file that is mapped, which nobody should change."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDONLY)
        finalize(self, os.close, self._file)
        self._seen = self._look()

    def data(self) -> memoryview:
        return memoryview(mmap.mmap(self._file, 0, access=mmap.ACCESS_READ))

    def is_intact(self) -> bool:
        """Whether the file is as it was: what is cut off of it must not be read."""
        return self._look() == self._seen

    def _look(self) -> tuple[int, int]:
        found = os.fstat(self._file)
        return found.st_size, found.st_mtime_ns


def _mapped(path: Path) -> Segment:
    file = _Mapped(path)
    return replace(decoded(file.data()), is_intact=file.is_intact)
