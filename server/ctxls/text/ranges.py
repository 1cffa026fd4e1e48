"""What part of a text a request means: characters, lines, or one section.

Past the end clamps, an inverted range is empty at its start, and a negative number is refused:
an offset captured in an earlier turn degrades gracefully when the record was edited since.
"""

from difflib import get_close_matches
from typing import Final

from ctxls.errors import InvalidParamsError, UnknownNodeError
from ctxls.text.lines import Lines, Span
from ctxls.text.outline import Outline
from ctxls.text.printable import quoted

MOST_NEAREST: Final = 5
_MOST_COMPARED: Final = 2_000


def chars(lines: Lines, start: int | None, end: int | None) -> Span:
    """Resolve a range of code points, end exclusive; a missing end means the text's own."""
    _refuse_below(0, startChar=start, endChar=end)
    first = min(start or 0, lines.length)
    last = lines.length if end is None else min(end, lines.length)
    return Span(first, max(first, last))


def line_range(lines: Lines, start: int | None, end: int | None) -> Span:
    """Resolve a range of 1-based lines, both inclusive, without the last line's end.

    A start past the last line is empty at the text's end; an inverted range is empty at the
    start of its first line.
    """
    _refuse_below(1, startLine=start, endLine=end)
    first = (start or 1) - 1
    if first >= lines.visible:
        return Span(lines.length, lines.length)
    last = lines.visible - 1 if end is None else min(end, lines.visible) - 1
    begin = lines.starts[first]
    return Span(begin, lines.ends[last] if last >= first else begin)


def node(outline: Outline, node_id: str) -> Span:
    """Resolve a node id to its section, or raise UnknownNodeError with the nearest ids."""
    section = outline.find(node_id)
    if section is not None:
        return section.span
    known = [section.node_id for section in outline.sections[:_MOST_COMPARED]]
    nearest = get_close_matches(node_id[:400], known, MOST_NEAREST, cutoff=0.3)
    hint = f"; the nearest are {', '.join(nearest)}" if nearest else ""
    raise UnknownNodeError(
        f"The record has no section {quoted(node_id)}{hint}.",
        nodeId=node_id[:400],
        nearest=nearest,
    )


def _refuse_below(least: int, **numbers: int | None) -> None:
    for name, number in numbers.items():
        if number is not None and number < least:
            raise InvalidParamsError(f"{name} is {number}; it must be {least} or more.")
