"""`ctxls grep`: search the text of all records."""

import argparse
from typing import Final

from ctxls import wiring
from ctxls.cli.arguments import add_json, add_scope, scope_of, settings_of
from ctxls.cli.asking import ask, view_of
from ctxls.cli.exits import DONE, ERROR, NOTHING
from ctxls.cli.matches import print_matches
from ctxls.cli.terminal import Output, complain
from ctxls.lsp.extensions import GREP
from ctxls.lsp.extensions.grep import answer
from ctxls.lsp.extensions.view import Json
from ctxls.queries.grep import GrepAnswer, GrepRequest, Mode, grep
from ctxls.queries.library import Library
from ctxls.records.access import OWNER

EXAMPLE: Final = "ctxls grep -C 2 rollback"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("pattern", metavar="PATTERN", help="literal unless -E is given")
    parser.add_argument("-E", dest="regex", action="store_true", help="a regular expression (RE2)")
    parser.add_argument("-s", dest="sensitive", action="store_true", help="case-sensitive")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "-C", dest="context", type=int, default=0, metavar="N", help="N lines around each match"
    )
    form.add_argument("-c", dest="count", action="store_true", help="only count, by record")
    form.add_argument("-l", dest="names", action="store_true", help="only name the records")
    parser.add_argument(
        "--max", type=int, metavar="N", help="stop after N matches (-c, -l: records)"
    )
    add_scope(parser)
    add_json(parser, GREP)


def run(args: argparse.Namespace) -> int:
    """Print `thread/title:line:text`; 0 with matches, 1 without, 2 on an error."""
    settings, output = settings_of(args), Output()
    request = GrepRequest(
        pattern=args.pattern,
        is_regex=args.regex,
        case_sensitive=args.sensitive,
        mode=_mode(args),
        context_lines=args.context,
        max_matches=settings.grep_max_matches_cap if args.max is None else args.max,
        scope=scope_of(args),
    )
    is_indexed = wiring.has_index(settings)
    found, as_json = ask(settings, lambda library: _grep(library, request, is_indexed=is_indexed))
    if args.json:
        output.json(as_json)
    else:
        print_matches(found, output)
    return _code(found)


async def _grep(
    library: Library, request: GrepRequest, *, is_indexed: bool
) -> tuple[GrepAnswer, Json]:
    if is_indexed:  # without one, to make it would take longer than to read all
        await library.start_index()
    found = await grep(library, request, OWNER)
    return found, answer(found, view_of(library))


def _mode(args: argparse.Namespace) -> Mode:
    if args.count:
        return "count"
    return "files_with_matches" if args.names else "content"


def _code(found: GrepAnswer) -> int:
    """Say why an answer is not whole; one that found nothing because of that is an error."""
    if found.truncated_by is not None:
        complain(_CUT[found.truncated_by])
    if found.rows or found.records:
        return DONE
    return NOTHING if found.truncated_by in {None, "matches"} else ERROR


_CUT: Final = {
    "matches": "There are more matches; a filter or a longer pattern finds the rest, and --max"
    " shows more, up to GREP_MAX_MATCHES_CAP.",
    "entries": "Older records were not searched, since GREP_MAX_ENTRIES_SCANNED bounds it.",
    "time": "The time for a regular expression ran out (GREP_REGEX_TIMEOUT_S a record,"
    " GREP_REGEX_TOTAL_TIMEOUT_S in all), so matches may be missing.",
    "bytes": "There are more matches than fit into one answer; a filter finds the rest.",
}
