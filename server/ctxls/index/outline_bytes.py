"""An outline as bytes: a head, columns of numbers, then the slugs and titles.

A checksum stands in front, since a file may be cut short or written over.
"""

import sys
from array import array
from collections.abc import Sequence
from struct import Struct
from typing import Final
from zlib import crc32

from ctxls.text.contents import Contents
from ctxls.text.outline import Outline

_CHECKSUM: Final = Struct("<I")
_HEAD: Final = Struct("<QQI?")
"""The text's length, its first line's end, how many sections, and whether they are all."""
_NUMBER: Final = "Q"
_NUMBER_BYTES: Final = 8
_END: Final = "\0"
"""Ends each slug and title: markdown-it-py leaves none in a title, and no slug has one."""


def encoded(outline: Outline) -> bytes:
    """Return an outline as bytes."""
    made = outline.contents()
    head = _HEAD.pack(made.length, made.first_line_end, len(made.levels), made.is_whole)
    numbers = (made.starts, made.heading_ends, made.ordinals)
    texts = "".join(text + _END for text in (*made.slugs, *made.titles))
    rest = b"".join((head, bytes(made.levels), *map(_packed, numbers), texts.encode()))
    return _CHECKSUM.pack(crc32(rest)) + rest


def decoded(data: bytes) -> Outline | None:
    """Return the outline that `data` was made from; None where they are not its bytes."""
    rest = memoryview(data)[_CHECKSUM.size :]
    if len(rest) < _HEAD.size or _CHECKSUM.unpack_from(data)[0] != crc32(rest):
        return None
    length, first_line_end, count, is_whole = _HEAD.unpack_from(rest)
    levels, start = bytes(rest[_HEAD.size : _HEAD.size + count]), _HEAD.size + count
    size = count * _NUMBER_BYTES
    starts, heading_ends, ordinals = (
        _unpacked(rest[start + column * size : start + (column + 1) * size]) for column in range(3)
    )
    texts = str(rest[start + 3 * size :], "utf-8").split(_END)
    return Outline.of(
        Contents(
            levels,
            starts,
            heading_ends,
            texts[:count],
            ordinals,
            texts[count : 2 * count],
            length,
            first_line_end,
            is_whole,
        )
    )


def _packed(numbers: Sequence[int]) -> bytes:
    column = array(_NUMBER, numbers)
    if sys.byteorder == "big":
        column.byteswap()
    return column.tobytes()


def _unpacked(data: memoryview) -> Sequence[int]:
    column = array(_NUMBER)
    column.frombytes(data)
    if sys.byteorder == "big":
        column.byteswap()
    return column
