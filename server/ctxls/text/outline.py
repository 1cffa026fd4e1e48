"""The heading tree of a Markdown text, with a node id and a span for every section.

Headings are CommonMark's, as markdown-it-py parses them, at the top level alone: none inside
quotes or lists. Only the block rules run over the text (an inline parse costs five times as
much and finds the same headings); a title is parsed inline by itself, with the link definitions
of the whole text. YAML front matter at the very top is no heading.

markdown-it-py turns NUL into U+FFFD and folds line ends, so sections are mapped by line number
and never by its offsets; it does not skip a BOM, so the text is given to it without one.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from ctxls.text.contents import ROOT_ID, Contents, contents
from ctxls.text.lines import Lines, Span
from ctxls.text.slices import BOM, BOUNDS, Bounds, headings
from ctxls.text.titles import Titles

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
    start: int
    end: int
    heading_end: int
    parent: int | None
    """The parent's index in `Outline.sections`; None at the top."""

    @property
    def span(self) -> Span:
        """The heading and all text under it."""
        return Span(self.start, self.end)

    @property
    def heading(self) -> Span:
        """The heading's first line."""
        return Span(self.start, self.heading_end)


@dataclass(frozen=True, slots=True)
class Outline:
    """All sections of a text in document order, and the synthetic root around them."""

    root: Section
    sections: tuple[Section, ...]
    is_whole: bool = True
    """Whether every heading is among them; what follows belongs to the last one otherwise."""

    @classmethod
    def of(cls, contents: Contents) -> "Outline":
        """Make the outline that `contents` describe."""
        sections: list[Section] = []
        columns = zip(
            contents.levels,
            contents.ordinals,
            contents.titles,
            contents.starts,
            contents.ends(),
            contents.heading_ends,
            contents.slugs,
            contents.parents(),
            strict=True,
        )
        for level, ordinal, title, start, end, heading_end, own, parent in columns:
            node_id = own if parent is None else f"{sections[parent].node_id}/{own}"
            sections.append(
                Section(node_id, level, ordinal, title, start, end, heading_end, parent)
            )
        root = Section(ROOT_ID, 0, 1, "", 0, contents.length, contents.first_line_end, None)
        return cls(root, tuple(sections), contents.is_whole)

    def contents(self) -> Contents:
        """Return what this outline can be made from again."""
        sections = self.sections
        return Contents(
            [section.level for section in sections],
            [section.start for section in sections],
            [section.heading_end for section in sections],
            [section.node_id.rpartition("/")[2] for section in sections],
            [section.ordinal for section in sections],
            [section.title for section in sections],
            self.root.end,
            self.root.heading_end,
            self.is_whole,
        )

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
            if self.sections[middle].start <= offset:
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


def parse_outline(text: str, lines: Lines | None = None, bounds: Bounds = BOUNDS) -> Outline:
    """Parse the outline of `text`, as far as `bounds` reach."""
    lines = Lines.of(text) if lines is None else lines
    found = headings(text, lines, front_matter_lines(text, lines), bounds)
    titles = Titles({"references": found.references})
    return Outline.of(contents(found.found, titles, lines, is_whole=found.is_whole))


def outline_key(data: bytes) -> bytes:
    """Return the key under which a text's outline is kept, from its UTF-8 form.

    It is not the hash that a store keeps: another program may have written the text without it.
    """
    return blake2b(data, digest_size=16).digest()


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
