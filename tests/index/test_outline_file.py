"""The file of outlines: right or not seen, whatever happens to it."""

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxls.index import outline_file
from ctxls.index.outline_bytes import decoded, encoded
from ctxls.index.outline_file import NAME, OutlineFile
from ctxls.text.outline import Outline, outline_key, parse_outline

PIECES = [
    "# One",
    "## Two é🚀",
    "###### Six",
    "#",
    "a\n===",
    "# `x` *y*",
    "# a\0b &#0;",
    "text",
    "",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("\r\n".join)
TEXT = "# A\n## B *c*\n# 🚀\nlast"
KEY = outline_key(TEXT.encode())
OUTLINE = parse_outline(TEXT)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., OutlineFile]]:
    made: list[OutlineFile] = []

    def open_file(**bounds: int) -> OutlineFile:
        made.append(OutlineFile(tmp_path / "derived", **bounds))
        return made[-1]

    yield open_file
    for file in made:
        file.close()


Opened = Callable[..., OutlineFile]


def filled(opened: Opened, tmp_path: Path) -> Path:
    file = opened()
    file.put(KEY, OUTLINE)
    assert file.get(KEY) == OUTLINE
    file.close()
    return tmp_path / "derived" / NAME


@given(TEXTS)
def test_an_outline_is_the_same_from_its_bytes(text: str) -> None:
    outline = parse_outline(text)
    assert decoded(encoded(outline)) == outline


def test_bytes_that_were_cut_or_changed_are_not_an_outline() -> None:
    data = encoded(OUTLINE)
    assert all(decoded(data[:length]) is None for length in range(len(data)))
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0x10
        assert decoded(bytes(changed)) is None


def test_an_outline_outlives_the_process_that_made_it(opened: Opened, tmp_path: Path) -> None:
    path = filled(opened, tmp_path)
    assert opened().get(KEY) == OUTLINE
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_what_was_never_put_is_not_there(opened: Opened) -> None:
    assert opened().get(KEY) is None


def test_several_processes_share_the_file(opened: Opened) -> None:
    one, other = opened(), opened()
    one.put(KEY, OUTLINE)
    other.put(b"b" * 16, parse_outline("# B"))
    assert other.get(KEY) == OUTLINE
    assert one.get(b"b" * 16) == parse_outline("# B")


def test_rows_of_another_format_are_not_seen(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(opened, tmp_path)
    monkeypatch.setattr(outline_file, "_MADE_BY", b"2 5.0.0")
    assert opened().get(KEY) is None


def overwritten(path: Path) -> None:
    path.write_bytes(b"no database " * 1000)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def scrambled(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:] = bytes(byte ^ 0x5A for byte in data[100:])
    path.write_bytes(data)


def foreign(path: Path) -> None:
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE outlines (something TEXT)")
    other.close()


@pytest.mark.parametrize("damage", [overwritten, cut, scrambled, foreign])
def test_a_bad_file_is_begun_anew_with_one_line_in_the_log(
    opened: Opened,
    tmp_path: Path,
    damage: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    damage(filled(opened, tmp_path))
    file = opened()
    with caplog.at_level(logging.WARNING):
        assert file.get(KEY) is None
        file.put(KEY, OUTLINE)
    assert file.get(KEY) == OUTLINE
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    file.close()
    assert opened().get(KEY) == OUTLINE


def test_a_row_with_wrong_bytes_is_not_seen(opened: Opened, tmp_path: Path) -> None:
    path = filled(opened, tmp_path)
    database = sqlite3.connect(path)
    other = encoded(parse_outline("# Other"))
    with database:
        database.execute("UPDATE outlines SET row = ?", (other[:-1] + b"!",))
    database.close()
    assert opened().get(KEY) is None


def test_a_folder_that_cannot_be_made_is_no_error_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    file = OutlineFile(tmp_path / "file" / "derived")
    with caplog.at_level(logging.WARNING):
        file.put(KEY, OUTLINE)
        assert file.get(KEY) is None
    assert len(caplog.records) == 1


def test_a_full_disk_is_no_error_and_said_once(
    opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    file = opened()
    file.put(KEY, OUTLINE)
    assert file._database is not None
    pages = file._database.execute("PRAGMA page_count").fetchone()[0]
    file._database.execute(f"PRAGMA max_page_count = {pages}").close()
    with caplog.at_level(logging.WARNING):
        file.put(b"b" * 16, parse_outline("# long title\n" * 2000))
        file.put(b"b" * 16, parse_outline("# long title\n" * 2000))
    assert "full" in caplog.text
    assert len(caplog.records) == 1
    assert opened().get(KEY) == OUTLINE


def test_a_file_that_another_process_is_writing_is_done_without(
    opened: Opened, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = filled(opened, tmp_path)
    file = opened()
    assert file.get(KEY) == OUTLINE
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE").close()
    assert file.get(KEY) is None
    file.put(b"b" * 16, OUTLINE)
    writer.close()
    assert file.get(KEY) == OUTLINE
    assert not caplog.records


def test_the_oldest_outlines_make_room(opened: Opened, tmp_path: Path) -> None:
    most = 256 << 10
    file = opened(most_bytes=most)
    outline = parse_outline("".join(f"# Title {number}\n" for number in range(200)))
    keys = [number.to_bytes(16, "big") for number in range(100)]
    for key in keys:
        file.put(key, outline)
    kept = [isinstance(file.get(key), Outline) for key in keys]
    assert kept[-1]
    assert not kept[0]
    assert kept == sorted(kept)
    assert 10 < sum(kept) < 60
    assert (tmp_path / "derived" / NAME).stat().st_size < 2 * most
