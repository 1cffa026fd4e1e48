"""Telling without a parse whether a line may be a heading's first, so that most hits cost none."""

import re
from typing import Final

from ctxls.text.lines import LINE_END

_ATX: Final = re.compile("\ufeff? {0,3}#{1,6}(?:[ \t\r\n]|$)")
_BLANK: Final = re.compile(r"\s*?(?:[\r\n]|\Z)")
_PARAGRAPH_END: Final = re.compile(
    r"(?:\r\n?+|\n)(?: {0,3}(?P<underline>=++|-++))?[ \t]*+(?=[\r\n]|\Z)"
)
"""A line that underlines what stands before it, or a blank one."""
_MAY_BE: Final = re.compile(
    "(?:^\ufeff?|(?<=[\r\n])) {0,3}(?:#{1,6}(?:[ \t\r\n]|$)|(?:=++|-++)[ \t]*+(?:[\r\n]|$))"
)
_MOST_READ: Final = 4096
"""Characters looked at: a setext heading longer than this is not recognised."""


def may_be_heading(text: str, line_start: int) -> bool:
    """Whether the line at `line_start` looks like a heading; the outline has the last word."""
    if _ATX.match(text, line_start):
        return True
    end = line_start + _MOST_READ
    found = _PARAGRAPH_END.search(text, line_start, end)
    if not found or found["underline"] is None:
        return False
    return not _BLANK.match(text, line_start, end)


def next_heading(text: str, start: int, end: int) -> int | None:
    """Find a place in the next line that may belong to a heading, between two line starts."""
    found = _MAY_BE.search(text, start, end)
    return found.start() if found else None


def line_end(text: str, offset: int) -> int:
    """Return where the line that holds `offset` ends, before its line end."""
    found = LINE_END.search(text, offset)
    return found.start() if found else len(text)


def first_line_start(text: str) -> int:
    """Return where the first line with text begins: the title of a record without headings."""
    blank = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    return max(text.rfind("\n", 0, blank), text.rfind("\r", 0, blank)) + 1
