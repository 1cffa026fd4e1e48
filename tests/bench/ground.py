"""Where a benchmark runs: one set of records as a store and as files, kept between runs."""

import asyncio
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench import corpus
from trial.trial import unpack

import ctxls
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.stores.sqlite import SqliteStore

ROOT: Final = Path(__file__).parents[2]
SERVER: Final = Path(ctxls.__file__).parents[1]
"""The very package that this process imports is served."""
HELD_BYTES: Final = 16 << 20
ARCHIVES: Final = (".tar.gz", ".tgz")


@dataclass(frozen=True)
class Ground:
    """One set of records. The files are written from the store, so both hold the same text."""

    folder: Path
    is_made: bool

    @property
    def store(self) -> Path:
        return self.folder / "store.db"

    @property
    def files(self) -> Path:
        """The records as files, each named by its record's id."""
        return self.folder / "files"

    @property
    def codesearch(self) -> Path:
        return self.folder / "csearchindex"

    @property
    def home(self) -> Path:
        """What a server started here takes for its user's home."""
        return self.folder / "home"

    @property
    def index(self) -> Path:
        return self.home / "index"

    @property
    def environment(self) -> Mapping[str, str]:
        """What a server needs to touch no file of whoever runs this."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        own = {
            "HOME": str(self.home),
            "CTXLS_LOG": str(self.home / "ctxls.log"),
            "CTXLS_INDEX_DIR": str(self.index),
            "PYTHONPATH": str(SERVER),
        }
        return kept | own

    def ctxls(self, *words: str) -> list[str]:
        """Return the command that runs ctxls on the store."""
        python = [sys.executable, "-P", "-m", "ctxls"]
        return [*python, words[0], "--store", str(self.store), *words[1:]]

    def run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        """Run ctxls on the store, quietly, and return what came of it."""
        command = self.ctxls(*words)
        return subprocess.run(command, env=self.environment, capture_output=True, check=False)


@dataclass(frozen=True)
class Records:
    """What the records are: their ids, newest first, and how many bytes of text they hold."""

    ids: tuple[str, ...]
    size: int
    odd: frozenset[str]
    """Records with a lone CR or a NUL, whose lines other tools count otherwise."""


def made(cache: Path, count: int) -> Ground:
    """Return the ground of the made corpus with so many records; it is made if need be."""
    ground = Ground(cache / f"made-{corpus.EDITION}-{count}", is_made=True)

    def source(folder: Path) -> Path:
        corpus.make(folder, count)
        return folder

    return _kept(ground, source)


def given(cache: Path, path: Path) -> Ground:
    """Return the ground of a folder of Markdown, or of a .tar.gz of one."""
    stamp = hashlib.sha256(f"{path.resolve()} {path.stat().st_mtime_ns}".encode()).hexdigest()[:8]
    name = path.resolve().name.partition(".")[0]
    ground = Ground(cache / f"{name}-{stamp}", is_made=False)

    def source(folder: Path) -> Path:
        if not path.name.endswith(ARCHIVES):
            return path
        unpack(path, folder)
        return folder

    return _kept(ground, source)


def written(cache: Path, name: str, texts: Iterable[str]) -> Ground:
    """Return a ground of a few texts, made anew, whose store alone is needed."""
    ground = Ground(cache / name, is_made=True)
    shutil.rmtree(ground.folder, ignore_errors=True)
    source = ground.folder / "source" / "documents"
    source.mkdir(parents=True)
    for number, text in enumerate(texts):
        (source / f"{number:03}.md").write_text(text, encoding="utf-8")
    _import(ground, source)
    return ground


def records(ground: Ground) -> Records:
    """Look the store over, past ctxls's own queries; write the files where they are missing."""
    return asyncio.run(_exported(ground))


def _kept(ground: Ground, source: Callable[[Path], Path]) -> Ground:
    finished = ground.folder / "complete"
    if not finished.exists():
        shutil.rmtree(ground.folder, ignore_errors=True)
        print(f"Making {ground.folder} (once) ...", file=sys.stderr)
        unpacked = ground.folder / "source"
        _import(ground, source(unpacked))
        shutil.rmtree(unpacked, ignore_errors=True)
        records(ground)
        finished.touch()
    return ground


def _import(ground: Ground, source: Path) -> None:
    ground.home.mkdir(parents=True, exist_ok=True)
    command = ground.ctxls("import", str(source))
    # 1: something was refused, which the import lists on standard error.
    if subprocess.run(command, env=ground.environment, check=False).returncode not in {0, 1}:
        raise SystemExit(f"{source} could not be imported.")


async def _exported(ground: Ground) -> Records:
    store = SqliteStore(ground.store, create=False, busy_timeout_s=5.0, longest_text=1 << 30)
    size, odd, is_new = 0, set[str](), not ground.files.exists()
    try:
        ids = await store.select(Filter(), OWNER)
        async with aclosing(store.texts(ids, OWNER, HELD_BYTES)) as batches:
            async for batch in batches:
                for stored in batch:
                    size += len(stored.data)
                    if b"\0" in stored.data or b"\r" in stored.data.replace(b"\r\n", b""):
                        odd.add(stored.id)
                    if is_new:
                        _write(ground.files, stored.id, stored.data)
    finally:
        await store.close()
    return Records(tuple(ids), size, frozenset(odd))


def _write(files: Path, record_id: str, data: bytes) -> None:
    """Write a record's text, into one of 256 folders."""
    path = files / record_id[-2:] / f"{record_id}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
