"""JSON lines: a record a line, with the fields of context/store."""

import json
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, BinaryIO, Final

from ctxls.records.record import NewRecord
from ctxls.text.printable import quoted
from ctxls.writing.markdown import Defaults
from ctxls.writing.refusals import RefusedFileError
from ctxls.writing.texts import decoded

FIELDS: Final = ("threadId", "source", "text", "tags", "metadata", "summary", "visibility")
VISIBILITIES: Final = ("shared", "private")
_BOM: Final = b"\xef\xbb\xbf"


def numbered(file: BinaryIO, most: int) -> Iterator[tuple[int, bytes | None]]:
    """Read the lines that are not blank, numbered from 1; None is one over `most` bytes."""
    number = 0
    while line := file.readline(most + 1):
        number += 1
        if len(line) > most and not line.endswith(b"\n"):
            _skip_line(file, most)
            yield number, None
        elif content := line.removeprefix(_BOM if number == 1 else b"").strip():
            yield number, content


def record_in(line: bytes, defaults: Defaults) -> NewRecord:
    """Make a record of one line, or raise RefusedFileError that says what is wrong with it."""
    found = _object(decoded(line))
    for key in found:
        if key not in FIELDS:
            raise RefusedFileError(f"{quoted(key)} is no field of a record{_hint(key)}")
    visibility = _field(found, "visibility", _is_text, "text") or VISIBILITIES[0]
    if visibility not in VISIBILITIES:
        raise RefusedFileError(f"visibility is {quoted(visibility)}; use shared or private")
    return NewRecord(
        thread=_needed(found, "threadId", defaults.thread),
        source=_field(found, "source", _is_text, "text") or defaults.source,
        text=_needed(found, "text", None),
        tags=tuple(_field(found, "tags", _is_texts, "a list of texts") or ()),
        metadata=_field(found, "metadata", _is_object, "an object") or {},
        summary=_field(found, "summary", _is_text, "text"),
        private=visibility == "private",
    )


def _skip_line(file: BinaryIO, most: int) -> None:
    while (rest := file.readline(most)) and not rest.endswith(b"\n"):
        pass


def _object(line: str) -> Mapping[str, Any]:
    try:
        found = json.loads(line, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RefusedFileError(f"it is not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise RefusedFileError("it is nested too deeply") from None
    except ValueError:  # Python refuses to read a number of thousands of digits
        raise RefusedFileError("it holds a number that is too long") from None
    if not isinstance(found, dict):
        raise RefusedFileError("it is no JSON object")
    return found


def _refuse_constant(name: str) -> None:
    raise RefusedFileError(f"{name} is no JSON")


def _hint(key: str) -> str:
    nearest = get_close_matches(key[:100], FIELDS, 1)
    return f"; did you mean {nearest[0]}" if nearest else f"; it has {', '.join(FIELDS)}"


def _needed(found: Mapping[str, Any], name: str, default: str | None) -> str:
    value = _field(found, name, _is_text, "text")
    if value is None and default is None:
        raise RefusedFileError(f"{name} is missing")
    return str(default if value is None else value)


def _field(found: Mapping[str, Any], name: str, is_right: Callable[[Any], bool], words: str) -> Any:
    """Return a field of the right type; null counts as left out."""
    value = found.get(name)
    if value is not None and not is_right(value):
        raise RefusedFileError(f"{name} must be {words}")
    return value


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)
