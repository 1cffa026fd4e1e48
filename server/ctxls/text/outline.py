"""The heading tree of a Markdown text, with a node id and a span for every section.

Headings are CommonMark's, as markdown-it-py parses them, at the top level alone: none inside
quotes or lists. Only the block rules run over the text (an inline parse costs five times as
much and finds the same headings); a title is parsed inline by itself, with the link definitions
of the whole text. YAML front matter at the very top is no heading.

markdown-it-py turns NUL into U+FFFD and folds line ends, so sections are mapped by line number
and never by its offsets; it does not skip a BOM, so the text is given to it without one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ctxls.text.lines import Lines, Span
from ctxls.text.slugs import slug
from ctxls.text.titles import Titles

ROOT_ID: Final = "root"
BOM: Final = "\ufeff"
_BLANKS: Final = " \t"
_HEAD: Final = 4096


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and all text under it, for example `## Install` and its paragraphs.

    `span` runs from the first line of the heading to the next heading of the same or a shallower
    level, or to the end of the text; `heading` is the heading's first line without its line end.
    `ordinal` is 1 for the first sibling with its base slug, 2 for the next. The title is plain
    text and may be empty.
    """

    node_id: str
    level: int
    ordinal: int
    title: str
    span: Span
    heading: Span
    parent: int | None
    """The parent's index in `Outline.sections`; None at the top."""


@dataclass(frozen=True, slots=True)
class Outline:
    """All sections of a text in document order, and the synthetic root around them."""

    root: Section
    sections: tuple[Section, ...]

    def find(self, node_id: str) -> Section | None:
        """Return the section with that id, the root included."""
        if node_id == ROOT_ID:
            return self.root
        return next((section for section in self.sections if section.node_id == node_id), None)

    def at(self, offset: int) -> Section:
        """Return the innermost section that holds `offset`; before the first heading, the root."""
        low, high = 0, len(self.sections)
        while low < high:
            middle = (low + high) // 2
            if self.sections[middle].span.start <= offset:
                low = middle + 1
            else:
                high = middle
        return self.sections[low - 1] if low else self.root

    def trail(self, section: Section) -> tuple[Section, ...]:
        """Return the sections from the top down to `section`, itself included; no root."""
        found: list[Section] = []
        parent = section.parent
        while parent is not None:
            found.append(self.sections[parent])
            parent = self.sections[parent].parent
        return (*reversed(found), *((section,) if section.level else ()))


@dataclass(frozen=True, slots=True)
class _Heading:
    line: int
    level: int
    source: str


def parse_outline(text: str, lines: Lines | None = None) -> Outline:
    """Parse the outline of `text`; about 7 MB a second, and 14 µs a heading."""
    lines = Lines.of(text) if lines is None else lines
    whole = Span(0, len(text))
    root = Section(ROOT_ID, 0, 1, "", whole, lines.span(0), None)
    if "#" not in text and "=" not in text and "-" not in text:
        return Outline(root, ())
    tokens, definitions = _blocks(text, lines)
    headings = list(_headings(tokens))
    titles = Titles(definitions)
    return Outline(root, tuple(_sections(headings, titles, lines)))


def first_title(text: str) -> str | None:
    """Return the first heading's title where a text begins with one, without parsing the rest.

    None means that the outline must tell: the text begins with something else, or the heading may
    hold a link, whose definition may stand anywhere.
    """
    head = text[:_HEAD]
    lines = Lines.of(head)
    whole_lines = len(lines) - (len(text) > _HEAD)  # the last one may be cut
    for number in range(front_matter_lines(head, lines), whole_lines):
        span = lines.span(number)
        line = head[span.start : span.end].removeprefix("" if number else BOM)
        if line.strip(_BLANKS):
            return _atx_title(line)
    return None


def front_matter_lines(text: str, lines: Lines) -> int:
    """Count the lines of YAML front matter at the very top, both fences included; 0 for none.

    The first line is `---` (a BOM may precede), the second is not blank, and a line `---` or
    `...` closes it; blanks may follow either fence.
    """

    def line(number: int) -> str:
        span = lines.span(number)
        return text[span.start : span.end]

    if len(lines) < 2 or not text.startswith(("---", BOM + "---")):
        return 0
    if line(0).removeprefix(BOM).rstrip(_BLANKS) != "---" or not line(1).strip(_BLANKS):
        return 0
    for number in range(1, len(lines)):
        if line(number).rstrip(_BLANKS) in {"---", "..."}:
            return number + 1
    return 0


def _atx_title(line: str) -> str | None:
    if "[" in line or not line.lstrip(" ").startswith("#"):
        return None
    sections = parse_outline(line).sections
    return sections[0].title if sections else None


def _blocks(text: str, lines: Lines) -> tuple[list[Token], dict[str, object]]:
    """Run the block rules; token lines are the text's, since front matter becomes blank lines."""
    matter = front_matter_lines(text, lines)
    body = text[lines.starts[matter] if matter < len(lines) else len(text) :]
    definitions: dict[str, object] = {}
    source = "\n" * matter + (body if matter else body.removeprefix(BOM))
    return _block_parser().parse(source, definitions), definitions


@cache
def _block_parser() -> MarkdownIt:
    """Make the parser once: making it takes as long as parsing a small record."""
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _headings(tokens: list[Token]) -> Iterator[_Heading]:
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            yield _Heading(opening.map[0], int(opening.tag[1]), content.content)


def _sections(headings: list[_Heading], titles: Titles, lines: Lines) -> list[Section]:
    ends = _ends(headings, lines)
    sections: list[Section] = []
    siblings: dict[int | None, _Slugs] = {None: _Slugs({ROOT_ID})}
    open_sections: list[int] = []
    for number, heading in enumerate(headings):
        while open_sections and headings[open_sections[-1]].level >= heading.level:
            siblings.pop(open_sections.pop(), None)
        parent = open_sections[-1] if open_sections else None
        own, ordinal = siblings.setdefault(parent, _Slugs(set())).take(slug(heading.source))
        prefix = "" if parent is None else sections[parent].node_id + "/"
        sections.append(
            Section(
                prefix + own,
                heading.level,
                ordinal,
                titles.plain(heading.source),
                Span(lines.starts[heading.line], ends[number]),
                lines.span(heading.line),
                parent,
            )
        )
        open_sections.append(number)
    return sections


def _ends(headings: list[_Heading], lines: Lines) -> list[int]:
    """Find where each section ends, walking backwards: the next start at each level or less."""
    ends: list[int] = [0] * len(headings)
    next_start = [lines.length] * 7  # by level: where the next heading of that level begins
    for number in range(len(headings) - 1, -1, -1):
        heading = headings[number]
        ends[number] = min(next_start[1 : heading.level + 1])
        next_start[heading.level] = lines.starts[heading.line]
    return ends


class _Slugs:
    """The slugs taken under one parent; each next free one is found without a rescan."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._seen: dict[str, int] = {}
        self._next: dict[str, int] = {}

    def take(self, base: str) -> tuple[str, int]:
        """Return a free slug made from `base`, and how many siblings have had that base."""
        ordinal = self._seen[base] = self._seen.get(base, 0) + 1
        own = base
        if own in self._taken:
            suffix = self._next.get(base, 2)
            while (own := f"{base}-{suffix}") in self._taken:
                suffix += 1
            self._next[base] = suffix + 1
        self._taken.add(own)
        return own, ordinal
