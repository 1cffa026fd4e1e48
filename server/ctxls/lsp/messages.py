"""JSON-RPC messages: bytes to checked values, and values to bytes.

Read with the standard library, since lone surrogates and numbers over 64 bits must come through;
written with orjson, and with the standard library where orjson refuses such a value. What is not
valid JSON never goes out.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import orjson

from ctxls.lsp.wire_errors import INVALID_REQUEST, PARSE_ERROR, WireError

Id = str | int


@dataclass(frozen=True, slots=True)
class Request:
    """A message that wants one answer."""

    id: Id
    method: str
    params: Any


@dataclass(frozen=True, slots=True)
class Notification:
    """A message that wants none."""

    method: str
    params: Any


@dataclass(frozen=True, slots=True)
class Response:
    """A client's answer to a request of ours; `error` is its own JSON, or None."""

    id: Any
    result: Any
    error: Any


Message = Request | Notification | Response


class MalformedMessageError(Exception):
    """A message that is none: what to answer, and to which id, where one could be read."""

    def __init__(self, code: int, sentence: str, message_id: Id | None = None) -> None:
        super().__init__(sentence)
        self.id = message_id
        self.error = WireError(code, sentence)


def parse(body: bytes) -> Message:
    """Read one message, or raise MalformedMessageError."""
    try:
        found = json.loads(body.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise MalformedMessageError(PARSE_ERROR, "The message is not JSON in UTF-8.") from None
    if isinstance(found, list):
        raise MalformedMessageError(
            INVALID_REQUEST, "Batches are no part of LSP; send each message by itself."
        )
    if not isinstance(found, dict):
        raise MalformedMessageError(INVALID_REQUEST, "A message must be a JSON object.")
    return _message(found)


def _message(found: dict[str, Any]) -> Message:
    message_id = found.get("id")
    known = message_id if is_id(message_id) else None
    if found.get("jsonrpc") != "2.0":
        raise MalformedMessageError(INVALID_REQUEST, 'jsonrpc must be "2.0".', known)
    if "method" not in found:
        if "id" in found and ("result" in found or "error" in found):
            return Response(message_id, found.get("result"), found.get("error"))
        raise MalformedMessageError(INVALID_REQUEST, "A message needs a method.", known)
    method = found["method"]
    if not isinstance(method, str):
        raise MalformedMessageError(INVALID_REQUEST, "method must be a string.", known)
    if "id" not in found:
        return Notification(method, found.get("params"))
    if known is None:
        raise MalformedMessageError(INVALID_REQUEST, "id must be a string or a whole number.")
    return Request(known, method, found.get("params"))


def is_id(value: Any) -> bool:
    """Whether a value may name a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def result(message_id: Id, ready: bytes) -> bytes:
    """Make a response around a result that is JSON already."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (encode(message_id), ready)


def notification(method: str, params: Any) -> bytes:
    """Make a notification."""
    return encode({"jsonrpc": "2.0", "method": method, "params": params})


def failure(message_id: Id | None, error: WireError) -> bytes:
    """Make an error response."""
    return encode({"jsonrpc": "2.0", "id": message_id, "error": error.as_json()})


def encode(value: Any) -> bytes:
    """Write a value as JSON; a number that is none, such as NaN, becomes null.

    Bytes are JSON already: an answer that was kept goes out as it is.
    """
    if isinstance(value, bytes):
        return value
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(_plain(value), allow_nan=False, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    """Make of what orjson can write something that the standard library can."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    make = _PLAIN.get(type(value))
    return make(value) if make else value


_PLAIN: Final[dict[type, Callable[[Any], Any]]] = {
    dict: lambda found: {str(key): _plain(item) for key, item in found.items()},
    list: lambda found: [_plain(item) for item in found],
    tuple: lambda found: [_plain(item) for item in found],
}


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
