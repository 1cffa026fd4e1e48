"""Messages cut out of a stream of bytes by their header (LSP 3.18, "Base Protocol").

Header names may be in any case, a blank after the colon is optional and a bare LF ends a header
line too. Whatever else cannot be a header is refused at its first byte that shows it, so that a
client with broken framing gets an error instead of silence.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Final

LARGEST_MESSAGE: Final = 64 << 20
LARGEST_HEADER: Final = 4096
CHUNK: Final = 64 << 10
_HEADER: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(.*)")
_MAY_BEGIN: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*(:.*)?|\r|")

Read = Callable[[int], Awaitable[bytes]]
"""Reads some bytes, at most as many as asked for; none at the end."""


class FramingError(Exception):
    """The stream cannot be cut into messages any more; the text says why, for the client."""


def frame(body: bytes) -> bytes:
    """Put the header before a message."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Frames:
    """The messages of one stream, one after the other."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._buffer = bytearray()

    async def next(self) -> bytes | None:
        """Return the next message's body, or None at the end of the stream.

        Raise FramingError when the header is not one; nothing can be read after that.
        """
        length = await self._header()
        if length is None:
            return None
        while len(self._buffer) < length:
            if not await self._more():
                return None
        return self._take(length)

    async def _header(self) -> int | None:
        """Read header lines up to the blank one and return the length that they name."""
        lengths: list[bytes] = []
        size = 0
        while (line := await self._line(LARGEST_HEADER - size)) is not None:
            if not line:
                return _length(lengths)
            size += len(line) + 1
            name, value = _field(line)
            if name == b"content-length":
                lengths.append(value)
        return None

    async def _line(self, most: int) -> bytes | None:
        """Return one header line without its end, or None at the end of the stream."""
        while (end := self._buffer.find(b"\n", 0, max(most, 0))) < 0:
            if len(self._buffer) >= most:
                raise FramingError(f"The header is longer than {LARGEST_HEADER} bytes.")
            if not _MAY_BEGIN.fullmatch(self._buffer):
                raise FramingError("The header holds a line that is not `Name: value`.")
            if not await self._more():
                return None
        return self._take(end + 1).rstrip(b"\r\n")

    async def _more(self) -> bool:
        chunk = await self._read(CHUNK)
        self._buffer += chunk
        return bool(chunk)

    def _take(self, count: int) -> bytes:
        taken = bytes(memoryview(self._buffer)[:count])
        del self._buffer[:count]
        return taken


def _field(line: bytes) -> tuple[bytes, bytes]:
    found = _HEADER.fullmatch(line)
    if not found:
        raise FramingError("The header holds a line that is not `Name: value`.")
    return found[1].lower(), found[2].strip()


def _length(values: list[bytes]) -> int:
    if len(values) != 1:
        raise FramingError(f"The header names {len(values)} Content-Lengths; it must name one.")
    if not values[0].isdigit():
        raise FramingError("Content-Length must be a whole number of bytes, 0 or more.")
    if len(values[0]) > len(str(LARGEST_MESSAGE)) + 4 or int(values[0]) > LARGEST_MESSAGE:
        raise FramingError(f"A message may hold at most {LARGEST_MESSAGE} bytes.")
    return int(values[0])
