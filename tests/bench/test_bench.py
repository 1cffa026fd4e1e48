"""The benchmark's own claims: it compares answers, and a wrong one fails it."""

import random
import re
from pathlib import Path

import pytest
from bench import corpus, ground
from bench.__main__ import SMALL_SIZE, main
from bench.table import Aim, Line, markdown
from bench.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture
def no_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no other tool be found, so that every machine runs the same test."""
    monkeypatch.setenv("PATH", "/nonexistent")


def run(cache: Path, *words: str) -> int:
    return main(["--small", "--cache", str(cache), *words])


def test_every_row_of_a_small_benchmark_finds_what_other_tools_find(
    cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = run(cache)
    out, err = capfd.readouterr()
    assert (code, "WRONG" in err) == (0, False), err
    assert f"{SMALL_SIZE} made records" in out
    assert "index, built anew" in out


@pytest.mark.usefixtures("no_tools")
def test_a_machine_without_the_other_tools_is_told_so_and_scans_instead(
    cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(cache) == 0
    out, err = capfd.readouterr()
    assert "ripgrep is not installed: NOT compared with it." in err
    assert "codesearch is not installed: NOT compared with it." in err
    assert "std::vector" in out


@pytest.mark.usefixtures("no_tools")
def test_a_line_that_ctxls_does_not_find_fails_the_benchmark(
    cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = ground.made(cache, SMALL_SIZE)
    file = min(place.files.rglob("*.md"))
    before = file.read_bytes()
    file.write_bytes(before + b"one more Quagmire\n")
    try:
        assert run(cache) == 1
    finally:
        file.write_bytes(before)
    wrong = capfd.readouterr().err.partition("WRONG ")[2]
    assert wrong.startswith("in 1 record: quagmire: 1 lines instead of 2;")
    assert file.stem in wrong


@pytest.mark.usefixtures("no_tools")
def test_a_folder_of_ones_own_is_compared_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(8):
        words = " ".join(f"number{number}word{part}" for part in range(number + 1))
        (folder / f"{number}.md").write_text(f"# Title {number}\n\nwritten {words}\n")
    (folder / "odd.md").write_bytes(b"# Odd\rwritten in lines\rthat others count otherwise\n")
    assert run(tmp_path / "cache", "--corpus", str(folder)) == 0
    assert "9 records of notes" in capfd.readouterr().out


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return made(SMALL_SIZE)


def made(count: int) -> list[str]:
    rng = random.Random(corpus.SEED)
    return list(corpus.texts(rng, Vocabulary(rng), count))


def test_a_corpus_is_the_same_every_time_in_all_that_it_has(texts: list[str]) -> None:
    assert made(SMALL_SIZE) == texts
    assert any("\r\n" in text for text in texts)
    assert any(not text.isascii() for text in texts)
    assert max(map(len, texts)) > 10 * min(map(len, texts))


@pytest.mark.parametrize("plant", corpus.PLANTS, ids=lambda plant: plant.term)
def test_a_planted_term_stands_in_so_many_records_and_no_other(
    plant: corpus.Plant, texts: list[str]
) -> None:
    source = plant.term if plant.term.startswith("[") else f"(?i){re.escape(plant.term)}"
    pattern = re.compile(source)
    assert sum(bool(pattern.search(text)) for text in texts) == corpus.planted(plant, SMALL_SIZE)


@pytest.mark.parametrize(
    ("aim", "held", "missed", "spelled"),
    [
        (Aim(60), 60, 59.9, "≥ 60×"),
        (Aim(3, "at most"), 3, 3.1, "≤ 3×"),
        (Aim(1, "over"), 1.01, 1, "> 1×"),
        (Aim(2, "under"), 1.9, 2, "< 2×"),
        (Aim(15, "at most", " %"), 12, 16, "≤ 15 %"),
    ],
)
def test_an_aim_is_met_on_its_own_side(aim: Aim, held: float, missed: float, spelled: str) -> None:
    assert (aim.holds(held), aim.holds(missed), str(aim)) == (True, False, spelled)


def test_a_pattern_with_bars_keeps_its_row_of_the_page_whole() -> None:
    row = markdown([Line("regex: /a|b/", "1 ms", "rg", "9 ms", 9.0, Aim(8), "3")])[-1]
    assert row == r"| regex: /a\|b/ | 3 | 1 ms | rg | 9 ms | 9.00× | ≥ 8× | met |"
