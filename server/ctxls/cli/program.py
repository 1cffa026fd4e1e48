"""From the words typed to a command's exit code."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol, TextIO, cast

from ctxls import __version__
from ctxls.cli import COMMANDS
from ctxls.cli.arguments import Parser, add_store
from ctxls.cli.exits import ERROR, Exit
from ctxls.cli.logs import log_to_file, log_to_terminal
from ctxls.errors import InvalidParamsError
from ctxls.settings import LOG
from ctxls.text.printable import quoted

STORE: Final = "--store"


class CommandModule(Protocol):
    """What the module of a command offers."""

    EXAMPLE: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do the work and return the exit code."""
        ...


def run(argv: Sequence[str]) -> int:
    """Run what was typed. Whatever happens, the user reads a sentence and no traceback."""
    _open_streams()
    log_to_terminal()
    with Exit() as ending:
        _keep_log()
        ending.code = _run(argv)
    return ending.code


def _keep_log() -> None:
    """Write the log that the environment names from the start, whatever the command."""
    if text := os.environ.get(LOG.name, "").strip():
        log_to_file(LOG.read(text, "the environment"))


def _open_streams() -> None:
    """Stand in for a stream that the caller closed, and write all characters to the others."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _run(argv: Sequence[str]) -> int:
    before, name, after = _split(argv)
    common = _parser().parse_args(before)
    if name is None:
        _parser().print_help(sys.stderr)
        return ERROR
    if name not in COMMANDS:
        raise InvalidParamsError(_no_command(name))
    module = cast("CommandModule", import_module(COMMANDS[name].module))
    args = _command_parser(name, module).parse_args(after)
    args.store = args.store or common.store
    return module.run(args)


def _split(argv: Sequence[str]) -> tuple[list[str], str | None, list[str]]:
    """Split at the command's name: the first word that is neither an option nor its value."""
    is_value = False
    for place, word in enumerate(argv):
        if not is_value and not word.startswith("-"):
            return list(argv[:place]), word, list(argv[place + 1 :])
        is_value = word == STORE and not is_value
    return list(argv), None, []


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:{width}}  {found.summary}" for name, found in COMMANDS.items())
    parser = Parser(
        prog="ctxls",
        usage="ctxls [--store FILE] COMMAND ...",
        description="Stored context records, as documents in an editor and on the command line.",
        epilog=f"commands:\n{listed}\n\n`ctxls COMMAND --help` says more about one.",
    )
    add_store(parser)
    parser.add_argument("--version", action="version", version=f"ctxls {__version__}")
    return parser


def _command_parser(name: str, module: CommandModule) -> argparse.ArgumentParser:
    parser = Parser(
        prog=f"ctxls {name}",
        description=COMMANDS[name].summary,
        epilog=f"example:\n  {module.EXAMPLE}",
    )
    module.add_arguments(parser)
    add_store(parser)
    return parser


def _no_command(name: str) -> str:
    nearest = get_close_matches(name[:100], COMMANDS, 1)
    hint = f"did you mean {nearest[0]}?" if nearest else "`ctxls --help` lists them."
    return f"{quoted(name)} is no command of ctxls; {hint}"
