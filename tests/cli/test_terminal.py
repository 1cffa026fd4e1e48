"""On a terminal: colours, and control characters of record text shown and not sent."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Ctxls

HOSTILE = "# T\x1b]0;owned\x07\n\nx \x1b[2J\x9b1m\u202egnp\r\ny\rz\u3000全角 👩\u200d🚒\n"
SHOWN = "# T\\x1b]0;owned\\x07\n\nx \\x1b[2J\\x9b1m\\u202egnp\ny\nz\u3000全角 👩\u200d🚒\n"


@pytest.fixture
def record(ctxls: Ctxls, tmp_path: Path) -> str:
    """Store a record that would retitle and clear a terminal, and return its id."""
    folder = tmp_path / "evil\x1b[0m"
    folder.mkdir()
    (folder / "a.md").write_bytes(HOSTILE.encode())
    assert ctxls("import", folder).code == 0
    (item,) = json.loads(ctxls("list", "--json").out)["items"]
    return str(item["contextId"])


def test_control_characters_are_shown_on_a_terminal(record: str, shown: Callable[..., str]) -> None:
    assert shown("show", record) == SHOWN
    assert shown("read", record, "--lines", "3:3") == SHOWN.splitlines()[2] + "\n"


def test_another_program_reads_the_bytes_as_stored(record: str, ctxls: Ctxls) -> None:
    assert ctxls("show", record).out == HOSTILE.encode()
    (line,) = ctxls("grep", "gnp").out.splitlines()
    assert line.endswith(b":3:" + "x \x1b[2J\x9b1m\u202egnp".encode())


@pytest.mark.parametrize(
    "words",
    [["list"], ["list", "threads"], ["outline", "ID"], ["grep", "gnp"], ["show", "--card", "ID"]],
)
def test_names_are_shown_on_a_terminal_as_well(
    record: str, shown: Callable[..., str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    found = shown(*(record if word == "ID" else word for word in words))
    assert found
    assert not set(found) & set("\x1b\x07\x9b\u202e\r")


def test_names_stay_on_one_line_wherever_they_go(record: str, ctxls: Ctxls) -> None:
    assert record in ctxls("list").text
    assert b"\x1b" not in ctxls("list").out


@pytest.mark.parametrize("words", [["list"], ["show", "ID"], ["read", "ID", "--chars", "0:"]])
def test_json_is_harmless_and_says_the_same(
    record: str, ctxls: Ctxls, shown: Callable[..., str], words: list[str]
) -> None:
    asked = [*(record if word == "ID" else word for word in words), "--json"]
    printed = shown(*asked)
    assert not set(printed) & set("\x1b\x07\x9b\u202e\r\x00")
    assert json.loads(printed) == json.loads(ctxls(*asked).out)


def test_matches_are_coloured_on_a_terminal_and_plain_elsewhere(
    notes: Path, ctxls: Ctxls, shown: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert notes.exists()
    coloured = (
        "\x1b[35mdeploy/Plan 🧭\x1b[0m:\x1b[32m8\x1b[0m:\x1b[1;31mgo\x1b[0m, \x1b[1;31mGo\x1b[0m\n"
    )
    plain = "deploy/Plan 🧭:8:go, Go\n"
    assert shown("grep", "go") == coloured
    assert ctxls("grep", "go").text == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown("grep", "go") == plain
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert shown("grep", "go") == plain


def test_an_import_shows_its_progress_on_a_terminal_only(
    tmp_path: Path, ctxls: Ctxls, shown: Callable[..., str]
) -> None:
    for number in range(3):
        (tmp_path / f"{number}.md").write_text(f"{number}\n")
    assert "importing" in shown("import", tmp_path, stream="stderr")
    assert ctxls("import", tmp_path).err == ""
