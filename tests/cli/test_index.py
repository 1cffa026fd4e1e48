"""`ctxls index`: what it says, and what its exit code is worth."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from commands import Ctxls

from ctxls.index.folder import SegmentFolder
from ctxls.settings import default_store

HOLDS: Final = "The index holds 2 records in 0.0 MB."
FOUND: Final = "Every line of those would be found."
BY_HAND: Final = "UPDATE context_entries SET text_content = 'by hand ' || text_content"

pytestmark = pytest.mark.usefixtures("notes")


@pytest.fixture
def derived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "derived"
    monkeypatch.setenv("CTXLS_INDEX_DIR", str(folder))
    return folder


def signatures(derived: Path) -> Path:
    (folder,) = derived.glob("*/signatures")
    return folder


def change_by_hand() -> None:
    with closing(sqlite3.connect(default_store())) as database, database:
        database.execute(BY_HAND)


def test_an_index_is_made_and_proves_itself(ctxls: Ctxls, derived: Path) -> None:
    made = ctxls("index")
    assert (made.code, made.lines, made.err) == (0, [HOLDS], "")
    checked = ctxls("index", "--check")
    assert (checked.code, checked.lines) == (0, [HOLDS, FOUND])
    assert ctxls("grep", "-c", "stop").code == 0
    assert ctxls("grep", "-c", "nowhere at all").code == 1
    assert list(derived.rglob("*.columns"))


def test_what_is_not_in_the_index_is_said(ctxls: Ctxls, derived: Path) -> None:
    checked = ctxls("index", "--check")
    assert checked.lines[0] == "The index holds 0 records in 0.0 MB."
    assert "Other records are read whole" in checked.lines[1]
    assert list(derived.rglob("*.columns")) == []


def test_a_change_by_hand_fails_the_check_until_a_rebuild(ctxls: Ctxls, derived: Path) -> None:
    assert ctxls("index").code == 0
    assert derived.exists()
    change_by_hand()
    checked = ctxls("index", "--check")
    assert checked.code == 1
    assert "2 records could be missed by a search" in checked.err
    assert "`ctxls index --rebuild` makes the index anew." in checked.err
    assert ctxls("index", "--rebuild").code == 0
    assert ctxls("index", "--check").code == 0
    assert ctxls("grep", "-l", "by hand").code == 0


def test_a_rebuild_beside_another_writer_is_no_success(ctxls: Ctxls, derived: Path) -> None:
    assert ctxls("index").code == 0
    change_by_hand()
    with SegmentFolder(signatures(derived)).writing() as is_writer:
        assert is_writer
        rebuilt = ctxls("index", "--rebuild")
    assert rebuilt.code == 2
    assert "it was not made anew; try again" in rebuilt.err
    assert rebuilt.out == b""


def test_an_index_that_cannot_be_kept_is_no_success(ctxls: Ctxls, derived: Path) -> None:
    derived.write_text("a file where the folder should be")
    made = ctxls("index")
    assert made.code == 2
    assert "It is lost with this command" in made.err
    found = ctxls("grep", "-c", "stop")
    assert (found.code, len(found.lines)) == (0, 1)


def test_an_index_that_is_switched_off_says_so(
    ctxls: Ctxls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXLS_INDEX", "off")
    refused = ctxls("index")
    assert refused.code == 2
    assert "The index is switched off; set CTXLS_INDEX to on." in refused.err
