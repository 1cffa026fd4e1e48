"""Words of a made language that looks like English, as often as Zipf's law has it, and tokens."""

import random
from itertools import accumulate
from typing import Final

SIZE: Final = 12_000
TOKENS: Final = 20_000
STREAM: Final = 1 << 20
"""Words in the stream that sentences are cut from; a multiple of TOKEN_EACH."""
TOKEN_EACH: Final = 32
COMMONEST: Final = """
the of and to in a is that for it as with on be at by this from or an are not can you will when if
which has was but all use one your they their more should into only then each other so new time may
there out up any what some than who must about after two first now them been do does before where
how same both while between set get run file line name value data code
"""
SUBJECTS: Final = """
kubernetes server request deploy release rollback database cluster feature gate alpha client token
session schema migration cache queue worker error timeout retry config service network
"""
"""Words of the trade: each stands some ten thousand times in 100 MB."""
ONSETS: Final = "b c d f g h l m n p r s t v w r s t l n d c m p st tr pr pl sh ch"
VOWELS: Final = "a e i o u a e i o ea io ou"
CODAS: Final = "- - - - - n n r l s t m nd ck x"
ENDINGS: Final = "- - - s ing ed er ly tion ment able ness al ity ive"
"""Parts of words, the common ones more than once; a dash is no part at all."""
ACCENTED: Final = "größe naïve café façade über Ærø señor łódź žluťoučký αβγ привет 数据 検索 🚀"


class Vocabulary:
    """Draws words and technical tokens; the same for the same seed."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random
        self._accented = ACCENTED.split()
        words = _words(rng)
        weights = list(accumulate((rank + 3) ** -1.1 for rank in range(len(words))))
        tokens = [_token(rng, words) for _ in range(TOKENS)]
        # Drawn once and read from any place: to draw each word anew would take minutes.
        self._stream = rng.choices(words, cum_weights=weights, k=STREAM)
        self._tokens = rng.choices(tokens, k=STREAM // TOKEN_EACH)
        self._stream[::TOKEN_EACH] = self._tokens

    def words(self, count: int) -> list[str]:
        """Draw words, the common ones often, and one token of TOKEN_EACH."""
        place = int(self._random() * (STREAM - count))
        return self._stream[place : place + count]

    def tokens(self, count: int) -> list[str]:
        """Draw identifiers, paths, versions, hashes and what else technical text is full of."""
        place = int(self._random() * (len(self._tokens) - count))
        return self._tokens[place : place + count]

    def sentence(self, count: int, *, accented: bool = False) -> str:
        """Draw a sentence of so many words."""
        words = self.words(count)
        if accented:
            words.append(self._accented[int(self._random() * len(self._accented))])
        sentence = " ".join(words)
        return f"{sentence[0].upper()}{sentence[1:]}."


def _words(rng: random.Random) -> list[str]:
    """Make the words, commonest first."""
    parts = [text.replace("-", "").split(" ") for text in (ONSETS, VOWELS, CODAS, ENDINGS)]
    made = dict.fromkeys(COMMONEST.split() + SUBJECTS.split())
    while len(made) < SIZE:
        syllables = rng.choices((1, 2, 3), weights=(2, 5, 3))[0]
        stem = "".join(rng.choice(part) for _ in range(syllables) for part in parts[:3])
        made[stem + rng.choice(parts[3])] = None
    return list(made)


def _token(rng: random.Random, words: list[str]) -> str:
    """Make a token of one of ten kinds."""
    one, two, three = rng.sample(words, 3)
    kinds = (
        f"{one}_{two}",
        f"{one}{two.capitalize()}{three.capitalize()}",
        f"{one.capitalize()}{two.capitalize()}",
        f"--{one}-{two}",
        f"{one}/{two}/{three}.{rng.choice(('py', 'go', 'md', 'yaml', 'ts'))}",
        f"v{rng.randrange(30)}.{rng.randrange(40)}.{rng.randrange(20)}",
        f"{rng.getrandbits(32):08x}",
        f"https://{one}.example.com/{two}?id={rng.randrange(100_000)}",
        f"{one}_{two}".upper(),
        f"{one.capitalize()}{two.capitalize()}Error" if rng.random() < 0.2 else f"{one}.{two}()",
    )
    return rng.choice(kinds)
