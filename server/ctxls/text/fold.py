"""Folding: one code point for all that RE2 takes for equal when case does not count.

Offsets in code points stay. The table is frozen (fold_table.py, made from RE2 itself), so that an
index and a query always fold alike; Python's own lower() and casefold() split some of RE2's
classes, and move with its version of Unicode.
"""

from typing import Final

from ctxls.text.fold_table import RUNS

FOLDS: Final = {
    code: code + delta for first, last, step, delta in RUNS for code in range(first, last + 1, step)
}


def fold(text: str) -> str:
    """Fold a text, which is slow for a whole record; see index/folding."""
    return text.translate(FOLDS)
