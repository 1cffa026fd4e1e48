"""The rows of grep: what is looked for, and how far ahead ctxls aims to be."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench import corpus
from bench.ground import Ground, Records

MOST: Final = 1_000
"""Matches that one grep answers with; a row with more asks for the first ones."""
AHEAD: Final = 1.0


@dataclass(frozen=True)
class Question:
    """One row; an aim says how many times as long ripgrep must take, at least."""

    name: str
    pattern: str
    aim: float
    head_aim: float | None = None
    """Against ripgrep piped to head, where only the first matches are asked for."""
    is_regex: bool = False
    case_sensitive: bool = False

    @property
    def shown(self) -> str:
        """The row's name and what it looks for."""
        slashes = "/" if self.is_regex else ""
        return f"{self.name}: {slashes}{self.pattern}{slashes}"


@dataclass(frozen=True)
class Terms:
    """Literals of known rarity; `held` stands in as many records as WANTED says."""

    none: str
    held: Sequence[str]
    common: str
    commonest: str


MADE: Final = Terms(
    "ostrelact",
    ("quagmire", "marvidoc", "caravelle", "trombonist", "std::vector", "thermolite"),
    "kubernetes",
    "the",
)
WANTED: Final = (1, 5, 110, 180, 390, 670)
WORD: Final = re.compile(r"[a-z_]{6,}")


def questions(ground: Ground, found: Records) -> Sequence[Question]:
    """Return the rows for a ground: those with planted terms only where they are planted."""
    if ground.is_made:
        return [*_of(MADE), *_planted()]
    return _of(_chosen(ground.files, len(found.ids)))


def _of(terms: Terms) -> list[Question]:
    one, few, *several = terms.held
    with_literal = rf"{re.escape(few)}\s+/(start|stop)"
    return [
        Question("no match", terms.none, 60),
        Question("no match, case-sensitive", terms.none, 60, case_sensitive=True),
        Question("in 1 record", one, 60),
        Question("in 5 records", few, 60),
        Question("regex with a literal", with_literal, 60, is_regex=True),
        *(
            Question(f"in {number} records", term, 8)
            for number, term in zip(WANTED[2:], several, strict=True)
        ),
        Question("a common word, first 1,000", terms.common, 15, 2),
        Question("the commonest word, first 1,000", terms.commonest, 15, 2),
        Question("two common letters, first 1,000", "es", 1, 1),
        Question("regex without a literal", r"[0-9]{4}-[a-f]{2}-[0-9]{9}", 0.5, is_regex=True),
    ]


def _planted() -> list[Question]:
    either = "(marvidoc|tarbuline)[0-9]+"
    several = "feature.*gate.*alpha"
    ticket = "[A-Z]{3}[0-9]{5}"
    return [
        Question("in 1 record, of common letters", "pandemora", 60),
        Question("regex with alternatives", either, 60, is_regex=True),
        Question("punctuation, in 40 records", "::<", 60, case_sensitive=True),
        Question("not ASCII, in 60 records", "größenordnung", 8),
        Question("regex with three common words", several, 1, is_regex=True),
        Question("regex, first 1,000", "[a-z]+Error", 1, is_regex=True, case_sensitive=True),
        Question("two characters, in 12 records", "qz", 1),
        Question("one character, in 25 records", "~", 1),
        Question("regex of classes", ticket, 0.5, is_regex=True, case_sensitive=True),
    ]


def expected(question: Question, count: int) -> int | None:
    """Return in how many of `count` made records a question's term was planted, if it was."""
    for plant in corpus.PLANTS:
        if plant.term == question.pattern:
            return corpus.planted(plant, count)
    return 0 if question.pattern == MADE.none else None


def _chosen(files: Path, count: int) -> Terms:
    """Choose words of a given folder by the number of records that they stand in."""
    held = Counter[str]()
    for text in _texts(files):
        held.update(set(WORD.findall(text.lower())))
    scaled = [min(number, max(1, count // 2)) for number in WANTED]
    named = [_nearest(held, number) for number in scaled]
    common = held.most_common(20)
    return Terms("zyqxjzyqxj", named, common[-1][0], common[0][0])


def _nearest(held: Mapping[str, int], number: int) -> str:
    return min(held, key=lambda word: (abs(held[word] - number), word))


def _texts(files: Path) -> Iterator[str]:
    for path in sorted(files.rglob("*.md")):
        yield path.read_text(encoding="utf-8", errors="replace")
