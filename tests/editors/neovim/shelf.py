"""A store, and the plain records that most tests read."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from editors.neovim.odd import Odd
from making import record
from processes import stored

LINES_BEFORE: Final = "\n".join(f"line {number}" for number in range(1, 41))

PLAN: Final = f"""# Rollback plan

{LINES_BEFORE}

## 🧭 Steps

1. 🧭 drain the queue

### Before noon

Wait.

## Afterwards

🧭 see `Incident in March` and drain
"""
INCIDENT: Final = f"""# Incident in March

{LINES_BEFORE}

## 🧭 Cause

🧭 drain was full
[[Rollback plan]] was read.
"""
PLAIN: Final = (
    ("Rollback plan", "deploy", PLAN),
    ("Incident in March", "incidents/2026", INCIDENT),
    ("tag:db, and more", "deploy", "# Labels\n\nNone.\n"),
    ("100% of #1, done?", "odd thread", "# What is left\n\nNothing.\n"),
    ("時刻表の検索", "検索", "# 時刻表の検索\n\n遅い。\n"),
    ("Same name", "first", "# Same name\n\none\n"),
    ("Same name", "second", "# Same name\n\ntwo\n"),
)
"""Title, thread and text of each, oldest first."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """A store file, and the ids of its records by title."""

    store: Path
    ids: dict[str, str]

    def uri(self, title: str, path: str = "any/where") -> str:
        """Return a URI of a record; what is before the id is for people."""
        return f"context://local/{path}.{self.ids[title]}.md"

    def sql(self, statement: str, *values: Any) -> list[Any]:
        """Run a statement as another program would, and return its rows."""
        with closing(sqlite3.connect(self.store)) as database, database:
            return database.execute(statement, values).fetchall()

    def set_text(self, title: str, text: str | bytes) -> None:
        """Change a record's text, to bytes that are no UTF-8 if need be."""
        data = text.encode() if isinstance(text, str) else text
        change = "UPDATE context_entries SET text_content = CAST(? AS TEXT) WHERE id = ?"
        self.sql(change, data, self.ids[title])

    def delete(self, title: str) -> str:
        """Delete a record and return its id."""
        self.sql("DELETE FROM context_entries WHERE id = ?", self.ids[title])
        return self.ids[title]


def shelf_of(folder: Path, records: Sequence[Any]) -> Shelf:
    """Store records in a new store: `(title, thread, text)` ones, and odd ones."""
    rows = [(item.name, "odd", item.text) if isinstance(item, Odd) else item for item in records]
    new = [record(text.replace("\0", "0"), thread, title) for title, thread, text in rows]
    kept = asyncio.run(stored(folder / "records.db", new))
    ids = {title: found.id for (title, _, _), found in zip(rows, kept, strict=True)}
    shelf = Shelf(folder / "records.db", ids)
    for item in records:  # what only other programs store
        if isinstance(item, Odd) and (item.stored or "\0" in item.text):
            shelf.set_text(item.name, item.stored or item.text)
    return shelf
