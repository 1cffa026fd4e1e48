"""The arguments that commands have in common, and what they mean."""

import argparse
import os
from typing import NoReturn

from ctxls.errors import InvalidParamsError
from ctxls.records.filters import Filter, moment, tags_of
from ctxls.records.record import SOURCES
from ctxls.settings import Settings, default_config
from ctxls.text.printable import quoted


class Parser(argparse.ArgumentParser):
    """Argparse, with what is wrong said in one sentence like everything else."""

    def __init__(
        self, *, prog: str, description: str, epilog: str, usage: str | None = None
    ) -> None:
        super().__init__(
            prog=prog,
            usage=usage,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong with the arguments."""
        raise InvalidParamsError(f"{message}; see `{self.prog} --help`.")


def add_store(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes."""
    parser.add_argument(
        "--store", metavar="FILE", type=_named, help="the store; default: your data folder's"
    )


def _named(text: str) -> str:
    """Refuse a blank: `--store "$STORE"` without a STORE means no store, not the default one."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is blank; name a file")
    return text


def add_json(parser: argparse.ArgumentParser, method: str) -> None:
    """Add the switch of a command that answers what a method of the protocol does."""
    parser.add_argument("--json", action="store_true", help=f"print what {method} answers")


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names one record."""
    parser.add_argument(
        "id", metavar="ID", help="the record's id, the first 8 or more of its digits, or its URI"
    )


def add_scope(parser: argparse.ArgumentParser) -> None:
    """Add the filters."""
    scope = parser.add_argument_group("only records that")
    scope.add_argument("--thread", help="are in this thread")
    scope.add_argument("--tag", action="append", default=[], help="have this tag; may be repeated")
    scope.add_argument("--source", choices=SOURCES, help="are from a person, or an agent")
    scope.add_argument("--after", metavar="TIME", help="were made at this ISO 8601 time or later")
    scope.add_argument("--before", metavar="TIME", help="were made before this time")


def settings_of(args: argparse.Namespace) -> Settings:
    """Read the settings, with what the command line says above all others."""
    flags = {} if args.store is None else {"CTXLS_STORE": args.store}
    return Settings.load(flags, os.environ, default_config())


def scope_of(args: argparse.Namespace) -> Filter:
    """Return the filters as one scope."""
    return Filter(
        thread=args.thread,
        source=args.source,
        tags=tags_of(args.tag),
        created_after=None if args.after is None else moment("--after", args.after),
        created_before=None if args.before is None else moment("--before", args.before),
    )


def bounds(name: str, text: str, least: int) -> tuple[int, int | None]:
    """Read `A:B`, where either may be left out; `least` is where counting begins."""
    try:
        start, end = (int(end) if end.strip() else None for end in text.split(":"))
    except ValueError:
        raise InvalidParamsError(
            f"{name} is {quoted(text)}; give two numbers as A:B, for example 10:20, 10: or :20."
        ) from None
    return least if start is None else start, end
