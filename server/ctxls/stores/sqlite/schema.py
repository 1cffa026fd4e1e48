"""Our own layout, and how it came to be.

Tables and columns keep the names of mcp-context-server, so that one may become the other. What we
add lives in tables named `ctxls_*`.
"""

from dataclasses import dataclass
from typing import Final

VERSION_KEY: Final = "schema_version"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the layout; `rebuilds` names the derived indexes that it makes stale."""

    number: int
    sql: tuple[str, ...]
    rebuilds: tuple[str, ...] = ()


FIRST: Final = Migration(
    1,
    sql=(
        """CREATE TABLE context_entries (
            rowid_int INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            thread_id TEXT NOT NULL,
            source TEXT NOT NULL CHECK(source IN ('user', 'agent')),
            content_type TEXT NOT NULL CHECK(content_type IN ('text', 'multimodal')),
            text_content TEXT,
            metadata JSON,
            summary TEXT,
            content_hash TEXT,
            version INTEGER NOT NULL DEFAULT 0,
            created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
            updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
        )""",
        # With all that `versions` asks for, which behind a long text is slow to reach.
        """CREATE INDEX ctxls_newest ON
            context_entries(created_at, id, version, content_hash, updated_at)""",
        "CREATE INDEX ctxls_thread ON context_entries(thread_id, created_at, id)",
        """CREATE TABLE tags (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            context_entry_id TEXT NOT NULL,
            tag TEXT NOT NULL,
            FOREIGN KEY (context_entry_id) REFERENCES context_entries(id) ON DELETE CASCADE
        )""",
        "CREATE UNIQUE INDEX idx_tags_entry_tag ON tags(context_entry_id, tag)",
        "CREATE INDEX idx_tags_tag ON tags(tag)",
        """CREATE TABLE image_attachments (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            context_entry_id TEXT NOT NULL,
            image_data BLOB NOT NULL,
            mime_type TEXT NOT NULL,
            image_metadata JSON,
            position INTEGER DEFAULT 0,
            created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
            FOREIGN KEY (context_entry_id) REFERENCES context_entries(id) ON DELETE CASCADE
        )""",
        "CREATE INDEX idx_image_context ON image_attachments(context_entry_id)",
        """CREATE TABLE ctxls_private (
            context_entry_id TEXT PRIMARY KEY
                REFERENCES context_entries(id) ON DELETE CASCADE,
            owner TEXT NOT NULL
        )""",
        "CREATE TABLE ctxls_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    ),
)
MIGRATIONS: Final = (FIRST,)
SCHEMA_VERSION: Final = MIGRATIONS[-1].number
SET_VERSION: Final = "INSERT OR REPLACE INTO ctxls_meta (key, value) VALUES (?, ?)"
