"""The one translation of errors to JSON-RPC: codes as LSP 3.18 and docs/protocol.md name them.

An error that nobody foresaw is logged with its traceback and answered with a reference number:
no traceback, file path or SQL leaves the server.
"""

import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from ctxls.errors import BadRequestError, CtxlsError

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
NOT_INITIALIZED: Final = -32002
REQUEST_CANCELLED: Final = -32800
REQUEST_FAILED: Final = -32803

KINDS: Final[Mapping[int, str]] = {
    PARSE_ERROR: "parse-error",
    INVALID_REQUEST: "invalid-request",
    METHOD_NOT_FOUND: "unknown-method",
    NOT_INITIALIZED: "not-initialized",
    REQUEST_CANCELLED: "cancelled",
}
"""What JSON-RPC and LSP themselves refuse, whose code says all."""

Found = TypeVar("Found")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WireError:
    """An error as a client is told it."""

    code: int
    message: str
    data: Mapping[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the `error` member of a JSON-RPC response."""
        data = {"kind": KINDS[self.code]} if self.data is None else dict(self.data)
        return {"code": self.code, "message": self.message, "data": data}


def wire_error(error: CtxlsError) -> WireError:
    """Translate an error that its request foresaw."""
    code = INVALID_PARAMS if isinstance(error, BadRequestError) else REQUEST_FAILED
    return WireError(code, error.message, {"kind": error.kind, **error.data})


def opaque_error(what: str) -> WireError:
    """Log the error being handled with its traceback, and make an answer that tells a number."""
    reference = secrets.token_hex(4)
    _log.exception("%s failed; its client was told reference %s.", what, reference)
    return WireError(
        INTERNAL_ERROR,
        f"{what} failed inside the server; its log tells more under reference {reference}.",
        {"kind": "internal", "reference": reference},
    )


async def answered(what: str, work: Awaitable[Found]) -> Found | WireError:
    """Await the answer of a request, or the error that its client is told; cancelling passes.

    A SystemExit out of a library must not end the other requests either.
    """
    try:
        return await work
    except CtxlsError as error:
        return wire_error(error)
    except (Exception, SystemExit):  # noqa: BLE001 - the one place for what nobody foresaw
        return opaque_error(what)


def attempted(what: str, step: Callable[[], Found]) -> Found | WireError:
    """Take a step that does not wait, under the same rules as `answered`."""
    try:
        return step()
    except CtxlsError as error:
        return wire_error(error)
    except (Exception, SystemExit):  # noqa: BLE001 - as above
        return opaque_error(what)
