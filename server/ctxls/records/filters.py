"""Which records a request is about: thread, source, tags, times, ids and metadata conditions.

A `Filter` is plain data. What of it can be said exactly in SQL is said there; metadata conditions
are decided here, in one place for every database, so that two databases never differ on a JSON
corner. The operators and their meaning are the peer's (records/operators.py).
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from ctxls.errors import InvalidParamsError
from ctxls.records.operators import (
    ABSENT,
    LISTED,
    OPERATORS,
    ORDERED,
    TEXTUAL,
    VALUELESS,
    fold,
    is_number,
)
from ctxls.records.record import CONTENT_TYPES, SOURCES, RecordId
from ctxls.records.storable import BLANK_TAG, one_of, refuse_unstorable
from ctxls.text.printable import printable, quoted

MOST_CONDITIONS: Final = 100
MOST_TAGS: Final = 100
KEY: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


@dataclass(frozen=True, slots=True)
class Condition:
    """One metadata condition; `condition()` makes it and refuses what cannot be meant."""

    key: str
    operator: str
    value: Any
    case_sensitive: bool
    _segments: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _compared: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Do once what would be the same for every record."""
        compared = self.value if self.case_sensitive else fold(self.value)
        object.__setattr__(self, "_segments", tuple(self.key.split(".")))
        object.__setattr__(self, "_compared", compared)

    def holds(self, metadata: Mapping[str, Any]) -> bool:
        """Decide this condition for one record's metadata."""
        found = _walk(metadata, self._segments)
        compared = found if self.case_sensitive else fold(found)
        return OPERATORS[self.operator](compared, self._compared)


@dataclass(frozen=True, slots=True)
class Filter:
    """A scope; every part that is set must hold. The default is all readable records."""

    thread: str | None = None
    source: str | None = None
    content_type: str | None = None
    tags: tuple[str, ...] = ()
    """Any of these; compared trimmed and lower-cased."""
    conditions: tuple[Condition, ...] = ()
    ids: tuple[RecordId, ...] | None = None
    created_after: datetime | None = None
    """Inclusive."""
    created_before: datetime | None = None
    """Exclusive."""

    def __post_init__(self) -> None:
        if self.source is not None:
            one_of("source", self.source, SOURCES)
        if self.content_type is not None:
            one_of("contentType", self.content_type, CONTENT_TYPES)
        refuse_unstorable("threadId", self.thread)
        refuse_unstorable("tags", self.tags)
        if len(self.tags) > MOST_TAGS:
            raise InvalidParamsError(f"tags lists {len(self.tags)} tags; at most {MOST_TAGS}.")
        if not all(tag.strip() for tag in self.tags):
            raise InvalidParamsError(BLANK_TAG)
        if len(self.conditions) > MOST_CONDITIONS:
            raise InvalidParamsError(
                f"metadataFilters lists {len(self.conditions)} filters; at most {MOST_CONDITIONS}."
            )

    def admits(self, metadata: Mapping[str, Any]) -> bool:
        """Whether all metadata conditions hold."""
        return all(condition.holds(metadata) for condition in self.conditions)


def tags_of(tags: Sequence[str]) -> tuple[str, ...]:
    """Normalise tags as they are compared: trimmed, lower-cased, each once, in order."""
    return tuple(dict.fromkeys(tag.strip().lower() for tag in tags))


def condition(key: str, operator: str, value: Any, *, case_sensitive: bool = False) -> Condition:
    """Make a condition, or raise InvalidParamsError that says what is wrong with it."""
    if not KEY.fullmatch(key):
        raise InvalidParamsError(
            f"{quoted(key, 80)} is no metadata key: use segments of letters, digits, _ and - joined"
            " by dots."
        )
    if operator not in OPERATORS:
        raise InvalidParamsError(
            f"{quoted(operator, 80)} is no filter operator; use one of {', '.join(OPERATORS)}."
        )
    if operator in VALUELESS:
        return Condition(key, operator, None, case_sensitive)
    refuse_unstorable(f"The value of {key}", value)
    _refuse_incomparable(f"{operator} on {quoted(key, 80)}", operator, value)
    return Condition(key, operator, value, case_sensitive)


def _refuse_incomparable(where: str, operator: str, value: Any) -> None:
    """Refuse a value of a kind that the operator never finds: a silent nothing helps nobody."""
    if operator in LISTED and not (isinstance(value, list) and value):
        raise InvalidParamsError(f"{where} needs a list with at least one value.")
    if operator in TEXTUAL and not isinstance(value, str):
        raise InvalidParamsError(f"{where} needs a string, not {_shown(value)}.")
    if operator in ORDERED and not (isinstance(value, str) or is_number(value)):
        raise InvalidParamsError(f"{where} needs a number or a string, not {_shown(value)}.")
    for item in value if isinstance(value, list) else [value]:
        if item is None:
            raise InvalidParamsError(f"{where} compares with null; say is_null or is_not_null.")
        if isinstance(item, Mapping):
            raise InvalidParamsError(f"{where} compares with an object; compare one of its keys.")


def moment(name: str, text: str) -> datetime:
    """Read an ISO 8601 time; one without a zone is in UTC."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidParamsError(
            f"{name} is {quoted(text, 80)}; give an ISO 8601 time such as 2026-11-30T09:00:00Z."
        ) from None


def _walk(metadata: Any, segments: Sequence[str]) -> Any:
    for segment in segments:
        if not isinstance(metadata, Mapping) or segment not in metadata:
            return ABSENT
        metadata = metadata[segment]
    return metadata


def _shown(value: Any) -> str:
    """Show a JSON value as it was written, at most 80 characters of it."""
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 80 else text[:79] + "…"
