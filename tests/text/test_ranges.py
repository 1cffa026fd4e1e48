import pytest

from ctxls.errors import InvalidParamsError, UnknownNodeError
from ctxls.text import ranges
from ctxls.text.lines import Lines
from ctxls.text.outline import parse_outline

TEXT = "a🧭\r\nb\u2028c\nd\n"


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        (None, None, TEXT),
        (1, 4, "🧭\r\n"),
        (0, 0, ""),
        (5, 2, ""),
        (2, 999, "\r\nb\u2028c\nd\n"),
        (999, 9999, ""),
        (None, 2, "a🧭"),
        (8, None, "d\n"),
    ],
)
def test_characters_clamp_and_never_invert(start: int | None, end: int | None, text: str) -> None:
    span = ranges.chars(Lines.of(TEXT), start, end)
    assert TEXT[span.start : span.end] == text


@pytest.mark.parametrize(
    ("start", "end", "text", "begin"),
    [
        (1, 1, "a🧭", 0),
        (1, 2, "a🧭\r\nb\u2028c", 0),
        (2, None, "b\u2028c\nd", 4),
        (None, 1, "a🧭", 0),
        (3, 999, "d", 8),
        (4, 4, "", 10),
        (99, 100, "", 10),
        (3, 1, "", 8),
    ],
)
def test_lines_are_one_based_and_leave_the_last_line_end_out(
    start: int | None, end: int | None, text: str, begin: int
) -> None:
    span = ranges.line_range(Lines.of(TEXT), start, end)
    assert (TEXT[span.start : span.end], span.start) == (text, begin)


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_text_has_nothing_to_read(text: str) -> None:
    lines = Lines.of(text)
    assert ranges.line_range(lines, 1, 5) == ranges.chars(lines, 0, 0)


@pytest.mark.parametrize(("start", "end", "name"), [(-1, 3, "startChar"), (0, -3, "endChar")])
def test_a_negative_character_is_refused_by_name(start: int, end: int, name: str) -> None:
    with pytest.raises(InvalidParamsError, match=name):
        ranges.chars(Lines.of(TEXT), start, end)


@pytest.mark.parametrize(("start", "end", "name"), [(0, 3, "startLine"), (1, -1, "endLine")])
def test_line_zero_is_refused_by_name(start: int, end: int, name: str) -> None:
    with pytest.raises(InvalidParamsError, match=name):
        ranges.line_range(Lines.of(TEXT), start, end)


def test_an_unknown_section_is_an_error_with_the_nearest_ids() -> None:
    outline = parse_outline("# Set up\n## Install\n# Usage\n")
    assert ranges.node(outline, "root") == outline.root.span
    with pytest.raises(UnknownNodeError) as unknown:
        ranges.node(outline, "set-up/instal")
    assert unknown.value.data["nearest"][0] == "set-up/install"
    assert "'set-up/instal'" in unknown.value.message
