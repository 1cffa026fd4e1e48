"""How values are shown to one asker: under which URIs, in which encoding, and times in UTC."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ctxls.records.document import Document
from ctxls.records.place import Place
from ctxls.text.lines import Span
from ctxls.text.positions import Encoding, Extent, Point, units

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class View:
    """The session's, or the command line's (canonical URIs, utf-32)."""

    uri: Callable[[Place], str]
    encoding: Encoding

    def range(self, extent: Extent) -> Json:
        """Show an extent as an LSP Range."""
        return {"start": self._point(extent.start), "end": self._point(extent.end)}

    def span(self, document: Document, span: Span) -> Json:
        """Show a part of a document's text as an LSP Range."""
        return {"start": self._place(document, span.start), "end": self._place(document, span.end)}

    def _point(self, point: Point) -> Json:
        return {"line": point.line, "character": point.columns.count(self.encoding)}

    def _place(self, document: Document, offset: int) -> Json:
        """Do what `position_at` does, without its objects: outlines ask four times a heading."""
        lines = document.lines
        line = lines.at(offset)
        start = lines.starts[line]
        if offset == start:
            return {"line": line, "character": 0}
        before = document.text[start : min(offset, lines.ends[line])]
        return {"line": line, "character": units(before, self.encoding)}


def utc(moment: datetime) -> str:
    """Show a time as ISO 8601 in UTC, for example 2026-11-30T09:00:00Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
