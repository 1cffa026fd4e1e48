"""Go to match: from what stands at a place to the record, section or occurrence that it names.

A record id, an id prefix, a `context:` URI, a Markdown link and `[[title]]` lead to that record or
section. Any other word, or back-quoted text, leads to the sections titled so, else to its other
whole-word, case-sensitive occurrences, at most 50, newest record first.
"""

from contextlib import aclosing
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Final
from urllib.parse import unquote

from ctxls.errors import AmbiguousIdError, BadRequestError, NotFoundError
from ctxls.queries.library import Library
from ctxls.queries.scan import Clock, ScanOutOfTimeError, compiled, reading, scan
from ctxls.queries.titled import RECORD_START, Target, section_target, titled
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.records.filters import Filter, condition
from ctxls.records.metadata import parsed_metadata
from ctxls.records.record import StoredText
from ctxls.records.uri import parse_uri
from ctxls.text.lines import Span
from ctxls.text.matcher import Checkpoint, Match, find
from ctxls.text.outline import Outline, Section
from ctxls.text.pattern import LONGEST_LITERAL, Pattern
from ctxls.text.positions import Columns, Extent, Point
from ctxls.text.references import Pointed, is_whole_word, pointed_at
from ctxls.text.slugs import slug

MOST_OCCURRENCES: Final = 50


async def definition(
    library: Library, document: Document, offset: int, caller: Caller
) -> tuple[Target, ...]:
    """Return where the text at `offset` of `document` leads; nothing there, or nowhere: ()."""
    line = document.lines.span(document.lines.at(offset))
    for pointed in pointed_at(document.text, line, min(offset, line.end)):
        found = await _follow(library, document, pointed, caller)
        if found:
            return tuple(found)
    return ()


async def _follow(
    library: Library, document: Document, pointed: Pointed, caller: Caller
) -> list[Target]:
    match pointed.kind:
        case "title":
            found = await titled(library, pointed.text, document, caller)
            return [*found.records, *found.sections]
        case "link":
            return await _link(library, document, pointed.text, caller)
        case "uri":
            return await _uri(library, pointed.text, caller)
        case "id":
            return await _id(library, pointed.text, caller)
        case _:
            return await _word(library, document, pointed, caller)


async def _link(library: Library, document: Document, target: str, caller: Caller) -> list[Target]:
    """Follow a Markdown link: a context: URI, `#section`, or a path beside the record's own."""
    if target.lower().startswith("context:"):
        return await _uri(library, target, caller)
    path, _, fragment = target.partition("#")
    if "://" in path:
        return []
    if not path:
        return await _in_record(library, document, fragment)
    own = str(document.record.metadata.get("path", ""))
    wanted = normpath(join(dirname(own), unquote(path)))
    scope = Filter(conditions=(condition("path", "eq", wanted, case_sensitive=True),))
    ids = await library.store.select(scope, caller)
    found: list[Target] = []
    for record_id in ids[:MOST_OCCURRENCES]:
        found += await _in_record(library, await library.open(record_id, caller), fragment)
    return found


async def _uri(library: Library, uri: str, caller: Caller) -> list[Target]:
    try:
        fragment = parse_uri(uri).fragment
        document = await library.open(uri, caller)
    except (BadRequestError, NotFoundError):
        return []
    return await _in_record(library, document, fragment)


async def _id(library: Library, context_id: str, caller: Caller) -> list[Target]:
    """Follow an id or a prefix; a prefix of several records leads to all that are named."""
    try:
        documents = [await library.open(context_id, caller)]
    except AmbiguousIdError as error:
        ids = [candidate["id"] for candidate in error.data["candidates"]]
        documents = [await library.open(record_id, caller) for record_id in ids]
    except (BadRequestError, NotFoundError):
        return []
    return [Target(await library.place(document), RECORD_START) for document in documents]


async def _in_record(library: Library, document: Document, fragment: str) -> list[Target]:
    """Go to the place that a fragment names: `L10`, a node id, a heading's slug, or the start."""
    place = await library.place(document)
    number = fragment.removeprefix("L").split("-")[0]
    if fragment.startswith("L") and number.isdecimal():
        line = max(0, min(int(number[:9]), document.lines.visible) - 1)
        point = Point(line, Columns(0, 0, 0))
        return [Target(place, Extent(point, point))]
    section = _section(await library.outline(document), unquote(fragment)) if fragment else None
    if section is None:
        return [Target(place, RECORD_START)]
    return [section_target(place, document.text, document.lines, section)]


def _section(outline: Outline, fragment: str) -> Section | None:
    exact = outline.find(fragment)
    if exact is not None:
        return exact if exact.level else None
    wanted = slug(fragment)
    return next((item for item in outline.sections if slug(item.title) == wanted), None)


async def _word(
    library: Library, document: Document, pointed: Pointed, caller: Caller
) -> list[Target]:
    found_titles = await titled(library, pointed.text, document, caller)
    sections = [*found_titles.naming, *found_titles.sections]
    if sections or len(pointed.text) > LONGEST_LITERAL:
        return sections
    pattern = await compiled(library, pointed.text, is_regex=False, case_sensitive=True)
    clock = Clock(library.limits.interactive_seconds)
    judge = _WordJudge(pattern, document.record.id, pointed.span)
    ids = await library.store.select(Filter(), caller)
    found: list[Target] = []
    try:
        async with aclosing(scan(library, ids, caller, reading(document, judge), clock)) as batches:
            async for _ in batches:
                found += await _targets(library, judge.take())
    except ScanOutOfTimeError:
        found += await _targets(library, judge.take())
    return found


async def _targets(library: Library, taken: list[tuple[StoredText, list[Match]]]) -> list[Target]:
    found: list[Target] = []
    for stored, matches in taken:
        place = await library.place_of(stored, parsed_metadata(stored.metadata))
        found += [Target(place, match.extent) for match in matches]
    return found


@dataclass(slots=True)
class _WordJudge:
    """Runs in the worker thread: whole-word matches other than the one that was asked from."""

    pattern: Pattern
    own_id: str
    own_span: Span
    _room: int = MOST_OCCURRENCES
    _taken: list[tuple[StoredText, list[Match]]] = field(default_factory=list)

    def __call__(self, stored: StoredText, checkpoint: Checkpoint) -> bool:
        matches: list[Match] = []
        text = ""
        for match in find(self.pattern, stored.data, checkpoint):
            text = text or stored.data.decode()
            if not is_whole_word(text, match.span):
                continue
            if (stored.id, match.span) != (self.own_id, self.own_span):
                matches.append(match)
            if len(matches) == self._room:
                break
        self._room -= len(matches)
        if matches:
            self._taken.append((stored, matches))
        return self._room > 0

    def take(self) -> list[tuple[StoredText, list[Match]]]:
        """Hand over what was found since the last call."""
        taken, self._taken = self._taken, []
        return taken
