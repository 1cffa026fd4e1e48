"""Outlines by content, so that a hit never costs a parse twice.

A parse costs about 0.5 ms a record, which hundreds of hits cannot pay each time. Outlines are
looked for in memory, then on disk, and made where they are not kept; two who want the same one
wait for one parse.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Protocol
from weakref import WeakValueDictionary

from ctxls.text.lines import Lines
from ctxls.text.outline import Outline, parse_outline

MOST_HELD: Final = 128 << 20
"""Bytes of outlines held in memory, about; 15,000 ordinary records take some 60 MB."""
WORTH_KEEPING: Final = 4096
"""Characters from which an outline is kept on disk: a smaller text is parsed about as quickly."""
_SECTION_BYTES: Final = 250


@dataclass(eq=False)
class Turn:
    """Held by the one who makes an outline, while others who want it wait."""

    lock: Lock = field(default_factory=Lock)


class OutlineIndex(Protocol):
    """Where outlines are kept. Any thread may call."""

    def get(self, key: bytes) -> Outline | None:
        """Return the outline of the text with that key, if it is kept."""
        ...

    def put(self, key: bytes, outline: Outline) -> None:
        """Keep an outline."""
        ...

    def close(self) -> None:
        """Let go of files."""
        ...


class Outlines:
    """Every outline that is asked for, from wherever it is had soonest. Any thread may call."""

    def __init__(self, held: OutlineIndex | None = None, kept: OutlineIndex | None = None) -> None:
        self._held = held or MemoryOutlines()
        self._kept = kept
        self._turns: WeakValueDictionary[bytes, Turn] = WeakValueDictionary()
        self._lock = Lock()

    def known(self, key: bytes) -> Outline | None:
        """Return an outline at once, if it is held in memory."""
        return self._held.get(key)

    def of(self, key: bytes, text: str, lines: Lines | None = None) -> Outline:
        """Return the outline of the text with that key; it may take as long as a parse does."""
        with self._lock:
            turn = self._turns.setdefault(key, Turn())
        with turn.lock:
            return self._held.get(key) or self._found(key, text, lines)

    def close(self) -> None:
        """Let go of files."""
        if self._kept is not None:
            self._kept.close()

    def _found(self, key: bytes, text: str, lines: Lines | None) -> Outline:
        kept = self._kept if len(text) >= WORTH_KEEPING else None
        found = kept.get(key) if kept else None
        if found is None:
            found = parse_outline(text, lines)
            if kept:
                kept.put(key, found)
        self._held.put(key, found)
        return found


class MemoryOutlines:
    """An OutlineIndex in memory, bounded by what it holds; the least recently used go first."""

    def __init__(self, most_bytes: int = MOST_HELD) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._outlines: OrderedDict[bytes, Outline] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes) -> Outline | None:
        """Return the outline of the text with that key, if it is kept."""
        with self._lock:
            found = self._outlines.get(key)
            if found is not None:
                self._outlines.move_to_end(key)
            return found

    def put(self, key: bytes, outline: Outline) -> None:
        """Keep an outline; the least recently used make room."""
        with self._lock:
            if key not in self._outlines:
                self._bytes += _weight(outline)
            self._outlines[key] = outline
            while self._bytes > self._most and len(self._outlines) > 1:
                _, dropped = self._outlines.popitem(last=False)
                self._bytes -= _weight(dropped)

    def close(self) -> None:
        """Hold nothing any more."""
        with self._lock:
            self._outlines.clear()
            self._bytes = 0


def _weight(outline: Outline) -> int:
    """Return about how many bytes an outline takes; a raw title may have megabytes."""
    sections = outline.sections
    names = sum(len(section.title) + len(section.node_id) for section in sections)
    return _SECTION_BYTES * (len(sections) + 1) + names
