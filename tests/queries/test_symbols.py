import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from making import MakeLibrary, record

from ctxls.queries.limits import Limits
from ctxls.queries.symbols import Symbol, workspace_symbols
from ctxls.queries.symbols.asking import parse_query
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord


def line(symbol: Symbol) -> tuple[str, str]:
    return symbol.name, symbol.container


async def test_titles_come_first_and_equal_ones_before_all(library_of: MakeLibrary) -> None:
    library = await library_of(
        [
            record("# Rollback\ntext", "deploy"),
            record("plain rollback line\n", "ops"),
            record("# Plan\n## Rollback steps\na rollback here\n", "deploy"),
        ]
    )
    answer = await workspace_symbols(library, "rollback", OWNER)
    assert [line(symbol) for symbol in answer.symbols] == [
        ("Rollback", "deploy › Rollback"),
        ("Rollback steps", "deploy › Plan › Plan"),
        ("plain rollback line", "ops"),
        ("a rollback here", "deploy › Plan › Rollback steps"),
    ]
    assert [symbol.is_record for symbol in answer.symbols] == [False, False, True, False]
    assert answer.cut is None
    match = answer.symbols[1].extent
    assert (match.start.line, match.start.columns.utf16, match.end.columns.utf16) == (1, 3, 11)


async def test_a_record_is_not_listed_beside_the_heading_that_names_it(
    library_of: MakeLibrary,
) -> None:
    library = await library_of(
        [record("# Rollback", title="Rollback"), record("# Other", title="The rollback")]
    )
    answer = await workspace_symbols(library, "rollback", OWNER)
    assert [(symbol.name, symbol.is_record) for symbol in answer.symbols] == [
        ("Rollback", False),
        ("The rollback", True),
    ]


async def test_the_exact_title_is_in_a_cut_answer(library_of: MakeLibrary) -> None:
    texts = ["# Order\n", *(f"# Order{n}\n" for n in range(5000))]
    library = await library_of(texts, Limits(interactive_seconds=60))
    answer = await workspace_symbols(library, "Order", OWNER)
    assert len(answer.symbols) == 200
    assert answer.symbols[0].name == "Order"
    assert answer.cut is not None
    assert "200 symbols" in answer.cut


async def test_a_late_title_in_metadata_is_not_dropped_for_lines(library_of: MakeLibrary) -> None:
    library = await library_of([record("nothing", title="Key"), *(["a key\n" * 50] * 5)])
    answer = await workspace_symbols(library, "key", OWNER)
    assert (answer.symbols[0].name, len(answer.symbols)) == ("Key", 200)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("a.b (", ["a.b (c)"]),
        ("/a.b/", ["axb", "a.b (c)", "/a.b(/ as text"]),
        ("/a.b(/", ["/a.b(/ as text"]),
        ("//", ["// comment"]),
        ("nowhere", []),
        ("tag:db", ["# tagged"]),
        ("tag:db x", []),
        ("source:user a.b", []),
        ("source:nobody", ["source:nobody"]),
    ],
)
async def test_a_query_is_a_literal_unless_it_is_a_regular_expression(
    library_of: MakeLibrary, query: str, names: list[str]
) -> None:
    library = await library_of(
        [
            "## a.b (c)\n## axb\nlines:\n",
            "first\n/a.b(/ as text\n",
            "first\n// comment\n",
            "first\nsource:nobody\n",
            NewRecord("t", "agent", "\\# tagged", tags=("db",), metadata={"title": "# tagged"}),
        ]
    )
    answer = await workspace_symbols(library, query, OWNER)
    assert [symbol.name for symbol in answer.symbols] == names


async def test_an_empty_query_is_the_most_recent_records(library_of: MakeLibrary) -> None:
    library = await library_of([f"# {n}" for n in range(120)])
    answer = await workspace_symbols(library, "", OWNER)
    assert [symbol.name for symbol in answer.symbols] == [str(n) for n in range(119, 19, -1)]
    assert all(symbol.is_record for symbol in answer.symbols)


async def test_one_symbol_a_line_with_a_name_that_shows_the_match(library_of: MakeLibrary) -> None:
    long_line = "x" * 900 + " needle " + "y" * 900
    library = await library_of([f"# T\n  needle needle\n{long_line}\n"])
    answer = await workspace_symbols(library, "needle", OWNER)
    names = [symbol.name for symbol in answer.symbols]
    assert names[0] == "needle needle"
    assert len(names) == 2
    assert names[1].index("needle") < 60
    assert len(names[1]) <= 120


async def test_a_scan_out_of_time_says_so_once(library_of: MakeLibrary) -> None:
    text = "".join(chr(0x4E00 + n % 7919) for n in range(300_000))
    library = await library_of([text], Limits(interactive_seconds=0.3))
    answer = await workspace_symbols(library, r"/[\pL\pN]{1,200}zq/", OWNER)
    assert answer.symbols == ()
    assert "0.3 seconds" in str(answer.cut)


@pytest.mark.parametrize(
    ("query", "text", "scope"),
    [
        ("thread:deploy tag:DB rollback now", "rollback now", Filter("deploy", tags=("db",))),
        ("source:agent", "", Filter(source="agent")),
        ("tag:a tag:b x", "x", Filter(tags=("a", "b"))),
        ("x thread:deploy", "x thread:deploy", Filter()),
        ("thread: x", "thread: x", Filter()),
    ],
)
def test_filters_stand_in_front(query: str, text: str, scope: Filter) -> None:
    asked = parse_query(query)
    assert (asked.text, asked.scope) == (text, scope)


async def test_an_outline_that_takes_too_long_cuts_the_answer(library_of: MakeLibrary) -> None:
    library = await library_of(["## needle\n", "# x\n" * 90_000 + "needle\n"])
    library.limits = replace(library.limits, interactive_seconds=0.1)
    answer = await workspace_symbols(library, "needle", OWNER)
    assert answer.cut is not None
    assert "after 0.1 seconds" in answer.cut


async def test_a_title_spelled_with_escapes_is_found(library_of: MakeLibrary) -> None:
    library = await library_of([record("text", title="Plan")])
    path = library.store._opening._file.path  # type: ignore[attr-defined]
    metadata = r'{"t\u0069tle": "Plan"}'
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE context_entries SET metadata = ?, version = 2", [metadata])
    answer = await workspace_symbols(library, "plan", OWNER)
    assert [symbol.name for symbol in answer.symbols] == ["Plan"]
