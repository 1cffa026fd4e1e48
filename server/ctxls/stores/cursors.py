"""Cursors of lists: where the next page begins, opaque to whoever passes them on.

A cursor is base64url of JSON: the list's name, then the sort key of the last item shown.
"""

import base64
import json
from collections.abc import Sequence
from itertools import starmap
from typing import Any, Final

from ctxls.errors import InvalidParamsError
from ctxls.records.metadata import fits_64_bits

LONGEST_SHOWN: Final = 60
Key = str | int | float | None


def cursor_of(list_name: str, *key: Key) -> str:
    """Make the cursor that continues after the item with that sort key."""
    data = json.dumps([list_name, *key]).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def key_of(list_name: str, cursor: str | None, *types: Any) -> Sequence[Any] | None:
    """Read a cursor's sort key, whose parts are of `types`; None where there is no cursor."""
    if cursor is None:
        return None
    try:
        padded = cursor.encode() + b"=" * (-len(cursor) % 4)
        name, *key = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        if name == list_name and all(starmap(_is_key, zip(key, types, strict=True))):
            return tuple(key)
    except (ValueError, TypeError, RecursionError):
        pass
    shown = cursor if len(cursor) <= LONGEST_SHOWN else cursor[: LONGEST_SHOWN - 1] + "…"
    raise InvalidParamsError(f"{shown!r} is no cursor of this list; pass nextCursor on unchanged.")


def _is_key(part: Any, allowed: Any) -> bool:
    if isinstance(part, str):
        part.encode()  # a lone surrogate is a ValueError
    if isinstance(part, bool) or (isinstance(part, int) and not fits_64_bits(part)):
        return False
    return isinstance(part, allowed)
