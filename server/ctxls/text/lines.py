r"""Where the lines of a text begin and end.

The vocabulary of places, said once:

- **offset**: an index in Unicode code points into the stored text, 0-based. Spans are
  half-open: `start` is inside, `end` is not. Everything between queries and stores speaks offsets.
- **line**: a number, 0-based here and in LSP, 1-based in grep's answers and line ranges (what
  people count in). A line ends at `\n`, `\r\n` or `\r` and at nothing else, so U+2028, U+0085,
  form feed and their like are ordinary characters (LSP 3.18, "Text Documents").
- **position**: a line and a column in the units of a session's encoding (text/positions.py).
  Only lsp speaks positions.
- **byte offset**: an index into the text's UTF-8 form, used between matcher and RE2 alone.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

LINE_END: Final = re.compile(r"\r\n?|\n")
_WINDOW: Final = 1 << 18
"""Characters cut into lines at a time: what is done in one call lets no other thread run."""
_FOUR_BYTES: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open run of code points: `Span(2, 5)` covers offsets 2, 3 and 4."""

    start: int
    end: int

    def contains(self, other: "Span") -> bool:
        """Whether `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Lines:
    r"""The line index of one text.

    `Lines.of("a\r\nb")` has starts 0, 3 and ends 1, 4. A text that ends with a line end
    has one more, empty line after it, which an LSP position may name and nothing else sees.
    """

    starts: "array[int]"
    ends: "array[int]"
    """Where each line's own text ends, before its line end."""

    @classmethod
    def of(cls, text: str) -> "Lines":
        """Index `text`; 8 bytes a line."""
        size = "I" if len(text) < _FOUR_BYTES else "Q"
        starts, ends = array(size, [0]), array(size)
        for start, window in _windows(text):
            if "\r" in window:
                found = [(at.start(), at.end()) for at in LINE_END.finditer(window)]
                ends.extend(start + before for before, _ in found)
                starts.extend(start + after for _, after in found)
            elif "\n" in window:
                *lines, _ = window.split("\n")
                after = array(size, accumulate((len(line) + 1 for line in lines), initial=start))
                starts.extend(after[1:])
                ends.extend(place - 1 for place in after[1:])
        ends.append(len(text))
        return cls(starts, ends)

    def __len__(self) -> int:
        """Count the lines as LSP does: at least one, the empty last one included."""
        return len(self.starts)

    @property
    def visible(self) -> int:
        """How many lines grep and line reads see: no phantom one after a final line end."""
        return len(self) - (self.starts[-1] == self.ends[-1])

    @property
    def length(self) -> int:
        """The text's length in code points."""
        return self.ends[-1]

    def at(self, offset: int) -> int:
        """Return the number of the line that holds `offset` (its line end is part of it)."""
        return bisect_right(self.starts, offset) - 1

    def span(self, line: int) -> Span:
        """Return the text of `line`, without its line end."""
        return Span(self.starts[line], self.ends[line])


def _windows(text: str) -> Iterator[tuple[int, str]]:
    """Cut `text` into pieces, none of them between the two characters of a line end."""
    start = 0
    while start < len(text):
        end = min(start + _WINDOW, len(text))
        end += text.startswith("\n", end) and text[end - 1] == "\r"
        yield start, text[start:end]
        start = end
