"""A heading's plain text: what is left of its source when the markup is taken away."""

import re
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

LONGEST_SOURCE: Final = 4096
"""UTF-8 bytes of source above which a title stays raw: an inline parse of it would cost more
than any reader gains."""
MOST_SOURCE: Final = 1 << 19
"""What the titles of one text may cost, in characters of markup, before the rest stay raw: an
inline parse takes about 3 µs for each."""
_A_BRACKET: Final = 16
"""What a bracket costs: each may begin a link that ends at any later one."""
_A_TITLE: Final = 32
"""What each title costs before its first character."""
_MARKUP: Final = re.compile(r"[\\`*_\[\]<&!\r\n]")


class Titles:
    """Makes titles of one text, whose link definitions decide what `[text][ref]` means."""

    def __init__(self, definitions: dict[str, object]) -> None:
        self._definitions = definitions
        self._left = MOST_SOURCE

    def plain(self, source: str) -> str:
        """Return the plain text of a heading's raw source, for example `a b` for `` `a` *b* ``."""
        if not _MARKUP.search(source) or len(source.encode()) > LONGEST_SOURCE:
            return source
        cost = _A_TITLE + len(source) + _A_BRACKET * source.count("[")
        if cost > self._left:
            return source
        self._left -= cost
        inline = _parser().parseInline(source, self._definitions)
        return "".join(_text_of(inline[0].children or [])) if inline else source


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _text_of(tokens: list[Token]) -> list[str]:
    pieces: list[str] = []
    for token in tokens:
        if token.type in {"softbreak", "hardbreak"}:
            pieces.append(" ")
        elif token.type == "image":
            pieces.extend(_text_of(token.children or []))
        elif token.type != "html_inline":
            pieces.append(token.content)
    return pieces
