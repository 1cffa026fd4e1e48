"""From a filter and a caller to the WHERE of a statement."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxls.records.access import Caller
from ctxls.records.filters import Filter, tags_of
from ctxls.records.record import RecordId
from ctxls.stores.sqlite.functions import TAG
from ctxls.stores.sqlite.layout import EVERYBODY, Shape
from ctxls.stores.sqlite.times import stored_time

Term = tuple[str, Mapping[str, Any]]
"""A condition in SQL and the values that it names. Values are always bound, never spelled."""

IDS = """e.id IN (SELECT value FROM json_each(:ids))
    AND CAST(e.id AS TEXT) IN (SELECT value FROM json_each(:ids))"""
"""The second condition refuses 007 for the integer id 7; the first finds it by its index."""
TAGS = f"""e.id IN (SELECT t.context_entry_id FROM tags AS t WHERE t.tag IN (
    SELECT d.tag FROM (SELECT DISTINCT tag FROM tags) AS d
    WHERE {TAG}(CAST(d.tag AS BLOB)) IN (SELECT value FROM json_each(:tags))))"""
"""Each distinct tag is normalised once, then its records are found by their index."""


@dataclass(frozen=True, slots=True)
class Where:
    """The records that a statement is about."""

    sql: str
    parameters: Mapping[str, Any]

    def narrowed(self, term: Term) -> "Where":
        """Return these records but those for which `term` does not hold."""
        sql, parameters = term
        return Where(f"{self.sql} AND ({sql})", {**self.parameters, **parameters})


def readable(shape: Shape, caller: Caller) -> Where:
    """Say which records the caller may read."""
    if caller.is_owner or shape.layout.readable == EVERYBODY:
        return Where(EVERYBODY, {})
    return Where(shape.layout.readable, {"caller": caller.name})


def in_scope(shape: Shape, scope: Filter, caller: Caller) -> Where:
    """Say which readable records a filter admits, but for its metadata conditions.

    Those are decided in Python, a batch at a time (store.py).
    """
    where = readable(shape, caller)
    for term in _terms(scope):
        where = where.narrowed(term)
    return where


def ids_text(ids: Sequence[RecordId]) -> str:
    """Spell ids as JSON, in which SQLite would cut one short at a NUL that no id has."""
    return json.dumps([record_id.replace("\0", "\ufffd") for record_id in ids])


def _terms(scope: Filter) -> Iterator[Term]:
    if scope.thread is not None:
        yield "e.thread_id = :thread", {"thread": scope.thread}
    if scope.source is not None:
        yield "e.source = :source", {"source": scope.source}
    if scope.content_type is not None:
        yield "e.content_type = :content_type", {"content_type": scope.content_type}
    if scope.ids is not None:
        yield IDS, {"ids": ids_text(scope.ids)}
    if scope.tags:
        yield TAGS, {"tags": json.dumps(tags_of(scope.tags))}
    if scope.created_after is not None:
        yield "e.created_at >= :after", {"after": stored_time(scope.created_after)}
    if scope.created_before is not None:
        yield "e.created_at < :before", {"before": stored_time(scope.created_before)}
