"""`ctxls doctor`: what it says of good and bad stores, and that it changes none."""

from pathlib import Path
from typing import Final

import pytest
from commands import Ctxls, Typed, write

from ctxls.settings import default_store

DATA: Final = Path(__file__).parent.parent / "data"


def said(found: Typed) -> dict[str, str]:
    return dict(line.split(maxsplit=1) for line in found.lines)


def test_a_good_store_is_well(ctxls: Ctxls, notes: Path) -> None:
    assert notes.exists()
    found = ctxls("doctor")
    assert found.code == 0
    assert said(found)["store"] == f"{default_store()} (the default one)"
    assert said(found)["records"] == "2"
    assert said(found)["access"] == "read and write"
    assert said(found)["verdict"] == "all is well"


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("peer-small.db", "mcp-context-server (development), on sqlite"),
        ("peer-small-2.x.db", "mcp-context-server 2.x, on sqlite"),
    ],
)
def test_another_programs_store_is_named_and_left_alone(
    ctxls: Ctxls, tmp_path: Path, name: str, layout: str
) -> None:
    data = (DATA / name).read_bytes()
    store = write(tmp_path, name, data)
    found = ctxls("doctor", "--store", store)
    assert found.code == 0
    assert said(found)["layout"] == layout
    assert said(found)["access"].startswith("read only")
    assert store.read_bytes() == data


BAD: Final = {
    "a text": (b"hello\n", "a text file"),
    "nothing": (b"", "an empty file of zero bytes"),
    "another kind of file": (bytes(100), "another kind of file"),
}


@pytest.mark.parametrize(("data", "words"), BAD.values(), ids=BAD)
def test_what_is_no_store_is_said(ctxls: Ctxls, tmp_path: Path, data: bytes, words: str) -> None:
    store = write(tmp_path, "s.db", data)
    found = ctxls("doctor", "--store", store)
    assert found.code == 1
    assert words in said(found)["wrong"]
    assert store.read_bytes() == data


def test_a_store_that_is_not_there_is_not_made(ctxls: Ctxls) -> None:
    found = ctxls("doctor")
    assert found.code == 1
    assert "`ctxls import FOLDER` makes one." in said(found)["wrong"]
    assert not default_store().exists()


def test_damage_that_no_request_met_yet_is_found(ctxls: Ctxls, tmp_path: Path) -> None:
    for number in range(200):
        write(tmp_path, f"n/{number}.md", f"# {number}\n" + "x" * 4_000)
    store = tmp_path / "s.db"
    ctxls("import", "--store", store, tmp_path / "n")
    data = bytearray(store.read_bytes())
    data[4096 * 60 : 4096 * 70] = b"\xff" * 40_960
    store.write_bytes(data)
    found = ctxls("doctor", "--store", store)
    assert found.code == 1
    assert said(found)["verdict"] == "the store is damaged; restore it from a backup"
    assert store.read_bytes() == data


def test_a_wrong_setting_is_named(ctxls: Ctxls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREP_MAX_MATCHES_CAP", "many")
    found = ctxls("doctor")
    assert found.code == 2
    assert found.err.startswith("ctxls: GREP_MAX_MATCHES_CAP is 'many' in the environment; use ")
