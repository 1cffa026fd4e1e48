"""Which requests are let in: by the session's phase, by their id, and by how many there are."""

from collections.abc import Collection
from enum import Enum, auto
from typing import Final

from ctxls.errors import DisabledError, OverloadedError
from ctxls.lsp.messages import Id, Request
from ctxls.lsp.wire_errors import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NOT_INITIALIZED,
    WireError,
    wire_error,
)

MOST_IN_FLIGHT: Final = 64
INITIALIZE: Final = "initialize"
SHUTDOWN: Final = "shutdown"


class Phase(Enum):
    """What a session has gone through."""

    NEW = auto()
    READY = auto()
    SHUT = auto()


def refusal(phase: Phase, request: Request, in_flight: Collection[Id]) -> WireError | None:
    """Say why a request is refused before anything else about it is looked at, or None."""
    if phase is Phase.SHUT:
        return WireError(INVALID_REQUEST, "The server was shut down; only exit may follow.")
    if phase is Phase.NEW and request.method != INITIALIZE:
        return WireError(NOT_INITIALIZED, f"Send initialize before {request.method}.")
    if phase is Phase.READY and request.method == INITIALIZE:
        return WireError(INVALID_REQUEST, "The server is initialized already.")
    if request.id in in_flight:
        return WireError(INVALID_REQUEST, f"A request with id {request.id!r} is still in flight.")
    if len(in_flight) >= MOST_IN_FLIGHT and request.method != SHUTDOWN:
        return wire_error(
            OverloadedError(f"{MOST_IN_FLIGHT} requests are in flight; wait for their answers.")
        )
    return None


def unknown(method: str) -> WireError:
    """Say that there is no such request."""
    return WireError(METHOD_NOT_FOUND, f"There is no request {method}.")


def switched_off(method: str) -> WireError:
    """Say that a setting switches a request off."""
    return wire_error(DisabledError(f"{method} is switched off by this server's settings."))
