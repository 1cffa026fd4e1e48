"""Neovim in a real terminal, with the sample records: what a user sees, in pictures."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from editors.neovim.driving import ROOT, Neovim, init_of
from editors.neovim.screen import Screen, terminal
from editors.neovim.shelf import Shelf
from processes import command

PICTURES = Path(os.environ.get("PICTURES", ROOT / ".cache" / "pictures"))
SAMPLES = ROOT / "server" / "ctxls" / "samples"


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store that holds the sample records."""
    folder = tmp_path_factory.mktemp("samples")
    imports = [sys.executable, "-m", "ctxls", "import", str(SAMPLES), "--store"]
    store = folder / "records.db"
    subprocess.run(
        [*imports, str(store)], env=os.environ | {"PYTHONPATH": str(ROOT / "server")}, check=True
    )
    return store


@contextmanager
def shown(folder: Path, store: Path) -> Iterator[Screen]:
    """Run Neovim with the client on a store."""
    neovim = Neovim(folder, init_of(command(store)[:4], store))
    with terminal(neovim.words(), neovim.environment(), folder) as screen:
        screen.wait("NVIM v0.11")
        yield screen


@pytest.fixture
def screen(tmp_path: Path, samples: Path) -> Iterator[Screen]:
    with shown(tmp_path, samples) as screen:
        yield screen


def test_a_record_opens_by_completing_its_title_and_shows_its_outline(screen: Screen) -> None:
    screen.type(":Ctx open A seat m\t")
    screen.wait(":Ctx open A seat map that survives the tunnel")
    screen.type("\r")
    screen.wait("# A seat map that survives the tunnel")
    screen.type("gO")
    screen.wait("Outline of design/a-seat-map-that-survives-the-tunnel")
    screen.type("jjj")
    screen.wait("4,1")
    screen.picture(PICTURES / "neovim-outline.png")
    lines = screen.lines()
    first = lines.index("A seat map that survives the tunnel")
    assert [line.replace("\u00a0", " ") for line in lines[first : first + 9]] == [
        "A seat map that survives the tunnel",
        "  Goals",
        "  Options",
        "    Lend seats to a machine",
        "      How many seats",
        "      What happens to a silent machine",
        "    Sell first, sort out later",
        "  Decision",
        "  Open questions",
    ]
    screen.type("\r")
    screen.wait("29,1")


def test_hits_of_all_records_are_listed_by_thread_title_and_section(screen: Screen) -> None:
    screen.type(":Ctx symbols seat map\r")
    screen.wait("Records with 'seat map'")
    screen.type("jj\r")
    screen.wait("its seat map")
    screen.picture(PICTURES / "neovim-symbols.png")
    row = "design › A seat map that survives the tunnel|10 col 5-13| A seat map"
    assert [line for line in screen.lines() if line.startswith(row)]


def test_typing_into_a_record_is_refused_on_the_last_line(screen: Screen) -> None:
    screen.type(":Ctx open Fog\r")
    screen.wait("# Fog at Vik")
    screen.type("i")
    screen.wait("E21: Cannot make changes, 'modifiable' is off")


def test_a_record_that_does_not_exist_is_said_without_a_traceback(screen: Screen) -> None:
    screen.type(f":edit context://local/x/y.{'0' * 32}.md\r")
    screen.wait(f"ctxls: Context entry not found: {'0' * 32}")
    assert not [line for line in screen.lines() if "stack traceback" in line or "E5108" in line]
    assert not [line for line in screen.lines() if "Press ENTER" in line]


def test_what_a_terminal_could_obey_is_shown_instead(tmp_path: Path, shelf: Shelf) -> None:
    drawn = {
        "bom": "<feff># 🧭 Start bom",
        "separators": "<85>to^KLSP,^Lwhatever",
        "nul": "before^@after",
        "escapes": "^[[31mred^[[0m ^[]0;title^G <202e>backwards",
    }
    with shown(tmp_path, shelf.store) as screen:
        for title, line in drawn.items():
            screen.type(f":Ctx open {shelf.ids[title]}\r")
            screen.wait(line)
