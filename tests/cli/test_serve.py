"""`ctxls serve`: which store it makes, and what it says of one that is not there."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from commands import write

from ctxls.cli.lsp_client import AnswerError, server_command, session
from ctxls.settings import default_log, default_store

SERVER: Final = Path(__file__).parents[2] / "server"
RECORDS: Final = {"what": "records"}


@pytest.fixture(autouse=True)
def this_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(SERVER))


def test_the_default_store_is_made(home: Path) -> None:
    assert not default_store().exists()
    with session([sys.executable, "-m", "ctxls", "serve"]) as client:
        assert client.ask("context/status", {})["records"] == 0
    assert default_store().is_relative_to(home)
    assert default_store().stat().st_mode & 0o077 == 0


def test_another_store_is_missed_once_and_used_as_soon_as_it_is_there(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "named.db"
    with session(server_command(store)) as client:
        for _ in range(2):
            with pytest.raises(AnswerError, match="The store does not exist"):
                client.ask("context/list", RECORDS)
        assert not store.exists()
        note = write(tmp_path, "n.md", "# N\n")
        words = [sys.executable, "-m", "ctxls", "import", "--store", str(store), str(note)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        assert [item["title"] for item in client.ask("context/list", RECORDS)["items"]] == ["N"]
    said = [line for line in capfd.readouterr().err.splitlines() if str(store) in line]
    assert len(said) == 1
    assert default_log().read_text().count("The store does not exist") == 1


def test_a_client_that_leaves_without_a_word_ends_it_with_1(home: Path) -> None:
    words = [sys.executable, "-m", "ctxls", "serve"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, check=False, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    assert home.exists()
