"""A record as an editor sees it: one text with its lines, and the rules for its title."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ctxls.records.metadata import parsed_metadata
from ctxls.records.record import Record, SectionSummary
from ctxls.text.lines import LINE_END, Lines, Span
from ctxls.text.outline import Section, outline_key

LONGEST_NAME: Final = 400
LONGEST_FIRST_LINE: Final = 80
UNTITLED: Final = "(untitled)"


@dataclass(frozen=True)
class Document:
    """A record with one text of it: the stored one, or what a session's client has open.

    Not slotted, since the line index is made when first asked for and kept.
    """

    record: Record
    text: str
    summaries: tuple[SectionSummary, ...] = ()

    @cached_property
    def lines(self) -> Lines:
        """The line index of the text."""
        return Lines.of(self.text)

    @cached_property
    def key(self) -> bytes:
        """What the text's outline is kept by."""
        return outline_key(self.text.encode())

    def summary_of(self, section: Section) -> str | None:
        """Return the stored abstract of `section`, if one was written about just this span.

        The root's is the record's own summary. Ids move when headings do, so a row is trusted by
        id only when its span is today's, else by an equal span, else not at all.
        """
        if section.level == 0:
            return self.record.summary
        rows = self._summaries_by_span.get(section.span, ())
        by_id = [row for row in rows if row.node_id == section.node_id]
        return next((row.text for row in (*by_id, *rows)), None)

    @cached_property
    def _summaries_by_span(self) -> Mapping[Span, Sequence[SectionSummary]]:
        found: dict[Span, list[SectionSummary]] = {}
        for row in self.summaries:
            found.setdefault(Span(row.start, row.end), []).append(row)
        return found


def shown(title: str) -> str:
    """Return a name fit for an answer: never blank, at most 400 characters."""
    return title[:LONGEST_NAME] if title.strip() else UNTITLED


def title_of(record_id: str, metadata: Mapping[str, Any], text: str, heading: str | None) -> str:
    """Return a record's title: from its metadata, first heading, first line with text, or id.

    `heading` is the first heading's title, None where there is none. It is not looked at where
    `named(metadata)` is true, so that it need not be known then.
    """
    if named(metadata):
        return shown(str(metadata["title"]).strip())
    return shown(heading if heading is not None else _first_line(text) or record_id)


def spelled_title(metadata: str) -> str | None:
    """Return the title that metadata, as JSON, gives a record; None where it gives none.

    Most has none, and is not parsed to learn that. JSON may spell any letter as an escape.
    """
    if '"title"' not in metadata and "\\u" not in metadata:
        return None
    found = parsed_metadata(metadata)
    return str(found["title"]).strip() if named(found) else None


def named(metadata: Mapping[str, Any]) -> bool:
    """Whether the metadata alone gives the title."""
    title = metadata.get("title")
    return isinstance(title, str) and bool(title.strip())


def _first_line(text: str) -> str:
    found = re.search(r"\S", text.removeprefix("\ufeff"))
    if not found:
        return ""
    rest = text.removeprefix("\ufeff")[found.start() : found.start() + 4 * LONGEST_FIRST_LINE]
    return LINE_END.split(rest, maxsplit=1)[0].strip()[:LONGEST_FIRST_LINE]
