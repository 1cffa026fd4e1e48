"""`ctxls demo`: what an editor gets, shown on sample records by the real server."""

import argparse
import asyncio
import shutil
import sys
from collections.abc import Sequence
from contextlib import aclosing
from importlib.resources import as_file, files
from io import StringIO
from pathlib import Path
from typing import Any, Final

from platformdirs import user_cache_path
from rich.console import Console

from ctxls import wiring
from ctxls.cli.arguments import settings_of
from ctxls.cli.demo_page import Answers, print_page
from ctxls.cli.exits import DONE
from ctxls.cli.lsp_client import LspClient, server_command, session
from ctxls.errors import InvalidParamsError
from ctxls.records.access import OWNER
from ctxls.settings import APP, Settings
from ctxls.writing.arrivals import Arrivals
from ctxls.writing.importing import import_records

EXAMPLE: Final = "ctxls demo"
SHOWN_RECORD: Final = "Rollback plan for release 4.2"
PATTERN: Final = "rollback"
WIDEST: Final = 104
BESIDE: Final = ("", "-wal", "-shm")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--svg", metavar="FILE", type=Path, help="draw it into FILE as well")


def run(args: argparse.Namespace) -> int:
    """Build the store, start the server on it, ask what an editor asks, and print the answers."""
    store = _place(args.store)
    args.store = str(store)
    asyncio.run(_fill(settings_of(args)))
    with session(server_command(store)) as client:
        answers = _ask(client)
    print_page(answers, _start_line(store), _console())
    if args.svg:
        _draw(answers, args.svg)
    return DONE


def _place(named: str | None) -> Path:
    """Choose where the sample store is; it stays, so that an editor can be pointed at it."""
    if named is not None:
        store = Path(named).expanduser()
        if store.exists():
            raise InvalidParamsError(f"{store} exists; the demo makes a store of its own.")
        return store
    store = user_cache_path(APP, appauthor=False) / "demo.db"
    for suffix in BESIDE:
        store.with_name(store.name + suffix).unlink(missing_ok=True)
    return store


async def _fill(settings: Settings) -> None:
    library = wiring.library(settings, create=True)
    try:
        with as_file(files("ctxls") / "samples") as samples:
            records = Arrivals(settings.max_record_bytes).of([samples])
            async with aclosing(import_records(records, library.store, OWNER)) as stored:
                async for _ in stored:
                    pass
    finally:
        await library.close()


def _ask(client: LspClient) -> Answers:
    """Ask what an editor asks as its user looks around."""
    records = client.ask("context/list", {"what": "records"})["items"]
    shown = next(record for record in records if record["title"] == SHOWN_RECORD)
    found = client.ask("context/grep", {"pattern": PATTERN, "outputMode": "content"})
    match = _deepest([row for row in found["results"] if row["contextId"] == shown["contextId"]])
    part = {"uri": shown["uri"], "nodeId": match["nodeId"]}
    return Answers(
        threads=client.ask("context/list", {"what": "threads"})["items"],
        records=records,
        shown=shown,
        symbols=client.ask("textDocument/documentSymbol", {"textDocument": {"uri": shown["uri"]}}),
        outline=client.ask("context/navigate", {"uri": shown["uri"]}),
        pattern=PATTERN,
        found=found,
        match=match,
        part=client.ask("context/readRange", part),
    )


def _deepest(rows: Sequence[Any]) -> Any:
    """Pick the match in the deepest section, which is the one whose text is shortest."""
    return max(rows, key=lambda row: row["nodeId"].count("/"))


def _console() -> Console:
    return Console(width=min(Console().width, WIDEST), highlight=False)


def _start_line(store: Path) -> list[str]:
    """Return what an editor starts: `ctxls` where the shell finds this one, else its path."""
    own = Path(sys.executable).with_name("ctxls")
    found = shutil.which("ctxls")
    if found and (not own.exists() or Path(found).samefile(own)):
        program = ["ctxls"]
    else:
        program = [str(own)] if own.exists() else [sys.executable, "-m", "ctxls"]
    return [*program, "serve", "--store", str(store)]


def _draw(answers: Answers, file: Path) -> None:
    """Draw the page as others will see it: `ctxls` on the path, and nobody's own folder."""
    console = Console(
        record=True, width=WIDEST, file=StringIO(), force_terminal=True, highlight=False
    )
    line = ["ctxls", "serve", "--store", "/home/you/.cache/ctxls/demo.db"]
    print_page(answers, line, console)
    console.save_svg(str(file), title="ctxls demo")
