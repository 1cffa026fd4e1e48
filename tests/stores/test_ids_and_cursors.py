"""Ids ascend whatever the clock does; a cursor comes back as the key that it was made from."""

from itertools import pairwise
from threading import Thread
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxls.errors import InvalidParamsError
from ctxls.stores.cursors import cursor_of, key_of
from ctxls.stores.ids import IdSource

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
TIME: Any = str | int | float | None
INT64 = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.integers(0, 2**48 - 10), min_size=1, max_size=50))
def test_ids_are_uuid_7_and_ascend_whatever_the_clock_does(clock: list[int]) -> None:
    times = iter(clock)
    source = IdSource(lambda: next(times))
    ids = [source.take() for _ in clock]
    assert all(earlier < later for earlier, later in pairwise(ids))
    for record_id in ids:
        uuid = UUID(record_id)
        assert (uuid.version, uuid.variant, uuid.hex) == (7, "specified in RFC 4122", record_id)


def test_an_id_begins_with_the_time_of_its_making() -> None:
    assert IdSource(lambda: 0x0123_4567_89AB).take()[:12] == "0123456789ab"


def test_ids_of_one_millisecond_cannot_be_foretold() -> None:
    source = IdSource(lambda: 1)
    steps = {int(source.take(), 16) - int(source.take(), 16) for _ in range(50)}
    assert len(steps) == 50


def test_ids_of_many_threads_differ() -> None:
    source = IdSource(lambda: 1)
    found: list[str] = []

    def take() -> None:
        found.extend(source.take() for _ in range(500))

    threads = [Thread(target=take), Thread(target=take)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1000


@given(st.none() | TEXT | INT64 | st.floats(allow_nan=False), TEXT)
def test_a_cursor_comes_back_as_its_key(time: Any, text: str) -> None:
    cursor = cursor_of("records", time, text)
    assert key_of("records", cursor, TIME, str) == (time, text)
    assert cursor.isascii()
    assert "=" not in cursor


@given(st.text(max_size=200))
def test_a_text_that_is_no_cursor_is_refused_and_nothing_else(cursor: str) -> None:
    with pytest.raises(InvalidParamsError, match="is no cursor of this list"):
        key_of("records", cursor, TIME, str)


@pytest.mark.parametrize(
    "key",
    [
        (),
        ("a",),
        ("a", "b", "c"),
        (True, "b"),
        ("a", 1),
        ("a", None),
        (2**63, "b"),
        ("\ud800", "b"),
    ],
)
def test_a_key_of_other_types_is_refused(key: tuple[Any, ...]) -> None:
    with pytest.raises(InvalidParamsError):
        key_of("records", cursor_of("records", *key), TIME, str)
