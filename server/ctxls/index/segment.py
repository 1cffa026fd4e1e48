"""A segment: the columns of some records, never changed once made, in memory or mapped from a file.

As bytes, little endian: magic, CRC-32 of all that follows it, the numbers of columns and records,
the length of the ids; a stamp a record (8 bytes), its first and last column (4 each), the ids as a
JSON list, zeros up to a multiple of 64, and the matrix by rows.
"""

import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import orjson
from numpy.typing import NDArray

from ctxls.index.columns import ROWS, Bits, ColumnMaker, Span, trigram_rows

Wanted: TypeAlias = tuple[tuple[NDArray[np.uint32], ...], ...]
"""The rows of required literals: one of each tuple must be there whole."""
Numbers: TypeAlias = NDArray[np.int32]

NO_STAMP: Final = 0
"""Of no version; that a hash is this one costs a search some time."""
MAGIC: Final = b"ctxls columns 1\n"
_HEAD: Final = struct.Struct("<16sIIQQQ")
_CHECKED_FROM: Final = 20
"""Where the checked part begins: behind the magic and the checksum itself."""
_MATRIX_AT: Final = 64
_UNPACKED: Final = 512
"""Rows unpacked at a time: of 16,384 columns they are 8 MB."""
_MOST_ROWS: Final = 128
"""Trigrams of one literal that are looked at: that many tell it apart."""


class BadSegmentError(Exception):
    """The bytes are no whole segment: cut short, damaged, or of another version."""


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Columns, and the records that fill them, in order: `first` and `last` never descend."""

    ids: Sequence[str]
    stamps: NDArray[np.uint64]
    first: Numbers
    last: Numbers
    columns: int
    matrix: Bits
    is_intact: Callable[[], bool] = lambda: True
    """Whether the matrix may be read: a file that it is mapped from may have been cut."""

    @property
    def size(self) -> int:
        """Bytes of the matrix, which are nearly all."""
        return self.matrix.nbytes

    def may_match(self, wanted: Wanted) -> NDArray[np.intp]:
        """Return the places of the records that may hold what is wanted, ascending."""
        columns = np.flatnonzero(np.unpackbits(self._columns(wanted), count=self.columns))
        start = np.searchsorted(self.last, columns, "left")
        end = np.searchsorted(self.first, columns, "right")
        lengths = end - start
        before = np.cumsum(lengths) - lengths
        return np.unique(np.repeat(start - before, lengths) + np.arange(lengths.sum()))

    def finds_all(self, place: int, folded: bytes) -> bool:
        """Whether each line of a record's folded text has all its trigrams in one column."""
        first, last = int(self.first[place]), int(self.last[place])
        bits = np.unpackbits(self.matrix[:, first // 8 : last // 8 + 1], axis=1)
        columns = bits[:, first % 8 : first % 8 + last - first + 1]
        text = folded.replace(b"\r", b"\n")
        lines = [text] if first == last else set(text.split(b"\n"))
        return all(columns[trigram_rows(line)].all(axis=0).any() for line in lines)

    def without(self, ids: frozenset[str]) -> "Segment":
        """Return this segment with some records standing for no version."""
        stamps = self.stamps.copy()
        stamps[[record_id in ids for record_id in self.ids]] = NO_STAMP
        return replace(self, stamps=stamps)

    def _columns(self, wanted: Wanted) -> Bits:
        """Return the columns, as bits, in which one of each set of literals may stand."""
        found: Bits | None = None
        for alternatives in wanted:
            some = self._all_of(alternatives[0])
            for rows in alternatives[1:]:
                some |= self._all_of(rows)
            found = some if found is None else found & some
        return np.full(self.matrix.shape[1], 255, np.uint8) if found is None else found

    def _all_of(self, rows: NDArray[np.uint32]) -> Bits:
        found: Bits = np.bitwise_and.reduce(self.matrix[rows], axis=0)
        return found


def wanted(required: Iterable[Iterable[bytes]]) -> Wanted:
    """Return the rows of required literals, each of three bytes or more."""
    return tuple(
        tuple(np.unique(trigram_rows(literal))[:_MOST_ROWS] for literal in alternatives)
        for alternatives in required
    )


class SegmentMaker:
    """Makes a segment of records that come one after the other."""

    def __init__(self) -> None:
        self._columns = ColumnMaker()
        self._taken: list[tuple[str, int, Span]] = []

    @property
    def columns(self) -> int:
        """How many columns the records fill so far."""
        return self._columns.count

    def add(self, record_id: str, stamp: int, folded: bytes) -> None:
        """Take in a record: its id, its version's stamp, its text as folded UTF-8."""
        self._taken.append((record_id, stamp, self._columns.add(folded)))

    def segment(self) -> Segment:
        """Return the segment of all records so far."""
        return Segment(
            [record_id for record_id, _, _ in self._taken],
            np.array([stamp for _, stamp, _ in self._taken], np.uint64),
            np.array([span.first for _, _, span in self._taken], np.int32),
            np.array([span.last for _, _, span in self._taken], np.int32),
            self._columns.count,
            self._columns.matrix(),
        )


def merged(parts: Sequence[tuple[Segment, NDArray[np.intp]]]) -> Segment:
    """Make one segment of the records at these places of each, without columns that none needs."""
    ids: list[str] = []
    stamps, first, last, bits = [], [], [], []
    start = 0
    for segment, places in parts:
        columns = _kept_columns(segment, places)
        ids += [segment.ids[place] for place in places]
        stamps.append(segment.stamps[places])
        first.append(start + np.searchsorted(columns, segment.first[places]))
        last.append(start + np.searchsorted(columns, segment.last[places]))
        bits.append(_chosen(segment, columns))
        start += 8 * bits[-1].shape[1]  # whole bytes, up to seven columns of which stay empty
    return Segment(
        ids,
        np.concatenate(stamps),
        np.concatenate(first).astype(np.int32),
        np.concatenate(last).astype(np.int32),
        start,
        np.concatenate(bits, axis=1),
    )


def encoded(segment: Segment) -> Sequence[bytes | memoryview]:
    """Return the bytes of a segment's file, in parts."""
    ids = orjson.dumps(list(segment.ids))
    numbers = segment.stamps.tobytes() + segment.first.tobytes() + segment.last.tobytes()
    padding = bytes(-(_HEAD.size + len(numbers) + len(ids)) % _MATRIX_AT)
    counts = (0, segment.columns, len(segment.ids), len(ids))
    parts = (numbers, ids, padding, segment.matrix.data.cast("B"))
    check = zlib.crc32(_HEAD.pack(MAGIC, 0, *counts)[_CHECKED_FROM:])
    for part in parts:
        check = zlib.crc32(part, check)
    return (_HEAD.pack(MAGIC, check, *counts), *parts)


def decoded(data: memoryview) -> Segment:
    """Read a segment's file, whose matrix stays where it is; raise BadSegmentError."""
    if len(data) < _HEAD.size:
        raise BadSegmentError
    magic, check, _, columns, records, ids_length = _HEAD.unpack_from(data)
    at = _HEAD.size + 16 * records + ids_length
    at += -at % _MATRIX_AT
    width = -(-columns // 8)
    whole = magic == MAGIC and len(data) == at + ROWS * width
    if not whole or zlib.crc32(data[_CHECKED_FROM:]) != check:
        raise BadSegmentError
    ids_at = _HEAD.size + 16 * records
    return Segment(
        orjson.loads(data[ids_at : ids_at + ids_length]),
        _numbers(data, np.uint64, records, _HEAD.size),
        _numbers(data, np.int32, records, _HEAD.size + 8 * records),
        _numbers(data, np.int32, records, _HEAD.size + 12 * records),
        columns,
        _numbers(data, np.uint8, ROWS * width, at).reshape(ROWS, width),
    )


def _numbers(data: memoryview, kind: Any, count: int, at: int) -> NDArray[Any]:
    return np.frombuffer(data, kind, count, at)


def _kept_columns(segment: Segment, places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the columns that hold text of the records at these places, ascending."""
    marks = np.zeros(segment.columns + 1, np.int64)
    np.add.at(marks, segment.first[places], 1)
    np.add.at(marks, segment.last[places] + 1, -1)
    return np.flatnonzero(np.cumsum(marks)[:-1])


def _chosen(segment: Segment, columns: NDArray[np.intp]) -> Bits:
    """Return the bits of some columns side by side."""
    if len(columns) == segment.columns:
        return segment.matrix
    chosen = np.empty((ROWS, -(-len(columns) // 8)), np.uint8)
    for start in range(0, ROWS, _UNPACKED):
        rows = slice(start, start + _UNPACKED)
        bits = np.unpackbits(segment.matrix[rows], axis=1)
        chosen[rows] = np.packbits(bits[:, columns], axis=1)
    return chosen
