"""What a part of a pattern must hold, and how parts join: the algebra behind text/literals.

All words are folded. Where words or sets grow too many, a part says less, never something wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Words: TypeAlias = frozenset[str]

LEAST_BYTES: Final = 3
"""A literal shorter than a trigram tells an index nothing."""
MOST_WORDS: Final = 64
MOST_SETS: Final = 16
LONGEST: Final = 128
"""Characters that a word of a regular expression grows to."""
MOST_COPIES: Final = 4
"""How often a repeated part is written out."""
NOTHING: Final[Words] = frozenset({""})


@dataclass(frozen=True, slots=True)
class Part:
    """What a part of a pattern matches: each match is one of `whole`, where that is known.

    Else each begins with one of `starts`, ends with one of `ends`, and holds one of each of `sets`.
    """

    whole: Words | None
    starts: Words = NOTHING
    ends: Words = NOTHING
    sets: tuple[Words, ...] = ()

    @property
    def first(self) -> Words:
        """What each match begins with."""
        return self.starts if self.whole is None else self.whole

    @property
    def last(self) -> Words:
        """What each match ends with."""
        return self.ends if self.whole is None else self.whole

    @property
    def required(self) -> tuple[Words, ...]:
        """Sets that tell an index something; each match holds one of each."""
        return self.sets if self.whole is None else useful([self.whole])


ANYTHING: Final = Part(None)
EMPTY: Final = Part(NOTHING)


class Joined:
    """Parts one after the other."""

    def __init__(self) -> None:
        self._run = NOTHING
        self._starts: Words | None = None
        """What all begins with; None as long as the run is all."""
        self._sets: list[Words] = []

    def add(self, part: Part) -> None:
        """Go on with a part."""
        self._extend(part.first)
        if part.whole is None:
            self._sets += part.sets
            self.gap(part.ends)

    def gap(self, ends: Words) -> None:
        """Go on with what may be anything, and ends with one of `ends`."""
        self._keep()
        self._run = ends

    def part(self) -> Part:
        """Return all of it as one part."""
        if self._starts is None:
            return Part(self._run)
        return Part(None, self._starts, self._run, useful([*self._sets, self._run]))

    def _extend(self, words: Words) -> None:
        fits = len(self._run) * len(words) <= MOST_WORDS
        if fits and max(map(len, self._run)) + max(map(len, words)) <= LONGEST:
            self._run = frozenset(one + other for one in self._run for other in words)
        else:
            self._keep()
            self._run = words

    def _keep(self) -> None:
        self._sets.append(self._run)
        if self._starts is None:
            self._starts = self._run


def useful(sets: Iterable[Words]) -> tuple[Words, ...]:
    """Return the sets that tell an index something, each once; not more than an index is asked."""
    return tuple(dict.fromkeys(filter(_is_useful, sets)))[:MOST_SETS]


def _is_useful(words: Words) -> bool:
    return all(len(word.encode()) >= LEAST_BYTES for word in words)


def one_of(parts: Sequence[Part]) -> Part:
    """Return what alternatives have in common."""
    if len(parts) == 1:
        return parts[0]
    wholes = [part.whole for part in parts if part.whole is not None]
    whole = _union(wholes)
    if whole is not None and len(wholes) == len(parts):
        return Part(whole)
    best = [_best(part) for part in parts]
    together = _union([words for words in best if words is not None])
    return Part(
        None,
        _union([part.first for part in parts]) or NOTHING,
        _union([part.last for part in parts]) or NOTHING,
        (together,) if together is not None and None not in best else (),
    )


def _union(sets: Sequence[Words]) -> Words | None:
    """Return all words of the sets, or None where they are too many."""
    words = frozenset[str]().union(*sets)
    return words if len(words) <= MOST_WORDS else None


def _best(part: Part) -> Words | None:
    """Return the set that tells most, where one tells anything."""
    return max(part.required, key=lambda words: (min(map(len, words)), -len(words)), default=None)


def repeated(part: Part, least: int, most: int | None) -> Part:
    """Return a part that stands there at least and at most so often; None: any number of times."""
    if (least, most) == (0, 1) and part.whole is not None:
        return Part(part.whole | NOTHING)
    if least == 0:
        return EMPTY if most == 0 else ANYTHING
    joined = Joined()
    for _ in range(min(least, MOST_COPIES)):
        joined.add(part)
    if most != least or least > MOST_COPIES:
        joined.gap(part.last)
    return joined.part()
