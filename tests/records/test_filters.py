"""Filters: each operator on what is present, null, missing and of another type; each refusal."""

from datetime import UTC, datetime
from typing import Any

import pytest

from ctxls.errors import InvalidParamsError
from ctxls.records.filters import (
    MOST_CONDITIONS,
    MOST_TAGS,
    Filter,
    condition,
    moment,
    tags_of,
)
from ctxls.records.operators import OPERATORS

METADATA = {
    "status": "Open",
    "owner": "ÄNNA",
    "priority": 3,
    "ratio": 0.5,
    "done": True,
    "nothing": None,
    "labels": ["Red", 2, None, ["nested"]],
    "pair": ["Red", 2],
    "empty": [],
    "user": {"name": "Ann", "prefs": {"dark": False}},
    "a-b_c": "dashed",
}

HOLDING = [
    ("status", "eq", "open"),
    ("priority", "eq", 3),
    ("priority", "eq", 3.0),
    ("ratio", "eq", 0.5),
    ("done", "eq", True),
    ("pair", "eq", ["red", 2.0]),
    ("empty", "eq", []),
    ("user.name", "eq", "ann"),
    ("user.prefs.dark", "eq", False),
    ("a-b_c", "eq", "dashed"),
    ("status", "ne", "closed"),
    ("priority", "ne", 4),
    ("done", "ne", False),
    ("priority", "gt", 2),
    ("priority", "gt", 2.5),
    ("priority", "gte", 3),
    ("ratio", "lt", 1),
    ("priority", "lte", 3),
    ("status", "gt", "oak"),
    ("status", "lt", "p"),
    ("status", "in", ["closed", "OPEN"]),
    ("priority", "in", ["3", 3]),
    ("status", "not_in", ["closed"]),
    ("status", "not_in", [1, True]),
    ("priority", "not_in", ["3"]),
    ("status", "exists", None),
    ("empty", "exists", None),
    ("nothing", "not_exists", None),
    ("missing", "not_exists", None),
    ("user.missing", "not_exists", None),
    ("status", "contains", "PE"),
    ("status", "contains", ""),
    ("status", "starts_with", "op"),
    ("status", "ends_with", "EN"),
    ("nothing", "is_null", None),
    ("status", "is_not_null", None),
    ("labels", "array_contains", "red"),
    ("labels", "array_contains", 2),
    ("labels", "array_contains", ["nested"]),
]
FAILING = [
    ("status", "eq", "closed"),
    ("priority", "eq", "3"),
    ("priority", "eq", True),
    ("done", "eq", 1),
    ("done", "eq", "true"),
    ("nothing", "eq", 0),
    ("missing", "eq", ""),
    ("owner", "eq", "änna"),
    ("status.deeper", "eq", "open"),
    ("pair", "eq", ["red"]),
    ("pair", "eq", [2, "red"]),
    ("labels.0", "eq", "red"),
    ("status", "ne", "OPEN"),
    ("status", "ne", 1),
    ("done", "ne", 0),
    ("nothing", "ne", "x"),
    ("missing", "ne", "x"),
    ("priority", "gt", 3),
    ("priority", "gt", "2"),
    ("done", "gte", 0),
    ("nothing", "lt", 1),
    ("missing", "lte", 1),
    ("status", "in", ["closed"]),
    ("done", "in", [1]),
    ("nothing", "in", ["x"]),
    ("missing", "in", ["x"]),
    ("status", "not_in", ["open"]),
    ("nothing", "not_in", ["x"]),
    ("missing", "not_in", ["x"]),
    ("nothing", "exists", None),
    ("missing", "exists", None),
    ("status", "not_exists", None),
    ("priority", "contains", "3"),
    ("labels", "contains", "red"),
    ("missing", "starts_with", ""),
    ("status", "ends_with", "op"),
    ("status", "is_null", None),
    ("missing", "is_null", None),
    ("nothing", "is_not_null", None),
    ("missing", "is_not_null", None),
    ("status", "array_contains", "open"),
    ("labels", "array_contains", "2"),
    ("labels", "array_contains", "nested"),
]


CASED = [
    ("eq", "Open", True),
    ("eq", "open", False),
    ("ne", "open", True),
    ("in", ["open"], False),
    ("not_in", ["open"], True),
    ("contains", "pen", True),
    ("contains", "PEN", False),
    ("starts_with", "o", False),
    ("ends_with", "N", False),
    ("gt", "a", False),
]
REFUSED: list[tuple[str, str, Any, str]] = [
    ("", "eq", 1, "'' is no metadata key"),
    ("a..b", "eq", 1, "'a..b' is no metadata key"),
    ("a.", "eq", 1, "'a.' is no metadata key"),
    ("a b", "eq", 1, "'a b' is no metadata key"),
    ("ключ", "eq", 1, "'ключ' is no metadata key"),
    ("a\n", "eq", 1, "is no metadata key"),
    ("a'; --", "exists", None, "is no metadata key"),
    ("a", "equals", 1, "'equals' is no filter operator; use one of eq, ne"),
    ("a", "EQ", 1, "'EQ' is no filter operator"),
    ("a", "eq", float("nan"), "a holds nan, which is not a finite number"),
    ("a", "lt", float("-inf"), "a holds -inf, which is not a finite number"),
    ("a", "in", [1, float("inf")], "a holds inf, which is not a finite number"),
    ("a", "eq", 2**63, "a holds a number outside the range of 64 bits"),
    ("a", "eq", -(2**63) - 1, "a holds a number outside the range of 64 bits"),
    ("a", "contains", "x\0", "a holds a NUL character"),
    ("a", "array_contains", "\ud800", "a holds a lone surrogate"),
    ("a", "in", [], "in on 'a' needs a list with at least one value"),
    ("a", "not_in", "x", "not_in on 'a' needs a list"),
    ("a", "starts_with", 3, "starts_with on 'a' needs a string, not 3"),
    ("a", "gt", True, "gt on 'a' needs a number or a string, not true"),
    ("a", "lte", None, "lte on 'a' needs a number or a string, not null"),
    ("a", "eq", None, "eq on 'a' compares with null; say is_null"),
    ("a", "in", ["x", None], "in on 'a' compares with null"),
    ("a", "eq", {"b": 1}, "eq on 'a' compares with an object"),
]
LARGEST = [2**63 - 1, -(2**63), 1e300]


@pytest.mark.parametrize(("key", "operator", "value"), HOLDING)
def test_a_condition_holds(key: str, operator: str, value: Any) -> None:
    assert Filter(conditions=(condition(key, operator, value),)).admits(METADATA)


@pytest.mark.parametrize(("key", "operator", "value"), FAILING)
def test_a_condition_does_not_hold(key: str, operator: str, value: Any) -> None:
    assert not Filter(conditions=(condition(key, operator, value),)).admits(METADATA)


def test_every_operator_has_cases_both_ways() -> None:
    assert {case[1] for case in HOLDING} == set(OPERATORS)
    assert {case[1] for case in FAILING} == set(OPERATORS)


@pytest.mark.parametrize(("operator", "value", "holds"), CASED)
def test_a_case_sensitive_condition_tells_capitals_apart(
    operator: str, value: Any, holds: bool
) -> None:
    assert condition("status", operator, value, case_sensitive=True).holds(METADATA) is holds


def test_folding_changes_ascii_letters_alone() -> None:
    assert condition("owner", "eq", "Änna").holds(METADATA)
    assert not condition("owner", "eq", "änna").holds(METADATA)


@pytest.mark.parametrize(("key", "operator", "value", "said"), REFUSED)
def test_a_condition_that_cannot_be_meant_is_refused(
    key: str, operator: str, value: Any, said: str
) -> None:
    with pytest.raises(InvalidParamsError) as refused:
        condition(key, operator, value)
    assert said in refused.value.message


@pytest.mark.parametrize("value", LARGEST)
def test_the_largest_numbers_are_compared(value: float) -> None:
    assert condition("n", "eq", value).holds({"n": value})


def test_all_conditions_must_hold() -> None:
    is_open, is_done = condition("status", "eq", "open"), condition("done", "eq", False)
    assert Filter(conditions=(is_open,)).admits(METADATA)
    assert not Filter(conditions=(is_open, is_done)).admits(METADATA)
    assert Filter().admits({})


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"source": "robot"}, "source is 'robot'; use user or agent."),
        ({"source": ""}, "source is ''; use user or agent."),
        ({"content_type": "image"}, "contentType is 'image'; use text or multimodal."),
        ({"thread": "a\0b"}, "threadId holds a NUL character"),
        ({"thread": "\udfff"}, "threadId holds a lone surrogate"),
        ({"tags": ("a", "\0")}, "tags holds a NUL character"),
        ({"tags": ("a", "")}, "tags holds a blank tag"),
        ({"tags": (" \t",)}, "tags holds a blank tag"),
        ({"tags": ("a",) * (MOST_TAGS + 1)}, "tags lists 101 tags; at most 100."),
        (
            {"conditions": (condition("a", "exists", None),) * (MOST_CONDITIONS + 1)},
            "metadataFilters lists 101 filters; at most 100.",
        ),
    ],
)
def test_a_scope_that_cannot_be_meant_is_refused(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParamsError) as refused:
        Filter(**parts)
    assert said in refused.value.message


def test_as_many_tags_and_conditions_as_allowed_pass() -> None:
    Filter(tags=("a",) * MOST_TAGS, conditions=(condition("a", "exists", None),) * MOST_CONDITIONS)


def test_tags_are_trimmed_and_lower_cased_and_each_kept_once() -> None:
    assert tags_of([" DB ", "db", "Ärger", "\tx"]) == ("db", "ärger", "x")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-30T09:00:00Z", datetime(2026, 11, 30, 9, tzinfo=UTC)),
        ("2026-11-30T09:00:00", datetime(2026, 11, 30, 9, tzinfo=UTC)),
        ("2026-11-30T09:00:00.25+02:00", datetime(2026, 11, 30, 7, 0, 0, 250_000, tzinfo=UTC)),
        ("2026-11-30", datetime(2026, 11, 30, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_as_utc_unless_it_names_a_zone(text: str, expected: datetime) -> None:
    assert moment("createdAfter", text) == expected


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00+23:00"])
def test_what_is_no_time_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidParamsError) as refused:
        moment("createdAfter", text)
    assert refused.value.message.startswith(f"createdAfter is {text!r}; give an ISO 8601 time")
