"""Answers that are JSON already, so that a large one asked for again costs no conversion."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

MOST_BYTES: Final = 64 << 20


class ReadyAnswers:
    """Serialised answers by what they were made from; the least recently used go first."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._room = most_bytes
        self._ready: OrderedDict[Hashable, bytes] = OrderedDict()

    def get(self, key: Hashable) -> bytes | None:
        """Return the answer made from `key`, if it is kept."""
        found = self._ready.get(key)
        if found is not None:
            self._ready.move_to_end(key)
        return found

    def put(self, key: Hashable, answer: bytes) -> None:
        """Keep an answer for as long as there is room."""
        self._room += len(self._ready.pop(key, b""))
        self._ready[key] = answer
        self._room -= len(answer)
        while self._room < 0:
            _, dropped = self._ready.popitem(last=False)
            self._room += len(dropped)
