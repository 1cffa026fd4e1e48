"""Sieving many texts at once for those that may match, before each is matched for itself.

The texts are joined by line ends into one, which RE2 reads in few calls. Lines are matched each
for itself, so what matches in a text matches in the joined one too, in the same steps. The other
way round there is one exception, which does no harm: the joined text may have an empty line more.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from ctxls.text.pattern import Pattern
from ctxls.text.windows import LITERAL_STEP, SLOW_SECONDS, STEP, Pace, lines_and_steps, steps


class SlowPatternError(Exception):
    """The pattern is too slow for texts to be searched a second time."""


def sieve(
    pattern: Pattern, texts: Sequence[bytes], checkpoint: Callable[[], float]
) -> Iterator[int]:
    """Yield the places of the texts (UTF-8) that may match, ascending; the others do not.

    Raises SlowPatternError where a pattern takes long over little.
    `checkpoint` is called around every search: it returns the time in seconds, or raises.
    """
    joined = b"\n".join(texts)
    if b"\r" in joined:
        joined = joined.replace(b"\r", b"\n")
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    pace, longest = Pace(), pattern.longest_match
    windows = (
        lines_and_steps(joined, pace)
        if longest is None
        else steps(joined, 0, len(joined), LITERAL_STEP, longest)
    )
    position = 0
    for window in windows:
        position = max(position, window.start)
        while position <= window.last:
            before = checkpoint()
            found = pattern.search(joined, position, window.end)
            if found is None:
                _note(checkpoint() - before, pace)
                break
            if found[0] > window.last:
                break
            place = bisect_right(starts, found[0]) - 1
            yield place
            position = starts[place + 1]


def _note(seconds: float, pace: Pace) -> None:
    if seconds > SLOW_SECONDS and pace.size == STEP:
        raise SlowPatternError
    pace.took(seconds)
