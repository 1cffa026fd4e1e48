import asyncio
from typing import Any

import pytest
from making import MakeLibrary

from ctxls.errors import CtxlsError, InvalidParamsError, InvalidPatternError
from ctxls.queries.grep import GrepRequest, Mode, grep, window
from ctxls.queries.limits import Limits
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter
from ctxls.records.record import NewRecord
from ctxls.text.lines import Span

SLOW = r"[\pL\pN]{1,200}zq"
"""Takes 0.2 s to compile, and as long for each 20 KB of letters."""
SLOW_TEXT = "".join(chr(0x4E00 + n % 7919) for n in range(300_000))


async def test_each_mode_counts_what_it_promises(library_of: MakeLibrary) -> None:
    library = await library_of(["key\nkey key\n", "none", "# Head\nKEY\n"])
    shown: dict[Mode, tuple[int, list[Any]]] = {}
    modes: tuple[Mode, ...] = ("files_with_matches", "count", "content")
    for mode in modes:
        answer = await grep(library, GrepRequest("key", mode=mode), OWNER)
        assert (answer.truncated_by, answer.scanned) == (None, 3)
        rows = [(row.line_number, row.line, row.node_id) for row in answer.rows]
        shown[mode] = (answer.total_matches, rows or [found.count for found in answer.records])
    assert shown["files_with_matches"] == shown["count"] == (4, [1, 3])
    assert shown["content"] == (
        4,
        [(2, "KEY", "head"), (1, "key", "root"), (2, "key key", "root"), (2, "key key", "root")],
    )


@pytest.mark.parametrize(
    ("mode", "limit", "truncated", "total"),
    [
        ("content", 3, None, 3),
        ("content", 2, "matches", 2),
        ("content", 1, "matches", 1),
        ("count", 2, None, 3),
        ("count", 1, "matches", 1),
        ("files_with_matches", 2, None, 3),
    ],
)
async def test_exactly_at_a_ceiling_is_not_truncated(
    library_of: MakeLibrary, mode: Mode, limit: int, truncated: str | None, total: int
) -> None:
    library = await library_of(["key\nkey\n", "no", "key\n"])
    answer = await grep(library, GrepRequest("key", mode=mode, max_matches=limit), OWNER)
    assert (answer.truncated_by, answer.total_matches) == (truncated, total)


async def test_the_ceiling_of_entries_is_told_apart_from_the_end(library_of: MakeLibrary) -> None:
    library = await library_of(["key"] * 3)
    for entries, reason in ((2, "entries"), (3, None), (4, None)):
        answer = await grep(library, GrepRequest("key", max_entries=entries), OWNER)
        assert (answer.scanned, answer.truncated_by) == (min(3, entries), reason)
    capped = await library_of(["key"] * 3, Limits(most_entries=2))
    answer = await grep(capped, GrepRequest("key", max_entries=50), OWNER)
    assert (answer.scanned, answer.truncated_by) == (2, "entries")


async def test_a_value_over_a_ceiling_is_lowered_to_it(library_of: MakeLibrary) -> None:
    library = await library_of(["k\n" * 9], Limits(most_matches=4, most_context_lines=1))
    request = GrepRequest("k", mode="content", max_matches=10**9, context_lines=10**9)
    answer = await grep(library, request, OWNER)
    assert (len(answer.rows), answer.truncated_by) == (4, "matches")
    assert [len(row.before) + len(row.after) for row in answer.rows] == [1, 2, 2, 2]


async def test_context_lines_stop_at_the_text_and_show_no_phantom_line(
    library_of: MakeLibrary,
) -> None:
    library = await library_of(["one\r\ntwo\rkey\nfour\n"])
    answer = await grep(library, GrepRequest("key", mode="content", context_lines=9), OWNER)
    assert answer.rows[0].before == ("one", "two")
    assert answer.rows[0].after == ("four",)


async def test_order_is_newest_first_then_by_offset_every_time(library_of: MakeLibrary) -> None:
    library = await library_of([f"key {n}\nkey" for n in range(40)])
    request = GrepRequest("key", mode="content")
    answers = [await grep(library, request, OWNER) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert [row.line for row in answers[0].rows[::2]] == [f"key {39 - n}" for n in range(40)]


async def test_a_scope_narrows_and_scanned_counts_only_the_scope(library_of: MakeLibrary) -> None:
    library = await library_of(
        [
            NewRecord("a", "user", "key"),
            NewRecord("b", "agent", "key"),
            NewRecord("a", "agent", "x"),
        ]
    )
    answer = await grep(library, GrepRequest("key", scope=Filter(thread="a")), OWNER)
    assert (answer.scanned, answer.total_matches) == (2, 1)


async def test_a_long_line_is_shown_as_a_window_around_the_match(library_of: MakeLibrary) -> None:
    text = "🚀" * 5000 + "needle" + "x" * 5000
    library = await library_of([text])
    row = (await grep(library, GrepRequest("needle", mode="content"), OWNER)).rows[0]
    assert len(row.line) == 400
    assert text[row.line_start : row.line_start + 400] == row.line
    assert row.line_start <= row.match.start < row.match.end <= row.line_start + 400
    columns = row.extent.start.columns
    assert (columns.utf8, columns.utf16, columns.utf32) == (20_000, 10_000, 5000)


@pytest.mark.parametrize(
    ("line", "match", "shown"),
    [
        (Span(0, 50), Span(10, 12), Span(0, 50)),
        (Span(0, 1000), Span(0, 5), Span(0, 400)),
        (Span(0, 1000), Span(990, 1000), Span(600, 1000)),
        (Span(0, 1000), Span(500, 500), Span(300, 700)),
        (Span(0, 1000), Span(100, 900), Span(100, 500)),
        (Span(7, 407), Span(200, 210), Span(7, 407)),
    ],
)
def test_a_window_lies_in_the_line_and_begins_no_later_than_the_match(
    line: Span, match: Span, shown: Span
) -> None:
    assert window(line, match) == shown


async def test_an_answer_stops_growing_at_its_size(library_of: MakeLibrary) -> None:
    library = await library_of(["漢" * 300 + "\n"] * 50, Limits(answer_bytes=20_000))
    answer = await grep(library, GrepRequest("漢漢", mode="content", max_matches=1000), OWNER)
    assert answer.truncated_by == "bytes"
    assert 5 < len(answer.rows) < 20


async def test_a_record_over_its_budget_is_skipped_and_named(library_of: MakeLibrary) -> None:
    limits = Limits(record_seconds=0.3, grep_seconds=60)
    library = await library_of(["zq before", SLOW_TEXT, "zq after"], limits)
    pattern = rf"{SLOW}|^zq"
    answer = await grep(library, GrepRequest(pattern, is_regex=True, mode="content"), OWNER)
    assert [row.line for row in answer.rows] == ["zq after", "zq before"]
    assert answer.truncated_by == "time"
    assert len(answer.timed_out) == 1
    assert answer.scanned == 2


async def test_the_whole_budget_ends_a_scan_with_what_it_has(library_of: MakeLibrary) -> None:
    library = await library_of([SLOW_TEXT, "zq"], Limits(record_seconds=60, grep_seconds=0.5))
    answer = await grep(library, GrepRequest(rf"{SLOW}|^zq", is_regex=True), OWNER)
    assert (answer.truncated_by, answer.scanned, answer.total_matches) == ("time", 1, 1)


async def test_the_whole_budget_ends_the_selecting_too(
    library_of: MakeLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(*_: Any) -> None:
        await asyncio.Event().wait()

    library = await library_of(["key"], Limits(grep_seconds=0.1))
    monkeypatch.setattr(library.store, "select", endless)
    async with asyncio.timeout(30):
        request = GrepRequest("k", is_regex=True, scope=Filter(thread="t"))
        answer = await grep(library, request, OWNER)
    assert (answer.truncated_by, answer.scanned, answer.total_matches) == ("time", 0, 0)


async def test_a_cancelled_grep_stops_reading_inside_one_record(library_of: MakeLibrary) -> None:
    library = await library_of([SLOW_TEXT * 10])
    task = asyncio.create_task(grep(library, GrepRequest(SLOW, is_regex=True), OWNER))
    await asyncio.sleep(0.5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(15):  # to the record's end it would be minutes
        await asyncio.to_thread(library.workers.shutdown, wait=True)


async def test_the_event_loop_goes_on_while_a_hostile_pattern_runs(
    library_of: MakeLibrary,
) -> None:
    library = await library_of([SLOW_TEXT], Limits(grep_seconds=1))
    task = asyncio.create_task(grep(library, GrepRequest(SLOW, is_regex=True), OWNER))
    turns = 0
    while not task.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert turns > 50


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"pattern": ""}, InvalidPatternError),
        ({"pattern": "a\nb"}, InvalidPatternError),
        ({"pattern": "k", "mode": "lines"}, InvalidParamsError),
        ({"pattern": "k", "max_matches": 0}, InvalidParamsError),
        ({"pattern": "k", "context_lines": -1}, InvalidParamsError),
        ({"pattern": "k", "max_entries": 0}, InvalidParamsError),
    ],
)
async def test_what_cannot_be_meant_is_refused_and_nothing_is_searched(
    library_of: MakeLibrary, fields: dict[str, Any], error: type[CtxlsError]
) -> None:
    library = await library_of(["k"])
    with pytest.raises(error):
        await grep(library, GrepRequest(**fields), OWNER)


async def test_an_empty_store_has_no_matches(library_of: MakeLibrary) -> None:
    answer = await grep(await library_of([]), GrepRequest("k"), OWNER)
    assert (answer.total_matches, answer.scanned, answer.truncated_by) == (0, 0, None)
