"""Metadata as found in stores: nothing that some program put there may break a reader."""

import json
from typing import Any

import pytest

from ctxls.records.metadata import DEEPEST, parsed_metadata

READS: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("{}", {}),
    ("null", {}),
    ("[1]", {}),
    ('"title"', {}),
    ("{broken", {}),
    ("\ufffd", {}),
    ('{"a": 1, "a": 2}', {"a": 2}),
    ('{"a": NaN, "b": -Infinity, "c": 1}', {"a": None, "b": None, "c": 1}),
    ('{"a": 1e999, "b": 0.5}', {"a": None, "b": 0.5}),
    ('{"a": 9223372036854775807}', {"a": 2**63 - 1}),
    ('{"a": -9223372036854775808}', {"a": -(2**63)}),
    ('{"a": 9223372036854775808}', {"a": 2.0**63}),
    ('{"a": ' + "9" * 5_000 + "}", {"a": None}),
    ('{"a": "\\ud83e\\udded"}', {"a": "🧭"}),
    ('{"a\\ud800": "x\\uDC00y"}', {"a\ufffd": "x\ufffdy"}),
    ('{"a": "\x01"}', {"a": "\x01"}),
    ('{"a": "\\u0000"}', {"a": "\0"}),
    ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", {}),
    ('{"a": ' + "[" * DEEPEST + "]" * DEEPEST + "}", {}),
]


@pytest.mark.parametrize(("stored", "expected"), READS)
def test_stored_metadata_reads_as(stored: str, expected: dict[str, Any]) -> None:
    assert parsed_metadata(stored) == expected


@pytest.mark.parametrize("stored", [stored for stored, _ in READS])
def test_what_was_read_is_json_in_utf_8(stored: str) -> None:
    json.dumps(parsed_metadata(stored), ensure_ascii=False, allow_nan=False).encode()


def test_metadata_nested_as_deep_as_allowed_is_read() -> None:
    stored = '{"a": ' + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1) + "}"
    assert "a" in parsed_metadata(stored)
