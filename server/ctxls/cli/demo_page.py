"""The page that the demo prints, made of a server's answers and nothing else."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

Json = dict[str, Any]
TITLES_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Answers:
    """What the server answered: to context/list, documentSymbol, navigate, grep and readRange."""

    threads: Sequence[Json]
    records: Sequence[Json]
    shown: Json
    symbols: Sequence[Json]
    outline: Json
    pattern: str
    found: Json
    match: Json
    part: Json


def print_page(answers: Answers, start_line: Sequence[str], console: Console) -> None:
    """Print it: what is stored, one outline, one search, one partial read, and how to go on."""
    console.print()
    console.print("[bold]ctxls[/] opens what agents and people stored as documents in your editor.")
    console.print(
        f"[dim]{len(answers.records)} sample records were just stored, and the real server was"
        " started. Below is what an editor gets from it, over LSP.[/]"
    )
    for number, (title, method, body) in enumerate(_steps(answers), 1):
        console.print(f"\n[bold cyan]{number}  {title}[/]  [dim]{method}[/]")
        console.print(Padding(body, (0, 0, 0, 3)))
    console.print("\n[bold cyan]5  The same in your editor[/]")
    for line in _editor(start_line):
        console.print("   ", line, sep="", soft_wrap=True)  # stays one line when it is copied
    console.print()


def _steps(answers: Answers) -> Iterator[tuple[str, str, RenderableType]]:
    yield "What is stored: records, grouped in threads", "context/list", _threads(answers)
    yield "One of them, with its outline", "documentSymbol, context/navigate", _outline(answers)
    search = f"A search for “{answers.pattern}” in all of them"
    yield search, "context/grep", _match(answers)
    yield "Only the section around that match", "context/readRange", _part(answers)


def _threads(answers: Answers) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for thread in answers.threads:
        name = thread["threadId"]
        titles = [record["title"] for record in answers.records if record["threadId"] == name]
        table.add_row(
            Text(name, style="magenta"),
            Text(f"{thread['records']} records"),
            Text(" · ".join(titles[:TITLES_SHOWN]), style="dim"),
        )
    return table


def _outline(answers: Answers) -> RenderableType:
    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1), pad_edge=False, header_style="dim"
    )
    table.add_column("section")
    table.add_column("lines", justify="right", style="green")
    table.add_column("node id", style="yellow", overflow="fold")
    symbols, nodes = _flat(answers.symbols), _flat(answers.outline["root"]["children"])
    for (depth, symbol), (_, node) in zip(symbols, nodes, strict=True):
        table.add_row(Text("  " * depth + symbol["name"]), _lines(symbol["range"]), node["nodeId"])
    return Group(_uri(answers.shown["uri"]), table)


def _match(answers: Answers) -> RenderableType:
    rows, match = answers.found["results"], answers.match
    records = len({row["contextId"] for row in rows})
    start, end = (match[name] - match["lineStart"] for name in ("matchStart", "matchEnd"))
    line = Text.assemble(
        (f"{answers.shown['threadId']}/{answers.shown['title']}", "magenta"),
        ":",
        (str(match["lineNumber"]), "green"),
        ":",
    )
    text = Text(match["line"])
    text.stylize("bold red", start, end)
    return Group(
        Text(f"{answers.found['totalMatches']} matches in {records} records; one of them:"),
        line + text,
        _uri(match["uri"]),
    )


def _part(answers: Answers) -> RenderableType:
    part = answers.part
    size = part["endChar"] - part["startChar"]
    text = Text(part["text"].rstrip())
    text.highlight_regex(f"(?i){re.escape(answers.pattern)}", "bold red")
    return Panel(
        text,
        title=f"[yellow]{escape(answers.match['nodeId'])}[/]",
        title_align="left",
        subtitle=f"[dim]lines {part['startLine']} to {part['endLine']}:"
        f" {size:,} of {answers.outline['totalChars']:,} characters[/]",
        subtitle_align="right",
        border_style="dim",
        expand=False,
    )


def _editor(start_line: Sequence[str]) -> Iterator[Text]:
    quoted = ", ".join(f"'{word}'" for word in start_line)
    for words, line in (
        ("Any LSP client starts it with", shlex.join(start_line)),
        ("Neovim 0.11 starts it with", f":lua vim.lsp.start({{ cmd = {{ {quoted} }} }})"),
        ("and searches all records with", ":lua vim.lsp.buf.workspace_symbol('rollback')"),
        ("Your own Markdown goes into a store of yours with", "ctxls import ~/notes"),
    ):
        yield Text(words, style="dim")
        yield Text(f"  {line}", style="bold")


def _uri(uri: str) -> Text:
    return Text(uri, style="cyan", overflow="fold")


def _lines(found: Json) -> str:
    """Show an LSP range as people count lines; an end in column 0 is the line before."""
    end = found["end"]
    last = end["line"] if end["character"] == 0 else end["line"] + 1
    return f"{found['start']['line'] + 1}-{last}"


def _flat(nodes: Sequence[Json], depth: int = 0) -> Iterator[tuple[int, Json]]:
    for node in nodes:
        yield depth, node
        yield from _flat(node.get("children", ()), depth + 1)
