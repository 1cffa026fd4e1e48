"""`ctxls read`: a part of one record, by characters, lines or section."""

import argparse
from typing import Final

from ctxls.cli.arguments import add_json, add_record, bounds, settings_of
from ctxls.cli.asking import ask, view_of
from ctxls.cli.exits import DONE
from ctxls.cli.terminal import Output
from ctxls.lsp.extensions import READ_RANGE
from ctxls.lsp.extensions import read_range as wire
from ctxls.lsp.extensions.view import Json
from ctxls.queries.library import Library
from ctxls.queries.read_range import RangeRequest, read_range
from ctxls.records.access import OWNER

EXAMPLE: Final = "ctxls read 01a22e4a35ac7522 --lines 10:20"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_record(parser)
    part = parser.add_mutually_exclusive_group(required=True)
    part.add_argument("--chars", metavar="A:B", help="characters, from 0, B left out")
    part.add_argument("--lines", metavar="A:B", help="lines, from 1, B included")
    part.add_argument("--node", metavar="N", help="a section by its id: see `ctxls outline`")
    add_json(parser, READ_RANGE)


def run(args: argparse.Namespace) -> int:
    """Print the part, exactly as stored where another program reads it."""
    settings, named, request, output = settings_of(args), args.id, _request(args), Output()
    answer = ask(settings, lambda library: _read(library, named, request))
    if args.json:
        output.json(answer)
    else:
        output.whole(answer["text"])
    return DONE


async def _read(library: Library, named: str, request: RangeRequest) -> Json:
    return wire.answer(await read_range(library, named, request, OWNER), view_of(library))


def _request(args: argparse.Namespace) -> RangeRequest:
    if args.chars is not None:
        start, end = bounds("--chars", args.chars, 0)
        return RangeRequest(start_char=start, end_char=end)
    if args.lines is not None:
        start, end = bounds("--lines", args.lines, 1)
        return RangeRequest(start_line=start, end_line=end)
    return RangeRequest(node_id=args.node)
