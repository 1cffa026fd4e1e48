"""What a reader can point at in a line: links, `[[titles]]`, ids, URIs, words, `code`.

Pure: it says what is spelled at an offset, and knows no record.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ctxls.text.lines import Span

_WIKI: Final = re.compile(r"\[\[([^\[\]]+)\]\]")
_INLINE_LINK: Final = re.compile(
    r"""!?\[ (?:\\.|[^\]\\])*+ \]
        \( \s*+ (?: <([^<>]*+)> | ((?: \\. | [^\s()\\] | \([^\s()]*+\) )++) ) [^()]*+ \)""",
    re.VERBOSE,
)
_REFERENCE_LINK: Final = re.compile(r"\[((?:\\.|[^\]\\])++)\](?:\[((?:\\.|[^\]\\])*+)\])?")
_URI: Final = re.compile(r"context:[^\s<>\"'`|]+", re.IGNORECASE)
_ID: Final = re.compile(r"(?<![\w-])[0-9a-f](?:-?[0-9a-f]){7,35}(?![\w-])", re.IGNORECASE)
_BACKTICKS: Final = re.compile("`+")
_TRAILING: Final = ".,;:!?)]}*_"
MOST_READ: Final = 1000
"""Characters read on either side of the cursor. Python's `re` may take quadratic time on a line
made to be slow, so it is never given more than this."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """What stands at a place: `kind` is `title`, `link`, `uri`, `id` or `word`."""

    kind: str
    text: str
    span: Span


def pointed_at(text: str, line: Span, offset: int) -> list[Pointed]:
    """Return what is spelled at `offset`, the most specific reading first."""
    start = max(line.start, offset - MOST_READ)
    part = text[start : min(line.end, offset + MOST_READ)]
    at = offset - start
    found = [
        *_around(_WIKI, part, at, "title"),
        *_around(_INLINE_LINK, part, at, "link"),
        *_reference_links(text, part, at),
        *_uris(part, at),
        *_around(_ID, part, at, "id"),
        *_words(part, at),
    ]
    return [
        Pointed(item.kind, item.text, Span(item.span.start + start, item.span.end + start))
        for item in found
    ]


def is_word_character(char: str) -> bool:
    """Whether `char` belongs to a word: a letter, a digit or `_`, of Unicode."""
    return char.isalnum() or char == "_"


def is_whole_word(text: str, span: Span) -> bool:
    """Whether neither neighbour of `span` belongs to a word."""
    before, after = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
    return not any(map(is_word_character, before + after))


def _around(pattern: re.Pattern[str], part: str, at: int, kind: str) -> list[Pointed]:
    for found in pattern.finditer(part):
        if found.start() <= at <= found.end():
            texts = [group for group in found.groups() if group is not None] or [found.group()]
            return [Pointed(kind, texts[-1].strip(), Span(*found.span()))]
    return []


def _reference_links(text: str, part: str, at: int) -> list[Pointed]:
    for found in _REFERENCE_LINK.finditer(part):
        if found.start() <= at <= found.end():
            target = _definition(text, found[2] or found[1])
            return [Pointed("link", target, Span(*found.span()))] if target else []
    return []


def _definition(text: str, label: str) -> str | None:
    """Find where `[label]: target` stands in the text; a link without one is no link."""
    words = r"\s+".join(map(re.escape, label.split()))
    spelled = rf"(?:^|[\r\n]) {{0,3}}\[\s*{words}\s*\]:[ \t]*(?:<([^<>\r\n]*)>|([^\s<]\S*))"
    found = re.search(spelled, text, re.IGNORECASE) if words else None
    return (found[1] or found[2]) if found else None


def _uris(part: str, at: int) -> list[Pointed]:
    for found in _URI.finditer(part):
        uri = found.group().rstrip(_TRAILING)
        if found.start() <= at <= found.start() + len(uri):
            return [Pointed("uri", uri, Span(found.start(), found.start() + len(uri)))]
    return []


def _words(part: str, at: int) -> list[Pointed]:
    for start, end in _code_spans(part):
        code = part[start:end].strip()
        if start <= at <= end and code:
            begin = part.index(code, start)
            return [Pointed("word", code, Span(begin, begin + len(code)))]
    start = end = at
    while start > 0 and is_word_character(part[start - 1]):
        start -= 1
    while end < len(part) and is_word_character(part[end]):
        end += 1
    return [Pointed("word", part[start:end], Span(start, end))] if start < end else []


def _code_spans(part: str) -> Iterator[tuple[int, int]]:
    """Yield what stands between two runs of backticks of one length, as CommonMark pairs them."""
    runs = [found.span() for found in _BACKTICKS.finditer(part)]
    waiting: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        waiting.setdefault(runs[number][1] - runs[number][0], []).append(number)
    number = 0
    while number < len(runs):
        start, end = runs[number]
        same = waiting[end - start]
        while same and same[-1] <= number:
            same.pop()
        if same:
            number = same[-1]
            yield end, runs[number][0]
        number += 1
