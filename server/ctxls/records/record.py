"""What is stored: a record, its text, its files, and what a new one is made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

SOURCES: Final = ("user", "agent")
CONTENT_TYPES: Final = ("text", "multimodal")

RecordId = str
"""32 lower-case hex digits (UUIDv7), or the decimal number of the peer's 2.x layout."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file that belongs to a record: its name, media type and size in bytes."""

    name: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Record:
    """All of a record but its text. Times are aware and in UTC."""

    id: RecordId
    thread: str
    source: str
    content_type: str
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    summary: str | None
    content_hash: str | None
    version: int
    created: datetime
    updated: datetime
    total_chars: int
    files: tuple[RecordFile, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """A stored abstract of one section, with the span of the text that it was written about."""

    node_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record with its text and its section summaries, all of one version."""

    record: Record
    text: str
    summaries: tuple[SectionSummary, ...] = ()


class StoredText(NamedTuple):
    """One record's text on its way through a scan, with what a hit is shown by.

    A tuple, since a scan makes tens of thousands of them.
    `data` is UTF-8 and always decodes: what was not UTF-8 in the store reads as U+FFFD.
    `metadata` is the JSON as stored; a scan parses it for the records that it shows, no others.
    """

    id: RecordId
    thread: str
    metadata: str
    data: bytes


@dataclass(frozen=True, slots=True)
class NewRecord:
    """What a caller wants stored. `created` is now unless an import knows better."""

    thread: str
    source: str
    text: str
    content_type: str = "text"
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    summary: str | None = None
    private: bool = False
    created: datetime | None = None


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """A thread as lists show it: how many readable records, and when one last changed."""

    thread: str
    records: int
    updated: datetime


@dataclass(frozen=True, slots=True)
class TagSummary:
    """A tag and how many readable records carry it."""

    tag: str
    records: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that an id prefix may have meant."""

    id: RecordId
    metadata: Mapping[str, Any]
    text: str
    created: datetime
