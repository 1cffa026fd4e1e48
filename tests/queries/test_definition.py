import pytest
from making import MakeLibrary, record

from ctxls.queries.definition import Definition, definition
from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.records.access import OWNER
from ctxls.records.document import Document
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord, Record


def titled(title: str, text: str, path: str) -> NewRecord:
    return NewRecord("t", "agent", text, metadata={"title": title, "path": path})


@pytest.fixture
async def library(library_of: MakeLibrary) -> Library:
    made: Library = await library_of(
        [
            titled("Rollback plan", "intro\n# Steps\nword_x 🚀 Needle needle\n", "ops/plan.md"),
            titled("Other", "# Rollback plan\n## The `big` *one*\nNeedle, Needles\n", "ops/b c.md"),
            record("# Twice\n# Twice\n"),
            record("what the reader has open"),
        ]
    )
    return made


async def go(library: Library, text: str) -> list[tuple[str, int, int]]:
    """Follow what `$0` points at, from an open text of the newest record: (title, line, column)."""
    newest = (await library.store.select(Filter(), OWNER))[0]
    record_of: Record = (await library.store.fetch(newest, OWNER)).record
    document = Document(record_of, text.replace("$0", ""))
    targets = (await definition(library, document, text.index("$0"), OWNER)).targets
    return [
        (target.place.title, target.extent.start.line, target.extent.start.columns.utf16)
        for target in targets
    ]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[[rollback $0PLAN]]", [("Rollback plan", 0, 0), ("Other", 0, 0)]),
        ("[[the big o$0ne]]", [("Other", 1, 0)]),
        ("[[Twi$0ce]]", [("Twice", 0, 0), ("Twice", 1, 0)]),
        ("go `$0Steps` now", [("Rollback plan", 1, 0)]),
        ("Nee$0dle", [("Other", 2, 0), ("Rollback plan", 2, 10)]),
        ("need$0le", [("Rollback plan", 2, 17)]),
        ("see word_$0x.", [("Rollback plan", 2, 0)]),
        ("nothing_$0here", []),
        ("a $0 b", []),
        ("[x]($0ops/plan.md)", [("Rollback plan", 0, 0)]),
        ("[x]($0ops/b%20c.md#the-big-one)", [("Other", 1, 0)]),
        ("[x]($0./ops/../ops/plan.md#L3)", [("Rollback plan", 2, 0)]),
        ("[x](https://exam$0ple.org/ops/plan.md)", []),
    ],
)
async def test_a_place_leads_to_what_it_names(
    library: Library, text: str, targets: list[tuple[str, int, int]]
) -> None:
    assert await go(library, text) == targets


async def test_ids_and_uris_lead_to_their_record(library: Library) -> None:
    ids = await library.store.select(Filter(), OWNER)
    oldest = ids[-1]
    expected = [("Rollback plan", 0, 0)]
    assert await go(library, f"id {oldest[:4]}$0{oldest[4:]}") == expected
    assert await go(library, f"id {oldest[:-1]}$0") == expected
    uri = f"context://local/x/stale-name.{oldest}.md"
    assert await go(library, f"<{uri[:20]}$0{uri[20:]}>") == expected
    assert await go(library, f"[a]({uri}#steps$0)") == [("Rollback plan", 1, 0)]
    assert len(await go(library, f"{oldest[:8]}$0")) == 4
    assert await go(library, "0123456789abcdef$0") == []


async def test_the_occurrence_under_the_cursor_is_not_among_the_others(
    library_of: MakeLibrary,
) -> None:
    library = await library_of(["one Word two Word"])
    newest = (await library.store.select(Filter(), OWNER))[0]
    document = await library.open(newest, OWNER)
    targets = (await definition(library, document, 5, OWNER)).targets
    assert [target.extent.start.columns.utf16 for target in targets] == [13]


async def test_at_most_fifty_occurrences(library_of: MakeLibrary) -> None:
    library = await library_of(["Word\n" * 40, "Word\n" * 40])
    newest = (await library.store.select(Filter(), OWNER))[0]
    document = await library.open(newest, OWNER)
    assert len((await definition(library, document, 0, OWNER)).targets) == 50


async def test_a_word_leads_to_the_heading_that_titles_its_record(library_of: MakeLibrary) -> None:
    library = await library_of(["# common\n", "x common\n", "look at common\n"])
    assert await go(library, "look at com$0mon") == [("common", 0, 0)]


async def test_the_open_text_of_its_own_record_counts(library_of: MakeLibrary) -> None:
    library = await library_of(["# T\nsolo zebra zebra\n## Sub\n"])
    moved = "new newword newword\n\n\n# T\nsolo zebra zebra\n\n## Sub\nSub\n"
    assert await go(library, moved.replace("newword", "new$0word", 1)) == [("T", 0, 12)]
    assert await go(library, moved.replace("zebra", "ze$0bra", 1)) == [("T", 4, 11)]
    assert await go(library, moved.replace("\nSub", "\nS$0ub")) == [("T", 6, 0)]


@pytest.mark.parametrize("heading", [r"my\_func", "**my_func**", "my_`func`", "`my_func`"])
async def test_a_heading_whose_markup_cuts_its_name_is_found(
    library_of: MakeLibrary, heading: str
) -> None:
    library = await library_of([f"intro\n# {heading}\n", "calls my_func here"])
    assert await go(library, "calls my$0_func here") == [("my_func", 1, 0)]


async def test_a_lookup_that_runs_out_of_time_says_so(library_of: MakeLibrary) -> None:
    library = await library_of(["# T\nword\n"] * 3, Limits(interactive_seconds=0.0))
    newest = (await library.store.select(Filter(), OWNER))[0]
    found = await definition(library, await library.open(newest, OWNER), 5, OWNER)
    assert found.cut == "Go to definition was cut after 0 seconds; there may be more to find."


async def test_a_lookup_that_ends_in_time_is_not_called_cut(library_of: MakeLibrary) -> None:
    library = await library_of(["# T\nword\n"])
    newest = (await library.store.select(Filter(), OWNER))[0]
    assert await definition(library, await library.open(newest, OWNER), 5, OWNER) == Definition()


async def test_a_title_of_too_many_sections_is_cut_and_says_so(library_of: MakeLibrary) -> None:
    library = await library_of(["# needle\n" * 300, "[[needle]]"])
    newest = (await library.store.select(Filter(), OWNER))[0]
    found = await definition(library, await library.open(newest, OWNER), 4, OWNER)
    assert len(found.targets) == 201
    assert found.cut == "Go to definition was cut at 200 places; more have that title."
