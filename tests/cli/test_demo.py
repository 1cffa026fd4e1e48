"""`ctxls demo`: the real server, and a page that somebody new can read."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Ctxls
from processes import environment


def demo(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ctxls", "demo", *words],
        env=environment(home, COLUMNS="100"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the demo once, and return its home and its page."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GREP_MAX_MATCHES_CAP", "of whoever runs the tests")  # and is not read
        done = demo(home, "--svg", str(home / "demo.svg"))
    assert (done.returncode, done.stderr) == (0, "")
    return home, done.stdout


@pytest.mark.parametrize(
    "expected",
    [
        "deploy     3 records",
        "時刻表の検索が遅い",
        "rollback-plan-for-release-4-2/steps/1-stop-new-bookings",
        "🧭 Afterwards",
        "deploy/Rollback plan for release 4.2:25:",
        "context://local/deploy/rollback-plan-for-release-4-2.",
        "## When to roll back",
        "context/readRange",
        "vim.lsp.start",
    ],
)
def test_the_page_shows_threads_an_outline_a_match_and_its_section(
    shown: tuple[Path, str], expected: str
) -> None:
    assert expected in shown[1]


def test_the_line_for_an_editor_names_a_store_that_stays(
    shown: tuple[Path, str], ctxls: Ctxls
) -> None:
    (line,) = [row for row in shown[1].splitlines() if " serve --store " in row]
    store = shlex.split(line)[-1]
    assert len(ctxls("--store", store, "list").lines) == 9


def test_the_picture_shows_nobodys_own_folder(shown: tuple[Path, str]) -> None:
    home, _ = shown
    picture = (home / "demo.svg").read_text()
    assert "/home/you/.cache/ctxls/demo.db" in picture
    assert str(home) not in picture
    assert sys.prefix not in picture


def test_the_demo_can_be_shown_again(shown: tuple[Path, str]) -> None:
    home, before = shown
    again = demo(home)
    assert again.returncode == 0
    assert anonymous(again.stdout) == anonymous(before)


def anonymous(page: str) -> str:
    return re.sub(r"[0-9a-f]{32}", "ID", page)


def test_records_of_ones_own_are_left_alone(ctxls: Ctxls, notes: Path, tmp_path: Path) -> None:
    store = tmp_path / "own.db"
    ctxls("import", "--store", store, notes)
    before = store.read_bytes()
    found = ctxls("demo", "--store", store)
    assert found.code == 2
    assert found.err == f"ctxls: {store} exists; the demo makes a store of its own.\n"
    assert store.read_bytes() == before
