"""`ctxls grep`: which lines it prints, and how it ends."""

from pathlib import Path
from typing import Final

import pytest
from commands import Ctxls, write

FILES: Final = {
    "a/one.md": "# One\nalpha\nbeta alpha ALPHA\ngamma\ndelta\nepsilon\nzeta\nalpha\n",
    "b/two.md": "# Two\r\nALPHA\r\nx.y\r\nxzy\r\n",
    "b/long.md": "# Long\n" + "." * 5_000 + "needle" + "." * 5_000 + "needle\n",
}


@pytest.fixture(autouse=True)
def stored(ctxls: Ctxls, tmp_path: Path) -> None:
    for name, text in FILES.items():
        write(tmp_path / "n", name, text)
    assert ctxls("import", tmp_path / "n").code == 0


PRINTED: Final[dict[str, list[str]]] = {
    "alpha": [
        "b/Two:2:ALPHA",
        "a/One:2:alpha",
        "a/One:3:beta alpha ALPHA",
        "a/One:8:alpha",
    ],
    "-s ALPHA": ["b/Two:2:ALPHA", "a/One:3:beta alpha ALPHA"],
    "x.y": ["b/Two:3:x.y"],
    "-E x.y": ["b/Two:3:x.y", "b/Two:4:xzy"],
    "-E y$": ["b/Two:3:x.y", "b/Two:4:xzy"],
    "-c alpha": ["b/Two:1", "a/One:4"],
    "--thread a -c alpha": ["a/One:4"],
    "--max 2 alpha": ["b/Two:2:ALPHA", "a/One:2:alpha"],
    "-C 1 alpha": [
        "b/Two-1-# Two",
        "b/Two:2:ALPHA",
        "b/Two-3-x.y",
        "--",
        "a/One-1-# One",
        "a/One:2:alpha",
        "a/One:3:beta alpha ALPHA",
        "a/One-4-gamma",
        "--",
        "a/One-7-zeta",
        "a/One:8:alpha",
    ],
    "-C 3 -s gamma": [
        "a/One-1-# One",
        "a/One-2-alpha",
        "a/One-3-beta alpha ALPHA",
        "a/One:4:gamma",
        "a/One-5-delta",
        "a/One-6-epsilon",
        "a/One-7-zeta",
    ],
}


@pytest.mark.parametrize(("words", "lines"), PRINTED.items(), ids=PRINTED)
def test_each_matching_line_is_printed_once_where_it_stands(
    ctxls: Ctxls, words: str, lines: list[str]
) -> None:
    found = ctxls("grep", *words.split())
    assert found.lines == lines
    assert found.code == 0


def test_names_of_records_come_with_the_ids_to_go_on_with(ctxls: Ctxls) -> None:
    (line,) = ctxls("grep", "-l", "xzy").lines
    record_id, name = line.split("  ")
    assert name == "b/Two"
    assert ctxls("show", record_id).out == FILES["b/two.md"].encode()


def test_of_a_very_long_line_the_part_around_each_match_is_printed(ctxls: Ctxls) -> None:
    lines = ctxls("grep", "needle").lines
    assert len(lines) == 2
    assert all("needle" in line and len(line) < 420 for line in lines)


def test_nothing_found_ends_with_1(ctxls: Ctxls) -> None:
    found = ctxls("grep", "nowhere")
    assert (found.code, found.out, found.err) == (1, b"", "")
    assert ctxls("grep", "--json", "nowhere").code == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-E", "("], "missing"),
        ([""], "empty"),
        (["--max", "0", "x"], "maxMatches is 0; it must be 1 or more"),
        (["-C", "-1", "x"], "contextLines is -1"),
        (["--after", "soon", "x"], "--after is 'soon'; give an ISO 8601 time"),
        (["--tag", " ", "x"], "blank tag"),
        (["-c", "-l", "x"], "not allowed with"),
    ],
)
def test_what_cannot_be_searched_ends_with_2(ctxls: Ctxls, words: list[str], sentence: str) -> None:
    found = ctxls("grep", *words)
    assert (found.code, found.out) == (2, b"")
    assert sentence in found.err


def test_an_answer_that_was_cut_says_so(ctxls: Ctxls, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ctxls("grep", "--max", 4, "alpha").err.startswith("ctxls: There are more matches;")
    assert ctxls("grep", "--max", 5, "alpha").err == ""
    monkeypatch.setenv("GREP_MAX_MATCHES_CAP", "2")
    assert ctxls("grep", "alpha").err.startswith("ctxls: There are more matches;")
    monkeypatch.setenv("GREP_MAX_ENTRIES_SCANNED", "1")
    searched = ctxls("grep", "alpha")
    assert searched.err.startswith("ctxls: Older records were not searched")


def test_nothing_found_in_a_part_of_the_store_is_no_answer(
    ctxls: Ctxls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GREP_MAX_ENTRIES_SCANNED", "1")
    assert ctxls("grep", "gamma").code == 2
