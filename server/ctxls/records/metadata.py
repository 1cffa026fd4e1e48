"""Reading a record's metadata, whatever some program once stored in its place.

Metadata reads as JSON that any encoder can send on: what is not a JSON object reads as `{}`, a
number that JSON or 64 bits cannot hold as null or the nearest float, and a lone surrogate as
U+FFFD. Nothing here raises, so that one odd record breaks no list.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

DEEPEST: Final = 64
"""How deep metadata may be nested; deeper reads as `{}` and is not stored."""
LEAST: Final = -(2**63)
MOST: Final = 2**63 - 1
LONGEST_INT: Final = len(str(LEAST))


def parsed_metadata(stored: str) -> Mapping[str, Any]:
    """Parse the metadata column of one record."""
    try:
        found = _DECODER.decode(stored or "{}")
        if "\\ud" in stored.lower():  # a surrogate, perhaps a lone one
            found = _DECODER.decode(_without_surrogates(json.dumps(found, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) and not is_too_deep(found) else {}


def is_too_deep(value: Any) -> bool:
    """Whether a JSON value is nested deeper than `DEEPEST`; without recursion."""
    level = [value]
    for _ in range(DEEPEST):
        level = [item for container in level for item in _containers(container)]
        if not level:
            return False
    return True


def fits_64_bits(number: int) -> bool:
    """Whether every database can hold an integer."""
    return LEAST <= number <= MOST


def _containers(value: Any) -> list[Any]:
    items = value.values() if isinstance(value, Mapping) else value
    if not isinstance(value, Mapping | list | tuple):
        return []
    return [item for item in items if isinstance(item, Mapping | list | tuple)]


def _null(_: str) -> None:
    """Read NaN and the infinities, which Python writes and JSON does not know."""


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _in_range(text: str) -> int | float | None:
    if len(text) <= LONGEST_INT and fits_64_bits(number := int(text)):
        return number
    return _finite(text)


def _without_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_DECODER: Final = json.JSONDecoder(
    strict=False, parse_constant=_null, parse_float=_finite, parse_int=_in_range
)
"""Made once: making one costs more than a record's metadata."""
