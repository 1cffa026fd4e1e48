"""Telling without a parse whether a line may be a heading's first, so that most hits cost none."""

import re
from typing import Final

from ctxls.text.lines import LINE_END

_ATX: Final = re.compile("\ufeff? {0,3}#{1,6}(?:[ \t]|$)")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_MAY_BE: Final = re.compile(
    "(?:^\ufeff?|(?<=[\r\n])) {0,3}(?:#{1,6}(?:[ \t\r\n]|$)|(?:=++|-++)[ \t]*+(?:[\r\n]|$))"
)
_MOST_READ: Final = 4096
"""Characters looked at: a setext heading longer than this is not recognised."""


def may_be_heading(text: str, line_start: int) -> bool:
    """Whether the line at `line_start` looks like a heading; the outline has the last word."""
    lines = LINE_END.split(text[line_start : line_start + _MOST_READ])
    if _ATX.match(lines[0]):
        return True
    return bool(lines[0].strip()) and any(map(_UNDERLINE.fullmatch, _paragraph(lines[1:])))


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


def _paragraph(lines: list[str]) -> list[str]:
    blank = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    return lines[:blank]
