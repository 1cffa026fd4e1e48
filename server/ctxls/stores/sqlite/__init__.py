"""Records in a SQLite file: ours, or one of mcp-context-server opened in place."""

from ctxls.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
