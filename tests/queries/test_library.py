import sqlite3
from pathlib import Path

import pytest
from making import MakeLibrary, record

from ctxls.errors import AmbiguousIdError, InvalidParamsError, NotFoundError
from ctxls.queries.library import Library
from ctxls.queries.listing import get_record, list_records, list_tags, list_threads
from ctxls.queries.navigate import navigate
from ctxls.queries.read_range import RangeRequest, read_range
from ctxls.queries.status import status
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord


async def ids(library: Library) -> list[str]:
    return list(await library.store.select(Filter(), OWNER))


async def test_an_id_opens_its_record_in_every_spelling(library_of: MakeLibrary) -> None:
    library = await library_of(["# One", "# Two"])
    newest = (await ids(library))[0]
    dashed = "-".join((newest[:8], newest[8:12], newest[12:16], newest[16:20], newest[20:]))
    for spelling in (newest, newest.upper(), dashed, f" {dashed.upper()} ", newest[:-1]):
        assert (await library.open(spelling, OWNER)).text == "# Two"


async def test_a_prefix_of_several_records_lists_them(library_of: MakeLibrary) -> None:
    library = await library_of([f"# Record {n}" for n in range(12)])
    with pytest.raises(AmbiguousIdError) as ambiguous:
        await library.open((await ids(library))[0][:8], OWNER)
    candidates = ambiguous.value.data["candidates"]
    assert len(candidates) == 10
    assert candidates[0]["title"] == "Record 11"
    assert set(candidates[0]) == {"id", "title", "time"}


@pytest.mark.parametrize("unknown", ["0" * 32, "01234567", "f" * 31])
async def test_an_unknown_id_is_not_found_in_the_words_of_the_caller(
    library_of: MakeLibrary, unknown: str
) -> None:
    with pytest.raises(NotFoundError, match=f"Context entry not found: {unknown}"):
        await (await library_of(["x"])).open(unknown, OWNER)


@pytest.mark.parametrize("wrong", ["", "abc", "zzzzzzzzzzzz", "0" * 33, "../../etc", "1234567\n"])
async def test_what_is_no_id_is_refused(library_of: MakeLibrary, wrong: str) -> None:
    with pytest.raises((InvalidParamsError, NotFoundError)) as refused:
        await (await library_of(["x"])).open(wrong, OWNER)
    assert refused.value.message.isprintable()


@pytest.mark.parametrize(
    ("new", "title"),
    [
        (record("# First *one*\n# Second", title=None), "First one"),
        (record("# First", title=" Given "), "Given"),
        (record("# First", title="  "), "First"),
        (record("\n\n  a plain line  \nmore"), "a plain line"),
        (record("x" * 200), "x" * 80),
        (record("#\n# Later"), "(untitled)"),
        (record("\ufeffline"), "line"),
        (record("# T", title="x" * 900), "x" * 400),
    ],
)
async def test_a_record_is_titled_by_the_first_thing_that_can(
    library_of: MakeLibrary, new: NewRecord, title: str
) -> None:
    library = await library_of([new])
    assert (await list_records(library, Filter(), OWNER)).items[0].place.title == title


async def test_a_record_of_nothing_is_titled_by_its_id(library_of: MakeLibrary) -> None:
    library = await library_of([" \n\t\n"])
    (only,) = await ids(library)
    assert (await get_record(library, only, OWNER)).place.title == only


async def test_navigation_shows_so_deep_and_ids_stay(library_of: MakeLibrary) -> None:
    library = await library_of(["### A\n# B\n#### C\n## C\n### D\n"])
    (only,) = await ids(library)
    shown = {
        depth: [section.node_id for section in (await navigate(library, only, OWNER, depth)).shown]
        for depth in (0, 1, 2, 6)
    }
    assert shown == {
        0: [],
        1: ["a", "b"],
        2: ["a", "b", "b/c", "b/c-2"],
        6: ["a", "b", "b/c", "b/c-2", "b/c-2/d"],
    }
    with pytest.raises(InvalidParamsError, match="maxDepth is -1"):
        await navigate(library, only, OWNER, -1)


async def test_a_range_echoes_what_was_resolved(library_of: MakeLibrary) -> None:
    text = "# A\r\nx🚀\n## B\ny\n"
    library = await library_of([text])
    (only,) = await ids(library)
    answer = await read_range(library, only, RangeRequest(node_id="a/b"), OWNER)
    assert (answer.text, answer.start_line, answer.end_line) == ("## B\ny\n", 3, 4)
    lines = await read_range(
        library, only, RangeRequest(start_line=answer.start_line, end_line=answer.end_line), OWNER
    )
    assert lines.text == "## B\ny"
    chars = await read_range(library, only, RangeRequest(start_char=6, end_char=10**12), OWNER)
    assert (chars.text, chars.span.end) == (text[6:], len(text))


@pytest.mark.parametrize(
    "request_fields",
    [{}, {"start_char": 0, "node_id": "a"}, {"start_line": 1, "end_char": 4}],
)
def test_exactly_one_way_to_say_a_range(request_fields: dict[str, int]) -> None:
    with pytest.raises(InvalidParamsError, match="exactly one"):
        RangeRequest(**request_fields)  # type: ignore[arg-type]


async def test_lists_page_through_everything_once(library_of: MakeLibrary) -> None:
    library = await library_of(
        [NewRecord(f"thread {n % 3}", "user", f"# {n}", tags=(f"tag{n % 4}",)) for n in range(10)]
    )
    titles: list[str] = []
    cursor = None
    while True:
        page = await list_records(library, Filter(), OWNER, 3, cursor)
        titles += [item.place.title for item in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert titles == [str(n) for n in range(9, -1, -1)]
    threads = (await list_threads(library, Filter(), OWNER)).items
    assert [(item.thread, item.records) for item in threads] == [
        ("thread 0", 4),
        ("thread 2", 3),
        ("thread 1", 3),
    ]
    tags = (await list_tags(library, Filter(thread="thread 0"), OWNER)).items
    assert sum(item.records for item in tags) == 4
    with pytest.raises(InvalidParamsError, match="limit is 0"):
        await list_tags(library, Filter(), OWNER, 0)


async def test_status_counts_what_the_caller_reads(library_of: MakeLibrary) -> None:
    answer = await status(await library_of(["a", "b"]), OWNER)
    assert (answer.backend, answer.records, answer.store, answer.read_only) == (
        "sqlite",
        2,
        "local",
        False,
    )


async def test_a_uri_names_a_whole_id_and_never_the_start_of_one(
    library_of: MakeLibrary, tmp_path: Path
) -> None:
    library = await library_of(["# One"])
    (only,) = await ids(library)
    assert (await library.open(f"Context:///x/y.{only.upper()}.md", OWNER)).text == "# One"
    decimal = "12345678" + only[8:]
    with sqlite3.connect(tmp_path / "0.db") as database:
        database.execute("UPDATE context_entries SET id = ?", (decimal,))
    assert (await library.open(decimal[:8], OWNER)).text == "# One"
    with pytest.raises(NotFoundError, match=r"^Context entry not found: 12345678$"):
        await library.open(f"context://local/t/x.{decimal[:8]}.md", OWNER)
