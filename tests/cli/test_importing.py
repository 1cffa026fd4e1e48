"""`ctxls import`: what it reports, and how it ends."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from commands import Ctxls, write

from ctxls.settings import default_store

NOBODY: Final = 65534


def records(ctxls: Ctxls) -> list[tuple[str, str, str]]:
    items = json.loads(ctxls("list", "--json").out)["items"]
    return [(item["threadId"], item["source"], item["title"]) for item in items]


def test_a_store_is_made_for_this_user_alone(ctxls: Ctxls, notes: Path) -> None:
    assert notes.exists()
    assert default_store().stat().st_mode & 0o777 == 0o600
    assert len(records(ctxls)) == 2


def test_the_report_counts_what_is_new_changed_and_known(ctxls: Ctxls, notes: Path) -> None:
    again = ctxls("import", notes)
    assert (again.code, again.lines) == (0, ["2 records stored before, and unchanged."])
    write(notes, "loose.md", "another text\n")
    write(notes, "new/x.md", "# X\n")
    changed = ctxls("import", notes)
    assert changed.code == 0
    assert changed.lines == [
        f"Stored 2 records in 2 threads of {default_store()}.",
        "1 file stored before with another text, which stays.",
        "1 record stored before, and unchanged.",
    ]


def test_what_is_refused_is_listed_with_why_and_ends_with_1(ctxls: Ctxls, tmp_path: Path) -> None:
    write(tmp_path, "n/good.md", "# Good\n")
    bad = write(tmp_path, "n/bad\x1b.md", b"\xff")
    found = ctxls("import", tmp_path / "n", tmp_path / "gone")
    assert found.code == 1
    assert found.lines == [f"Stored 1 record in 1 thread of {default_store()}."]
    assert found.err.splitlines() == [
        "ctxls: Refused 2:",
        f"  {str(bad).replace(chr(27), chr(92) + 'x1b')}: it is not UTF-8 at byte 0.",
        f"  {tmp_path / 'gone'}: no such file or directory.",
    ]


def test_nothing_to_import_makes_no_store(ctxls: Ctxls, tmp_path: Path) -> None:
    (tmp_path / "n").mkdir()
    found = ctxls("import", tmp_path / "n")
    assert (found.code, found.lines) == (0, ["Nothing was stored."])
    assert not default_store().exists()


def test_source_and_thread_are_what_the_caller_says(ctxls: Ctxls, tmp_path: Path) -> None:
    write(tmp_path, "n/a.md", "# A\n")
    write(tmp_path, "n/b.md", "---\nsource: user\nthread: own\n---\n# B\n")
    lines = write(tmp_path, "c.jsonl", '{"text": "# C"}\n')
    found = ctxls("import", "--source", "agent", "--thread", "inbox", tmp_path / "n", lines)
    assert found.code == 0
    assert records(ctxls) == [
        ("inbox", "agent", "C"),
        ("own", "user", "B"),
        ("inbox", "agent", "A"),
    ]


def test_texts_are_bounded_by_the_setting(
    ctxls: Ctxls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXLS_MAX_RECORD_BYTES", "10")
    write(tmp_path, "n/a.md", "x" * 10)
    write(tmp_path, "n/b.md", "x" * 11)
    found = ctxls("import", tmp_path / "n")
    assert found.code == 1
    assert "b.md: it is larger than the 10 bytes that can be stored." in found.err


def test_what_may_not_be_read_is_refused_and_the_rest_is_stored(
    ctxls: Ctxls, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TemporaryDirectory() as folder, another_user(Path(folder)):
        monkeypatch.setenv("HOME", folder)
        locked = [write(Path(folder), name, "x") for name in ("a.md", "d/b.md")]
        write(Path(folder), "z.md", "# Z\n")
        locked[0].chmod(0)
        locked[1].parent.chmod(0)
        found = ctxls("import", folder, "--store", Path(folder, "s.db"))
        locked[1].parent.chmod(0o700)
    assert found.code == 1
    assert "a.md: permission denied." in found.err
    assert "d: permission denied." in found.err
    assert found.lines[0].startswith("Stored 1 record ")


@contextmanager
def another_user(folder: Path) -> Iterator[None]:
    """Give a folder to an ordinary user and act as that one, where the tests run as root."""
    if os.geteuid():
        yield
        return
    os.chown(folder, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
