"""`ctxls show`: one record, as it is stored."""

import argparse
from typing import Final

from ctxls.cli.arguments import add_json, add_record, settings_of
from ctxls.cli.asking import ask, view_of
from ctxls.cli.card import card
from ctxls.cli.exits import DONE
from ctxls.cli.terminal import Output
from ctxls.lsp.extensions import GET, listing
from ctxls.lsp.extensions.view import Json
from ctxls.queries.library import Library
from ctxls.queries.listing import ListedRecord, get_record
from ctxls.records.access import OWNER

EXAMPLE: Final = "ctxls show 01a22e4a35ac7522"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_record(parser)
    parser.add_argument("--card", action="store_true", help="first print what is known of it")
    add_json(parser, f"{GET} (all but the text)")


def run(args: argparse.Namespace) -> int:
    """Print the text, exactly as stored where another program reads it."""
    settings, named, output = settings_of(args), args.id, Output()
    if args.json:
        output.json(ask(settings, lambda library: _as_json(library, named)))
        return DONE
    shown, uri, text = ask(settings, lambda library: _whole(library, named))
    if args.card:
        for line in card(shown, uri, text, output):
            output.line(line)
        output.line()
    output.whole(text)
    return DONE


async def _as_json(library: Library, named: str) -> Json:
    return listing.record(await get_record(library, named, OWNER), view_of(library))


async def _whole(library: Library, named: str) -> tuple[ListedRecord, str, str]:
    document = await library.open(named, OWNER)
    place = await library.place(document)
    return ListedRecord(document.record, place), library.uri(place), document.text
