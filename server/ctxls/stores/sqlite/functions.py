"""What our SQL asks Python to decide, so that every database decides it alike.

Functions are given bytes (CAST AS BLOB): Python's sqlite3 fails a statement whose function is
passed text that is not UTF-8.
"""

from collections.abc import Callable
from typing import Any, Final

from aiosqlite import Connection

from ctxls.records.filters import tags_of

TAG: Final = "ctxls_tag"
"""ctxls_tag(tag): a tag as tags are compared."""
UTF8: Final = "ctxls_utf8"
"""ctxls_utf8(text): text of a UTF-16 database as UTF-8; what SQLite itself does to a lone
surrogate swallows the character after it."""

CODECS: Final = {"UTF-8": "utf-8", "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}


async def add_functions(connection: Connection) -> str:
    """Register the functions; return the SQL of a record's text as bytes of UTF-8."""
    rows = await connection.execute_fetchall("SELECT encoding FROM pragma_encoding")
    codec = CODECS[next(iter(rows))["encoding"]]
    decoded = _decoder(codec)
    functions: tuple[tuple[str, int, Callable[..., Any]], ...] = (
        (TAG, 1, lambda tag: tags_of([decoded(tag)])[0]),
        (UTF8, 1, lambda text: decoded(text).encode()),
    )
    for name, arguments, function in functions:
        await connection.create_function(name, arguments, function, deterministic=True)
    stored = "CAST(e.text_content AS BLOB)"
    return stored if codec == "utf-8" else f"{UTF8}({stored})"


def _decoder(codec: str) -> Callable[[bytes | None], str]:
    return lambda stored: (stored or b"").decode(codec, "replace")
