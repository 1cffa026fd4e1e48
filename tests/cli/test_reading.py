"""show, read, outline and list: what they print, and that `--json` is what the server answers."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from commands import Ctxls, Typed
from peers import Peer, encodings

from ctxls import wiring
from ctxls.settings import Settings, default_store

PLAN: Final = "---\ntags: [db]\n---\n# Plan 🧭\n\n## Steps\n\ngo, Go\nstop\n"


@pytest.fixture
def ids(ctxls: Ctxls, notes: Path) -> dict[str, str]:
    """Return the id of each note by its title."""
    assert notes.exists()
    return {item["title"]: item["contextId"] for item in items(ctxls("list", "--json"))}


def items(found: Typed) -> Any:
    assert found.code == 0, found.err
    return json.loads(found.out)["items"]


def test_show_prints_the_stored_bytes_and_nothing_else(ctxls: Ctxls, ids: dict[str, str]) -> None:
    assert ctxls("show", ids["Plan 🧭"]).out == PLAN.encode()
    assert ctxls("show", ids["no heading"]).out == b"no heading\r\nhere\r\n"


def test_a_record_is_named_by_any_spelling_of_its_id(ctxls: Ctxls, ids: dict[str, str]) -> None:
    own = ids["Plan 🧭"]
    dashed = f"{own[:8]}-{own[8:12]}-{own[12:16]}-{own[16:20]}-{own[20:]}"
    uri = f"context://local/stale/name.{own.upper()}.md#L3"
    for spelled in (own, own.upper(), dashed, own[:31], uri):
        assert ctxls("show", spelled).out == PLAN.encode()


def test_a_prefix_of_several_records_lists_them(ctxls: Ctxls, ids: dict[str, str]) -> None:
    found = ctxls("show", ids["Plan 🧭"][:8])
    assert (found.code, found.out) == (2, b"")
    assert f"  {ids['Plan 🧭']}  Plan 🧭" in found.err.splitlines()
    assert f"  {ids['no heading']}  no heading" in found.err.splitlines()


@pytest.mark.parametrize("command", ["show", "outline"])
def test_an_id_of_no_record_is_said(ctxls: Ctxls, notes: Path, command: str) -> None:
    assert notes.exists()
    found = ctxls(command, "0" * 32)
    assert (found.code, found.err) == (2, f"ctxls: Context entry not found: {'0' * 32}\n")


def test_the_card_says_what_is_known_of_a_record(ctxls: Ctxls, ids: dict[str, str]) -> None:
    card, _, text = ctxls("show", "--card", ids["Plan 🧭"]).text.partition("\n\n")
    assert text == PLAN
    assert card.splitlines()[0] == "Plan 🧭"
    facts = dict(line.split(maxsplit=1) for line in card.splitlines()[1:])
    assert facts["uri"] == f"context://local/deploy/plan.{ids['Plan 🧭']}.md"
    assert facts["tags"] == "db"
    assert facts["size"] == f"{len(PLAN)} characters, 9 lines"
    assert facts["path"] == "deploy/plan.md"


def test_the_outline_shows_lines_titles_and_node_ids(ctxls: Ctxls, ids: dict[str, str]) -> None:
    assert ctxls("outline", ids["Plan 🧭"]).lines == [
        "Plan 🧭",
        "4-9  Plan 🧭   plan",
        "6-9    Steps  plan/steps",
    ]
    assert ctxls("outline", ids["Plan 🧭"], "--depth", 1).lines[1:] == ["4-9  Plan 🧭  plan"]
    assert ctxls("outline", ids["no heading"]).lines == ["no heading"]


PARTS: Final = {
    ("--lines", "8:8"): "go, Go",
    ("--lines", ":3"): "---\ntags: [db]\n---",
    ("--lines", "9:99"): "stop",
    ("--lines", ":"): PLAN[:-1],
    ("--chars", "4:8"): "tags",
    ("--chars", f"{PLAN.index('🧭')}:{PLAN.index('🧭') + 1}"): "🧭",
    ("--chars", "9:2"): "",
    ("--chars", f"{len(PLAN) - 5}:"): "stop\n",
    ("--chars", ":"): PLAN,
    ("--node", "plan/steps"): "## Steps\n\ngo, Go\nstop\n",
    ("--node", "root"): PLAN,
}


@pytest.mark.parametrize(("part", "text"), PARTS.items(), ids=map(" ".join, PARTS))
def test_read_prints_exactly_the_part(
    ctxls: Ctxls, ids: dict[str, str], part: tuple[str, str], text: str
) -> None:
    assert ctxls("read", ids["Plan 🧭"], *part).out == text.encode()


MISREAD: Final = {
    ("--lines", "8"): "--lines is '8'; give two numbers as A:B",
    ("--lines", "1:2:3"): "--lines is '1:2:3'; give two numbers as A:B",
    ("--chars", "a:b"): "--chars is 'a:b'",
    ("--chars", "9" * 5_000 + ":"): "--chars is '9999",
    ("--chars=-5:3",): "startChar is -5; it must be 0 or more",
    ("--lines", "0:3"): "startLine is 0; it must be 1 or more",
    ("--node", "plan/stesp"): "no section 'plan/stesp'; the nearest are plan/steps",
}


@pytest.mark.parametrize(("part", "sentence"), MISREAD.items(), ids=MISREAD.values())
def test_a_part_that_cannot_be_meant_is_refused(
    ctxls: Ctxls, ids: dict[str, str], part: Sequence[str], sentence: str
) -> None:
    found = ctxls("read", ids["Plan 🧭"], *part)
    assert (found.code, found.out) == (2, b"")
    assert sentence in found.err


def test_records_are_listed_newest_first_with_their_ids(ctxls: Ctxls, ids: dict[str, str]) -> None:
    lines = ctxls("list").lines
    assert [line.split()[0] for line in lines] == [ids["Plan 🧭"], ids["no heading"]]
    assert lines[0].endswith("deploy/Plan 🧭 #db")
    assert lines[1].endswith("notes/no heading")


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        (["--thread", "deploy"], ["Plan 🧭"]),
        (["--tag", "DB", "--tag", "other"], ["Plan 🧭"]),
        (["--source", "agent"], []),
        (["--after", "2020-01-01", "--before", "2999-01-01"], ["Plan 🧭", "no heading"]),
        (["--before", "2020-01-01T00:00:00Z"], []),
    ],
)
def test_lists_are_filtered(ctxls: Ctxls, notes: Path, words: list[str], titles: list[str]) -> None:
    assert notes.exists()
    assert [item["title"] for item in items(ctxls("list", "--json", *words))] == titles


def test_a_list_says_how_to_go_on(ctxls: Ctxls, ids: dict[str, str]) -> None:
    first = ctxls("list", "--limit", 1)
    assert first.err.startswith("ctxls: There are more; go on with --cursor ")
    rest = ctxls("list", "--limit", 1, "--cursor", first.err.split()[-1])
    assert [line.split()[0] for line in first.lines + rest.lines] == list(ids.values())
    assert rest.err == ""


def test_threads_and_tags_are_listed_with_their_numbers(ctxls: Ctxls, notes: Path) -> None:
    assert notes.exists()
    threads = [line.split() for line in ctxls("list", "threads").lines]
    assert [(row[0], row[-1]) for row in threads] == [("1", "deploy"), ("1", "notes")]
    assert [line.split() for line in ctxls("list", "tags").lines] == [["1", "db"]]


SAME: Final[list[tuple[list[str], str, dict[str, Any]]]] = [
    (["show", "ID"], "context/get", {"contextId": "ID"}),
    (["outline", "ID"], "context/navigate", {"contextId": "ID"}),
    (
        ["outline", "ID", "--depth", "1", "--summaries"],
        "context/navigate",
        {"contextId": "ID", "maxDepth": 1, "includeNodeSummaries": True},
    ),
    (
        ["read", "ID", "--lines", "4:8"],
        "context/readRange",
        {"contextId": "ID", "startLine": 4, "endLine": 8},
    ),
    (["list"], "context/list", {"what": "records"}),
    (
        ["list", "threads", "--tag", "db"],
        "context/list",
        {"what": "threads", "filter": {"tags": ["db"]}},
    ),
    (["list", "tags"], "context/list", {"what": "tags"}),
    (
        ["grep", "-C", "1", "go"],
        "context/grep",
        {"pattern": "go", "outputMode": "content", "contextLines": 1},
    ),
    (
        ["grep", "-E", "-s", "-c", "[Gg]o"],
        "context/grep",
        {"pattern": "[Gg]o", "isRegex": True, "caseSensitive": True, "outputMode": "count"},
    ),
    (
        ["grep", "-l", "--thread", "deploy", "--max", "1", "o"],
        "context/grep",
        {"pattern": "o", "maxMatches": 1, "filter": {"threadId": "deploy"}},
    ),
]


@pytest.mark.parametrize(
    ("words", "method", "params"), SAME, ids=[" ".join(row[0]) for row in SAME]
)
def test_json_is_what_the_server_answers(
    ctxls: Ctxls, ids: dict[str, str], words: list[str], method: str, params: dict[str, Any]
) -> None:
    own = ids["Plan 🧭"]
    printed = json.loads(ctxls(*(own if word == "ID" else word for word in words), "--json").out)
    if "contextId" in params:
        params = params | {"contextId": own}
    assert printed == asyncio.run(answered(method, params))


async def answered(method: str, params: dict[str, Any]) -> Any:
    settings = Settings.load({"CTXLS_STORE": str(default_store())}, {}, Path("/none"))
    library = wiring.library(settings)
    try:
        peer = await Peer(library).ready(encodings("utf-32"))
        return await peer.result(method, params)
    finally:
        await library.close()


@pytest.mark.parametrize("words", [["list"], ["show", "0" * 32], ["grep", "x"], ["outline", "x"]])
def test_a_store_that_is_not_there_is_said_with_what_to_do(ctxls: Ctxls, words: list[str]) -> None:
    found = ctxls(*words)
    assert found.code == 2
    assert found.err == (
        f"ctxls: There is no store at {default_store()}; `ctxls import FOLDER` makes one.\n"
    )
    assert not default_store().exists()


def test_what_is_no_store_is_said_with_its_path(ctxls: Ctxls, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello\n")
    found = ctxls("list", "--store", file)
    assert found.code == 2
    assert found.err.startswith(f"ctxls: {file}: The store is not a SQLite database")
    assert file.read_text() == "hello\n"
