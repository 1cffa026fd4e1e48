"""A terminal of our own: a real pseudo-terminal, what is on its screen, and a picture of that."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import fontpkg_jetbrains_mono
import pyte
from PIL import Image, ImageDraw, ImageFont

COLUMNS: Final = 100
ROWS: Final = 28
PATIENCE: Final = 20.0
SIZE: Final = 20
FOREGROUND: Final = "c9d1d9"
BACKGROUND: Final = "14161b"
NOT_FOR_PYTE: Final = re.compile(
    rb"\x1b(?:\[[<>=?][0-9;]*[um]|\[\?[0-9;]*\$p|\[[0-9;]* q|P.*?\x1b\\"
    rb"|\][^\x07\x1b]*(?:\x07|\x1b\\))",
    re.DOTALL,
)
"""Requests and private modes, which pyte would print."""
UNFINISHED: Final = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*|P[^\x1b]*\x1b?|\][^\x07\x1b]*\x1b?)?\Z", re.DOTALL
)
"""The beginning of a request or mode, whose end comes with what is read next."""
NAMED: Final = {
    "black": "14161b",
    "red": "ffc0b9",
    "green": "b3f6c0",
    "brown": "fce094",
    "blue": "a6dbff",
    "magenta": "ffcaff",
    "cyan": "8cf8f7",
    "white": "eef1f8",
}


class Screen:
    """What a program has drawn in a terminal of 100 columns and 28 rows."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._drawing = threading.Lock()
        self._drawer = threading.Thread(target=self._draw, daemon=True)
        self._drawer.start()

    def lines(self) -> list[str]:
        with self._drawing:
            return [line.rstrip() for line in self._screen.display]

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def wait(self, text: str) -> None:
        """Wait until `text` is on the screen, and nothing more is being drawn."""
        end = time.monotonic() + PATIENCE
        before: list[str] = []
        while not (any(text in line for line in before) and before == self.lines()):
            before = self.lines()
            assert time.monotonic() < end, "\n".join(before)
            time.sleep(0.2)

    def end(self) -> None:
        """Close the terminal, once the last program that holds it has ended.

        Closed any earlier, its number would be given to the next terminal while this one's thread
        still reads it, and that thread would take what the next one's program draws.
        """
        self._drawer.join(PATIENCE)
        assert not self._drawer.is_alive(), "a program still holds the terminal"
        os.close(self._terminal)

    def picture(self, path: Path) -> None:
        """Draw what is on the screen into a PNG file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        plain, bold = font("Regular"), font("Bold")
        width, height = round(plain.getlength("M")), round(SIZE * 1.4)
        image = Image.new("RGB", (COLUMNS * width + 24, ROWS * height + 24), f"#{BACKGROUND}")
        draw = ImageDraw.Draw(image)
        with self._drawing:
            for row in range(ROWS):
                for column in range(COLUMNS):
                    cell = self._screen.buffer[row][column]
                    place = (12 + column * width, 12 + row * height)
                    if (column, row) == (self._screen.cursor.x, self._screen.cursor.y):
                        cell = cell._replace(reverse=True)
                    paint(draw, place, (width, height), cell, bold if cell.bold else plain)
        image.save(path, optimize=True)

    def _draw(self) -> None:
        rest = b""
        with suppress(OSError):  # every program that held the terminal has ended
            while data := os.read(self._terminal, 1 << 16):
                unfinished = UNFINISHED.search(rest + data)
                end = unfinished.start() if unfinished else len(rest + data)
                with self._drawing:
                    self._stream.feed(NOT_FOR_PYTE.sub(b"", (rest + data)[:end]))
                rest = (rest + data)[end:]


def font(weight: str) -> Any:
    folder = Path(fontpkg_jetbrains_mono.__file__).parent / "files"
    found = ImageFont.truetype(str(folder / "JetBrainsMono[wght].ttf"), SIZE)
    found.set_variation_by_name(weight)
    return found


def paint(
    draw: Any, place: tuple[int, int], size: tuple[int, int], cell: Any, letters: Any
) -> None:
    """Draw one cell of the screen."""
    front, back = colour(cell.fg, FOREGROUND), colour(cell.bg, BACKGROUND)
    if cell.reverse:
        front, back = back, front
    draw.rectangle((place, (place[0] + size[0] - 1, place[1] + size[1] - 1)), fill=back)
    draw.text(place, cell.data, font=letters, fill=front)
    if cell.underscore:
        below = place[1] + size[1] - 4
        draw.line((place[0], below, place[0] + size[0] - 1, below), fill=front)


def colour(name: str, default: str) -> str:
    found = default if name == "default" else NAMED.get(name, name)
    return f"#{found}"


@contextmanager
def terminal(words: Sequence[str], environment: dict[str, str], folder: Path) -> Iterator[Screen]:
    """Run a program in a terminal of its own."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    more = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
    process = subprocess.Popen(
        words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment | more,
        cwd=folder,
        start_new_session=True,
    )
    os.close(theirs)
    screen = Screen(ours)
    try:
        yield screen
    finally:
        process.terminate()
        process.wait()
        screen.end()
