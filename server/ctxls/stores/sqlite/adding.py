"""Storing new records: all of them or none, in one transaction."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from aiosqlite import Connection

from ctxls.records.filters import tags_of
from ctxls.records.record import NewRecord, Record
from ctxls.records.storable import refuse_record
from ctxls.stores.ids import IDS
from ctxls.stores.sqlite.connection import transaction
from ctxls.stores.sqlite.recognising import our_version
from ctxls.stores.sqlite.times import stored_time

FIRST_VERSION: Final = 1
ENTRY: Final = """INSERT INTO context_entries (id, thread_id, source, content_type, text_content,
    metadata, summary, content_hash, version, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
TAG: Final = "INSERT INTO tags (context_entry_id, tag) VALUES (?, ?)"
PRIVATE: Final = "INSERT INTO ctxls_private (context_entry_id, owner) VALUES (?, ?)"


@dataclass(frozen=True, slots=True)
class Addition:
    """A record on its way into the store."""

    record: Record
    text: str
    is_private: bool


def additions(records: Sequence[NewRecord], longest_text: int) -> Sequence[Addition]:
    """Give new records their ids, hashes and times, or raise InvalidParamsError for one.

    Takes time for large texts: not for the event loop.
    """
    for record in records:
        refuse_record(record, longest_text)
    now = datetime.now(UTC)
    return [_addition(record, record.created or now) for record in records]


async def insert(writer: Connection, added: Sequence[Addition], owner: str) -> None:
    """Write the additions; the private ones readable by `owner` alone."""
    async with transaction(writer):
        await our_version(writer)  # refuses to write into what a newer ctxls made of it meanwhile
        await writer.executemany(ENTRY, [_entry(one) for one in added])
        await writer.executemany(
            TAG, [(one.record.id, tag) for one in added for tag in one.record.tags]
        )
        await writer.executemany(
            PRIVATE, [(one.record.id, owner) for one in added if one.is_private]
        )


def _addition(new: NewRecord, created: datetime) -> Addition:
    record = Record(
        id=IDS.take(),
        thread=new.thread,
        source=new.source,
        content_type=new.content_type,
        tags=tags_of(new.tags),
        metadata=dict(new.metadata),
        summary=new.summary,
        content_hash=sha256(new.text.encode()).hexdigest(),
        version=FIRST_VERSION,
        created=created.astimezone(UTC),
        updated=created.astimezone(UTC),
        total_chars=len(new.text),
    )
    return Addition(record, new.text, new.private)


def _entry(one: Addition) -> tuple[Any, ...]:
    record = one.record
    time = stored_time(record.created)
    return (
        record.id,
        record.thread,
        record.source,
        record.content_type,
        one.text,
        json.dumps(record.metadata, ensure_ascii=False, allow_nan=False),
        record.summary,
        record.content_hash,
        record.version,
        time,
        time,
    )
