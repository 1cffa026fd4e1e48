import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxls.text.lines import Lines, Span
from ctxls.text.positions import (
    Encoding,
    Position,
    extent_of,
    offset_at,
    point_at,
    position_at,
    units,
)

TEXTS = st.text("ab \n\r\u2028\u0085\x0b\x0cé漢🚀\ufeff\ud800", max_size=30).map(
    lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
ENCODINGS = st.sampled_from(Encoding)


@pytest.mark.parametrize(
    ("text", "lines", "visible"),
    [
        ("", [""], 0),
        ("a", ["a"], 1),
        ("a\n", ["a", ""], 1),
        ("\n", ["", ""], 1),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"], 4),
        ("\r\r\n\n", ["", "", "", ""], 3),
        ("a\u2028b\u0085c\x0bd\x0ce\x1cf", ["a\u2028b\u0085c\x0bd\x0ce\x1cf"], 1),
        ("\ufeffa\n", ["\ufeffa", ""], 1),
    ],
)
def test_lines_end_at_three_line_ends_and_nothing_else(
    text: str, lines: list[str], visible: int
) -> None:
    index = Lines.of(text)
    spans = [index.span(number) for number in range(len(index))]
    assert [text[span.start : span.end] for span in spans] == lines
    assert index.visible == visible
    assert index.length == len(text)


@given(TEXTS)
def test_every_offset_lies_in_the_line_that_holds_it(text: str) -> None:
    index = Lines.of(text)
    assert len(index) == len(re.split("\r\n|\r|\n", text))
    for offset in range(len(text) + 1):
        line = index.at(offset)
        following = index.starts[line + 1] if line + 1 < len(index) else len(text) + 1
        assert index.starts[line] <= offset < following


@given(TEXTS, ENCODINGS)
def test_an_offset_survives_the_way_to_a_position_and_back(text: str, encoding: Encoding) -> None:
    index = Lines.of(text)
    for offset in range(len(text) + 1):
        position = position_at(text, index, offset, encoding)
        back = offset_at(text, index, position, encoding)
        inside_crlf = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        assert back == offset - inside_crlf
        assert point_at(text, index, offset).position(encoding) == position


@given(TEXTS, ENCODINGS, st.integers(0, 40), st.integers(0, 80))
def test_any_position_clamps_to_the_last_place_that_is_not_after_it(
    text: str, encoding: Encoding, line: int, character: int
) -> None:
    index = Lines.of(text)
    offset = offset_at(text, index, Position(line, character), encoding)
    if line >= len(index):
        assert offset == len(text)
        return
    span = index.span(line)
    reachable = [
        place
        for place in range(span.start, span.end + 1)
        if units(text[span.start : place], encoding) <= character
    ]
    assert offset == max(reachable)


def test_an_extent_counts_both_ends_in_every_encoding() -> None:
    text = "é🚀x\r\ny🚀"
    extent = extent_of(text, Lines.of(text), Span(2, 7))
    starts = [extent.start.position(encoding).character for encoding in Encoding]
    assert starts == [6, 3, 2]
    assert [extent.end.position(encoding).character for encoding in Encoding] == [5, 3, 2]
    assert (extent.start.line, extent.end.line) == (0, 1)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("before", [-2, -1, 0, 1])
def test_a_line_end_where_a_large_text_is_cut_for_indexing_is_one(end: str, before: int) -> None:
    first = "x" * ((1 << 18) + before)
    index = Lines.of(f"{first}{end}y{end}")
    assert list(index.starts) == [0, len(first + end), len(first + end) + len(end) + 1]
    assert list(index.ends) == [len(first), len(first + end) + 1, index.length]


@given(TEXTS)
def test_many_copies_of_a_text_have_its_lines_many_times(text: str) -> None:
    copies = (text + "\n") * 3
    once = Lines.of(text + "\n")
    size = len(text) + 1
    found = Lines.of(copies)
    starts = [start + copy * size for copy in range(3) for start in once.starts[:-1]]
    assert list(found.starts) == [*starts, len(copies)]
