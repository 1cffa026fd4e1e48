"""The command line, run in this process as a user would type it, in a home of its own."""

import os
import pty
import select
import sys
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Ctxls, Typed, write

from ctxls.cli.program import run


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the user's own store, settings and log out of it, and theirs out of ours."""
    for name in list(os.environ):
        if name.startswith(("XDG_", "CTXLS_", "GREP_", "ENABLE_")):
            monkeypatch.delenv(name)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def ctxls(capsysbinary: pytest.CaptureFixture[bytes]) -> Ctxls:
    def typed(*words: Any) -> Typed:
        capsysbinary.readouterr()
        code = run(list(map(str, words)))
        found = capsysbinary.readouterr()
        return Typed(code, found.out, found.err.decode())

    return typed


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Run a command whose output is a terminal, and return what was sent to the terminal."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    ends: list[int] = []

    def typed(*words: Any, stream: str = "stdout") -> str:
        reader, screen = pty.openpty()
        ends.append(reader)
        tty.setraw(screen)
        with open(screen, "w", encoding="utf-8") as written:  # noqa: PTH123 - it has no path
            with monkeypatch.context() as patch:
                patch.setattr(sys, stream, written)
                run(list(map(str, words)))
            written.flush()
            return os.read(reader, 1 << 16).decode() if _has_more(reader) else ""

    yield typed
    for reader in ends:
        os.close(reader)


def _has_more(reader: int) -> bool:
    return bool(select.select([reader], [], [], 0)[0])


@pytest.fixture
def notes(tmp_path: Path, ctxls: Ctxls) -> Path:
    """Import two threads of notes into the default store, and return their folder."""
    folder = tmp_path / "notes"
    write(folder, "deploy/plan.md", "---\ntags: [db]\n---\n# Plan 🧭\n\n## Steps\n\ngo, Go\nstop\n")
    write(folder, "loose.md", "no heading\r\nhere\r\n")
    assert ctxls("import", folder).code == 0
    return folder
