"""Following what names a place exactly: a record's id, a `context:` URI, a Markdown link."""

from posixpath import dirname, join, normpath
from typing import Final
from urllib.parse import unquote

from ctxls.errors import AmbiguousIdError, BadRequestError, NotFoundError
from ctxls.queries.lookup import Lookup
from ctxls.queries.titled import RECORD_START, Target, section_target
from ctxls.records.document import Document
from ctxls.records.filters import Filter, condition
from ctxls.records.uri import parse_uri
from ctxls.text.outline import Outline, Section
from ctxls.text.positions import Columns, Extent, Point
from ctxls.text.slugs import slug

MOST_OF_ONE_PATH: Final = 50


async def follow_link(lookup: Lookup, target: str) -> list[Target]:
    """Follow a Markdown link: a context: URI, `#section`, or a path beside the record's own."""
    if target.lower().startswith("context:"):
        return await follow_uri(lookup, target)
    path, _, fragment = target.partition("#")
    if "://" in path:
        return []
    if not path:
        return await _in_record(lookup, lookup.document, fragment)
    own = str(lookup.document.record.metadata.get("path", ""))
    wanted = normpath(join(dirname(own), unquote(path)))
    if "\0" in wanted:
        return []  # in no metadata
    scope = Filter(conditions=(condition("path", "eq", wanted, case_sensitive=True),))
    ids = await lookup.library.store.select(scope, lookup.caller)
    found: list[Target] = []
    for record_id in ids[:MOST_OF_ONE_PATH]:
        document = await lookup.library.open(record_id, lookup.caller)
        found += await _in_record(lookup, document, fragment)
    return found


async def follow_uri(lookup: Lookup, uri: str) -> list[Target]:
    """Follow a URI to its record, or to the place in it that its fragment names."""
    try:
        fragment = parse_uri(uri).fragment
        document = await lookup.library.open(uri, lookup.caller)
    except (BadRequestError, NotFoundError):
        return []
    return await _in_record(lookup, document, fragment)


async def follow_id(lookup: Lookup, context_id: str) -> list[Target]:
    """Follow an id or a prefix; a prefix of several records leads to all that are named."""
    library, caller = lookup.library, lookup.caller
    try:
        documents = [await library.open(context_id, caller)]
    except AmbiguousIdError as error:
        ids = [candidate["id"] for candidate in error.data["candidates"]]
        documents = [await library.open(record_id, caller) for record_id in ids]
    except (BadRequestError, NotFoundError):
        return []
    return [Target(await library.place(document), RECORD_START) for document in documents]


async def _in_record(lookup: Lookup, document: Document, fragment: str) -> list[Target]:
    """Go to the place that a fragment names: `L10`, a node id, a heading's slug, or the start."""
    library = lookup.library
    place = await library.place(document)
    number = fragment.removeprefix("L").split("-")[0]
    if fragment.startswith("L") and number.isdecimal():
        line = max(0, min(int(number[:9]), document.lines.visible) - 1)
        point = Point(line, Columns(0, 0, 0))
        return [Target(place, Extent(point, point))]
    section = None
    if fragment:
        outline = await library.outline(document)
        named = unquote(fragment)
        section = await library.off_loop(len(document.text), lambda: _section(outline, named))
    if section is None:
        return [Target(place, RECORD_START)]
    return [section_target(place, document.text, document.lines, section)]


def _section(outline: Outline, fragment: str) -> Section | None:
    exact = outline.find(fragment)
    if exact is not None:
        return exact if exact.level else None
    wanted = slug(fragment)
    return next((item for item in outline.sections if slug(item.title) == wanted), None)
