"""Outlines by content, so that a hit never costs a parse twice.

A parse costs about 0.8 ms a record, which hundreds of hits cannot pay each time. The key is a
hash of the text itself, not the one that the store keeps: another program may have written the
text without it. Kept in memory only; the least recently used go first.
"""

from collections import OrderedDict
from hashlib import blake2b
from typing import Final, Protocol

from ctxls.text.outline import Outline

MOST_SECTIONS: Final = 500_000
"""About 250 MB at the worst; 15,000 ordinary records have some 150,000 sections."""


class OutlineIndex(Protocol):
    """Where outlines are kept."""

    def get(self, key: bytes) -> Outline | None:
        """Return the outline of the text with that key, if it is kept."""
        ...

    def put(self, key: bytes, outline: Outline) -> None:
        """Keep an outline."""
        ...


def outline_key(data: bytes) -> bytes:
    """Return the key of a text, from its UTF-8 form."""
    return blake2b(data, digest_size=16).digest()


class MemoryOutlines:
    """An OutlineIndex in memory, bounded by the sections that it holds."""

    def __init__(self, most_sections: int = MOST_SECTIONS) -> None:
        self._most = most_sections
        self._held = 0
        self._outlines: OrderedDict[bytes, Outline] = OrderedDict()

    def get(self, key: bytes) -> Outline | None:
        """Return the outline of the text with that key, if it is kept."""
        found = self._outlines.get(key)
        if found is not None:
            self._outlines.move_to_end(key)
        return found

    def put(self, key: bytes, outline: Outline) -> None:
        """Keep an outline; the least recently used make room."""
        if key not in self._outlines:
            self._held += _weight(outline)
        self._outlines[key] = outline
        while self._held > self._most and len(self._outlines) > 1:
            _, dropped = self._outlines.popitem(last=False)
            self._held -= _weight(dropped)


def _weight(outline: Outline) -> int:
    return len(outline.sections) + 1
