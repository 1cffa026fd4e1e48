"""JSON lines: a record a line, each refused by itself."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from ctxls.records.record import NewRecord
from ctxls.writing.arrivals import BESIDES, Arrivals
from ctxls.writing.markdown import Defaults
from ctxls.writing.refusals import Refusal

FULL: Final[dict[str, Any]] = {
    "threadId": "deploy",
    "source": "agent",
    "text": "# Plan\r\n",
    "tags": ["db"],
    "metadata": {"path": "a.md", "n": 1},
    "summary": "A plan.",
    "visibility": "private",
}


def read(path: Path, data: bytes, most: int = 1_000) -> list[NewRecord | Refusal]:
    path.write_bytes(data)
    return list(Arrivals(most, Defaults("user")).of([path]))


def test_a_line_has_the_fields_of_context_store(tmp_path: Path) -> None:
    (record,) = read(tmp_path / "a.jsonl", json.dumps(FULL).encode())
    assert record == NewRecord(
        thread="deploy",
        source="agent",
        text="# Plan\r\n",
        tags=("db",),
        metadata={"path": "a.md", "n": 1},
        summary="A plan.",
        private=True,
    )


def test_thread_and_text_are_enough_and_null_is_left_out(tmp_path: Path) -> None:
    line = json.dumps({"threadId": "t", "text": "x", "tags": None, "visibility": None}).encode()
    assert read(tmp_path / "a.jsonl", line) == [NewRecord("t", "user", "x")]


REFUSED: Final = {
    b"{": "it is not JSON",
    b"[]": "it is no JSON object",
    b"\xff": "it is not UTF-8 at byte 0",
    b'{"threadId": "t"}': "text is missing",
    b'{"text": "x"}': "threadId is missing",
    b'{"threadId": "t", "text": 1}': "text must be text",
    b'{"threadId": "t", "text": "x", "tags": "db"}': "tags must be a list of texts",
    b'{"threadId": "t", "text": "x", "metadata": []}': "metadata must be an object",
    b'{"threadId": "t", "text": "x", "visibility": "x"}': "visibility is 'x'; use shared or",
    b'{"threadId": "t", "text": "x", "metdata": {}}': "'metdata' is no field of a record; did you",
    b'{"threadId": " ", "text": "x"}': "threadId is blank",
    b'{"threadId": "t", "text": "x", "source": "me"}': "source is 'me'; use user or agent",
    b'{"threadId": "t", "text": "\\ud800"}': "text holds a lone surrogate",
    b'{"threadId": "t", "text": "x", "metadata": {"n": NaN}}': "NaN is no JSON",
    b'{"threadId": "t", "text": "x", "metadata": {"n": 1e999}}': "metadata holds inf",
    b'{"n": ' + b"9" * 5_000 + b"}": "it holds a number that is too long",
    b"[" * 100_000: "it is nested too deeply",
}


@pytest.mark.parametrize("line", REFUSED, ids=REFUSED.values())
def test_a_line_that_is_no_record_is_refused_with_its_number(tmp_path: Path, line: bytes) -> None:
    good = json.dumps(FULL).encode()
    path = tmp_path / "a.jsonl"
    first, refusal, last = read(path, good + b"\n" + line + b"\r\n\n" + good)
    assert isinstance(first, NewRecord)
    assert first == last
    assert isinstance(refusal, Refusal)
    assert (refusal.what, refusal.why[: len(REFUSED[line])]) == (f"{path}:2", REFUSED[line])


def test_a_line_beyond_the_bound_is_skipped_and_the_next_is_read(tmp_path: Path) -> None:
    long = b'{"threadId": "t", "text": "' + b"x" * (BESIDES + 5_000) + b'"}\n'
    refusal, record = read(tmp_path / "a.jsonl", long + json.dumps(FULL).encode(), most=1_000)
    assert isinstance(refusal, Refusal)
    assert refusal.why == "it is too long a line"
    assert isinstance(record, NewRecord)


def test_a_byte_order_mark_may_begin_the_file(tmp_path: Path) -> None:
    (record,) = read(tmp_path / "a.jsonl", b"\xef\xbb\xbf" + json.dumps(FULL).encode())
    assert isinstance(record, NewRecord)
