"""`ctxls outline`: the headings of one record, with where they are and their node ids."""

import argparse
from collections.abc import Iterator
from typing import Final

from ctxls.cli.arguments import add_json, add_record, settings_of
from ctxls.cli.asking import ask, view_of
from ctxls.cli.exits import DONE
from ctxls.cli.terminal import Output, complain
from ctxls.lsp.extensions import NAVIGATE
from ctxls.lsp.extensions.navigate import NavigateRequest, answer
from ctxls.lsp.extensions.view import Json
from ctxls.queries.library import Library
from ctxls.queries.navigate import DEEPEST, Navigation, navigate
from ctxls.records.access import OWNER
from ctxls.records.document import shown
from ctxls.text.outline import Section

EXAMPLE: Final = "ctxls outline 01a22e4a35ac7522 --depth 2"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_record(parser)
    parser.add_argument(
        "--depth", type=int, default=DEEPEST, metavar="N", help="how many levels; default: all"
    )
    parser.add_argument("--summaries", action="store_true", help="with the sections' summaries")
    add_json(parser, NAVIGATE)


def run(args: argparse.Namespace) -> int:
    """Print a section a line: its lines, its title by depth, its node id."""
    settings, output = settings_of(args), Output()
    asked = NavigateRequest(args.id, args.depth, args.summaries)
    found, as_json = ask(settings, lambda library: _navigate(library, asked))
    if args.json:
        output.json(as_json)
        return DONE
    output.line(output.paint(output.name(found.place.title), "bold"))
    for line in _table(found, output, summaries=args.summaries):
        output.line(line)
    if not found.outline.is_whole:
        complain(
            "The record is too large for a whole outline; headings behind these are not shown."
        )
    return DONE


async def _navigate(library: Library, asked: NavigateRequest) -> tuple[Navigation, Json]:
    found = await navigate(library, asked.context_id, OWNER, asked.max_depth)
    return found, answer(found, asked, view_of(library))


def _table(found: Navigation, output: Output, *, summaries: bool) -> Iterator[str]:
    places = [_lines(found, section) for section in found.shown]
    titles = [_title(found, section, output) for section in found.shown]
    widths = [max(map(len, column), default=0) for column in (places, titles)]
    for section, place, title in zip(found.shown, places, titles, strict=True):
        node = output.paint(output.name(section.node_id), "id")
        yield f"{output.paint(place.rjust(widths[0]), 'number')}  {title:{widths[1]}}  {node}"
        summary = found.document.summary_of(section) if summaries else None
        if summary:
            yield f"{'':{widths[0]}}  {output.paint(output.name(summary), 'dim')}"


def _lines(found: Navigation, section: Section) -> str:
    """Return the first and last line of a section, from 1."""
    lines = found.document.lines
    last = lines.at(max(section.span.start, section.span.end - 1))
    return f"{lines.at(section.span.start) + 1}-{last + 1}"


def _title(found: Navigation, section: Section, output: Output) -> str:
    depth = len(found.outline.trail(section)) - 1
    return "  " * depth + output.name(shown(section.title))
