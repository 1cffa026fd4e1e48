"""A folder of made Markdown, always the same, with terms that stand in known numbers of records."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from bench.vocabulary import Vocabulary

EDITION: Final = 5
"""Goes up with every change of what is made, so that no older corpus is taken for it."""
SEED: Final = 20_261_201
FULL_SIZE: Final = 15_000
THREADS: Final = 60
USUAL: Final = 4_500
LARGE_EACH: Final = 500
"""Of so many records, one has 100 KB to 1 MB."""


class Plant(NamedTuple):
    """Lines that stand in so many of FULL_SIZE records, and nothing like them anywhere else."""

    term: str
    records: int
    lines: tuple[str, ...]


PLANTS: Final = (
    Plant("quagmire", 1, ("Only Quagmire was seen here.",)),
    Plant("pandemora", 1, ("Pandemora, whose letters are common",)),
    Plant("marvidoc", 5, ("the marvidoc /start", "Marvidoc  /stop of the node")),
    Plant("tarbuline", 3, ("see tarbuline81 and", "then tarbuline7")),
    Plant("caravelle", 110, ("a caravelle", "two: caravelle, Caravelle")),
    Plant("trombonist", 180, ("if trombonist fails", "# On Trombonist")),
    Plant(
        "std::vector",
        390,
        ("std::vector<Entry> rows;", "auto x = std::vector<int>{};", "- STD::Vector in capitals"),
    ),
    Plant("thermolite", 670, ("- Thermolite: on",)),
    Plant("::<", 40, ("let all = rows.collect::<Vec<_>>();",)),
    Plant("größenordnung", 60, ("eine GRÖSSENordnung, Größenordnung", "größenordnung")),
    Plant("qz", 12, ("marked qz-7", "QZ")),
    Plant("~", 25, ("about ~40",)),
    Plant("[A-Z]{3}[0-9]{5}", 30, ("ticket ABX20417", "MNO31999 and PQR00012")),
)
"""A term may not hold another one, nor what vocabulary.py makes. An index of three-letter sequences
leaves about as much to read for these words as for words of such rarity in real Markdown: 5 % of
all text for the word in 1 record, which is the median, and 60 % for the other one, a bad case."""


def make(folder: Path, count: int) -> None:
    """Write so many files into folders that name their threads."""
    rng = random.Random(SEED)
    vocabulary = Vocabulary(rng)
    threads = [folder / name for name in _threads(vocabulary)]
    for thread in threads:
        thread.mkdir(parents=True)
    for number, text in enumerate(texts(rng, vocabulary, count)):
        path = rng.choice(threads) / f"{number:06}.md"
        path.write_bytes(text.encode())


def planted(plant: Plant, count: int) -> int:
    """Return in how many of `count` records a plant stands."""
    return max(1, round(plant.records * min(count, FULL_SIZE) / FULL_SIZE))


def texts(rng: random.Random, vocabulary: Vocabulary, count: int) -> Iterator[str]:
    """Make the texts; one of twenty has CRLF line ends, one of twenty words in other scripts."""
    grown = _grown(rng, count)
    for number in range(count):
        lines = list(_lines(rng, vocabulary, _size(rng, number), accented=number % 20 == 7))
        for line in grown[number]:
            lines.insert(rng.randrange(3, len(lines) + 1), line)
        yield ("\r\n" if number % 20 == 13 else "\n").join(lines) + "\n"


def _grown(rng: random.Random, count: int) -> Mapping[int, list[str]]:
    """Say which lines are planted in which record."""
    found = defaultdict[int, list[str]](list)
    for plant in PLANTS:
        for number in rng.sample(range(count), planted(plant, count)):
            found[number] += rng.sample(plant.lines, rng.randint(1, len(plant.lines)))
    return found


def _size(rng: random.Random, number: int) -> int:
    if number % LARGE_EACH == LARGE_EACH - 1:
        return int(10 ** rng.uniform(5, 6))
    return min(int(rng.lognormvariate(0, 0.85) * USUAL), 100_000)


def _lines(
    rng: random.Random, vocabulary: Vocabulary, size: int, *, accented: bool
) -> Iterator[str]:
    """Make the lines of one record of about `size` characters: a title, then block after block."""
    yield f"# {vocabulary.sentence(5)[:-1]}"
    yield ""
    yield vocabulary.sentence(12, accented=accented)
    yield ""
    made = 0
    while made < size:
        block = rng.choices((_section, _paragraph, _list, _fence), weights=(2, 5, 2, 1))[0]
        for line in block(rng, vocabulary, accented):
            made += len(line) + 1
            yield line


def _section(rng: random.Random, vocabulary: Vocabulary, _accented: bool) -> Iterator[str]:
    yield f"{'#' * rng.choice((2, 2, 2, 3, 3, 4))} {vocabulary.sentence(4)[:-1]}"
    yield ""


def _paragraph(rng: random.Random, vocabulary: Vocabulary, accented: bool) -> Iterator[str]:
    for _ in range(rng.randint(1, 6)):
        yield vocabulary.sentence(rng.randint(8, 15), accented=accented)
    yield ""


def _list(rng: random.Random, vocabulary: Vocabulary, accented: bool) -> Iterator[str]:
    for _ in range(rng.randint(2, 7)):
        yield f"- {vocabulary.sentence(rng.randint(3, 12), accented=accented)}"
    yield ""


def _fence(rng: random.Random, vocabulary: Vocabulary, _accented: bool) -> Iterator[str]:
    yield "```"
    for _ in range(rng.randint(2, 12)):
        one, two, three = vocabulary.tokens(3)
        yield f"{'    ' * rng.randint(0, 2)}{one} = {two}({three}, {rng.randrange(1_000)})"
    yield "```"
    yield ""


def _threads(vocabulary: Vocabulary) -> list[str]:
    return [f"thread-{number:02}/{word}" for number, word in enumerate(vocabulary.words(THREADS))]
