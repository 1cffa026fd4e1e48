"""Finding a literal by its bytes, which is much quicker than a regular expression's machine.

It holds the interpreter's lock, so it goes by windows of a size that takes few milliseconds.
"""

from collections.abc import Callable, Iterator
from typing import Final

from ctxls.text.pattern import Pattern

SLOW: Final = frozenset(b"ks")
"""Letters with variants that are not ASCII, for which RE2 needs longer than to lower all."""
WINDOW: Final = 128 << 10
"""Bytes searched at a time: at one match a byte, some 20 ms."""


def find_plain(
    pattern: Pattern, data: bytes, checkpoint: Callable[[], float]
) -> Iterator[tuple[int, int]]:
    """Yield where `pattern.needle` stands, as byte offsets; no two matches overlap."""
    needle = pattern.needle or b""
    length, position = len(needle), 0
    reach = WINDOW + length - 1
    may_skip = pattern.case_sensitive or not SLOW.intersection(needle)
    for start in range(0, len(data), WINDOW):
        checkpoint()
        if may_skip and pattern.search(data, start, min(start + reach, len(data))) is None:
            continue
        window = data[start : start + reach]
        if not pattern.case_sensitive:
            window = window.lower()
        at = window.find(needle, max(0, position - start))
        while at >= 0:
            position = start + at + length
            yield start + at, position
            at = window.find(needle, at + length)


def count_plain(pattern: Pattern, data: bytes, checkpoint: Callable[[], float]) -> int:
    """Count where `pattern.needle` stands; no two matches overlap."""
    if len(data) > WINDOW:
        return sum(1 for _ in find_plain(pattern, data, checkpoint))
    checkpoint()
    is_quick = pattern.case_sensitive or not SLOW.intersection(pattern.needle or b"")
    if is_quick and pattern.search(data, 0, len(data)) is None:
        return 0
    return (data if pattern.case_sensitive else data.lower()).count(pattern.needle or b"")
