"""The operators of metadata conditions, and their exact meaning (docs/protocol.md, "Filters").

Each takes what was found under the key (`ABSENT` when nothing was) and the value to compare with.
No value is ever null: whoever means null says `is_null`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

ABSENT: Final = object()
Operator = Callable[[Any, Any], bool]


def fold(value: Any) -> Any:
    """Lower the ASCII letters of all text in a JSON value, and nothing else."""
    if isinstance(value, str):
        return value.lower() if value.isascii() else value.translate(_ASCII_LOWER)
    return [fold(item) for item in value] if isinstance(value, list) else value


def is_number(value: Any) -> bool:
    """Whether a JSON value is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


_ASCII_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _has_value(found: Any) -> bool:
    return found is not ABSENT and found is not None


def _same_type(found: Any, value: Any) -> bool:
    return type(found) is type(value) or (is_number(found) and is_number(value))


def _equal(found: Any, value: Any) -> bool:
    """Tell whether both have the same JSON type and value; 1 equals 1.0, and never true."""
    if not _same_type(found, value):
        return False
    if isinstance(found, list):
        return len(found) == len(value) and all(map(_equal, found, value))
    return bool(found == value)


def _different(found: Any, value: Any) -> bool:
    return _has_value(found) and _same_type(found, value) and not _equal(found, value)


def _one_of(found: Any, values: Any) -> bool:
    return any(_equal(found, value) for value in values)


def _none_of(found: Any, values: Any) -> bool:
    return _has_value(found) and not _one_of(found, values)


def _has_element(found: Any, value: Any) -> bool:
    return isinstance(found, list) and any(_equal(item, value) for item in found)


def _ordered(compare: Operator) -> Operator:
    def holds(found: Any, value: Any) -> bool:
        numbers = is_number(found) and is_number(value)
        texts = isinstance(found, str) and isinstance(value, str)
        return (numbers or texts) and compare(found, value)

    return holds


def _text(test: Callable[[str, str], bool]) -> Operator:
    return lambda found, value: isinstance(found, str) and test(found, value)


VALUELESS: Final = frozenset({"exists", "not_exists", "is_null", "is_not_null"})
LISTED: Final = frozenset({"in", "not_in"})
TEXTUAL: Final = frozenset({"contains", "starts_with", "ends_with"})
ORDERED: Final = frozenset({"gt", "gte", "lt", "lte"})

OPERATORS: Final[Mapping[str, Operator]] = {
    "eq": _equal,
    "ne": _different,
    "gt": _ordered(lambda found, value: found > value),
    "gte": _ordered(lambda found, value: found >= value),
    "lt": _ordered(lambda found, value: found < value),
    "lte": _ordered(lambda found, value: found <= value),
    "in": _one_of,
    "not_in": _none_of,
    "exists": lambda found, _: _has_value(found),
    "not_exists": lambda found, _: not _has_value(found),
    "contains": _text(lambda found, value: value in found),
    "starts_with": _text(str.startswith),
    "ends_with": _text(str.endswith),
    "is_null": lambda found, _: found is None,
    "is_not_null": lambda found, _: _has_value(found),
    "array_contains": _has_element,
}
