"""Matching line by line, against a reading of the rules that is too simple to be wrong."""

import re
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxls.errors import CancelledScanError
from ctxls.text.lines import Lines, Span
from ctxls.text.matcher import find, find_bytes
from ctxls.text.pattern import Pattern, compile_pattern
from ctxls.text.positions import extent_of
from ctxls.text.windows import LARGEST, OVERLAP, STEP, Pace

REGEXES = [
    *("a", "b*", "^", "$", "^$", r"\b", r"\B", r"\s+", r"^\s*$", ".", "a|", "|a", "(?s).*"),
    *("[^a]", r"\w+", r"[^\n]+", "k", "σ+", ".$", "^.", "a*?", r"\pL+", "(a|b)+$", r"\d|$"),
    *(r"\W", r"(?i:B)|a", "ß", "[a-z]+", r"\s$", r"^\s", r"\S+\s", "a?b?", r"\x{1F680}"),
]
TEXTS = st.text("aAbkK\u212asſßẞσςΣ0_ \t\r\n\u2028\u0085\f\0é漢🚀\ufeff\u0301", max_size=24)


def no_clock() -> float:
    return 0.0


def compiled(source: str, *, is_regex: bool = True, case_sensitive: bool = False) -> Pattern:
    return compile_pattern(source, is_regex=is_regex, case_sensitive=case_sensitive)


def line_by_line(pattern: Pattern, text: str) -> list[Span]:
    """Match every line by itself, one search a match, as the contract words it."""
    found: list[Span] = []
    for number in range(Lines.of(text).visible):
        line = Lines.of(text).span(number)
        for start, end in _in_line(pattern, text[line.start : line.end]):
            found.append(Span(line.start + start, line.start + end))
    return found


def _in_line(pattern: Pattern, line: str) -> list[tuple[int, int]]:
    data = line.encode()
    starts = [len(line[:offset].encode()) for offset in range(len(line) + 1)]
    found: list[tuple[int, int]] = []
    position, last_end = 0, -1
    while position <= len(data):
        match = pattern.search(data, position, len(data))
        if match is None:
            break
        start, end = match
        if start == end:
            position = next((at for at in starts if at > end), len(data) + 1)
            if start == last_end or start not in starts:
                continue
        else:
            position = last_end = end
        found.append((starts.index(start), starts.index(end)))
    return found


@settings(max_examples=1500, deadline=None)
@given(TEXTS, st.sampled_from(REGEXES), st.booleans())
def test_a_text_is_matched_as_each_of_its_lines_alone(text: str, regex: str, exact: bool) -> None:
    pattern = compiled(regex, case_sensitive=exact)
    found = list(find(pattern, text.encode(), no_clock))
    assert [match.span for match in found] == line_by_line(pattern, text)
    lines = Lines.of(text)
    for match in found:
        assert match.extent == extent_of(text, lines, match.span)
        assert match.line_start == lines.starts[match.extent.start.line]


@settings(max_examples=500, deadline=None)
@given(TEXTS, st.text("aAbkKsſßσς \u2028é漢🚀\0", min_size=1, max_size=3), st.booleans())
def test_a_literal_is_found_wherever_it_stands(text: str, literal: str, exact: bool) -> None:
    pattern = compiled(literal, is_regex=False, case_sensitive=exact)
    assert [match.span for match in find(pattern, text.encode(), no_clock)] == line_by_line(
        pattern, text
    )
    if exact:
        expected = [found.start() for found in re.finditer(re.escape(literal), text)]
        assert [match.span.start for match in find(pattern, text.encode(), no_clock)] == expected


@pytest.mark.parametrize(
    ("text", "pattern", "matches"),
    [
        ("Kk\u212a", "k", 3),
        ("sSſ", "s", 3),
        ("ßẞ ss", "ß", 2),
        ("σςΣ", "σ", 3),
        ("İi ıI", "i", 2),
        ("\r\n\r\n", "^$", 2),
        ("\r\r", "^$", 2),
        ("", "^$", 0),
        ("\n", "^$", 1),
        ("a", "$", 1),
        ("a\n", "$", 1),
        ("é\0é", r"\x00", 1),
    ],
)
def test_the_edges_of_folding_and_of_empty_lines(text: str, pattern: str, matches: int) -> None:
    assert len(list(find(compiled(pattern), text.encode(), no_clock))) == matches


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("width", [1, 100, STEP - 1, STEP, STEP + 1, 3 * STEP + 7])
def test_windows_miss_nothing_around_their_ends(line_end: str, width: int) -> None:
    text = line_end.join(
        ["é" + "x" * (width - 2) + "end" for _ in range(min(20_000, 200_000 // width + 2))]
    )
    ends = [found.end() for found in re.finditer("end", text)]
    for pattern in (compiled("end$"), compiled("end", is_regex=False)):
        found = [match.span.end for match in find(pattern, text.encode(), no_clock)]
        assert found == ends


def test_an_answer_does_not_depend_on_the_speed_of_the_machine() -> None:
    text = "\n".join("word " * (n % 700) + "\r" * (n % 3) for n in range(900)) + "x" * 3 * STEP
    pattern = compiled(r"\w+\b|^$")
    hours = count(0, 1000)
    slow = [match.span for match in find(pattern, text.encode(), lambda: float(next(hours)))]
    quick = [match.span for match in find(pattern, text.encode(), no_clock)]
    assert slow == quick
    assert len(quick) > 100_000


def test_in_a_long_line_a_match_of_up_to_four_kib_is_whole_wherever_it_begins() -> None:
    for before in range(STEP - 40, STEP + 40, 7):
        text = "🚀" * (before // 4) + "a" * OVERLAP + "-" * STEP
        found = list(find(compiled("a+"), text.encode(), no_clock))
        assert sum(match.span.end - match.span.start for match in found) == OVERLAP
        assert len(found) <= 2


def test_in_a_long_line_a_literal_of_any_length_is_whole() -> None:
    literal = "漢k" * 2048
    for before in ((1 << 20) - 9000, (1 << 20) - 1, 1 << 20):
        text = "x" * before + literal.upper() + "x" * 100
        found = list(find(compiled(literal, is_regex=False), text.encode(), no_clock))
        assert [match.span for match in found] == [Span(before, before + len(literal))]


def test_many_matches_in_one_long_line_cost_no_more_than_the_line() -> None:
    text = "ab🚀" * 100_000
    found = list(find(compiled("a", is_regex=False), text.encode(), no_clock))
    assert len(found) == 100_000
    last = found[-1].extent.start.columns
    assert (last.utf8, last.utf16, last.utf32) == (6 * 99_999, 4 * 99_999, 3 * 99_999)


def test_a_checkpoint_that_raises_ends_the_search_between_two_windows() -> None:
    calls = count()

    def checkpoint() -> float:
        if next(calls) > 5:
            raise CancelledScanError
        return 0.0

    data = b"x" * (1 << 20)
    with pytest.raises(CancelledScanError):
        list(find_bytes(compiled("y+z"), data, checkpoint))
    assert next(calls) < 10


def test_windows_grow_while_calls_are_quick_and_shrink_when_they_are_slow() -> None:
    pace = Pace()
    pace.took(0.001)
    assert pace.size == 2 * STEP
    pace.took(0.02)
    assert pace.size == 2 * STEP
    pace.took(0.06)
    pace.took(0.06)
    assert pace.size == STEP


def test_early_matches_do_not_make_the_windows_of_a_slow_text_large() -> None:
    read: list[int] = []
    quick = compiled("zq")

    def search(data: bytes, pos: int, end: int) -> tuple[int, int] | None:
        read.append(end - pos)
        return quick.search(data, pos, end)

    pattern = Pattern("zq", True, False, search, ())
    text = "zq\n" * 50 + ("letters " * 1000 + "\n") * 100
    assert sum(1 for _ in find_bytes(pattern, text.encode(), no_clock)) == 50
    assert max(read[:51]) <= STEP
    assert max(read) <= LARGEST
