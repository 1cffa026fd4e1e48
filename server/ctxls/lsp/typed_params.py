"""A request's params, checked and typed: lsprotocol's classes for LSP, plain objects for our own.

One converter serves the process, since cattrs compiles its hooks once for each converter.
"""

from functools import cache
from typing import Any, Final

from cattrs import ClassValidationError, Converter, transform_error
from lsprotocol import converters, types

from ctxls.errors import InvalidParamsError
from ctxls.lsp.messages import is_id

MOST_UINTEGER: Final = 2**31 - 1
"""The largest `uinteger` of LSP; some clients write a larger one for "the end of the line"."""
UNTYPED: Final = frozenset(
    {types.INITIALIZE, types.INITIALIZED, types.SHUTDOWN, types.EXIT, types.SET_TRACE}
)

CHANGE: Final = (
    types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument
)


@cache
def converter() -> Converter:
    """Return the process's converter."""
    made = converters.get_converter()
    made.register_structure_hook(str, _text)
    made.register_structure_hook(types.Position, lambda found, _: _position(found, least=0))
    made.register_structure_hook(CHANGE, _change)
    return made


def typed(method: str, params: Any) -> Any:
    """Check and type a method's params, or raise InvalidParamsError that names the field."""
    wanted = types.METHOD_TO_TYPES.get(method, (None, None, None))[2]
    if method in UNTYPED:
        return params
    if params is None and wanted is None:
        return {}
    if not isinstance(params, dict):
        raise InvalidParamsError(f"The params of {method} must be an object.")
    if wanted is None:
        return params
    for name in ("workDoneToken", "partialResultToken"):
        if not (params.get(name) is None or is_id(params[name])):
            raise InvalidParamsError(f"{name} of {method} must be a string or a whole number.")
    return _structured(method, params, wanted)


def _structured(method: str, params: dict[str, Any], wanted: Any) -> Any:
    try:
        return converter().structure(params, wanted)
    except ClassValidationError as error:
        reason = transform_error(error, format_exception=_reason)[0]
    sentence, _, path = reason.rpartition(" @ $.")
    raise InvalidParamsError(f"{_spelled(path)} of {method} {sentence}.")


def _reason(error: BaseException, _: type | None) -> str:
    if isinstance(error, KeyError):
        return "is missing"
    return str(error) if isinstance(error, _WrongValueError) else "is not what LSP has there"


def _spelled(path: str) -> str:
    """Spell a path as the wire does: `text_document.uri` is `textDocument.uri`."""
    first, *rest = path.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


class _WrongValueError(ValueError):
    """A value of the wrong type or sign; the text says what would be right."""


def _text(found: Any, _: type) -> str:
    if not isinstance(found, str):
        raise _WrongValueError("must be a string")
    return found


def _position(found: Any, least: int) -> types.Position:
    """Read a position; numbers past the largest clamp to it, and those below `least` are wrong."""
    if not isinstance(found, dict):
        raise _WrongValueError("must be an object with line and character")
    line, character = (_uinteger(found.get(name), name, least) for name in ("line", "character"))
    return types.Position(line=line, character=character)


def _uinteger(found: Any, name: str, least: int) -> int:
    if not isinstance(found, int) or isinstance(found, bool) or found < least:
        raise _WrongValueError(f"needs a {name} that is a whole number, 0 or more")
    return max(0, min(found, MOST_UINTEGER))


def _change(found: Any, _: type) -> types.TextDocumentContentChangeEvent:
    """Read one change leniently: to drop it would leave the text different from the client's."""
    if not isinstance(found, dict):
        raise _WrongValueError("must be a list of objects")
    text = _text(found.get("text"), str)
    between = found.get("range")
    if between is None:
        return types.TextDocumentContentChangeWholeDocument(text=text)
    if not isinstance(between, dict):
        raise _WrongValueError("needs a range that is an object")
    lowest = -MOST_UINTEGER
    start, end = (_position(between.get(name), lowest) for name in ("start", "end"))
    changed = types.Range(start=start, end=end)
    return types.TextDocumentContentChangePartial(range=changed, text=text)
