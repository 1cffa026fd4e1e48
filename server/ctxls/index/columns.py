"""Columns: some 8 KB of text each, and the rows of the trigrams that stand in it.

A trigram is three bytes of folded UTF-8. Its row is the top 13 bits of the bytes, taken as one
number, times 2654435761 (Knuth's multiplicative hashing, TAOCP vol. 3, section 6.4). A column
holds whole lines, so all trigrams of a literal that stands in one line are in one column. Several
small records may share a column, and a large record has several.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bits: TypeAlias = NDArray[np.uint8]

ROWS: Final = 1 << 13
COLUMN_BYTES: Final = 8 << 10
"""Where a column ends, at the next line's end."""
LEAST_BYTES: Final = 4 << 10
"""What a column holds before a record that would overfill it gets one of its own."""
TRIGRAM: Final = 3
_MULTIPLIER: Final = np.uint32(2654435761)
_SHIFT: Final = np.uint32(19)
_SLICE: Final = 64 << 10
_BLOCK: Final = 256
"""Columns that are packed together: their bytes, one a bit, fit into a processor's cache."""


@dataclass(frozen=True, slots=True)
class Span:
    """The columns of one record, both inclusive."""

    first: int
    last: int


def trigram_rows(folded: bytes) -> NDArray[np.uint32]:
    """Return the row of each trigram of a folded text; of fewer than three bytes, none."""
    if len(folded) < TRIGRAM:
        return np.empty(0, np.uint32)
    found = np.frombuffer(folded, np.uint8).astype(np.uint32)
    rows = np.left_shift(found[:-2], 16, dtype=np.uint32)
    rows |= found[1:-1] << np.uint32(8)
    rows |= found[2:]
    rows *= _MULTIPLIER
    rows >>= _SHIFT
    return rows


class ColumnMaker:
    """Takes folded texts, and gives the columns that they fill."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._held = 0
        self._full: list[bytes] = []
        self._packed: list[Bits] = []
        self.count = 0
        """Columns so far, the one that is being filled among them."""

    def add(self, folded: bytes) -> Span:
        """Put one record's folded text in, and return its columns."""
        text = folded.replace(b"\r", b"\n") if b"\r" in folded else folded
        if self._held >= LEAST_BYTES and self._held + len(text) > COLUMN_BYTES:
            self._end_column()
        first = self._column()
        for piece in _pieces(text, COLUMN_BYTES - self._held):
            if self._held >= COLUMN_BYTES:
                self._end_column()
            self._column()
            self._pieces.append(piece)
            self._held += len(piece) + 1
        return Span(first, self._column())

    def matrix(self) -> Bits:
        """Return all columns as a matrix of rows by bits, the first column the highest bit."""
        self._end_column()
        self._pack()
        if not self._packed:
            return np.zeros((ROWS, 0), np.uint8)
        return np.ascontiguousarray(np.concatenate(self._packed).T)

    def _column(self) -> int:
        """Return the number of the column that is being filled."""
        if not self._held:
            self._held = 1
            self.count += 1
        return self.count - 1

    def _end_column(self) -> None:
        if self._held:
            self._full.append(b"\n".join(self._pieces))
            self._pieces, self._held = [], 0
        if len(self._full) == _BLOCK:
            self._pack()

    def _pack(self) -> None:
        if self._full:
            self._packed.append(_packed(self._full))
            self._full = []


def _pieces(text: bytes, room: int) -> Iterator[bytes]:
    """Cut a text at ends of lines: a first piece of about `room`, then of a column each."""
    start = 0
    while start < len(text):
        cut = text.find(b"\n", start + max(room, 0))
        end = len(text) if cut < 0 else cut + 1
        yield text[start:end]
        start, room = end, COLUMN_BYTES


def _packed(texts: Sequence[bytes]) -> Bits:
    """Return bytes of eight columns each, by rows."""
    bits = np.zeros((len(texts), ROWS), np.uint8)
    for column, text in zip(bits, texts, strict=True):
        for start in range(0, len(text), _SLICE):  # a line, and so a column, may be of megabytes
            column[trigram_rows(text[start : start + _SLICE + TRIGRAM - 1])] = 1
    return np.packbits(bits, axis=0)
