"""The project's frame: what a fresh clone, a bare machine and a careless import meet."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

import ctxls

ROOT: Final = Path(__file__).parent.parent
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONTRACTS: Final[dict[str, str]] = {
    contract["id"]: contract["name"] for contract in PROJECT["tool"]["importlinter"]["contracts"]
}

ABSENT: Final = "exit 127"
TOO_OLD: Final = 'case "$2" in *version_info*) exit 1;; esac'
WITHOUT_VENV: Final = 'case "$2" in *ensurepip*) exit 1;; esac'
OF_MAKE: Final = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON"}
"""What a make that runs these tests hands down, and a person's own make would not know."""


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
    return subprocess.run(
        ["make", "-C", str(folder), *arguments],
        env=env,
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("target", ["demo", "test"])
@pytest.mark.parametrize(
    ("python", "wrong", "packages"),
    [
        (None, "is missing", "python3 python3-venv"),
        (TOO_OLD, "is not Python 3.11 to 3.14", "python3.11 python3.11-venv"),
        (WITHOUT_VENV, "has no venv", "python3-venv"),
    ],
    ids=["no-python", "old-python", "no-venv"],
)
def test_what_a_machine_lacks_is_named_with_the_command_that_installs_it(
    tmp_path: Path, target: str, python: str | None, wrong: str, packages: str
) -> None:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    stub = tmp_path / "python3"
    if python is not None:
        stub.write_text(f"#!/bin/sh\n{python}\n", encoding="utf-8")
        stub.chmod(stat.S_IRWXU)
    done = make(tmp_path, target, f"PYTHON={stub}")
    said = [line for line in done.stderr.splitlines() if not line.startswith("make: ")]
    assert done.returncode == 2
    assert len(said) == 1
    assert f"{stub} {wrong}" in said[0]
    assert said[0].endswith(f"apt-get install -y {packages}")
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(
    ("asked", "is_made_anew"), [(None, False), ("3 12 1", False), ("3 13 0", True)]
)
def test_a_venv_of_another_python_than_the_one_asked_for_is_made_anew(
    tmp_path: Path, asked: str | None, is_made_anew: bool
) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    for name in ("pyvenv.cfg", "has-runtime", "has-dev"):
        marker = tmp_path / ".venv" / name
        marker.parent.mkdir(exist_ok=True)
        marker.touch()
    python_of(tmp_path / ".venv" / "bin" / "python", "3 12 1")
    stub = python_of(tmp_path / "python", asked or "")
    done = make(tmp_path, "--dry-run", "test", *([f"PYTHON={stub}"] if asked else []))
    assert (done.returncode, "-m pytest" in done.stdout) == (0, True)
    assert (f"{stub} -m venv" in done.stdout) is is_made_anew


def python_of(path: Path, version: str) -> Path:
    """Write a program that says it is a Python of this version, and agrees to all else."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\ncase "$2" in *version_info*) echo {version};; esac\n', "utf-8")
    path.chmod(stat.S_IRWXU)
    return path


def test_make_alone_lists_every_target() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    shown = make(ROOT).stdout
    assert {target for target in targets if f"make {target}" not in shown} == set()


def test_the_readme_opens_with_the_two_commands_and_the_picture() -> None:
    opening = (ROOT / "README.md").read_text("utf-8").split("\n## ")[0]
    assert opening.index("make demo") < opening.index("make test") < opening.index("docs/demo.svg")


def test_the_changelog_opens_with_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == ctxls.__version__


def test_every_ignored_rule_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    rules = re.findall(r'^    "[A-Z]+[0-9]*",(.*)$', text, re.MULTILINE)
    assert len(rules) > 20
    assert [rule for rule in rules if not re.search(r" # \w", rule)] == []


def test_the_architecture_names_every_contract_and_only_those() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    checks = " ".join(re.findall(r"Checked\s+by:(.*?)(?=\n-|\n\n)", page, re.DOTALL))
    named = set(re.findall(r"`([^`]+)`", checks))
    paths = {name for name in named if name.startswith("tests/")}
    assert {path for path in paths if not (ROOT / path).exists()} == set()
    assert named - paths == set(CONTRACTS)


OFFENCES: Final = {
    "ladder": ("utils/__init__.py", ""),
    "inside-lsp": ("lsp/convert.py", "from ctxls.lsp import session"),
    "features": ("lsp/features/definition.py", "from ctxls.lsp.features import document_symbol"),
    "protocol": ("queries/offence.py", "import lsprotocol"),
    "pure": ("text/offence.py", "import time"),
    "stores-apart": ("stores/ids.py", "from ctxls.stores import sqlite"),
    "stores-named": ("lsp/features/offence.py", "from ctxls.stores.sqlite import store"),
    "settings-read": ("queries/offence.py", "from ctxls import settings"),
}


def test_every_contract_catches_what_it_forbids(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "server", tmp_path / "server")
    for path, line in OFFENCES.values():
        offender = tmp_path / "server" / "ctxls" / path
        offender.parent.mkdir(exist_ok=True)
        before = offender.read_text("utf-8") if offender.exists() else ""
        offender.write_text(f"{before}\n{line}\n", encoding="utf-8")
    lint = "from importlinter.cli import lint_imports_command as lint; lint()"
    done = subprocess.run(
        [sys.executable, "-c", lint, "--no-cache", "--no-logo"],
        cwd=tmp_path,
        env={"PYTHONPATH": "server"},
        check=False,
        capture_output=True,
        text=True,
    )
    caught = {id_ for id_, name in CONTRACTS.items() if f"{name} BROKEN" in done.stdout}
    assert caught == set(OFFENCES) == set(CONTRACTS)
