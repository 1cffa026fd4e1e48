"""From rows to records."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, Final

from ctxls.records.filters import Filter, tags_of
from ctxls.records.metadata import parsed_metadata
from ctxls.records.record import (
    Candidate,
    Record,
    RecordFile,
    SectionSummary,
    StoredRecord,
    StoredText,
    TagSummary,
    ThreadSummary,
)
from ctxls.stores.cursors import Key
from ctxls.stores.sqlite.times import time_of

BYTES: Final = "\0"
"""Begins no time that is text."""
SUFFIXES: Final = {
    "image/avif": ".avif",
    "image/bmp": ".bmp",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/svg+xml": ".svg",
    "image/tiff": ".tiff",
    "image/webp": ".webp",
}


def stored_record(row: sqlite3.Row) -> StoredRecord:
    """Build a record with its text and section summaries."""
    text = (row["text"] or b"").decode("utf-8", "replace")
    record = Record(
        id=row["id"],
        thread=row["thread"] or "",
        source=row["source"] or "",
        content_type=row["content_type"] or "",
        tags=tags_of([tag for tag in _list(row["tags"]) if tag and tag.strip()]),
        metadata=parsed_metadata(row["metadata"] or ""),
        summary=row["summary"],
        content_hash=row["content_hash"],
        version=row["version"] or 0,
        created=time_of(row["created"]),
        updated=time_of(row["updated"]),
        total_chars=len(text),
        files=tuple(_files(row["files"])),
    )
    sections = (SectionSummary(*section) for section in _list(row["sections"]))
    return StoredRecord(record, text, tuple(sections))


def placed_text(row: tuple[Any, ...]) -> tuple[int, StoredText]:
    """Build what a scan needs, and its place; only text that is not UTF-8 is encoded anew."""
    data, place, record_id, thread, metadata = row
    return place, StoredText(record_id, thread or "", metadata or "{}", _valid(data or b""))


def candidate(row: sqlite3.Row) -> Candidate:
    """Build what tells one record from others of the same prefix."""
    text = (row["text"] or b"").decode("utf-8", "replace")
    metadata = parsed_metadata(row["metadata"] or "")
    return Candidate(row["id"], metadata, text, time_of(row["created"]))


def admitted_place(scope: Filter, row: sqlite3.Row) -> int | None:
    """Return the place of a record for which the metadata conditions hold."""
    place: int = row["place"]
    return place if scope.admits(parsed_metadata(row["metadata"] or "")) else None


def thread(row: sqlite3.Row) -> ThreadSummary:
    """Build a thread as lists show it."""
    return ThreadSummary(row["thread"] or "", row["records"], time_of(row["updated"]))


def tag(row: sqlite3.Row) -> TagSummary:
    """Build a tag as lists show it."""
    return TagSummary(row["tag"], row["records"])


def sort_time(stored: Any) -> Key:
    """Return a stored time as a cursor can hold it: bytes as hex digits after a mark."""
    return BYTES + stored.hex() if isinstance(stored, bytes) else stored


def time_sought(part: Any) -> Any:
    """Return the stored time that a cursor holds; what no `sort_time` gave stays as it is."""
    if isinstance(part, str) and part.startswith(BYTES):
        with suppress(ValueError):
            return bytes.fromhex(part.removeprefix(BYTES))
    return part


def _valid(data: bytes) -> bytes:
    if data.isascii():
        return data
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data


def _list(stored: str) -> list[Any]:
    """Read what our statement gathered as JSON."""
    found: list[Any] = json.loads(stored, strict=False)
    return found


def _files(stored: str) -> Iterator[RecordFile]:
    """Name each file after its metadata, else after its place; no two of a record alike."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for position, media_type, metadata, size in _list(stored):
        media = media_type or ""
        name = _file_name(metadata) or f"image-{position or 0}{SUFFIXES.get(media, '')}"
        yield RecordFile(_own_name(name, taken, numbers), media, size or 0)


def _own_name(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """Take a name that no file has; `numbers` remembers where each name's numbers go on."""
    own, split = name, PurePosixPath(name)
    number = numbers.get(name, 2)
    while own in taken:
        own = f"{split.stem}-{number}{split.suffix}"
        number += 1
    numbers[name] = number
    taken.add(own)
    return own


def _file_name(metadata: str | None) -> str:
    """Return the last part of the name in a file's metadata; blank where there is none."""
    known = parsed_metadata(metadata or "")
    found = known.get("filename") or known.get("name")
    return PurePosixPath(found.replace("\\", "/")).name if isinstance(found, str) else ""
