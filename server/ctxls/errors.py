"""Every way a request can fail, on one page.

An error is what a user reads: its message is one plain sentence that names the value at fault
and what would be right. `kind` is the machine's word for it (docs/protocol.md lists them) and
`data` carries what a client may want beside the sentence. Nothing here knows JSON-RPC: the wire
codes live in lsp/wire_errors.py, exit codes in the command line.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class CtxlsError(Exception):
    """The root of every error that a caller is told about."""

    kind: ClassVar[str]

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data: Mapping[str, Any] = data


class BadRequestError(CtxlsError):
    """What was asked cannot be right, whatever the store holds."""


class InvalidParamsError(BadRequestError):
    """A parameter is missing, of the wrong type or sign, or unknown."""

    kind = "invalid-params"


class InvalidPatternError(BadRequestError):
    """A pattern that the matching rules refuse or RE2 does not compile."""

    kind = "invalid-pattern"


class PatternTooLongError(BadRequestError):
    """A pattern over 200 (regular expression) or 4,096 (literal) characters."""

    kind = "pattern-too-long"


class AmbiguousIdError(BadRequestError):
    """An id prefix that names several readable records; `candidates` lists up to ten."""

    kind = "ambiguous-id"


class FailedRequestError(CtxlsError):
    """The request was sound and could not be done."""


class NotFoundError(FailedRequestError):
    """No readable record has that id. An unreadable one answers in the same words."""

    kind = "not-found"

    @classmethod
    def entry(cls, context_id: str) -> "NotFoundError":
        """Name the id that no readable record has."""
        return cls(f"Context entry not found: {context_id}", contextId=context_id)


class UnknownNodeError(FailedRequestError):
    """The record has no section with that node id; `nearest` lists the closest ids."""

    kind = "unknown-node"


class ConflictError(FailedRequestError):
    """The record changed since the version that the update was made from."""

    kind = "conflict"


class ReadOnlyError(FailedRequestError):
    """The store, or this caller, may not be written."""

    kind = "read-only"


class OverBudgetError(FailedRequestError):
    """A scan ran out of the time it may take."""

    kind = "over-budget"


class StoreBusyError(FailedRequestError):
    """Another program kept the store locked for longer than the busy timeout."""

    kind = "store-busy"


class StoreUnavailableError(FailedRequestError):
    """The store is missing, empty, not a database, of an unknown layout, or not to be opened."""

    kind = "store-unavailable"


class StoreDamagedError(FailedRequestError):
    """SQLite found the file malformed."""

    kind = "store-damaged"


class StoreNewerError(FailedRequestError):
    """A newer ctxls wrote the store; this one leaves it untouched."""

    kind = "store-newer"


class UnauthorizedError(FailedRequestError):
    """The token is missing, unknown or expired."""

    kind = "unauthorized"


class DisabledError(FailedRequestError):
    """A setting switches this ability off."""

    kind = "disabled"


class OverloadedError(FailedRequestError):
    """Too much is in flight for this session."""

    kind = "overloaded"


class SettingsError(CtxlsError):
    """A setting is wrong or unknown. It stops the start, so no client ever sees it."""

    kind = "invalid-setting"


class CancelledScanError(Exception):
    """Raised inside a worker thread whose request was cancelled or whose session closed.

    It never reaches a user: whoever set the stop flag answers the request.
    """
