"""What differs between the layouts that we know, as data.

Table and column names are the same in all of them. `e` is context_entries in every statement.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ENTRY_COLUMNS: Final = frozenset(
    {
        "id",
        "thread_id",
        "source",
        "content_type",
        "text_content",
        "metadata",
        "created_at",
        "updated_at",
    }
)
TAG_COLUMNS: Final = frozenset({"context_entry_id", "tag"})
FILE_COLUMNS: Final = frozenset(
    {"context_entry_id", "image_data", "mime_type", "image_metadata", "position"}
)
SECTION_COLUMNS: Final = frozenset(
    {"context_id", "node_id", "node_summary", "char_start", "char_end"}
)
META_COLUMNS: Final = frozenset({"key", "value"})
PRIVATE_COLUMNS: Final = frozenset({"context_entry_id", "owner"})

EVERYBODY: Final = "1"
ITS_OWNER: Final = """NOT EXISTS (SELECT 1 FROM ctxls_private AS p
    WHERE p.context_entry_id = e.id AND (p.owner <> :caller OR :caller = ''))"""
"""A private record of the local owner has the owner '', whom no other caller can be."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Whose tables they are (in `words` for people), and what that means for our SQL."""

    words: str
    is_ours: bool
    id_type: str
    """The declared type of context_entries.id, by which the peer's two layouts are told apart."""
    tables: Mapping[str, frozenset[str]]
    """Tables that must be there, with the columns that they must have."""
    version: str
    readable: str
    """The condition under which a caller other than the store's owner may read the record."""
    has_prefixes: bool
    """Whether ids are hex digits, of which the first may stand for all."""


OURS: Final = Layout(
    words="ctxls",
    is_ours=True,
    id_type="TEXT",
    tables={
        "context_entries": ENTRY_COLUMNS | {"version"},
        "tags": TAG_COLUMNS,
        "ctxls_private": PRIVATE_COLUMNS,
    },
    version="e.version",
    readable=ITS_OWNER,
    has_prefixes=True,
)
DEVELOPMENT: Final = Layout(
    words="mcp-context-server (development)",
    is_ours=False,
    id_type="TEXT",
    tables={"context_entries": ENTRY_COLUMNS | {"version"}, "tags": TAG_COLUMNS},
    version="e.version",
    readable=EVERYBODY,
    has_prefixes=True,
)
RELEASED: Final = Layout(
    words="mcp-context-server 2.x",
    is_ours=False,
    id_type="INTEGER",
    tables={"context_entries": ENTRY_COLUMNS, "tags": TAG_COLUMNS},
    version="0",
    readable=EVERYBODY,
    has_prefixes=False,
)
THEIRS: Final = (DEVELOPMENT, RELEASED)


@dataclass(frozen=True, slots=True)
class Shape:
    """One database as it was found: its layout, and what else our SQL may ask of it."""

    layout: Layout
    text: str
    """The text of a record as bytes of UTF-8, NULL or not."""
    summary: str
    content_hash: str
    has_files: bool
    has_sections: bool
