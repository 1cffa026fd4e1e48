"""The trial itself: it passes on sound records, and says where the server's answers disagree."""

import subprocess
import sys
import tarfile
from itertools import count
from pathlib import Path
from typing import Any, Final, cast

import pytest
from processes import SERVER, environment
from trial.trial import Cutter, Trial, ask_all, unpack

from ctxls.cli.lsp_client import LspClient

TRIAL: Final = Path(__file__).with_name("trial.py")
SAMPLES: Final = SERVER / "ctxls" / "samples"
PEER: Final = Path(__file__).parents[1] / "data" / "peer-small-2.x.db"


def tried(store: Path, home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TRIAL), str(store)],
        env=environment(home, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_every_sample_and_every_record_of_a_peer_passes(tmp_path: Path) -> None:
    archive = tmp_path / "samples.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(SAMPLES, "samples")
    (tmp_path / "peer.db").write_bytes(PEER.read_bytes())
    for store, number in ((archive, 9), (tmp_path / "peer.db", 12)):
        done = tried(store, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        counts = dict(line.split() for line in done.stdout.splitlines()[-6:])
        assert (counts["records"], counts["failures"]) == (str(number), "0")


def test_nothing_of_whoever_runs_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GREP_MAX_MATCHES_CAP", "of somebody else")
    assert tried(SAMPLES, tmp_path).returncode == 0


def test_what_is_refused_is_listed_and_the_rest_is_tried(tmp_path: Path) -> None:
    folder = tmp_path / "n"
    folder.mkdir()
    (folder / "good.md").write_text("# Good\n")
    (folder / "bad.md").write_bytes(b"\xff")
    done = tried(folder, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "bad.md: it is not UTF-8 at byte 0." in done.stderr
    assert dict(line.split() for line in done.stdout.splitlines()[-6:])["records"] == "1"


def test_an_import_that_fails_ends_it_in_a_sentence(tmp_path: Path) -> None:
    done = tried(SAMPLES, tmp_path, CTXLS_MAX_RECORD_BYTES="none")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"{SAMPLES} could not be imported."


def test_a_store_without_records_does_not_pass(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = tried(tmp_path / "empty", tmp_path)
    assert done.returncode == 2
    assert "The server answered: The store does not exist" in done.stderr


TEXT: Final = "# A 🧭\r\nx\r## B\n"
RECORD: Final = {"uri": "u", "contextId": "1", "title": "A", "totalChars": len(TEXT)}


def place(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def symbol(**changed: Any) -> dict[str, Any]:
    outer = {"start": place(0, 0), "end": place(3, 0)}
    inner = {"start": place(2, 0), "end": place(3, 0)}
    heading = {"start": place(0, 0), "end": place(0, 6)}
    child = {"name": "B", "range": inner, "selectionRange": inner}
    return {"name": "A", "range": outer, "selectionRange": heading, "children": [child]} | changed


def failures(
    symbols: list[dict[str, Any]], part: str = TEXT, nodes: int = 2, end: int = len(TEXT)
) -> list[str]:
    """Run the check of one record against answers given here."""
    inner = {"nodeId": "a/b", "charStart": TEXT.index("##"), "charEnd": len(TEXT), "children": []}
    outer = {"nodeId": "a", "charStart": 0, "charEnd": end, "children": [inner][: nodes - 1]}
    trial = Trial()
    check = trial.check(RECORD)
    answers = [{"text": TEXT}, symbols, {"root": {"children": [outer]}}]
    answers += [{"text": part}, {"text": "## B\n"}][:nodes]
    next(check)
    for answer in answers[:-1]:
        check.send(answer)
    with pytest.raises(StopIteration):
        check.send(answers[-1])
    return list(trial.failures)


def test_answers_that_agree_pass() -> None:
    assert failures([symbol()]) == []


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            failures([symbol(selectionRange={"start": place(0, 0), "end": place(4, 0)})]),
            "selects outside",
        ),
        (failures([symbol(range={"start": place(0, 0), "end": place(1, 0)})]), "a child outside"),
        (failures([symbol()], part="# A"), "reads otherwise: a"),
        (failures([symbol()], end=5), "spans otherwise: a"),
        (failures([symbol()], nodes=1), "other symbols than sections"),
    ],
)
def test_answers_that_disagree_are_failures(found: list[str], words: str) -> None:
    assert any(words in failure for failure in found)


class Listing:
    """A server whose lists name `listed` records, of `held` in its store; each has one section."""

    def __init__(self, listed: list[str], held: int) -> None:
        self._items = [RECORD | {"contextId": name, "totalChars": 1} for name in listed]
        self._held = held
        self._numbers = count()
        self._answers: list[tuple[int, Any]] = []

    def ask(self, method: str, _params: Any) -> Any:
        return {"context/status": {"records": self._held}, "context/list": {"items": self._items}}[
            method
        ]

    def send(self, method: str, _params: Any) -> int:
        extent = {"start": place(0, 0), "end": place(0, 1)}
        symbol = {"name": "x", "range": extent, "selectionRange": extent}
        root = {"nodeId": "", "charStart": 0, "charEnd": 1, "children": []}
        result = {"textDocument/documentSymbol": [symbol], "context/navigate": {"root": root}}
        number = next(self._numbers)
        self._answers.append((number, {"result": result.get(method, {"text": "x"})}))
        return number

    def receive(self) -> tuple[int, Any]:
        return self._answers.pop()


@pytest.mark.parametrize(
    ("listed", "held", "expected"),
    [
        (["1", "2"], 2, []),
        (["1"], 2, ["1 of the store's 2 records were read"]),
        (["1", "1"], 2, ["1 of the store's 2 records were read"]),
        ([], 0, []),
    ],
)
def test_records_that_no_list_names_are_a_failure(
    listed: list[str], held: int, expected: list[str]
) -> None:
    trial = Trial()
    ask_all(cast("LspClient", Listing(listed, held)), trial)
    assert trial.failures == expected


def test_ranges_are_cut_in_utf_16_over_every_line_end() -> None:
    cutter = Cutter("🧭x\r\n\u2028y\rz")
    assert cutter.cut({"start": place(0, 2), "end": place(1, 1)}) == "x\r\n\u2028"
    assert cutter.cut({"start": place(1, 1), "end": place(2, 1)}) == "y\rz"


def test_an_archive_is_unpacked_into_its_folder_and_nowhere_else(tmp_path: Path) -> None:
    archive = tmp_path / "a.tar.gz"
    outside = str(tmp_path / "absolute.md")
    with tarfile.open(archive, "w:gz") as packed:
        for name in ("in/a.md", "../out.md", outside):
            packed.addfile(tarfile.TarInfo(name))
        link = tarfile.TarInfo("in/link.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    unpack(archive, tmp_path / "to")
    assert [file.name for file in tmp_path.rglob("*.md")] == ["a.md"]
