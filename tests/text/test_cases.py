"""The cases of public bug reports that the text core decides: outlines, positions, reads, grep."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ctxls.errors import CtxlsError
from ctxls.text import ranges
from ctxls.text.lines import Lines, Span
from ctxls.text.matcher import find
from ctxls.text.outline import parse_outline
from ctxls.text.pattern import compile_pattern
from ctxls.text.positions import Encoding, Position, offset_at, position_at

Case = dict[str, Any]
CASES: list[Case] = json.loads(
    (Path(__file__).parents[1] / "data" / "cases.json").read_text("utf-8")
)
WRITTEN_OUT = {
    "A081-100k-same-title": "# n\n" * 100_000,
    "A083-one-10MB-line": "# " + "x" * 10_000_000 + "\n## Two\n",
    "A085-para-200k-lines": "a\n" * 200_000 + "\n# End\n",
}
# Where the contract's slug rule and markdown-it-py's titles decide otherwise than the case.
BY_CONTRACT: dict[str, dict[int, tuple[str, str]]] = {
    "A051-undefined-reflink": {
        0: ("See one", "see-one-x"),
        1: ("See [two][nope]", "see-one-x/see-two-nope"),
    },
    "A055-dup-collision-reversed": {2: ("Notes", "notes-3")},
    "A059-zwj-rtl-titles": {0: ("a🤷🏻\u200d♀\ufe0fb", "a-b")},
    "A071-trailing-unicode-space": {0: ("Name", "name"), 1: ("Other", "other")},
}


def cases(op: str, test: Callable[[Case], bool] = bool) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["request"]["op"] == op and test(case)]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


@cases("outline", lambda case: isinstance(case["expected"], list))
def test_the_outline_is_the_one_that_the_report_asks_for(case: Case) -> None:
    outline = parse_outline(case["input"])
    expected = [list(row) for row in case["expected"]]
    for number, (title, node_id) in BY_CONTRACT.get(case["id"], {}).items():
        expected[number][1:3] = [title, node_id]
    found = [
        [section.level, section.title, section.node_id, section.span.start, section.span.end]
        for section in outline.sections
    ]
    assert found == expected
    for section in outline.sections:
        assert outline.find(section.node_id) == section


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_a_huge_outline_has_every_section_with_its_exact_span(name: str) -> None:
    text = WRITTEN_OUT[name]
    sections = parse_outline(text).sections
    ids = [section.node_id for section in sections]
    assert len(set(ids)) == len(ids)
    if name.startswith("A081"):
        assert ids[:3] == ["n", "n-2", "n-3"]
        assert ids[-1] == "n-100000"
        assert sections[-1].span == Span(len(text) - 4, len(text))
    elif name.startswith("A083"):
        assert [section.span for section in sections] == [
            Span(0, len(text)),
            Span(10_000_003, len(text)),
        ]
        assert max(map(len, ids)) < 200
    else:
        assert [(section.level, section.node_id) for section in sections] == [(1, "end")]
        assert sections[0].span == Span(400_001, 400_007)


@cases("position")
def test_positions_are_right_in_both_directions(case: Case) -> None:
    text = case["input"]
    lines = Lines.of(text)
    for row in case["expected"]:
        encoding = Encoding(row["encoding"])
        position = Position(**row["position"])
        if list(row) == ["offset", "encoding", "position"]:
            assert position_at(text, lines, row["offset"], encoding) == position
        else:
            assert offset_at(text, lines, position, encoding) == row["offset"]


@cases("read")
def test_a_read_returns_what_the_range_means(case: Case) -> None:
    text, request, expected = case["input"], case["request"], case["expected"]
    lines = Lines.of(text)

    def read() -> Span:
        if "node" in request:
            return ranges.node(parse_outline(text), request["node"])
        if "line_start" in request:
            return ranges.line_range(lines, request["line_start"], request["line_end"])
        return ranges.chars(lines, request["char_start"], request["char_end"])

    if "error" in expected or "or" in expected:
        with pytest.raises(CtxlsError):
            read()
        return
    span = read()
    assert text[span.start : span.end] == expected["text"]
    if "char_start" in expected:
        assert span == Span(expected["char_start"], expected["char_end"])


def _grep(case: Case) -> list[dict[str, Any]]:
    request, text = case["request"], case["input"]
    pattern = compile_pattern(
        request["pattern"],
        is_regex=request.get("mode") == "regex",
        case_sensitive=request.get("case_sensitive", False),
    )
    return [
        {
            "line": match.extent.start.line + 1,
            "char_start": match.span.start,
            "char_end": match.span.end,
            "text": text[match.span.start : match.span.end],
        }
        for match in find(pattern, text.encode(), lambda: 0.0)
    ]


@cases("grep", lambda case: "matches" in case["expected"])
def test_grep_finds_the_matches_that_the_report_asks_for(case: Case) -> None:
    found = _grep(case)
    assert found == case["expected"]["matches"]
    assert len({row["line"] for row in found}) == case["expected"]["matching_lines"]


@cases("grep", lambda case: "error" in case["expected"])
def test_a_pattern_that_cannot_be_searched_is_refused_in_one_sentence(case: Case) -> None:
    with pytest.raises(CtxlsError) as refused:
        compile_pattern(
            case["request"]["pattern"],
            is_regex=case["request"]["mode"] == "regex",
            case_sensitive=False,
        )
    assert refused.value.message.endswith(".")
    assert "\n" not in refused.value.message
    assert ": b'" not in refused.value.message
