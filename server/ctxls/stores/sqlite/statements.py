"""The statements that read, made for the shape of a database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ctxls.records.access import Caller
from ctxls.records.filters import Filter
from ctxls.records.record import RecordId
from ctxls.stores.sqlite.functions import TAG
from ctxls.stores.sqlite.layout import Shape
from ctxls.stores.sqlite.scope import Where, ids_text, in_scope, readable

NEWEST_FIRST: Final = "ORDER BY e.created_at DESC, e.id DESC"
DATED_AFTER: Final = "(e.created_at, e.id) < (:created, :id)"
UNDATED_AFTER: Final = "e.created_at IS NULL AND e.id < :id"
"""Apart, so that SQLite goes on from the key in its index; joined by OR, it would scan to it."""
BY_IDS: Final = """FROM json_each(:ids) AS j CROSS JOIN context_entries AS e
    ON e.id = j.value AND CAST(e.id AS TEXT) = j.value"""
"""CROSS JOIN keeps the order of the ids (SQLite, "Query planner", manual control)."""
HEX: Final = frozenset("0123456789abcdef")
AFTER_HEX: Final = "g"

RECORD_TAGS: Final = """(SELECT json_group_array(CAST(t.tag AS TEXT)) FROM (
    SELECT tag FROM tags WHERE context_entry_id = e.id ORDER BY rowid) AS t)"""
RECORD_FILES: Final = """(SELECT json_group_array(json_array(CAST(f.position AS INTEGER),
    CAST(f.mime_type AS TEXT), CAST(f.image_metadata AS TEXT), length(f.image_data))) FROM (
    SELECT * FROM image_attachments WHERE context_entry_id = e.id ORDER BY position, rowid) AS f)"""
RECORD_SECTIONS: Final = """(SELECT json_group_array(json_array(CAST(s.node_id AS TEXT),
    CAST(s.char_start AS INTEGER), CAST(s.char_end AS INTEGER), CAST(s.node_summary AS TEXT)))
    FROM (SELECT * FROM context_index_nodes
        WHERE context_id = e.id AND node_summary IS NOT NULL ORDER BY rowid) AS s)"""
NONE: Final = "'[]'"


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL and the values that it names.

    `held_bytes` among them bounds the texts taken, which are the column numbered `texts_at`.
    """

    sql: str
    parameters: Mapping[str, Any]
    texts_at: int = 0
    is_plain: bool = False
    """Whether rows are tuples: quicker by far than rows by name, where they are many."""


DATA_VERSION: Final = Statement("PRAGMA data_version", {})
"""Another number once another connection has written (SQLite, "PRAGMA data_version")."""


def count(shape: Shape, caller: Caller) -> Statement:
    """Count the readable records."""
    where = readable(shape, caller)
    return Statement(
        f"SELECT count(*) AS records FROM context_entries AS e WHERE {where.sql}", where.parameters
    )


FRESH: Final = "iif(e.updated_at >= datetime('now', '-3 seconds'), hex(randomblob(8)), '')"


def versions(shape: Shape, caller: Caller) -> Statement:
    """List ids, newest first, and what changes with each record.

    Ours counts up a version at every change. The peer tells some changes within one second apart
    by nothing that is kept, so a record of its that was changed a moment ago is spelled in another
    way every time.
    """
    where = readable(shape, caller)
    return Statement(
        f"""SELECT CAST(e.id AS TEXT) AS id,
            e.rowid || ' ' || ifnull({shape.layout.version}, '') || ' ' ||
            ifnull(CAST({shape.content_hash} AS TEXT), '') || ' ' ||
            ifnull(CAST(e.updated_at AS TEXT), '') || {"''" if shape.layout.is_ours else FRESH}
            AS spelled
        FROM context_entries AS e WHERE {where.sql} {NEWEST_FIRST}""",
        where.parameters,
        is_plain=True,
    )


def whole(
    shape: Shape, ids: Sequence[RecordId], caller: Caller, held_bytes: int | None
) -> Statement:
    """Read records whole, with what hangs on them, all of one version, in the order of `ids`."""
    where = readable(shape, caller)
    return Statement(
        f"""SELECT {shape.text} AS text, j.key AS place,
            CAST(e.id AS TEXT) AS id, CAST(e.thread_id AS TEXT) AS thread,
            CAST(e.source AS TEXT) AS source, CAST(e.content_type AS TEXT) AS content_type,
            CAST(e.metadata AS TEXT) AS metadata,
            CAST({shape.summary} AS TEXT) AS summary,
            CAST({shape.content_hash} AS TEXT) AS content_hash,
            CAST({shape.layout.version} AS INTEGER) AS version,
            e.created_at AS created, e.updated_at AS updated,
            {RECORD_TAGS} AS tags,
            {RECORD_FILES if shape.has_files else NONE} AS files,
            {RECORD_SECTIONS if shape.has_sections else NONE} AS sections
        {BY_IDS} WHERE {where.sql}""",
        {**where.parameters, "ids": ids_text(ids), "held_bytes": held_bytes},
    )


def texts(shape: Shape, ids: Sequence[RecordId], caller: Caller, held_bytes: int) -> Statement:
    """Read what a scan needs of records, in the order of `ids`; `place` is the index there."""
    where = readable(shape, caller)
    return Statement(
        f"""SELECT {shape.text}, j.key, CAST(e.id AS TEXT), CAST(e.thread_id AS TEXT),
            CAST(e.metadata AS TEXT)
        {BY_IDS} WHERE {where.sql}""",
        {**where.parameters, "ids": ids_text(ids), "held_bytes": held_bytes},
        is_plain=True,
    )


def metadata(shape: Shape, ids: Sequence[RecordId], caller: Caller) -> Statement:
    """Read the metadata of records; `place` is the index in `ids`."""
    where = readable(shape, caller)
    return Statement(
        f"SELECT j.key AS place, CAST(e.metadata AS TEXT) AS metadata {BY_IDS} WHERE {where.sql}",
        {**where.parameters, "ids": ids_text(ids)},
    )


def told_apart(shape: Shape, ids: Sequence[RecordId], caller: Caller, text_bytes: int) -> Statement:
    """Read what tells records apart, with so much of each text, in the order of `ids`."""
    where = readable(shape, caller)
    return Statement(
        f"""SELECT CAST(e.id AS TEXT) AS id, substr({shape.text}, 1, :text_bytes) AS text,
            CAST(e.metadata AS TEXT) AS metadata, e.created_at AS created
        {BY_IDS} WHERE {where.sql}""",
        {**where.parameters, "ids": ids_text(ids), "text_bytes": text_bytes},
    )


def page(
    shape: Shape,
    scope: Filter,
    caller: Caller,
    limit: int | None,
    after: Sequence[Any] | None,
) -> Statement:
    """List ids and created times in scope, newest first, after a sort key."""
    where = in_scope(shape, scope, caller)
    if after is not None:
        created, record_id = after
        older = UNDATED_AFTER if created is None else DATED_AFTER
        where = where.narrowed((older, {"created": created, "id": record_id}))
    return _keys(where, limit)


def undated(shape: Shape, scope: Filter, caller: Caller, limit: int | None) -> Statement:
    """List the keys that `page` leaves out after one with a time: those without, which are last."""
    return _keys(in_scope(shape, scope, caller).narrowed(("e.created_at IS NULL", {})), limit)


def candidates(shape: Shape, prefix: str, caller: Caller, limit: int) -> Statement:
    """List the ids that begin with `prefix`, newest first."""
    is_prefix = shape.layout.has_prefixes and HEX.issuperset(prefix)
    where = readable(shape, caller).narrowed(
        (
            "e.id >= :prefix AND e.id < :after_prefix" if is_prefix else "0",
            {"prefix": prefix, "after_prefix": prefix + AFTER_HEX} if is_prefix else {},
        )
    )
    return _keys(where, limit)


def threads(
    shape: Shape, scope: Filter, caller: Caller, limit: int, after: Sequence[Any] | None
) -> Statement:
    """List threads, most recently updated first; the last row number tells equals apart."""
    where = in_scope(shape, scope, caller)
    having, key = "1", {}
    if after is not None:
        having, key = _older("updated", '"last"', after[0]), {"created": after[0], "id": after[1]}
    return Statement(
        f"""SELECT CAST(e.thread_id AS TEXT) AS thread, count(*) AS records,
            max(e.updated_at) AS updated, max(e.rowid) AS "last"
        FROM context_entries AS e WHERE {where.sql} GROUP BY e.thread_id HAVING {having}
        ORDER BY updated DESC, "last" DESC LIMIT :limit""",
        {**where.parameters, **key, "limit": limit},
    )


def tags(
    shape: Shape, scope: Filter, caller: Caller, limit: int, after: Sequence[Any] | None
) -> Statement:
    """List tags in alphabetical order; blank ones are none."""
    where = in_scope(shape, scope, caller)
    return Statement(
        f"""WITH names AS MATERIALIZED (SELECT tag, {TAG}(CAST(tag AS BLOB)) AS name
            FROM (SELECT DISTINCT tag FROM tags))
        SELECT n.name AS tag, count(DISTINCT e.rowid) AS records
        FROM names AS n JOIN tags AS t ON t.tag = n.tag
            JOIN context_entries AS e ON e.id = t.context_entry_id
        WHERE n.name > :after_tag AND {where.sql}
        GROUP BY n.name ORDER BY n.name LIMIT :limit""",
        {**where.parameters, "after_tag": after[0] if after else "", "limit": limit},
    )


def _keys(where: Where, limit: int | None) -> Statement:
    return Statement(
        f"""SELECT CAST(e.id AS TEXT) AS id, e.created_at AS created
        FROM context_entries AS e WHERE {where.sql} {NEWEST_FIRST} LIMIT :limit""",
        {**where.parameters, "limit": -1 if limit is None else limit},
    )


def _older(time: str, key: str, after: Any) -> str:
    """Continue a descending order by time, then key; a record without a time comes last."""
    if after is None:
        return f"{time} IS NULL AND {key} < :id"
    return f"{time} < :created OR ({time} = :created AND {key} < :id) OR {time} IS NULL"
