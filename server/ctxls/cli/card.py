"""A record's card: what is known of it beside its text."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from ctxls.cli.terminal import Output
from ctxls.queries.listing import ListedRecord
from ctxls.text.lines import Lines


def card(found: ListedRecord, uri: str, text: str, output: Output) -> Iterator[str]:
    """Write one line a fact, those without a value left out."""
    record, place = found.record, found.place
    facts = {
        "id": record.id,
        "uri": uri,
        "thread": record.thread,
        "source": record.source,
        "tags": ", ".join(record.tags),
        "created": minute(record.created),
        "updated": minute(record.updated) if record.updated != record.created else "",
        "version": str(record.version),
        "size": f"{len(text):,} characters, {Lines.of(text).visible:,} lines",
        "files": ", ".join(file.name for file in record.files),
        "summary": record.summary or "",
        **{key: _plain(value) for key, value in record.metadata.items() if key != "title"},
    }
    yield output.paint(output.name(place.title), "bold")
    width = max(map(len, facts))
    for name, value in facts.items():
        if value:
            yield f"{output.paint(output.name(f'{name:{width}}'), 'dim')}  {output.name(value)}"


def minute(moment: datetime) -> str:
    """Show a time to the minute, in UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%MZ}"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
