"""Part of one record: characters, lines, or a section."""

from dataclasses import dataclass

from ctxls.errors import InvalidParamsError
from ctxls.queries.library import Library
from ctxls.records.access import Caller
from ctxls.records.document import Document
from ctxls.records.place import Place
from ctxls.text import ranges
from ctxls.text.lines import Lines, Span
from ctxls.text.positions import Extent, extent_of


@dataclass(frozen=True, slots=True)
class RangeRequest:
    """Exactly one way to say which part; one end left out means the text's own."""

    start_char: int | None = None
    end_char: int | None = None
    start_line: int | None = None
    end_line: int | None = None
    node_id: str | None = None

    def __post_init__(self) -> None:
        ways = (
            (self.start_char, self.end_char) != (None, None),
            (self.start_line, self.end_line) != (None, None),
            self.node_id is not None,
        )
        if sum(ways) != 1:
            raise InvalidParamsError(
                "Give exactly one of startChar and endChar, startLine and endLine, or nodeId."
            )


@dataclass(frozen=True, slots=True)
class RangeAnswer:
    """What was resolved, and its text. Lines are 1-based; `end_line` holds the last character."""

    document: Document
    place: Place
    span: Span
    start_line: int
    end_line: int
    extent: Extent
    text: str


async def read_range(
    library: Library, context_id: str, request: RangeRequest, caller: Caller
) -> RangeAnswer:
    """Read part of a record; UnknownNodeError names the nearest ids."""
    document = await library.open(context_id, caller)
    span = await _resolve(library, document, request)
    first, last = _lines_of(document.lines, span)
    return RangeAnswer(
        document,
        await library.place(document),
        span,
        first + 1,
        last + 1,
        extent_of(document.text, document.lines, span),
        document.text[span.start : span.end],
    )


async def _resolve(library: Library, document: Document, request: RangeRequest) -> Span:
    if request.node_id is not None:
        outline, node_id = await library.outline(document), request.node_id
        return await library.off_loop(len(document.text), lambda: ranges.node(outline, node_id))
    if request.start_line is not None or request.end_line is not None:
        return ranges.line_range(document.lines, request.start_line, request.end_line)
    return ranges.chars(document.lines, request.start_char, request.end_char)


def _lines_of(lines: Lines, span: Span) -> tuple[int, int]:
    return lines.at(span.start), lines.at(max(span.start, span.end - 1))
