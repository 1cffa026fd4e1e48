"""Reading a file's text: a regular file, of bounded size, and UTF-8 or refused."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ctxls.writing.refusals import NOT_REGULAR, RefusedFileError

_CHUNK: Final = 1 << 20


@contextmanager
def regular(descriptor: int) -> Iterator[int]:
    """Lend an open file and close it; RefusedFileError for a pipe, a device or a folder."""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RefusedFileError(NOT_REGULAR)
        yield descriptor
    finally:
        os.close(descriptor)


def read_text(descriptor: int, most: int) -> str:
    """Read a whole file of at most `most` bytes.

    The text stays as it is: its line ends, and a byte order mark, are part of it. The size that
    the file system gives is no promise, since the file may grow while it is read.
    """
    data = bytearray()
    size = os.fstat(descriptor).st_size
    while size <= most and (chunk := os.read(descriptor, _CHUNK)):
        data += chunk
        size = len(data)
    if size > most:
        raise RefusedFileError(f"it is larger than the {most} bytes that can be stored")
    return decoded(data)


def decoded(data: bytes | bytearray) -> str:
    """Decode UTF-8; RefusedFileError says at which byte it is none."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise RefusedFileError(f"it is not UTF-8 at byte {error.start}") from None
