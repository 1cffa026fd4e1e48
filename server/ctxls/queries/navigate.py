"""The table of contents of one record."""

from dataclasses import dataclass

from ctxls.errors import InvalidParamsError
from ctxls.queries.library import Library
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.records.place import Place
from ctxls.text.outline import Outline, Section

DEEPEST: int = 6


@dataclass(frozen=True, slots=True)
class Navigation:
    """A record's outline, and which of its sections are shown: those at most so deep."""

    document: Document
    place: Place
    outline: Outline
    shown: tuple[Section, ...]


async def navigate(
    library: Library, context_id: str, caller: Caller, max_depth: int = DEEPEST
) -> Navigation:
    """Return the heading tree down to `max_depth` steps below the root. Ids do not depend on it."""
    if max_depth < 0:
        raise InvalidParamsError(f"maxDepth is {max_depth}; it must be 0 or more.")
    document = await library.open(context_id, caller)
    outline = await library.outline(document)
    place = await library.place(document)
    shown = await library.off_loop(len(outline.sections), lambda: _shown(outline, max_depth))
    return Navigation(document, place, outline, shown)


def _shown(outline: Outline, max_depth: int) -> tuple[Section, ...]:
    depths: list[int] = []
    for section in outline.sections:
        depths.append(1 if section.parent is None else depths[section.parent] + 1)
    pairs = zip(outline.sections, depths, strict=True)
    return tuple(section for section, depth in pairs if depth <= max_depth)
