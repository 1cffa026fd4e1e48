"""Headings found slice by slice are those of one parse of the whole text."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ctxls.text import slices
from ctxls.text.lines import Lines
from ctxls.text.outline import parse_outline
from ctxls.text.slices import BOUNDS, Bounds, headings

PIECES = [
    *("# One", "## Two ##", "### Three", "#", "# ", "#x", "text", "some words", "\tx", "   y"),
    *("", "", "", " ", "\t", "---", "===", "-", "=", "- - -", "***", "```", "~~~ x", "    # code"),
    *("> # quote", "> x", ">", "- # item", "- x", "  - y", "  x", "+", "* x", "1. x", "2. x"),
    *("<!-- x", "-->", "<div>", "</div>", "<b>x", "<?php", "?>", "[a]: /u", "[b]:", "/u", "[c]"),
    *('[d]: /u "t', 't"', "(t", "t)", '"t"', "[e", "e]: /u", "# [x][a]", "# [y][d]", "# [z][e]"),
    *("\ufeff# B", "# a\u2028b", "\u2003x", "\x0c", "| a |", "|---|", "\\", "&#0;", "\0", "___"),
]
TEXTS = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", ""])),
    max_size=30,
).map(lambda pieces: "".join(piece + end for piece, end in pieces))


def in_one_parse(text: str) -> tuple[list[tuple[int, int, str]], set[str]]:
    env: dict[str, dict[str, object]] = {}
    tokens = MarkdownIt("commonmark").parse(text.removeprefix("\ufeff"), env)
    found = [
        (opening.map[0], int(opening.tag[1]), content.content)
        for opening, content in pairwise(tokens)
        if opening.type == "heading_open" and opening.level == 0 and opening.map
    ]
    return found, set(env.get("references", {}))


def sliced(text: str, bounds: Bounds = BOUNDS) -> tuple[list[tuple[int, int, str]], set[str]]:
    made = headings(text, Lines.of(text), 0, bounds)
    return [(item.line, item.level, item.source) for item in made.found], set(made.references)


@pytest.mark.parametrize("size", [1, 7, 40, 1 << 16])
@settings(max_examples=250, deadline=None)
@given(text=TEXTS)
def test_slices_of_any_size_give_the_headings_of_one_parse(text: str, size: int) -> None:
    expected, references = in_one_parse(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "SLICE", size)
        found, defined = sliced(text)
    assert found == expected
    if any("[" in source for _, _, source in found):
        assert defined == references


def test_random_marks_give_the_headings_of_one_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 16)
    chance = random.Random(11)
    for _ in range(1_500):
        text = "".join(chance.choice("##-=\n\n\n  \t`>*[]()<!&\\:/ab1.") for _ in range(80))
        assert sliced(text)[0] == in_one_parse(text)[0]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_block_larger_than_any_slice_hides_what_is_inside_it(end: str) -> None:
    text = f"# A{end}```{end}" + f"# no{end}" * 50_000 + f"```{end}# B{end}"
    assert [section.node_id for section in parse_outline(text).sections] == ["a", "b"]


def test_a_definition_far_behind_its_title_counts() -> None:
    text = "# See [x][far]\n" + "words and words\n\n" * 20_000 + "[far]: /u\n"
    assert parse_outline(text).sections[0].title == "See x"


def test_exactly_as_many_headings_as_may_be_is_whole() -> None:
    bounds = replace(BOUNDS, headings=3)
    assert parse_outline("# A\n" * 3 + "rest", bounds=bounds).is_whole
    outline = parse_outline("# A\n" * 5 + "rest", bounds=bounds)
    assert not outline.is_whole
    assert [section.node_id for section in outline.sections] == ["a", "a-2", "a-3"]
    assert outline.sections[-1].span.end == 24


@pytest.mark.parametrize(
    "bounds",
    [
        pytest.param(replace(BOUNDS, characters=40), id="characters"),
        pytest.param(replace(BOUNDS, steps=60), id="steps"),
        pytest.param(replace(BOUNDS, slice_lines=20), id="lines of one block"),
    ],
)
def test_past_a_bound_no_heading_is_looked_for(
    bounds: Bounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "SLICE", 16)
    text = "# A\n\n# B\n\n" + "- x\n" * 40 + "\n# C\n"
    outline = parse_outline(text, bounds=bounds)
    assert not outline.is_whole
    assert [section.title for section in outline.sections] == ["A", "B"]
    assert outline.sections[-1].span.end == len(text)
    assert parse_outline(text).is_whole


def test_a_text_past_the_bounds_is_whole_where_no_line_there_may_be_a_heading() -> None:
    bounds = replace(BOUNDS, characters=40)
    assert parse_outline("# A\n" + "many words\n" * 20, bounds=bounds).is_whole


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param("- x\n" * 2_500_000, id="list"),
        pytest.param("1. x\n" * 2_000_000, id="ordered list"),
        pytest.param("> x\n" * 2_500_000, id="quote"),
        pytest.param(("> " * 19 + "- x\n") * 240_000, id="deep quote"),
        pytest.param("[a]: /u\n" * 1_200_000, id="definitions"),
        pytest.param("a\n-a\n" * 2_000_000, id="paragraphs"),
    ],
)
def test_the_steps_bound_ends_a_parse_of_hostile_text(hostile: str) -> None:
    bounds = replace(BOUNDS, steps=BOUNDS.steps // 50)
    outline = parse_outline("# A\n\n" + hostile + "\n# B\n", bounds=bounds)
    assert [section.title for section in outline.sections] == ["A"]
    assert not outline.is_whole


def test_titles_of_costly_markup_stay_raw_once_they_have_cost_enough() -> None:
    source = "*a " * 1_300
    sections = parse_outline(f"# {source}\n" * 300).sections
    assert sections[0].title == source.strip()
    assert sections[-1].title == source.strip()
    links = parse_outline("# `x`\n" * 20_000).sections
    assert (links[0].title, links[-1].title) == ("x", "`x`")
