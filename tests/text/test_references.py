import pytest

from ctxls.text.headings import may_be_heading
from ctxls.text.lines import Lines, Span
from ctxls.text.outline import parse_outline
from ctxls.text.references import is_whole_word, pointed_at

ID = "01a22e4a35ac752295be200bba94bbcd"


def first(text: str) -> tuple[str, str] | None:
    """Read what `$0` points at, the most specific reading first."""
    offset = text.index("$0")
    text = text.replace("$0", "")
    line = Lines.of(text).span(Lines.of(text).at(offset))
    found = pointed_at(text, line, offset)
    for item in found:
        assert line.contains(item.span)
        assert item.span.start <= offset <= item.span.end
    return (found[0].kind, found[0].text) if found else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [[Roll$0back plan]].", ("title", "Rollback plan")),
        ("a [te$0xt](other.md) b", ("link", "other.md")),
        ("a [text](oth$0er.md#x 'title') b", ("link", "other.md#x")),
        ("a [text](<a b$0.md>)", ("link", "a b.md")),
        ("[x](a(1)$0.md)", ("link", "a(1).md")),
        ("[a][r$0]\n\n[r]: /u.md\n", ("link", "/u.md")),
        ("[R$0][]\n\n[r]: </u v.md>\n", ("link", "/u v.md")),
        ("[$0r]\n[r]: /u\n", ("link", "/u")),
        (f"at context://local/t/s.{ID}$0.md, or", ("uri", f"context://local/t/s.{ID}.md")),
        (f"<context://local/$0t/s.{ID}.md#L3>", ("uri", f"context://local/t/s.{ID}.md#L3")),
        (f"id {ID[:8]}$0{ID[8:]}.", ("id", ID)),
        (f"prefix {ID[:8]}$0", ("id", ID[:8])),
        ("01a22e4a-35ac-7522-95be-$0200bba94bbcd", ("id", "01a22e4a-35ac-7522-95be-200bba94bbcd")),
        ("one roll$0back two", ("word", "rollback")),
        ("one rollback$0 two", ("word", "rollback")),
        ("🚀 $0größe_2!", ("word", "größe_2")),
        ("run `make $0test` now", ("word", "make test")),
        ("run ``a ` $0b`` now", ("word", "a ` b")),
        ("[not a link$0] here", ("word", "link")),
        ("a $0 b", None),
        ("$0", None),
        ("...$0...", None),
        ("deadbee$0", ("word", "deadbee")),
    ],
)
def test_what_stands_at_the_cursor_is_read_as_a_person_would(
    text: str, expected: tuple[str, str] | None
) -> None:
    assert first(text) == expected


def test_a_cursor_in_a_line_of_megabytes_reads_only_around_it() -> None:
    text = "[" * 500_000 + " word " + "`" * 500_000
    found = pointed_at(text, Span(0, len(text)), 500_003)
    assert [item.text for item in found] == ["word"]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        *(("cat", True), ("-cat-", True), ("(cat)", True), ("cat\u0301", True)),
        *(("cats", False), ("écat", False), ("cat_", False), ("9cat", False), ("漢cat", False)),
    ],
)
def test_a_whole_word_has_no_letter_digit_or_underscore_beside_it(text: str, whole: bool) -> None:
    start = text.index("cat")
    assert is_whole_word(text, Span(start, start + 3)) is whole


@pytest.mark.parametrize(
    "text",
    ["# A\n", "   ## B", "\ufeff# C", "#\tD", "#", "Two\nlines\n====", "x\n  --  ", "# A\r\nx"],
)
def test_every_heading_looks_like_one(text: str) -> None:
    section = parse_outline(text).sections[0]
    assert may_be_heading(text, section.span.start)


@pytest.mark.parametrize("text", ["plain", "#x", "####### x", "a\n\n---\n", "    # code", ""])
def test_an_ordinary_line_costs_no_parse(text: str) -> None:
    assert not may_be_heading(text, 0)


@pytest.mark.parametrize("text", ["[" * 999 + "](" + "a" * 990, "[](\\" * 500, "`[" * 900])
def test_a_line_made_to_be_slow_is_read_all_the_same(text: str) -> None:
    pointed_at(text, Span(0, len(text)), 995)
