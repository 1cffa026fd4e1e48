"""What a pattern may not hold, by its tokens: spelling, and the words that refuse it (or None)."""

import pytest

from ctxls.errors import InvalidPatternError, PatternTooLongError
from ctxls.text.pattern import compile_pattern

SPELLINGS: list[tuple[str, str | None]] = [
    # line breaks, in every spelling
    (r"a\nb", "line break"),
    (r"a\rb", "line break"),
    ("a\nb", "line break"),
    ("a\rb", "line break"),
    (r"\x0a", "line break"),
    (r"\x0D", "line break"),
    (r"\x{a}", "line break"),
    (r"\x{00000d}", "line break"),
    (r"\12", "line break"),
    (r"\012", "line break"),
    (r"\15", "line break"),
    (r"\015", "line break"),
    (r"\129", "line break"),
    ("\\Qa\nb\\E", "line break"),
    ("\\Qa\nb", "line break"),
    (r"[\n]", "line break"),
    (r"[a\x0a]", "line break"),
    (r"[]\n]", "line break"),
    (r"[[:alpha:]\n]", "line break"),
    ("[\n]", "line break"),
    (r"\Q\E\n", "line break"),
    (r"\\\n", "line break"),
    ("a\\\nb", "line break"),
    ("[\\\n]", "line break"),
    ("a\\\ud800", "lone surrogate"),
    # and what only looks like one
    (r"\\n", None),
    (r"\\x0a", None),
    (r"\Q\n\E", None),
    (r"[^\n]", None),
    (r"[^\r\n]+", None),
    (r"[^]\n]", None),
    (r"\x0b", None),
    (r"\013", None),
    (r"[\\n]", None),
    # half characters, ends of the text, flags
    (r"\C", "half a character"),
    (r"a\C+", "half a character"),
    (r"\Q\C\E", None),
    (r"\Aabc", "use ^"),
    (r"abc\z", "use $"),
    (r"\\A", None),
    (r"\\z", None),
    (r"(?-m)^a", "switches m off"),
    (r"(?i-m:^a)", "switches m off"),
    (r"(?s-im)a", "switches m off"),
    (r"(?m)^a", None),
    (r"(?i)a(?-i)B", None),
    (r"[(?-m)]", None),
    (r"\(?-m", None),
    # surrogates
    ("a\ud800", "lone surrogate"),
    (r"\x{d800}", "lone surrogate"),
    (r"[\x{dfff}]", "lone surrogate"),
    (r"[^\x{d800}]", "lone surrogate"),
    # what RE2 does not have
    (r"(?=a)", "look-around"),
    (r"(?!a)", "look-around"),
    (r"(?<=a)b", "look-around"),
    (r"(?<!a)b", "look-around"),
    (r"(a)\1", "back-references"),
    (r"(?P<x>a)(?P=x)", "back-references"),
    (r"(?<x>a)\k<x>", "back-references"),
    (r"(?P<x>a)", None),
    (r"(?<x>a)", None),
    (r"[\d-]", None),
    (r"\07", None),
    # what RE2 refuses itself
    (r"a++", "no regular expression"),
    (r"(a", "no regular expression"),
    (r"[a", "no regular expression"),
    ("a\\", "no regular expression"),
    (r"a{1001}", "1,000"),
    (r"((a{100}){11})", "1,000"),
    (r"[\pL\pN]{1000}", "too large"),
]


@pytest.mark.parametrize(("spelling", "words"), SPELLINGS)
def test_a_pattern_is_judged_by_its_tokens(spelling: str, words: str | None) -> None:
    if words is None:
        compile_pattern(spelling, is_regex=True, case_sensitive=False)
        return
    with pytest.raises(InvalidPatternError) as refused:
        compile_pattern(spelling, is_regex=True, case_sensitive=False)
    assert words in refused.value.message
    assert refused.value.message.isprintable()


@pytest.mark.parametrize("literal", ["a\nb", "\r", "a\r\n", "\ud800", ""])
def test_a_literal_that_no_line_can_hold_is_refused(literal: str) -> None:
    with pytest.raises(InvalidPatternError):
        compile_pattern(literal, is_regex=False, case_sensitive=False)


@pytest.mark.parametrize("literal", [r"\n", r"(?-m)", r"\C", "a[", "\\", "\0", "\u2028"])
def test_a_literal_is_searched_as_it_is(literal: str) -> None:
    pattern = compile_pattern(literal, is_regex=False, case_sensitive=True)
    data = f"x{literal}y".encode()
    assert pattern.search(data, 0, len(data)) == (1, len(data) - 1)


@pytest.mark.parametrize(("is_regex", "longest"), [(True, 200), (False, 4096)])
def test_exactly_the_longest_pattern_is_allowed(*, is_regex: bool, longest: int) -> None:
    compile_pattern("é" * longest, is_regex=is_regex, case_sensitive=False)
    with pytest.raises(PatternTooLongError, match=f"at most {longest:,}"):
        compile_pattern("é" * (longest + 1), is_regex=is_regex, case_sensitive=False)


def test_the_reason_does_not_show_what_the_user_did_not_write() -> None:
    with pytest.raises(InvalidPatternError) as refused:
        compile_pattern("(abc", is_regex=True, case_sensitive=False)
    assert "(?m)" not in refused.value.message
    assert "'(abc'" in refused.value.message
