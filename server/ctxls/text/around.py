"""The lines before and after a place, found without indexing the whole text."""

from collections.abc import Iterator
from itertools import islice

from ctxls.text.headings import line_end
from ctxls.text.lines import Span


def lines_before(text: str, line_start: int, most: int) -> list[Span]:
    """Return up to `most` lines before the one that begins at `line_start`, in their order."""
    return list(islice(_backwards(text, line_start), most))[::-1]


def lines_after(text: str, end: int, most: int) -> list[Span]:
    """Return up to `most` lines behind the one that ends at `end`, before its line end."""
    return list(islice(_forwards(text, end), most))


def _backwards(text: str, start: int) -> Iterator[Span]:
    while start > 0:
        end = start - (2 if text[max(0, start - 2) : start] == "\r\n" else 1)
        start = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
        yield Span(start, end)


def _forwards(text: str, end: int) -> Iterator[Span]:
    while end < len(text):
        start = end + (2 if text[end : end + 2] == "\r\n" else 1)
        if start == len(text):  # no line follows a final line end
            return
        end = line_end(text, start)
        yield Span(start, end)
