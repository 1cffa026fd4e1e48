"""Records whose text an editor may show in its own way, and what Neovim shows and tells of each.

Each has the heading `🧭 Target NAME`, a back-quoted word that leads there, and `needle-NAME`, all
behind an emoji on their line.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Odd:
    """A stored text, the lines that are shown of it, and what the server is told is open."""

    name: str
    text: str
    lines: tuple[str, ...]
    told: str
    fileformat: str = "unix"
    stored: bytes | None = None
    """The bytes in the store, where they are no UTF-8."""


def top(name: str) -> list[str]:
    return [f"# 🧭 Start {name}", f"🧭 see `🧭 Target {name}` there", ""]


def target(name: str) -> list[str]:
    return [f"## 🧭 Target {name}", f"🧭 needle-{name} end"]


def uniform(name: str, line_end: str, fileformat: str) -> Odd:
    """Make a record with one kind of line end."""
    lines = [*top(name), "middle", "", *target(name)]
    text = "".join(line + line_end for line in lines)
    return Odd(name, text, tuple(lines), text, fileformat)


def unusual(name: str, *middle: str, before: str = "", after: str = "\n") -> Odd:
    """Make a record with line feeds, and something unusual within."""
    lines = [*top(name), *middle, "", *target(name)]
    lines[0] = before + lines[0]
    text = "\n".join(lines) + after
    return Odd(name, text, tuple(lines) + ("",) * (len(after) - 1), text)


def mixed(name: str, *line_ends: str) -> Odd:
    """Make a record whose line ends take turns; Neovim knows one kind, and tells line feeds."""
    lines = [*top(name), "middle", "", *target(name)]
    ends = [line_ends[number % len(line_ends)] for number in range(len(lines))]
    text = "".join(line + line_end for line, line_end in zip(lines, ends, strict=True))
    return Odd(name, text, tuple(lines), "".join(line + "\n" for line in lines))


def undecodable(name: str) -> Odd:
    """Make a record that holds bytes which are no UTF-8."""
    found = unusual(name, "half \ufffd a character")
    return Odd(
        name,
        found.text,
        found.lines,
        found.told,
        stored=found.text.encode().replace(b"\xef\xbf\xbd", b"\xe2"),
    )


LONG: Final = f"{'🧭é' * 16_700} needle-far end"

ODD: Final = (
    uniform("lf", "\n", "unix"),
    uniform("crlf", "\r\n", "dos"),
    uniform("cr", "\r", "mac"),
    mixed("mixed-all", "\r\n", "\n", "\r"),
    mixed("mixed-cr", "\r\n", "\r"),
    unusual("bom", before="\ufeff"),
    unusual("separators", "one\u2028line\u0085to\x0bLSP,\x0cwhatever\x1celse\x1dcuts\u2029it"),
    unusual("nul", "before\0after"),
    unusual("escapes", "\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202ebackwards"),
    unusual("unended", after=""),
    unusual("ended-twice", after="\n\n"),
    unusual("long", LONG),
    undecodable("bytes"),
)
EMPTY: Final = (
    Odd("empty", "", ("",), ""),
    Odd("line-feed", "\n", ("",), "\n"),
    Odd("two-line-feeds", "\n\n", ("", ""), "\n\n"),
    Odd("carriage-return", "\r", ("",), "\r", "mac"),
)
