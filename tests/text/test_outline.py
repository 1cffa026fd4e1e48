import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ctxls.text.lines import Lines, Span
from ctxls.text.outline import Outline, first_title, front_matter_lines, parse_outline

PIECES = [
    *("# One", "## Two", "### Three", "#", "# ", "###### Six", "####### seven", "#x", "text"),
    *("", "", "---", "===", "```", "~~~", "    # code", "> # quote", "- # item", "<!-- x", "-->"),
    *("[a]: /u", "# [x][a]", "# Root", "## `c` *e*", "***", "| a |", "\ufeff# B", "# a\u2028b"),
]
DOCUMENTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\r\n", "\r"])))


def text_of(pieces: list[tuple[str, str]]) -> str:
    return "".join(piece + end for piece, end in pieces)


@settings(max_examples=400, deadline=None)
@given(DOCUMENTS.map(text_of))
def test_sections_nest_and_every_id_reads_back_its_own(text: str) -> None:
    lines = Lines.of(text)
    outline = parse_outline(text, lines)
    assert outline.root.span == Span(0, len(text))
    for number, section in enumerate(outline.sections):
        parent = outline.root if section.parent is None else outline.sections[section.parent]
        assert parent.span.contains(section.span)
        assert parent.level < section.level
        assert section.span.contains(section.heading)
        assert section.span.start in lines.starts
        assert outline.find(section.node_id) == section
        later = outline.sections[number + 1 :]
        ends = [other.span.start for other in later if other.level <= section.level]
        assert section.span.end == (ends[0] if ends else len(text))
    ids = [section.node_id for section in outline.sections]
    assert len({*ids, "root"}) == len(ids) + 1


@settings(max_examples=400, deadline=None)
@given(DOCUMENTS.map(text_of))
def test_headings_are_those_of_a_full_commonmark_parse(text: str) -> None:
    if front_matter_lines(text, Lines.of(text)) or text.startswith("\ufeff"):
        return
    tokens = MarkdownIt("commonmark").parse(text)
    expected = [
        (token.map[0], int(token.tag[1]))
        for token in tokens
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    lines = Lines.of(text)
    found = [
        (lines.at(section.span.start), section.level) for section in parse_outline(text).sections
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("---\na: 1\n---\n", 3),
        ("---  \na: 1\n...\t\n# x", 3),
        ("\ufeff---\r\na\r\n---\r\n", 3),
        ("---\n---\n", 2),
        ("---\n\na: 1\n---\n", 0),
        ("---\n \t\na: 1\n---\n", 0),
        ("----\na: 1\n---\n", 0),
        ("---\na: 1\n", 0),
        (" ---\na: 1\n---\n", 0),
        ("---x\na\n---\n", 0),
        ("\n---\na: 1\n---\n", 0),
        ("---", 0),
        ("", 0),
    ],
)
def test_front_matter_is_only_what_the_rule_says(text: str, count: int) -> None:
    assert front_matter_lines(text, Lines.of(text)) == count


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("# Root\n## Root\n# root\n", ["root-2", "root-2/root", "root-3"]),
        ("# A\n# A\n# A 2\n# A\n", ["a", "a-2", "a-2-2", "a-3"]),
        ("#\n#\n# !!!\n", ["section", "section-2", "section-3"]),
        ("# " + "x" * 70, ["x" * 64]),
        ("# " + "x" * 63 + " y", ["x" * 63]),
        ("# Straße_42 Ünï\n", ["straße_42-ünï"]),
        ("# a/b\n", ["a-b"]),
    ],
)
def test_node_ids_follow_the_slug_rule(text: str, ids: list[str]) -> None:
    assert [section.node_id for section in parse_outline(text).sections] == ids


def test_ordinals_count_siblings_of_one_base_slug() -> None:
    sections = parse_outline("# A\n# A 2\n# A\n## A\n").sections
    assert [(section.node_id, section.ordinal) for section in sections] == [
        ("a", 1),
        ("a-2", 1),
        ("a-3", 2),
        ("a-3/a", 1),
    ]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# `a` *b* **c**", "a b c"),
        ("# [text](http://x) ![alt](y)", "text alt"),
        ("# a <b>c</b> &amp; d", "a c & d"),
        ("# <http://x.org>", "http://x.org"),
        (r"# 1 \* 2", "1 * 2"),
        ("Two\nlines\n===", "Two lines"),
        ("# a\0b", "a\ufffdb"),
        ("# " + "*" + "x" * 5000 + "*", "*" + "x" * 5000 + "*"),
    ],
)
def test_a_title_is_the_headings_plain_text(heading: str, title: str) -> None:
    assert parse_outline(heading).sections[0].title == title


@settings(max_examples=400, deadline=None)
@given(DOCUMENTS.map(text_of), st.sampled_from(["", "\ufeff", "---\na: 1\n---\n", "x" * 4096]))
def test_a_title_told_without_a_parse_is_the_outlines_first(text: str, before: str) -> None:
    sections = parse_outline(before + text).sections
    assert first_title(before + text) in {None, sections[0].title if sections else None}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# A *b*\n", "A b"),
        ("\n \n\r\n   ## B ##\r\nx", "B"),
        ("\ufeff# C", "C"),
        ("---\ntags: x\n---\n\n# D\n", "D"),
        ("#\n# E", ""),
        ("# See [x]", None),
        ("F\n===", None),
        ("    # code", None),
        ("#x", None),
        ("---\n" + "a: 1\n" * 2000 + "---\n# G\n", None),
        ("# " + "x" * 5000, None),
        ("", None),
    ],
)
def test_only_a_heading_at_the_very_start_is_told_without_a_parse(
    text: str, title: str | None
) -> None:
    assert first_title(text) == title


def test_the_section_at_an_offset_is_the_innermost() -> None:
    text = "intro\n# A\nx\n## B\ny\n# C\n"
    outline = parse_outline(text)
    found = [outline.at(offset).node_id for offset in (0, 5, 6, 10, 12, 17, 19, len(text))]
    assert found == ["root", "root", "a", "a", "a/b", "a/b", "c", "c"]
    deepest = outline.at(17)
    assert [section.node_id for section in outline.trail(deepest)] == ["a", "a/b"]
    assert outline.trail(outline.root) == ()


def test_a_text_without_headings_is_the_root_alone() -> None:
    for text in ("", "plain", "a\nb\r\n", "\0", "-", "=" * 10):
        assert parse_outline(text) == Outline(parse_outline(text).root, ())


def test_random_bytes_never_break_the_parser() -> None:
    chance = random.Random(7)
    for _ in range(300):
        data = bytes(chance.choice(b"#-=\r\n\t `>*[]()<!&\\:/ab\xff\xf0\x9f") for _ in range(80))
        text = data.decode("utf-8", "replace")
        for section in parse_outline(text).sections:
            assert 0 <= section.span.start < section.span.end <= len(text)
