"""`ctxls list`: what is in the store."""

import argparse
from collections.abc import Callable, Mapping
from typing import Any, Final

from ctxls.cli.arguments import add_json, add_scope, scope_of, settings_of
from ctxls.cli.asking import ask, view_of
from ctxls.cli.card import minute
from ctxls.cli.exits import DONE
from ctxls.cli.terminal import Output, complain
from ctxls.lsp.extensions import LIST, listing
from ctxls.lsp.extensions.view import Json
from ctxls.queries.library import Library
from ctxls.queries.listing import (
    DEFAULT_LIMIT,
    ListedRecord,
    list_records,
    list_tags,
    list_threads,
)
from ctxls.records.access import OWNER
from ctxls.records.record import TagSummary, ThreadSummary
from ctxls.records.store import Page

EXAMPLE: Final = "ctxls list records --thread deploy"
QUERIES: Final[Mapping[str, Callable[..., Any]]] = {
    "records": list_records,
    "threads": list_threads,
    "tags": list_tags,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "what", nargs="?", choices=[*QUERIES], default="records", help="default: records"
    )
    add_scope(parser)
    parser.add_argument(
        "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="default: %(default)s"
    )
    parser.add_argument("--cursor", help="go on where a list before this one ended")
    add_json(parser, LIST)


def run(args: argparse.Namespace) -> int:
    """Print a line an item, newest first; tags by name."""
    output = Output()
    page, as_json = ask(settings_of(args), lambda library: _list(library, args))
    if args.json:
        output.json(as_json)
        return DONE
    for item in page.items:
        output.line(_ROWS[type(item)](item, output))
    if page.next_cursor is not None:
        complain(f"There are more; go on with --cursor {page.next_cursor}")
    return DONE


async def _list(library: Library, args: argparse.Namespace) -> tuple[Page[Any], Json]:
    query = QUERIES[args.what]
    page = await query(library, scope_of(args), OWNER, args.limit, args.cursor)
    return page, listing.answer(page, view_of(library))


def _record(item: ListedRecord, output: Output) -> str:
    name = output.name(f"{item.place.thread}/{item.place.title}")
    tags = "".join(f" #{tag}" for tag in item.record.tags)
    return "  ".join(
        [
            output.paint(item.record.id, "id"),
            output.paint(minute(item.record.created), "dim"),
            output.paint(name, "name") + output.paint(output.name(tags), "dim"),
        ]
    )


def _thread(item: ThreadSummary, output: Output) -> str:
    when = output.paint(minute(item.updated), "dim")
    return f"{item.records:7,}  {when}  {output.paint(output.name(item.thread), 'name')}"


def _tag(item: TagSummary, output: Output) -> str:
    return f"{item.records:7,}  {output.paint(output.name(item.tag), 'name')}"


_ROWS: Final[Mapping[type, Callable[[Any, Output], str]]] = {
    ListedRecord: _record,
    ThreadSummary: _thread,
    TagSummary: _tag,
}
