"""Go to match: from what stands at a place to the record, section or occurrence that it names.

A record id, an id prefix, a `context:` URI, a Markdown link and `[[title]]` lead to that record or
section. Any other word, or back-quoted text, leads to the sections titled so, else to its other
whole-word, case-sensitive occurrences, at most 50, newest record first.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ctxls.queries.clock import SHOWING_S, Clock
from ctxls.queries.following import follow_id, follow_link, follow_uri
from ctxls.queries.library import Library
from ctxls.queries.lookup import Lookup
from ctxls.queries.occurrences import occurrences
from ctxls.queries.titled import MOST_TITLED, End, Target, titled
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.text.pattern import LONGEST_LITERAL
from ctxls.text.references import Pointed, pointed_at


@dataclass(frozen=True, slots=True)
class Definition:
    """Where the text leads, and, where more may have been found, the sentence that says so."""

    targets: tuple[Target, ...] = ()
    cut: str | None = None


async def definition(
    library: Library, document: Document, offset: int, caller: Caller
) -> Definition:
    """Return where the text at `offset` of `document` leads, as far as the budget reaches."""
    seconds = library.limits.interactive_seconds
    lookup = Lookup(library, document, caller, Clock(seconds))
    found = _Found()
    try:
        async with asyncio.timeout(seconds + SHOWING_S):
            await _look(lookup, offset, found)
    except TimeoutError:
        found.end = End.TIME
    return Definition(tuple(found.targets), _cut(found.end, seconds))


@dataclass(slots=True)
class _Found:
    targets: Sequence[Target] = ()
    end: End = End.ALL


def _cut(end: End, seconds: float) -> str | None:
    match end:
        case End.ALL:
            return None
        case End.TIME:
            return f"Go to definition was cut after {seconds:g} seconds; there may be more to find."
        case End.MANY:
            return f"Go to definition was cut at {MOST_TITLED} places; more have that title."


async def _look(lookup: Lookup, offset: int, found: _Found) -> None:
    """Follow what is spelled at `offset`, the most specific reading first, until one leads on."""
    for pointed in await _pointed(lookup, offset):
        await _follow(lookup, pointed, found)
        if found.targets or found.end is End.TIME:
            return


async def _pointed(lookup: Lookup, offset: int) -> Sequence[Pointed]:
    text, lines = lookup.document.text, lookup.document.lines
    line = lines.span(lines.at(offset))
    return await lookup.library.off_loop(
        len(text), lambda: pointed_at(text, line, min(offset, line.end))
    )


async def _follow(lookup: Lookup, pointed: Pointed, found: _Found) -> None:
    match pointed.kind:
        case "title":
            named = await titled(lookup, pointed.text)
            found.targets, found.end = (*named.records, *named.sections), named.end
        case "link":
            found.targets = await follow_link(lookup, pointed.text)
        case "uri":
            found.targets = await follow_uri(lookup, pointed.text)
        case "id":
            found.targets = await follow_id(lookup, pointed.text)
        case _:
            await _follow_word(lookup, pointed, found)


async def _follow_word(lookup: Lookup, pointed: Pointed, found: _Found) -> None:
    named = await titled(lookup, pointed.text)
    found.targets, found.end = (*named.naming, *named.sections), named.end
    if found.targets or found.end is End.TIME or len(pointed.text) > LONGEST_LITERAL:
        return
    others = await occurrences(lookup, pointed)
    found.targets, found.end = others.targets, others.end
