"""Patterns and texts that are meant to go wrong: random ones, the same again for a seed."""

from collections.abc import Callable
from random import Random
from typing import Final

from ctxls.errors import BadRequestError
from ctxls.text.pattern import Pattern, compile_pattern

LETTERS: Final = [
    *("a", "b", "k", "K", "\u212a", "s", "S", "ſ", "ß", "ẞ", "σ", "ς", "Σ", "İ", "ı", "i", "I"),
    *("é", "É", "µ", "μ", "å", "Å", "\u212b", "Ꭰ", "ꭰ", "Ა", "ა", "\U0001e900", "\U0001e922"),
    *("0", "7", "_", "-", " ", "\t", "漢", "🧭", "\u0301", "\u2028", "\0", "\ufeff"),
]
LINE_ENDS: Final = ["\n", "\r\n", "\r", "\n\n", "\r\r\n"]
WORDS: Final = ["abk", "aßs", "ΣΑΣ", "σας", "Kasse", "ſtraße", "İi", "꭮Ꭰꭰ", "kKk", "a7_", "🧭漢🧭"]
COUNTED: Final = "a7_{01}k"
"""To RE2 this is plain text, for all that it looks like a repeat; it stands in texts as it is."""
SPECIAL: Final = frozenset(r"\.+*?()|[]{}^$-")


def random_text(random: Random) -> str:
    """Write some lines of letters and words, with line ends of all kinds."""
    pieces = []
    for _ in range(random.randrange(30)):
        kind = random.random()
        if kind < 0.15:
            pieces.append(random.choice(LINE_ENDS))
        else:
            pieces.append(random.choice([*WORDS, COUNTED] if kind < 0.5 else LETTERS))
    return "".join(pieces)


def random_pattern(random: Random) -> Pattern:
    """Write a pattern that compiles: a literal, or a regular expression of any shape."""
    while True:
        is_regex = random.random() < 0.8
        source = _expression(random, 3) if is_regex else _literal(random)
        try:
            return compile_pattern(
                source[:200], is_regex=is_regex, case_sensitive=random.random() < 0.4
            )
        except BadRequestError:
            continue


def _literal(random: Random) -> str:
    return "".join(random.choice([*WORDS, *LETTERS]) for _ in range(random.randrange(1, 4)))


def _expression(random: Random, depth: int) -> str:
    parts = [_atom(random, depth) + _repeat(random) for _ in range(random.randrange(1, 4))]
    whole = "".join(parts)
    return f"{whole}|{_expression(random, depth - 1)}" if depth and random.random() < 0.2 else whole


def _repeat(random: Random) -> str:
    often = [
        "",
        "",
        "",
        "",
        "",
        "*",
        "+",
        "?",
        "*?",
        "+?",
        "??",
        "{2}",
        "{0}",
        "{1,3}",
        "{2,}",
        "{0,2}",
    ]
    return random.choice(often)


def _atom(random: Random, depth: int) -> str:
    kinds: list[Callable[[Random], str]] = [_plain, _plain, _plain, _spelled, _class, _place]
    if depth:
        kinds += [lambda random: _group(random, depth - 1)] * 2
    return random.choice(kinds)(random)


def _plain(random: Random) -> str:
    word = random.choice(WORDS) if random.random() < 0.5 else random.choice(LETTERS)
    return "".join("\\" + char if char in SPECIAL else char for char in word)


def _spelled(random: Random) -> str:
    code = rf"\x{{{ord(random.choice(LETTERS)):x}}}"
    quoted = rf"\Q{random.choice(WORDS)}*\E"
    return random.choice([code, quoted, COUNTED, r"\x4b", r"\101", r"\07", r"\t", r"\."])


def _class(random: Random) -> str:
    chars = "".join(
        random.sample(["a", "k", "s", "ſ", "σ", "ß", "é", "7", r"\d", "a-c", "[:alpha:]"], 2)
    )
    return random.choice(
        [f"[{chars}]", f"[^{chars}]", ".", r"\w", r"\S", r"\pL", r"\p{Greek}", r"\d"]
    )


def _place(random: Random) -> str:
    return random.choice(["^", "$", r"\b", r"\B", "(?i)", "(?-i)", "(?s)", "(?U)", ""])


def _group(random: Random, depth: int) -> str:
    opened = random.choice(["(", "(?:", "(?i:", "(?-i:", "(?P<n>", "(?s-i:"])
    return f"{opened}{_expression(random, depth)})"
