r"""The blocks at the top level of a piece of text, by markdown-it-py's block rules.

Only the block rules run: an inline parse costs five times as much and finds the same headings. Of
their tokens only those of headings are kept, so that a list of a million items costs none. Each
rule asks `is_code_block` once before it does anything, which is where its steps are counted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import Any, Final, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, heading
from markdown_it.token import Token

_PLAIN: Final = re.compile(
    r"(?! {0,3}\[)(?: {0,3}+[^ \t\n#`~>*+_<=0-9-][^\n]*+(?:\n|\Z))++(?=[ \t]*+(?:\n|\Z))"
)
"""Lines that nothing but a paragraph can begin with, and that nothing can interrupt, up to a blank
one: the rules of a paragraph would look at each of them a dozen times."""

_A_DEFINITION: Final = 8
"""The steps that reading one takes besides the rules that are tried."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at the top level: its line, and its source without the marks of its level."""

    line: int
    level: int
    source: str


class Title(Enum):
    """Whether what comes next may be the title of a link definition, which may have many lines."""

    NONE = auto()
    NEXT = auto()
    """It may begin there."""
    OPEN = auto()
    """It may have begun."""


class OutOfStepsError(Exception):
    """The block rules have taken as many steps as they may."""


@dataclass(slots=True)
class Blocks:
    """What a piece of text consists of; lines are counted from its first."""

    steps: int
    """How many steps the rules may still take: rules tried, lines and characters read."""
    is_whole: bool = True
    """Whether those were enough for all of the piece."""
    starts: list[int] = field(default_factory=list)
    """Where each block begins. Those behind a link definition, up to a blank line, count as part
    of that, since what looks like them may be the definition's title; another definition right
    behind it does not, since no title begins with `[`."""
    references: dict[str, Any] = field(default_factory=dict)
    """Link definitions by label, as markdown-it-py's inline rules read them."""
    tokens: list[Token] = field(default_factory=list)

    @classmethod
    def of(cls, text: str, steps: int) -> "Blocks":
        r"""Parse a text whose lines end with `\n`, and in which no block is under way at first."""
        made = cls(steps)
        parser = _parser()
        state = _TopLevel(text, parser, {"references": made.references}, made)
        try:
            parser.block.tokenize(state, 0, state.lineMax)
        except OutOfStepsError:
            made.is_whole = False
        return made

    def headings(self, first_line: int, before: int) -> Sequence[Heading]:
        """Return the headings before a line of the piece, which is the text's `first_line`."""
        return [
            Heading(first_line + opening.map[0], int(opening.tag[1]), content.content)
            for opening, content in zip(self.tokens[::2], self.tokens[1::2], strict=False)
            if opening.map and opening.map[0] < before
        ]

    def settled(self) -> int:
        """Count the lines that stay as they are whatever text follows: the last block may go on."""
        return self.starts[-1] if self.starts else 0


class _TopLevel(StateBlock):
    """Counts steps, and forgets the tokens that are no heading's."""

    def __init__(self, text: str, parser: MarkdownIt, env: dict[str, Any], made: Blocks) -> None:
        super().__init__(text, parser, env, made.tokens)
        self.made = made
        self.may_be_title = Title.NONE
        made.steps -= self.lineMax + _reading(len(text), self.lineMax)
        self._forgotten = Token("", "", 0)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        level = self.level - (nesting < 0)
        self.level += nesting
        if not self._is_of_heading(level, ttype):
            return self._forgotten
        token = Token(ttype, tag, nesting)
        self.tokens.append(token)
        return token

    def _is_of_heading(self, level: int, ttype: str) -> bool:
        """Whether a token is one of the two that are kept of each heading."""
        if len(self.tokens) % 2:
            return level == 1 and ttype == "inline"
        return level == 0 and ttype == "heading_open"

    def is_code_block(self, line: int) -> bool:
        self.made.steps -= 1
        if self.made.steps < 0:
            raise OutOfStepsError
        return self.sCount[line] - self.blkIndent >= 4


def _reading(characters: int, lines: int) -> int:
    """Return the steps that marks may take: those of deep quotes and lists are read singly."""
    return min(characters, 100 * lines) // 4


@cache
def _parser() -> MarkdownIt:
    """Make the parser once: making it takes as long as parsing a small record."""
    parser = MarkdownIt("commonmark")
    parser.block.ruler.before("code", "top level", _top_level)
    return parser


def _top_level(state: StateBlock, line: int, end: int, silent: bool) -> bool:  # noqa: FBT001  (a rule of markdown-it-py)
    """Note where a block begins, and leave those of one kind to the only rule for it."""
    if state.level or not isinstance(state, _TopLevel):
        return False
    start = state.bMarks[line]
    mark = state.src[start + state.tShift[line]]
    if line and state.isEmpty(line - 1):
        state.may_be_title = Title.NONE
    if state.may_be_title is Title.NONE or (mark == "[" and state.may_be_title is Title.NEXT):
        state.made.starts.append(line)
        state.may_be_title = Title.NEXT if mark == "[" else Title.NONE
    else:
        state.may_be_title = Title.OPEN
    if mark == "[":
        state.made.steps -= _A_DEFINITION
    if mark == "#":
        return heading(state, line, end, silent)
    plain = _PLAIN.match(state.src, start)
    if plain:
        lines = state.src.count("\n", start, plain.end())
        state.made.steps += _reading(plain.end() - start, lines)
        state.line = line + lines if plain.end() < len(state.src) else state.lineMax
    return bool(plain)
