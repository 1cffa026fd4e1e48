"""How a text is cut for RE2, whose calls cannot be interrupted.

Hostile patterns run at 0.1 MB/s, so a call gets a window of whole lines that starts at 16 KiB,
doubles while calls stay under 10 ms and shrinks when one passes 50. Inside a line longer than
16 KiB the steps are fixed: 16 KiB each, reading up to 4 KiB further, so that an answer never
depends on the machine's speed. All numbers are bytes of UTF-8.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

STEP: Final = 16 << 10
"""A line longer than this is searched in steps of this size."""
OVERLAP: Final = 4 << 10
LARGEST: Final = 128 << 10
"""A hostile pattern takes some three seconds over this much, and cannot be interrupted."""
QUICK_SECONDS: Final = 0.010
SLOW_SECONDS: Final = 0.050
LITERAL_STEP: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Window:
    """One cut: a search may find matches that start in `[start, last]` and end by `end`."""

    start: int
    last: int
    end: int


class Pace:
    """How large the next window of whole lines is; it follows the time that calls take."""

    def __init__(self) -> None:
        self.size = STEP

    def took(self, seconds: float) -> None:
        """Note the time of one call that read its whole window."""
        if seconds < QUICK_SECONDS:
            self.size = min(2 * self.size, LARGEST)
        elif seconds > SLOW_SECONDS:
            self.size = max(self.size // 2, STEP)


def lines_and_steps(folded: bytes, pace: Pace) -> Iterator[Window]:
    r"""Cut `folded` (every `\r` is a `\n`) into windows of whole lines, long lines into steps."""
    for start, end, is_long in _stretches(folded):
        if is_long:
            yield from steps(folded, start, end, STEP, OVERLAP)
        else:
            yield from _whole_lines(folded, start, end, pace)


def steps(folded: bytes, start: int, end: int, step: int, overlap: int) -> Iterator[Window]:
    """Cut `[start, end)` into fixed steps that read `overlap` further, on character boundaries."""
    position = start
    while end - position > step:
        following = _character_start(folded, position + step)
        reach = _character_start(folded, min(following + overlap, end))
        yield Window(position, following - 1, reach)
        position = following
    yield Window(position, end, end)


def _whole_lines(folded: bytes, start: int, end: int, pace: Pace) -> Iterator[Window]:
    """Cut `[start, end)`, lines of at most STEP bytes, where `end` is the last line's end."""
    position = start
    while end - position > pace.size:
        cut = folded.rfind(b"\n", position, position + pace.size + 1)
        yield Window(position, cut, cut)
        position = cut + 1
    yield Window(position, end, end)


def _stretches(folded: bytes) -> Iterator[tuple[int, int, bool]]:
    """Yield runs of ordinary lines and single long lines, without the final line end of each."""
    length = len(folded) - folded.endswith(b"\n")
    start = position = 0
    while length - position > STEP:
        cut = folded.rfind(b"\n", position, position + STEP + 1)
        if cut >= 0:
            position = cut + 1
            continue
        if position > start:
            yield start, position - 1, False
        found = folded.find(b"\n", position, length)
        line_end = length if found < 0 else found
        yield position, line_end, True
        start = position = line_end + 1
    if start <= length and folded:
        yield start, length, False


def _character_start(data: bytes, position: int) -> int:
    """Move back to the first byte of the character that `position` lies in."""
    while position < len(data) and data[position] & 0xC0 == 0x80:
        position -= 1
    return position
