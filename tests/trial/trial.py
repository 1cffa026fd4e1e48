"""Open, outline and read every record of a store through the real server.

`make trial STORE=FILE` takes a SQLite store, a folder of Markdown, or a .tar.gz of one. For each
record it asks for the document, its symbols and its outline, then for every section by its node
id, and checks that they agree: a selection lies in its range, a child in its parent, and a section
read by id is exactly what its symbol's range cuts out of the document. Many records are asked
about at a time, and only their texts are held.
"""

import argparse
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from ctxls.cli.exits import DONE, NOTHING
from ctxls.cli.lsp_client import AnswerError, LspClient, result_of, server_command, session

Json = dict[str, Any]
AT_A_TIME = 24
MOST_SHOWN = 20
PAGE = 500
LINE_END = re.compile("\r\n|\r|\n")
Check = Generator[tuple[str, Json], Any, None]


class Trial:
    """What was asked and what did not agree."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self._read: set[str] = set()

    def check(self, record: Json) -> Check:
        """Ask about one record: yields requests and is sent their results."""
        uri = {"uri": record["uri"]}
        text = (yield "workspace/textDocumentContent", uri)["text"]
        symbols = yield "textDocument/documentSymbol", {"textDocument": uri}
        outline = yield "context/navigate", uri
        cutter = Cutter(text)
        self._count(records=1, characters=len(text))
        self._expect(len(text) == record["totalChars"], record, "has another length in the list")
        self._ranges(record, symbols, cutter)
        shown = list(flat(symbols))
        nodes = list(flat(outline["root"]["children"]))
        if nodes:
            self._expect(len(shown) == len(nodes), record, "has other symbols than sections")
        else:
            self._expect(len(shown) == 1, record, "has no headings and not just one symbol")
            nodes = [outline["root"]]
        for symbol, node in zip(shown, nodes, strict=False):
            part = yield "context/readRange", {**uri, "nodeId": node["nodeId"]}
            section = cutter.cut(symbol["range"])
            self._count(sections=1)
            self._expect(part["text"] == section, record, f"reads otherwise: {node['nodeId']}")
            span = text[node["charStart"] : node["charEnd"]]
            self._expect(span == section, record, f"spans otherwise: {node['nodeId']}")
        self._read.add(record["contextId"])

    def expect_all(self, number: int) -> None:
        """Note where other records were read to their end than the `number` of the store."""
        if len(self._read) != number:
            self.failures.append(f"{len(self._read):,} of the store's {number:,} records were read")

    def fail(self, record: Json, what: str) -> None:
        """Note what is wrong with a record."""
        self.failures.append(f"{record['contextId']} {record['title'][:40]!r} {what}")

    def _ranges(self, record: Json, symbols: Sequence[Json], cutter: "Cutter") -> None:
        for symbol in flat(symbols):
            self._count(symbols=1)
            outer = cutter.span(symbol["range"])
            selection = cutter.span(symbol["selectionRange"])
            self._expect(within(selection, outer), record, f"selects outside: {symbol['name']}")
            for child in symbol.get("children", ()):
                inner = cutter.span(child["range"])
                self._expect(within(inner, outer), record, f"has a child outside: {child['name']}")

    def _count(self, **numbers: int) -> None:
        self.counts.update(numbers)

    def _expect(self, holds: bool, record: Json, what: str) -> None:
        if not holds:
            self.fail(record, what)


class Cutter:
    """Turns ranges in utf-16 into spans of one text, in its own way and not with ctxls's code."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(found.end() for found in LINE_END.finditer(text))]

    def span(self, found: Json) -> tuple[int, int]:
        """Return where a range begins and ends in the text."""
        return self._offset(found["start"]), self._offset(found["end"])

    def cut(self, found: Json) -> str:
        """Return the text of a range."""
        start, end = self.span(found)
        return self._text[start:end]

    def _offset(self, place: Json) -> int:
        if place["line"] >= len(self._starts):
            return len(self._text) + 1  # nowhere in the text, so that it fails what it is held to
        start = self._starts[place["line"]]
        line = self._text[start : start + place["character"]].encode("utf-16-le")
        return start + len(line[: 2 * place["character"]].decode("utf-16-le"))


def flat(nodes: Sequence[Json]) -> Iterator[Json]:
    """Walk a tree in document order."""
    for node in nodes:
        yield node
        yield from flat(node.get("children", ()))


def within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    """Tell whether a span lies in another."""
    return outer[0] <= inner[0] <= inner[1] <= outer[1]


def records(client: LspClient) -> Iterator[Json]:
    """List all records, page after page."""
    params: Json = {"what": "records", "limit": PAGE}
    while True:
        page = client.ask("context/list", params)
        yield from page["items"]
        if "nextCursor" not in page:
            return
        params["cursor"] = page["nextCursor"]


def ask_all(client: LspClient, trial: Trial) -> None:
    """Run the checks of many records at a time, each sent the answers to its own requests."""
    held = client.ask("context/status", {})["records"]
    waiting = ((record, trial.check(record)) for record in records(client))
    asked: dict[int, tuple[Json, Check]] = {}

    def go_on(record: Json, check: Check, result: Any) -> None:
        try:
            request = check.send(result)
        except StopIteration:
            begin()
        else:
            asked[client.send(*request)] = record, check

    def begin() -> None:
        if following := next(waiting, None):
            go_on(*following, None)

    for _ in range(AT_A_TIME):
        begin()
    while asked:
        number, answer = client.receive()
        record, check = asked.pop(number)
        if "error" in answer:
            trial.fail(record, f"is refused: {answer['error']['message']}")
            begin()
        else:
            go_on(record, check, result_of(answer))
    trial.expect_all(held)


@contextmanager
def store_of(path: Path) -> Iterator[Path]:
    """Lend a store: the one named, or one made of the Markdown that was named."""
    with TemporaryDirectory() as folder:
        if path.name.endswith((".tar.gz", ".tgz")):
            unpack(path, Path(folder, "markdown"))
            path = Path(folder, "markdown")
        if path.is_dir():
            store = Path(folder, "trial.db")
            import_into(store, path)
            path = store
        yield path


def import_into(store: Path, folder: Path) -> None:
    """Import a folder; what is refused of it the import lists, and the rest is tried."""
    command = [sys.executable, "-m", "ctxls", "import", "--store", str(store), str(folder)]
    if run(command, check=False).returncode not in {DONE, NOTHING}:
        raise AnswerError(f"{folder} could not be imported.")


def unpack(archive: Path, folder: Path) -> None:
    """Unpack the regular files of an archive, and none that would lie outside of the folder."""
    with tarfile.open(archive) as packed:
        for member in packed:
            target = (folder / member.name).resolve()
            content = packed.extractfile(member) if member.isreg() else None
            if content and target.is_relative_to(folder.resolve()):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.read())


def main() -> int:
    """Run the trial and print what came of it; 1 where something did not agree, 2 on an error."""
    parser = argparse.ArgumentParser(description="Open, outline and read every record.")
    parser.add_argument("store", type=Path, help="a store, or a folder or .tar.gz of Markdown")
    trial, began = Trial(), monotonic()
    try:
        with store_of(parser.parse_args().store) as store:
            began = monotonic()
            with session(server_command(store), encoding="utf-16") as client:
                ask_all(client, trial)
    except AnswerError as error:
        print(error, file=sys.stderr)
        return 2
    for name, number in trial.counts.items():
        print(f"{name:<12}{number:>14,}")
    print(f"{'failures':<12}{len(trial.failures):>14,}")
    print(f"{'seconds':<12}{monotonic() - began:>14.1f}")
    for failure in trial.failures[:MOST_SHOWN]:
        print(failure)
    return 1 if trial.failures or not trial.counts["records"] else 0


if __name__ == "__main__":
    sys.exit(main())
