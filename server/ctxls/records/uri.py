"""The URIs of records: `context://<store>/<thread>/<slug>.<id>.md`.

The id alone decides. Everything before it is for people and may be stale, re-encoded, decoded or
in another case, since editors do all of these (docs/protocol.md, "URIs"). Nothing here touches
the file system, whatever the scheme.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from ctxls.errors import InvalidParamsError
from ctxls.records.record import RecordId
from ctxls.text.printable import quoted
from ctxls.text.slugs import slug

SCHEME: Final = "context"
SLUG_LENGTH: Final = 60
STORE_NAME: Final = re.compile(r"[a-z0-9-]+")
_PARTS: Final = ("lines", "chars", "node", "file")
_ID: Final = re.compile(r"[0-9a-f]{32}|[0-9]+")
_UNRESERVED: Final = "-._~"


@dataclass(frozen=True, slots=True)
class Reference:
    """What a URI names: a record, and the place in it that its fragment spells (or nothing)."""

    id: RecordId
    fragment: str


@lru_cache(maxsize=8192)
def format_uri(store: str, thread: str, title: str, record_id: RecordId) -> str:
    """Build the canonical URI. A thread's own `/` become path segments; `%2F` never occurs.

    Kept, since an answer names each of its records once a row.
    """
    segments = [_encode(segment) for segment in thread.split("/") if segment]
    name = f"{_encode(slug(title, SLUG_LENGTH))}.{record_id}.md"
    return f"{SCHEME}://{store}/{'/'.join([*segments, name])}"


def is_uri(text: str) -> bool:
    """Whether `text` is meant as a URI of a record, in whatever case its scheme is."""
    return text[: len(SCHEME) + 1].lower() == f"{SCHEME}:"


def parse_uri(uri: str) -> Reference:
    """Read the id out of any spelling of a record's URI, or raise InvalidParamsError."""
    scheme, colon, rest = uri.partition(":")
    if not colon or scheme.lower() != SCHEME:
        raise InvalidParamsError(f"{quoted(uri)} is not a context: URI.")
    rest, _, fragment = rest.partition("#")
    path, _, query = rest.partition("?")
    _refuse_parts(uri, query)
    return Reference(_id_of(uri, _decode(path)), _decode(fragment))


def normal_id(text: str) -> str:
    """Spell an id as it is stored: lower case, a UUID's dashes dropped."""
    bare = text.strip().lower()
    undashed = bare.replace("-", "")
    return undashed if re.fullmatch(r"[0-9a-f]{8,}", undashed) else bare


def _id_of(uri: str, path: str) -> RecordId:
    pieces = path.rsplit(".", 2)
    found = normal_id(pieces[1]) if len(pieces) == 3 else ""
    if not _ID.fullmatch(found):
        raise InvalidParamsError(
            f"{quoted(uri)} names no record: a record's URI ends in .<id>.md, its id 32 hex digits."
        )
    return found


def _refuse_parts(uri: str, query: str) -> None:
    for pair in _decode(query).split("&"):
        if pair.partition("=")[0] in _PARTS:
            raise InvalidParamsError(
                f"{quoted(uri)} names a part of a record; this version opens whole records:"
                f" leave {quoted('?' + pair)} out, or ask context/readRange for the part."
            )


def _encode(segment: str) -> str:
    encoded = quote(segment, safe=_UNRESERVED, errors="replace")
    return encoded.replace(".", "%2E") if not segment.strip(".") else encoded


def _decode(text: str) -> str:
    return unquote_to_bytes(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
