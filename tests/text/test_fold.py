"""Folding, proven against RE2 itself over all of Unicode."""

from typing import Final

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st
from make_fold_table import CASED, fold_table, insensitive

from ctxls.index.folding import folded
from ctxls.text.fold import FOLDS, fold

BLOCK: Final = 1 << 11
"""Characters of which RE2 makes a program within its bounds, were none the other's neighbour."""


def test_the_table_is_what_re2_says_of_all_characters_that_may_have_variants() -> None:
    assert fold_table() == FOLDS


def test_folding_a_folded_character_changes_nothing() -> None:
    assert not FOLDS.keys() & set(FOLDS.values())


def have_common_variants(some: str, others: str) -> bool:
    found = insensitive(f"[{re2.escape(some)}]").search(others)
    re2.purge()
    return found is not None


def test_no_other_character_of_unicode_has_variants() -> None:
    """At one step or another, any two characters stand apart: in pieces of two kinds."""
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    cased = set(re2.findall(CASED, every))
    left = "".join(char for char in every if char not in cased)
    assert not have_common_variants("".join(cased), left)
    for step in (1 << bit for bit in range(len(left).bit_length())):
        span = max(2 * step, BLOCK)
        for block in (left[start : start + span] for start in range(0, len(left), span)):
            pieces = [block[start : start + step] for start in range(0, len(block), step)]
            ones, zeros = "".join(pieces[1::2]), "".join(pieces[::2])
            assert not ones or not have_common_variants(ones, zeros), (step, block[:10])


@given(st.text("aAkK\u212asſßẞσςΣİıéÉꭰᎠ\U0001e922\U0001e900ა\r\n\0🧭 漢Жж", max_size=60))
def test_a_text_in_bytes_folds_by_the_table(text: str) -> None:
    assert folded(text.encode()).decode() == fold(text)


@pytest.mark.parametrize("separator", ["", "\n"])
def test_every_character_folds_by_the_table(separator: str) -> None:
    for start in range(0, 0x110000, BLOCK):
        if not 0xD800 <= start <= 0xDFFF:
            text = separator.join(map(chr, range(start, start + BLOCK)))
            assert folded(text.encode()).decode() == fold(text)
