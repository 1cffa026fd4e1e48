"""Folding whole texts in UTF-8 (text/fold has the table), so fast that an index is not held up."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ctxls.text.fold_table import RUNS

_ASCII: Final = bytes(range(0x80))
_FIRST_BYTES: Final = bytes(byte & 0xC0 != 0x80 for byte in range(0x100))


def _deltas() -> NDArray[np.uint32]:
    """Return what folding adds to each code point; memory that stays zero costs nothing."""
    deltas = np.zeros(0x110000, "<u4")
    for first, last, step, delta in RUNS:
        deltas[first : last + 1 : step] = delta % (1 << 32)
    return deltas


_DELTAS: Final = _deltas()


def folded(data: bytes) -> bytes:
    """Fold a text in UTF-8.

    The characters outside ASCII, few in most texts, are folded by themselves. They go back to
    where they were, unless one of them has another number of bytes now.
    """
    lowered = data.lower()
    if lowered.isascii():
        return lowered
    others = lowered.translate(None, _ASCII)
    changed = _by_table(others)
    if changed == others:
        return lowered
    if changed.translate(_FIRST_BYTES) != others.translate(_FIRST_BYTES):
        return _by_table(lowered)
    text = np.frombuffer(bytearray(lowered), np.uint8)
    text[np.flatnonzero(text >= len(_ASCII))] = np.frombuffer(changed, np.uint8)
    return text.tobytes()


def _by_table(data: bytes) -> bytes:
    codes = np.frombuffer(data.decode().encode("utf-32-le"), "<u4")
    changed: NDArray[np.uint32] = codes + _DELTAS[codes]
    return changed.tobytes().decode("utf-32-le").encode()
