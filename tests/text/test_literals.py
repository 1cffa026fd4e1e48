"""Required literals: what every matching line must hold, and nothing that one may lack."""

from random import Random

import pytest
from hostile import random_pattern, random_text

from ctxls.index.folding import folded
from ctxls.text.lines import Lines
from ctxls.text.literals import required
from ctxls.text.matcher import find
from ctxls.text.parts import MOST_SETS, MOST_WORDS
from ctxls.text.pattern import Pattern

PATTERNS = {
    # what stands there
    "abc": ["abc"],
    "ABC": ["abc"],
    "ab": [],
    "KELVIN": ["kelvin"],
    "\u212aelvin": ["kelvin"],
    "straße": ["straße"],
    "ΣΑΣ": ["ςας"],
    "σας": ["ςας"],
    # parts that join, and parts that do not
    r"std::(vector|map)<\w+>": ["std::map<|std::vector<"],
    "feature.*gate.*alpha": ["feature", "gate", "alpha"],
    r"vcperf\s+/(start|stop)": ["vcperf", "/start|/stop"],
    r"(foobarq|zebraq)\d+": ["foobarq|zebraq"],
    "a(b(c(d)e)f)g": ["abcdefg"],
    "(?i)foo(?-i:BAR)": ["foobar"],
    "(?P<name>foo)bar": ["foobar"],
    r"\bfoo\b": ["foo"],
    "^foo$": ["foo"],
    # alternatives
    "foo|bar": ["bar|foo"],
    "foo|ba": [],
    "foo|": [],
    "foo.*x|bar": ["bar|foo"],
    "(foo|bar.*)qux": ["bar|foo", "fooqux|qux"],
    "(fo|ba.*)qux": ["foqux|qux"],
    "abc(?i)?def": ["abcdef|abdef"],
    # repeats
    "fo+bar": ["fo", "obar"],
    "(foo)+": ["foo"],
    "(foo)*": [],
    "(foo)?bar": ["bar|foobar"],
    "fo?o": [],
    "fo?ob": ["foob|fob"],
    "x{3}": ["xxx"],
    "x{2}": [],
    "x{3,}y": ["xxx"],
    "x{2,3}yz": ["xyz"],
    "x{9}": ["xxxx"],
    "(abc){0}def": ["def"],
    "(abc){2}": ["abcabc"],
    "(a.c){2}def": ["cdef"],
    # classes
    "[ab]cd": ["acd|bcd"],
    "[a-c]de": ["ade|bde|cde"],
    "[K]ee": ["kee"],
    "[^a]bcd": ["bcd"],
    "[a-z]bcd": ["bcd"],
    r"[\d]bcd": ["bcd"],
    "[]a]bc": ["]bc|abc"],
    "[a-]bc": ["-bc|abc"],
    "[[:alpha:]]bcd": ["bcd"],
    r"\pLabc\p{Greek}": ["abc"],
    # escapes
    r"\x41\x{42}\103": ["abc"],
    r"a\.b\*c": ["a.b*c"],
    r"\Qa.b*\E+": ["a.b*"],
    r"ab\Q\E?cde": ["abcde|acde"],
    r"\Qa.b*c\E": ["a.b*c"],
    r"\Qabc": ["abc"],
    r"a\tbc": ["a\tbc"],
    r"foo\07": ["foo\a"],
    # flags, and what is empty
    "(?i)": [],
    "(?s)foo.bar": ["foo", "bar"],
    "()": [],
    "foo()bar": ["foobar"],
    "a{,3}bc": ["a{,3}bc"],
    "a{01}bc": ["a{01}bc"],
    "a{1,02}bc": ["a{1,02}bc"],
    "a{0,0}bcd": ["bcd"],
}


@pytest.mark.parametrize("source", PATTERNS)
def test_a_regular_expression_requires(source: str) -> None:
    found = [
        "|".join(sorted(word.decode() for word in words))
        for words in required(source, is_regex=True)
    ]
    expected = ["|".join(sorted(words.split("|"))) for words in PATTERNS[source]]
    useful = [
        words for words in expected if all(len(word.encode()) > 2 for word in words.split("|"))
    ]
    assert found == useful


def test_a_literal_requires_itself_folded() -> None:
    assert required(r"a.b*(K", is_regex=False) == (frozenset({b"a.b*(k"}),)
    assert required("ab", is_regex=False) == ()
    assert required("ß", is_regex=False) == ()
    assert required("漢", is_regex=False) == (frozenset({"漢".encode()}),)


def holds_what_is_required(pattern: Pattern, text: str) -> bool:
    """Whether each line with a match has a literal of each set."""
    lines = Lines.of(text)
    for match in find(pattern, text.encode(), lambda: 0.0):
        span = lines.span(match.extent.start.line)
        line = folded(text[span.start : span.end].encode())
        if not all(any(word in line for word in words) for words in pattern.required):
            return False
    return True


def test_no_line_matches_without_what_is_required() -> None:
    random, narrow, matched = Random(20261201), 0, 0
    for number in range(1500):
        pattern = random_pattern(random)
        narrow += bool(pattern.required)
        for _ in range(4):
            text = random_text(random)
            assert holds_what_is_required(pattern, text), (number, pattern, text)
            matched += any(True for _ in find(pattern, text.encode(), lambda: 0.0))
    assert narrow > 300
    assert matched > 500


@pytest.mark.parametrize(
    "source",
    [
        "(" * 90 + "abc" + ")" * 90,
        "(a|b|c|d|e|f|g|h)" * 11,
        "[a-p]" * 40,
        "((((a{9}){9}){9}){9}){9}",
        "(ab?c?d?e?f?g?h?)" * 11,
        "x*" * 100,
        "(a|(b|(c|(d|(e|(f|(g|(h|(i|(j|(k|(l|(m|(n|(o|(p)))))))))))))))",
        "|" * 199,
    ],
)
def test_a_hostile_pattern_costs_little(source: str) -> None:
    found = required(source, is_regex=True)
    assert len(found) <= MOST_SETS
    assert all(len(words) <= MOST_WORDS for words in found)
