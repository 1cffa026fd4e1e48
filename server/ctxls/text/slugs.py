"""Slugs: what a title becomes inside a node id or a URI."""

import re
from typing import Final

NODE_SLUG_LENGTH: Final = 64
EMPTY: Final = "section"
_WORD: Final = re.compile(r"\w+")


def slug(text: str, length: int = NODE_SLUG_LENGTH) -> str:
    r"""Lower-case `text` and join its runs of `\w` by `-`, at most `length` code points.

    `slug("Set up: part 1")` is `set-up-part-1`; a text without a word character is `section`.
    """
    words, size = [], 0
    for found in _WORD.finditer(text.lower()):
        words.append(found.group())
        size += len(words[-1]) + 1
        if size > length:  # what follows would be cut: a title of megabytes costs one pass
            break
    return "-".join(words)[:length].strip("-") or EMPTY
