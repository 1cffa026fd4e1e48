"""`ctxls index`: bring the search index up to date, check it against the store, or make it anew."""

import argparse
from functools import partial
from typing import Final

from ctxls.cli.arguments import settings_of
from ctxls.cli.asking import ask
from ctxls.cli.exits import DONE, ERROR, NOTHING
from ctxls.cli.importing import counted
from ctxls.cli.progress import shown_progress
from ctxls.cli.terminal import Output, complain
from ctxls.errors import DisabledError
from ctxls.index.candidates import CandidateIndex, IndexStatus
from ctxls.queries.library import Library

EXAMPLE: Final = "ctxls index --check"
UP_TO_DATE: Final = "Another process of ctxls is bringing the index of this store up to date."
ANEW: Final = (
    "Another process of ctxls is writing the index of this store, so it was not made anew;"
    " try again."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--check", action="store_true", help="compare it with every stored text")
    way.add_argument("--rebuild", action="store_true", help="throw it away and make it anew")


def run(args: argparse.Namespace) -> int:
    """Say what the index holds; 1 where the check found something wrong, 2 for nothing done."""
    return ask(settings_of(args), _check if args.check else partial(_make, anew=args.rebuild))


async def _make(library: Library, *, anew: bool) -> int:
    index = await _index_of(library)
    with shown_progress("indexing") as report:
        make = index.rebuild if anew else index.catch_up
        is_made = await make(report)
    if not is_made:
        complain(ANEW if anew else UP_TO_DATE)
        return ERROR if anew else DONE
    _say(await index.status())
    if not index.is_kept:
        complain("It is lost with this command, since its folder cannot be written.")
        return ERROR
    return DONE


async def _check(library: Library) -> int:
    index = await _index_of(library)
    with shown_progress("checking") as report:
        wrong = await index.wrong(report)
    found = await index.status()
    _say(found)
    if wrong:
        complain(f"{counted(len(wrong), 'record')} could be missed by a search, {wrong[0]} first;")
        complain("`ctxls index --rebuild` makes the index anew.")
        return NOTHING
    Output().line("Every line of those would be found.")
    return DONE


async def _index_of(library: Library) -> CandidateIndex:
    index = await library.start_index()
    if index is None:
        raise DisabledError("The index is switched off; set CTXLS_INDEX to on.")
    return index


def _say(found: IndexStatus) -> None:
    size = found.bytes / 1e6
    Output().line(f"The index holds {counted(found.records, 'record')} in {size:,.1f} MB.")
    if found.state == "building":
        Output().line(
            "Other records are read whole until `ctxls serve` or `ctxls index` adds them."
        )
