"""Telling whose database this is, and saying plainly what it is when it is nobody's we know."""

from collections.abc import Mapping
from typing import Final

from aiosqlite import Connection

from ctxls.errors import StoreNewerError, StoreUnavailableError
from ctxls.stores.sqlite.functions import add_functions
from ctxls.stores.sqlite.layout import (
    FILE_COLUMNS,
    META_COLUMNS,
    OURS,
    SECTION_COLUMNS,
    THEIRS,
    Layout,
    Shape,
)
from ctxls.stores.sqlite.schema import SCHEMA_VERSION, VERSION_KEY

Tables = Mapping[str, Mapping[str, str]]
"""The tables that may concern us: their columns, each with its declared type in upper case."""

COLUMNS: Final = """SELECT m.name AS "table", c.name AS "column", upper(c.type) AS "type"
    FROM sqlite_master AS m CROSS JOIN pragma_table_info(m.name) AS c
    WHERE m.type = 'table' AND m.name IN ('context_entries', 'tags', 'image_attachments',
        'context_index_nodes', 'ctxls_meta', 'ctxls_private')"""
"""Tables are asked for by name: another's virtual table may need a module that we lack."""


async def our_version(connection: Connection) -> int | None:
    """Return the schema version of a store of ours; None for another's.

    Raises StoreNewerError above the version that we know.
    """
    columns = (await _tables(connection)).get("ctxls_meta")
    if columns is None:
        return None
    version = await _version(connection) if META_COLUMNS.issubset(columns) else 0
    if version < 1:
        raise _unknown("its table ctxls_meta names no schema version")
    if version > SCHEMA_VERSION:
        raise StoreNewerError(
            f"The store was written by a newer ctxls (its layout is version {version}, this one"
            f" knows up to {SCHEMA_VERSION}); update ctxls to open it.",
            found=version,
            known=SCHEMA_VERSION,
        )
    return version


async def recognise(connection: Connection) -> Shape:
    """Find out the shape of an open database, and ready the connection for it.

    Raises StoreUnavailableError that says what it is when no layout of ours fits.
    """
    tables = await _tables(connection)
    layout = _layout(tables)
    _refuse_lacking(tables, layout)
    text = await add_functions(connection)
    entries = tables["context_entries"]
    return Shape(
        layout,
        text,
        "e.summary" if "summary" in entries else "NULL",
        "e.content_hash" if "content_hash" in entries else "NULL",
        FILE_COLUMNS.issubset(tables.get("image_attachments", {})),
        SECTION_COLUMNS.issubset(tables.get("context_index_nodes", {})),
    )


async def _version(connection: Connection) -> int:
    rows = await connection.execute_fetchall(
        "SELECT CAST(value AS INTEGER) AS version FROM ctxls_meta WHERE key = ?", (VERSION_KEY,)
    )
    return max((row["version"] or 0 for row in rows), default=0)


async def _tables(connection: Connection) -> Tables:
    tables: dict[str, dict[str, str]] = {}
    for row in await connection.execute_fetchall(COLUMNS):
        tables.setdefault(row["table"], {})[row["column"]] = row["type"]
    return tables


def _layout(tables: Tables) -> Layout:
    """Pick the layout by what nothing else would have: our own table, or the type of the id."""
    if "ctxls_meta" in tables:
        return OURS
    id_type = tables.get("context_entries", {}).get("id", "")
    return next((layout for layout in THEIRS if layout.id_type == id_type), THEIRS[0])


def _refuse_lacking(tables: Tables, layout: Layout) -> None:
    for table, columns in layout.tables.items():
        if table not in tables:
            raise _unknown(f"it has no table {table}")
        lacking = sorted(columns - tables[table].keys())
        if lacking:
            noun = "column" if len(lacking) == 1 else "columns"
            raise _unknown(f"its table {table} lacks the {noun} {', '.join(lacking)}")


def _unknown(what: str) -> StoreUnavailableError:
    return StoreUnavailableError(
        f"The store is a SQLite database of a layout that ctxls does not know: {what}."
    )
