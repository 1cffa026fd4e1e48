"""What front matter says, what it may not hold, and what is no front matter at all."""

from typing import Any, Final

import pytest

from ctxls.writing.front_matter import LARGEST, front_matter
from ctxls.writing.refusals import RefusedFileError

LONG: Final = "1:" * 200 + "1.5"
VALUES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "plain values": (
        "a: 1\nb: text\nc: true\nd:\ne: [1, two]\nf: {g: 0.5}",
        {"a": 1, "b": "text", "c": True, "d": None, "e": [1, "two"], "f": {"g": 0.5}},
    ),
    "a date becomes its ISO string": ("day: 2026-03-14", {"day": "2026-03-14"}),
    "a time becomes its ISO string": (
        "at: 2026-03-14 09:26:53 +01:00",
        {"at": "2026-03-14T09:26:53+01:00"},
    ),
    "a day that no calendar has stays text": ("day: 2026-13-45", {"day": "2026-13-45"}),
    "a time of day is no number": ("at: 10:30\nto: 1:02:03.5", {"at": "10:30", "to": "1:02:03.5"}),
    "a number over 64 bits stays text": ("n: 12345678901234567890", {"n": "12345678901234567890"}),
    "what only looks like a number stays text": ("a: 0x_\nb: _", {"a": "0x_", "b": "_"}),
    "an equals sign is text": ("a: =", {"a": "="}),
    "keys that are no text become text": (
        "2: a\ntrue: b\n2026-03-14: c\n~: d\n1.5: e",
        {"2": "a", "true": "b", "2026-03-14": "c", "null": "d", "1.5": "e"},
    ),
    "a key of 1 or 0 is no true or false": ("1: a\n0: b", {"1": "a", "0": "b"}),
    "sixties without end stay text": (f"n: {LONG}", {"n": LONG}),
    "of a key given twice the last counts": ("a: 1\na: 2", {"a": 2}),
    "a tag for text is allowed": ("a: !!str 007", {"a": "007"}),
    "emoji and other scripts": ("título: 🧭 時刻表", {"título": "🧭 時刻表"}),
    "a comment alone": ("# nothing", {}),
    "a sentence between two rules": ("Just a sentence", {}),
    "a list": ("- a\n- b", {}),
}


@pytest.mark.parametrize(("source", "expected"), VALUES.values(), ids=VALUES)
def test_front_matter_reads_as_json(source: str, expected: dict[str, Any]) -> None:
    assert front_matter(f"---\n{source}\n---\n# Title\n").values == expected


REFUSED: Final = {
    "an alias, which may grow without bounds": ("a: &x [1]\nb: *x", "the alias *x"),
    "a tag that makes objects": ("a: !!python/object:os.system x", "python/object:os.system"),
    "a tag that makes bytes": ("a: !!binary aGk=", "the tag"),
    "a tag of nobody": ("a: !mine x", "the tag !mine"),
    "a tag that does not fit its value": ("a: !!timestamp x", "the tag"),
    "deep brackets": ("a: " + "[" * 65 + "]" * 65, "deeper than 64"),
    "very deep dashes": ("- " * 20_000 + "a", "deeper than 64"),
    "a quote that is not closed": ("a: 'b", "not YAML (line 3)"),
    "two values on a line": ("good: 1\na: b: c", "not YAML (line 3)"),
    "a list as a key": ("? [a]\n: b", "not YAML (line 2)"),
    "a merge of what cannot be merged": ("<<: text", "not YAML (line 2)"),
    "a control character": ("a: \x07", "a character that YAML forbids"),
    "too much of it": ("a: " + "x" * LARGEST, f"over {LARGEST} bytes"),
}


@pytest.mark.parametrize(("source", "why"), REFUSED.values(), ids=REFUSED)
def test_what_front_matter_may_not_hold_is_refused_with_the_reason(source: str, why: str) -> None:
    with pytest.raises(RefusedFileError) as refused:
        front_matter(f"---\n{source}\n---\n")
    assert why in str(refused.value)


NOT_ONE: Final = {
    "no fence": "a: 1\n",
    "a fence that is not closed": "---\na: 1\n",
    "a blank second line": "---\n\na: 1\n---\n",
    "four dashes": "----\na: 1\n----\n",
    "a fence further down": "# Title\n---\na: 1\n---\n",
    "an empty text": "",
}


@pytest.mark.parametrize("text", NOT_ONE.values(), ids=NOT_ONE)
def test_what_is_no_front_matter_says_nothing(text: str) -> None:
    assert front_matter(text).values == {}


@pytest.mark.parametrize(
    "text", ["\ufeff---\na: 1\n---\n", "---\r\na: 1\r\n...\r\n", "---\ra: 1\r---"]
)
def test_a_byte_order_mark_and_any_line_end_may_stand_around_it(text: str) -> None:
    assert front_matter(text).values == {"a": 1}


def test_plain_values_are_kept_as_they_were_written() -> None:
    found = front_matter("---\ntitle: 1.10\ntags: [2.0, yes, ~, db]\nempty:\n---\n")
    assert found.texts == {"title": "1.10"}
    assert found.lists == {"tags": ("2.0", "yes", "db")}
