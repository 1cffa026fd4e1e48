"""What is typed wrong, what goes wrong, and how a command ends."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from commands import Ctxls

from ctxls import __version__
from ctxls.cli import COMMANDS, Command

SERVER: Final = Path(__file__).parents[2] / "server"
HEAVY: Final = {"lsprotocol", "pygls", "cattrs", "rich"}


def test_the_version_is_printed(ctxls: Ctxls) -> None:
    assert ctxls("--version").lines == [f"ctxls {__version__}"]


def test_help_names_every_command_and_goes_to_standard_output(ctxls: Ctxls) -> None:
    found = ctxls("--help")
    assert found.code == 0
    for name, command in COMMANDS.items():
        assert f"{name}  " in found.text
        assert command.summary in found.text


def test_without_a_command_help_goes_to_standard_error(ctxls: Ctxls) -> None:
    found = ctxls()
    assert (found.code, found.out) == (2, b"")
    assert "commands:" in found.err


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_an_example_of_it(ctxls: Ctxls, name: str) -> None:
    found = ctxls(name, "--help")
    assert found.code == 0
    assert f"example:\n  ctxls {name}" in found.text
    assert "--store" in found.text


WRONG: Final = {
    ("grpe",): "'grpe' is no command of ctxls; did you mean grep?",
    ("x" * 300,): "is no command of ctxls; `ctxls --help` lists them.",
    ("\x1b[31m",): r"'\x1b[31m' is no command",
    ("grep",): "the following arguments are required: PATTERN; see `ctxls grep --help`.",
    ("list", "recordz"): "invalid choice: 'recordz'",
    ("list", "--limit", "x"): "invalid int value: 'x'",
    ("--frob",): "unrecognized arguments: --frob",
    ("show", "a", "b"): "unrecognized arguments: b",
    ("read", "a"): "one of the arguments --chars --lines --node is required",
    ("list", "--tags"): "unrecognized arguments: --tags",
    ("list", "--store", "postgresql://u:secret@h/d"): "CTXLS_STORE is 'postgresql://...'",
    ("list", "--store", "~nobody-here/x.db"): "CTXLS_STORE is '~nobody-here/x.db'",
    ("--store", "", "import", "x"): "argument --store: it is blank; name a file; see `ctxls --h",
    ("import", "--store", " ", "x"): "argument --store: it is blank; name a file; see `ctxls imp",
}


@pytest.mark.parametrize(("words", "sentence"), WRONG.items(), ids=WRONG.values())
def test_what_is_typed_wrong_is_said_in_one_line(
    ctxls: Ctxls, words: tuple[str, ...], sentence: str
) -> None:
    found = ctxls(*words)
    assert (found.code, found.out) == (2, b"")
    assert found.err.startswith("ctxls: ")
    assert sentence in found.err
    assert found.err.count("\n") == 1
    assert "secret" not in found.err


def test_a_log_that_can_be_nowhere_is_said_in_one_line(
    ctxls: Ctxls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXLS_LOG", "~nobody-here/x.log")
    found = ctxls("list")
    words = "CTXLS_LOG is '~nobody-here/x.log' in the environment; use the path of a file."
    assert (found.code, found.out, found.err) == (2, b"", f"ctxls: {words}\n")


def test_a_store_may_be_named_before_and_after_the_command(ctxls: Ctxls, tmp_path: Path) -> None:
    note = tmp_path / "a.md"
    note.write_text("# A\n")
    for number, words in enumerate(
        [
            ("--store", "{}", "import", note),
            ("--store={}", "import", note),
            ("import", "--store", "{}", note),
            ("import", note, "--store={}"),
            ("--store", "elsewhere.db", "import", note, "--store", "{}"),
        ]
    ):
        store = tmp_path / f"{number}.db"
        assert ctxls(*(str(word).format(store) for word in words)).code == 0
        assert store.exists()


def test_an_error_inside_has_a_reference_and_its_details_are_in_the_log(
    ctxls: Ctxls, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "boom.py").write_text(
        "EXAMPLE = ''\n"
        "def add_arguments(parser): pass\n"
        "def run(args): raise LookupError('of the inside')\n"
    )
    monkeypatch.syspath_prepend(home)
    monkeypatch.setitem(COMMANDS, "boom", Command("boom", ""))
    quiet = ctxls("boom")
    assert quiet.code == 2
    assert quiet.err.startswith("ctxls: Something went wrong inside ctxls, under the reference ")
    assert "Set CTXLS_LOG=FILE" in quiet.err
    assert "inside'" not in quiet.err
    assert quiet.err.count("\n") == 1


def typed(home: Path, *words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a real process; the environment is the test's own."""
    environment = os.environ | {"PYTHONPATH": str(SERVER), "HOME": str(home)}
    command = [sys.executable, "-m", "ctxls", *words]
    return subprocess.run(command, env=environment, timeout=60, check=False, **options)


def test_a_traceback_goes_to_the_log_that_is_named(home: Path) -> None:
    script = (
        "from ctxls.cli import COMMANDS, Command; from ctxls.cli.program import run; import sys\n"
        "COMMANDS['boom'] = Command('this', '')\n"
        "sys.exit(run(['boom']))"
    )
    environment = os.environ | {"PYTHONPATH": str(SERVER), "CTXLS_LOG": str(home / "l" / "log")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"CTXLS_LOG" not in done.stderr
    reference = done.stderr.split()[-1].rstrip(b".").decode()
    log = (home / "l" / "log").read_text()
    assert reference in log
    assert "Traceback" in log


def test_a_reader_that_goes_away_ends_it_quietly(home: Path) -> None:
    (home / "a.md").write_text("x\n" * 200_000)
    assert typed(home, "import", str(home / "a.md"), capture_output=True).returncode == 0
    reader, writer = os.pipe()
    os.close(reader)
    done = typed(home, "grep", "-C", "20", "x", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_disk_is_said(home: Path) -> None:
    (home / "a.md").write_text("x\n")
    typed(home, "import", str(home / "a.md"), capture_output=True)
    with Path("/dev/full").open("wb") as full:
        done = typed(home, "grep", "x", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"ctxls: No space left on device.\n"


def test_closed_standard_streams_are_no_trouble(home: Path) -> None:
    words = f"{sys.executable} -m ctxls list >&- 2>&-"
    environment = os.environ | {"PYTHONPATH": str(SERVER), "HOME": str(home)}
    assert subprocess.run(["sh", "-c", words], env=environment, check=False).returncode == 2


def test_only_what_a_command_needs_is_imported(home: Path) -> None:
    (home / "a.md").write_text("# A\n")
    typed(home, "import", str(home / "a.md"), capture_output=True)
    script = (
        "import json, sys; from ctxls.cli.program import run\n"
        "seen = {}\n"
        "for words in (['--help'], ['import', sys.argv[1]], ['list'], ['grep', 'A'], ['doctor']):\n"
        "    run(words); seen[words[0]] = sorted({name.split('.')[0] for name in sys.modules})\n"
        "print(json.dumps(seen))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(home / "a.md")],
        env=os.environ | {"PYTHONPATH": str(SERVER)},
        capture_output=True,
        check=True,
    )
    seen = json.loads(done.stdout.splitlines()[-1])
    assert not (HEAVY | {"re2", "markdown_it", "aiosqlite", "yaml"}) & set(seen["--help"])
    assert not HEAVY & set(seen["doctor"])
