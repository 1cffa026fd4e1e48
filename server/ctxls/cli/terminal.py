"""Writing results: for people on a terminal, as stored where another program reads.

Record text may hold anything, escape sequences that retitle or lock a terminal included. So on a
terminal control characters are shown and not sent. A pipe or a file gets the bytes of the text.
"""

import json
import os
import sys
from contextlib import suppress
from typing import Any, Final

from ctxls.text.lines import LINE_END
from ctxls.text.printable import printable

SPACES: Final = "\u00a0\u2002\u2003\u2009\u202f\u3000"
JOINERS: Final = "\u200c\u200d"
"""Emoji are made with these, and Persian is written with them."""
HARMLESS: Final = SPACES + JOINERS
STYLES: Final = {"bold": "1", "dim": "2", "match": "1;31", "number": "32", "name": "35", "id": "33"}


def complain(sentence: str) -> None:
    """Say something on standard error, as one line or more."""
    shown = printable(sentence, keep="\n" + HARMLESS)
    with suppress(OSError, ValueError):  # closed: there is nowhere else to say so
        print(f"ctxls: {shown}", file=sys.stderr, flush=True)


class Output:
    """Standard output, as it was when the command began."""

    def __init__(self) -> None:
        self._stream = sys.stdout
        self.is_terminal = self._stream.isatty()
        self._is_coloured = (
            self.is_terminal
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") not in {None, "", "dumb"}
        )

    def line(self, text: str = "") -> None:
        """Write a line of ours; what it quotes of a record went through `name` or `text`."""
        self.write(text + "\n")

    def write(self, text: str) -> None:
        """Write characters as they are: UTF-8 but on a terminal that is not."""
        if self.is_terminal:
            self._stream.write(text)
        else:
            self._stream.flush()
            self._stream.buffer.write(text.encode("utf-8", "replace"))

    def name(self, text: str) -> str:
        """Show a name on one line, wherever it goes."""
        return printable(text, keep=HARMLESS)

    def text(self, text: str) -> str:
        """Show record text: harmless on a terminal, else as it is stored."""
        if not self.is_terminal:
            return text
        return printable(LINE_END.sub("\n", text), keep="\n\t" + HARMLESS)

    def whole(self, text: str) -> None:
        """Write record text by itself; on a terminal the prompt begins on a line of its own."""
        self.write(self.text(text))
        if self.is_terminal and text and not text.endswith(("\n", "\r")):
            self.write("\n")

    def paint(self, text: str, style: str) -> str:
        """Colour text where colours are shown."""
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self._is_coloured and text else text

    def json(self, value: Any) -> None:
        """Write a value as JSON that no terminal obeys: characters that do not print escaped."""
        indent = 2 if self.is_terminal else None
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
        self.line("".join(map(_escaped, text)) if not text.isprintable() else text)


def _escaped(char: str) -> str:
    """Escape a character as JSON does; the line breaks that indent are outside of strings."""
    if char.isprintable() or char == "\n" or char in HARMLESS:
        return char
    return json.dumps(char)[1:-1]
