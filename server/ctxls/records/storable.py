"""What a store takes: the same words of refusal for every database.

SQLite would take a NUL, a lone surrogate in JSON, or a number of any size; PostgreSQL would not.
So both refuse them, here, before either is asked.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ctxls.errors import InvalidParamsError
from ctxls.records.metadata import DEEPEST, fits_64_bits, is_too_deep
from ctxls.records.record import CONTENT_TYPES, SOURCES, NewRecord
from ctxls.text.printable import quoted

BLANK_TAG: Final = "tags holds a blank tag; leave it out, or name a tag."


def refuse_unstorable(name: str, value: Any) -> None:
    """Raise InvalidParamsError for a value that one of the databases cannot hold or compare."""
    if is_too_deep(value):
        raise InvalidParamsError(f"{name} is nested deeper than {DEEPEST} levels; flatten it.")
    _refuse(name, value)


def one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    """Raise InvalidParamsError for a word that is not among the `allowed` ones."""
    if value not in allowed:
        raise InvalidParamsError(f"{name} is {quoted(value, 80)}; use {' or '.join(allowed)}.")


def refuse_record(record: NewRecord, longest_text: int) -> None:
    """Raise InvalidParamsError for a record that may not be stored, naming what is wrong."""
    one_of("source", record.source, SOURCES)
    one_of("contentType", record.content_type, CONTENT_TYPES)
    if not record.thread.strip():
        raise InvalidParamsError("threadId is blank; name a thread.")
    if not all(tag.strip() for tag in record.tags):
        raise InvalidParamsError(BLANK_TAG)
    for name, value in (
        ("threadId", record.thread),
        ("text", record.text),
        ("tags", list(record.tags)),
        ("metadata", record.metadata),
        ("summary", record.summary),
    ):
        refuse_unstorable(name, value)
    size = len(record.text.encode())
    if size > longest_text:
        raise InvalidParamsError(f"text has {size} bytes; at most {longest_text} can be stored.")


def _refuse(name: str, value: Any) -> None:
    match value:
        case str():
            _refuse_text(name, value)
        case float() if not math.isfinite(value):
            raise InvalidParamsError(f"{name} holds {value}, which is not a finite number.")
        case int() if not fits_64_bits(value):
            raise InvalidParamsError(f"{name} holds a number outside the range of 64 bits.")
        case Mapping():
            for key, item in value.items():
                _refuse_key(name, key)
                _refuse(name, item)
        case list() | tuple():
            for item in value:
                _refuse(name, item)
        case bool() | int() | float() | None:
            pass
        case _:
            kind = type(value).__name__
            raise InvalidParamsError(f"{name} holds a {kind}, which is not JSON; make it text.")


def _refuse_key(name: str, key: Any) -> None:
    if not isinstance(key, str):
        raise InvalidParamsError(f"{name} has the key {key!r}; keys must be text.")
    _refuse_text(name, key)


def _refuse_text(name: str, text: str) -> None:
    if "\0" in text:
        raise InvalidParamsError(f"{name} holds a NUL character; leave it out.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidParamsError(f"{name} holds a lone surrogate; leave it out.") from None
