"""The command line: one file a command, each imported only when it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the module that does it, with `add_arguments` and `run`, and what it does."""

    module: str
    summary: str


COMMANDS: Final[Mapping[str, Command]] = {
    "serve": Command("ctxls.cli.serve", "Serve an editor over LSP on standard input and output."),
    "import": Command("ctxls.cli.importing", "Store Markdown files, or JSON lines, as records."),
    "list": Command("ctxls.cli.list", "List records, threads or tags."),
    "show": Command("ctxls.cli.show", "Print one record."),
    "grep": Command("ctxls.cli.grep", "Search the text of all records."),
    "outline": Command("ctxls.cli.outline", "Print the headings of one record with their ids."),
    "read": Command("ctxls.cli.read", "Print a part of one record."),
    "index": Command("ctxls.cli.index", "Bring the search index up to date, or check it."),
    "doctor": Command("ctxls.cli.doctor", "Check the settings and the store, and say what to do."),
    "demo": Command("ctxls.cli.demo", "Show on sample records what an editor gets."),
}
