"""What `make test-editors-neovim` installs, and what it says where it cannot."""

import shutil
import subprocess
from pathlib import Path

from editors.neovim.driving import ROOT

HERE = Path("tests", "editors", "neovim")


def run(project: Path, pip: str) -> subprocess.CompletedProcess[str]:
    """Run the installation in a project of its own, where `pip` stands for a Python's."""
    folder = project / HERE
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("install", "requirements.txt"):
        shutil.copy(ROOT / HERE / name, folder / name)
    python = project / "python"
    python.write_text(f'#!/bin/sh\n[ "$1" != -V ] || exec echo Python 3\n{pip}\n', "utf-8")
    python.chmod(0o755)
    words = [str(folder / "install"), str(python)]
    return subprocess.run(words, check=False, capture_output=True, text=True, timeout=20)


def test_where_neovim_cannot_be_installed_it_is_said_why_and_that_nothing_was_tested(
    tmp_path: Path,
) -> None:
    done = run(tmp_path, "echo 'ERROR: no network' >&2; exit 1")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "ERROR: no network",
        "Neovim could not be installed, so its client was not tested.",
    ]


def test_what_is_installed_is_kept_until_something_else_is_wanted(tmp_path: Path) -> None:
    said = "Installing Neovim in .cache (once) ...\n"
    assert run(tmp_path, "echo first").stdout == f"{said}first\n"
    assert run(tmp_path, "echo second").stdout == ""
    (tmp_path / ".cache" / "neovim" / "installed").write_text("other requirements\n", "utf-8")
    assert run(tmp_path, "echo third").stdout == f"{said}third\n"
