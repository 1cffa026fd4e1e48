r"""Edits against a model that knows nothing but code units: lists of numbers, cut by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxls.text.edits import Edit, edited, sound
from ctxls.text.positions import Encoding, Position

COMPASS = "\U0001f9ed"
ALPHABET = ["a", "b", "é", COMPASS, "\r", "\n", "\u2028", "\x85", "\x0c"]
UNITS = {Encoding.UTF8: "utf-8", Encoding.UTF16: "utf-16-le", Encoding.UTF32: "utf-32-le"}
WIDTH = {Encoding.UTF8: 1, Encoding.UTF16: 2, Encoding.UTF32: 4}


def place(line: int, character: int) -> Position:
    return Position(line, character)


@pytest.mark.parametrize("encoding", Encoding)
@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        pytest.param("abc", Edit("new"), "new", id="whole"),
        pytest.param("abc", Edit("X", (place(0, 1), place(0, 2))), "aXc", id="inside a line"),
        pytest.param(
            "a\rb\u2028c\nd", Edit("X", (place(1, 0), place(1, 1))), "a\rX\u2028c\nd", id="lone CR"
        ),
        pytest.param("a\r\nb", Edit("", (place(0, 1), place(1, 0))), "ab", id="CRLF removed"),
        pytest.param("a\rb", Edit("\n", (place(1, 0), place(1, 0))), "a\r\nb", id="CRLF joined"),
        pytest.param(
            "a\r\nb", Edit("X\n", (place(0, 1), place(1, 0))), "aX\nb", id="CRLF replaced"
        ),
        pytest.param(
            "ab\ncd", Edit("X", (place(0, 99), place(0, 99))), "abX\ncd", id="past the line's end"
        ),
        pytest.param("ab", Edit("X", (place(7, 3), place(9, 0))), "abX", id="past the last line"),
        pytest.param("abcd", Edit("X", (place(0, 3), place(0, 1))), "aXd", id="written backwards"),
        pytest.param(
            "ab", Edit("X", (place(0, 0), place(2**31 - 1, 2**31 - 1))), "X", id="to the largest"
        ),
    ],
)
def test_an_edit_lands_where_the_client_meant_it(
    text: str, edit: Edit, expected: str, encoding: Encoding
) -> None:
    assert edited(text, [edit], encoding) == expected


@pytest.mark.parametrize(
    ("encoding", "after"), [(Encoding.UTF8, 4), (Encoding.UTF16, 2), (Encoding.UTF32, 1)]
)
def test_columns_behind_an_emoji_count_in_the_sessions_encoding(
    encoding: Encoding, after: int
) -> None:
    edit = Edit("X", (place(0, after), place(0, after + 1)))
    assert edited(COMPASS + "ab", [edit], encoding) == COMPASS + "Xb"


def test_half_an_emoji_can_be_deleted_and_put_back() -> None:
    cut = edited("a" + COMPASS + "b", [Edit("", (place(0, 2), place(0, 3)))], Encoding.UTF16)
    assert (cut, sound(cut)) == ("a\ud83eb", "a\ufffdb")
    assert (
        edited(cut, [Edit("\udded", (place(0, 2), place(0, 2)))], Encoding.UTF16) == f"a{COMPASS}b"
    )


def test_text_put_inside_an_emoji_leaves_both_halves_in_place() -> None:
    cut = edited(COMPASS, [Edit("x", (place(0, 1), place(0, 1)))], Encoding.UTF16)
    assert cut == "\ud83ex\udded"
    assert edited(cut, [Edit("", (place(0, 1), place(0, 2)))], Encoding.UTF16) == COMPASS


def test_a_sound_text_keeps_every_offset() -> None:
    assert sound("a\ud83eb\uddedc") == "a\ufffdb\ufffdc"
    assert sound(COMPASS) == COMPASS


@st.composite
def steps(draw: Any) -> tuple[str, Encoding, list[Edit]]:
    text = st.lists(st.sampled_from(ALPHABET), max_size=12).map("".join)
    spot = st.builds(Position, st.integers(0, 6), st.integers(0, 14))
    edit = st.builds(Edit, text, st.none() | st.tuples(spot, spot))
    return draw(text), draw(st.sampled_from(Encoding)), draw(st.lists(edit, max_size=4))


@given(steps())
def test_any_edits_give_what_cutting_code_units_gives(
    case: tuple[str, Encoding, list[Edit]],
) -> None:
    text, encoding, changes = case
    model = units_of(text, encoding)
    one_by_one = text
    for number, change in enumerate(changes, 1):
        one_by_one = edited(one_by_one, [change], encoding)
        model = model_edited(model, change, encoding)
        assert units_of(one_by_one, encoding) == model
        assert edited(text, changes[:number], encoding) == one_by_one


def units_of(text: str, encoding: Encoding) -> list[int]:
    data, width = text.encode(UNITS[encoding], "surrogatepass"), WIDTH[encoding]
    return [int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width)]


def model_edited(units: list[int], edit: Edit, encoding: Encoding) -> list[int]:
    new = units_of(edit.text, encoding)
    if edit.between is None:
        return new
    start, end = sorted(model_index(units, spot, encoding) for spot in edit.between)
    return units[:start] + new + units[end:]


def model_index(units: list[int], spot: Position, encoding: Encoding) -> int:
    """Walk line by line; only in utf-8 does a column inside a character round down."""
    index = line = 0
    while line < spot.line:
        while index < len(units) and units[index] not in (10, 13):
            index += 1
        if index >= len(units):
            return len(units)
        index += 2 if units[index : index + 2] == [13, 10] else 1
        line += 1
    end = index
    while end < len(units) and units[end] not in (10, 13) and end - index < spot.character:
        end += 1
    while encoding is Encoding.UTF8 and end < len(units) and 0x80 <= units[end] < 0xC0:
        end -= 1
    return end
