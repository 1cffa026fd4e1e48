"""Reading params strictly: an unknown key, a wrong type and a missing value are refused by name.

Signs and ceilings are the queries' matter. A boolean is no number, and null is no way to leave a
value out.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from ctxls.errors import InvalidParamsError
from ctxls.records.uri import parse_uri
from ctxls.text.printable import quoted

Value = TypeVar("Value")
RECORD: tuple[str, ...] = ("contextId", "uri")
"""The two keys that name a record; a method takes exactly one of them."""


class Params:
    """The params of one method, or one object inside them; `owner` names it in messages."""

    def __init__(self, owner: str, found: Any, known: Sequence[str]) -> None:
        if not isinstance(found, Mapping):
            raise InvalidParamsError(f"{owner} must be an object.")
        for key in found:
            if key not in known:
                raise InvalidParamsError(f"{owner} has no {quoted(key)}{_hint(key, known)}.")
        self._owner = owner
        self._found = found

    def text(self, name: str) -> str | None:
        """Return a string, or None where it is left out."""
        return self._of(name, str, "a string")

    def needed_text(self, name: str) -> str:
        """Return a string that must be there."""
        found = self.text(name)
        if found is None:
            raise InvalidParamsError(f"{self._owner} needs {name}.")
        return found

    def choice(self, name: str, allowed: Sequence[str]) -> str:
        """Return a string that must be there, and be one of those allowed."""
        found = self.needed_text(name)
        if found not in allowed:
            raise InvalidParamsError(f"{name} is {quoted(found)}; use {', '.join(allowed)}.")
        return found

    def flag(self, name: str) -> bool:
        """Return a boolean; left out it is false."""
        return self._of(name, bool, "true or false") or False

    def token(self, name: str) -> int | str | None:
        """Return a token of `$/progress`, or None where it is left out."""
        found = self._found.get(name)
        is_text = isinstance(found, str)
        return found if is_text else self._of(name, int, "a string or a whole number")

    def whole(self, name: str, default: Value) -> int | Value:
        """Return a whole number, or `default` where it is left out."""
        found = self._of(name, int, "a whole number")
        return default if found is None else found

    def texts(self, name: str) -> list[str] | None:
        """Return a list of strings, or None where it is left out."""
        found = self.list(name)
        if found is not None and not all(isinstance(item, str) for item in found):
            raise InvalidParamsError(f"{name} must be a list of strings.")
        return found

    def list(self, name: str) -> list[Any] | None:
        """Return a list, or None where it is left out."""
        return self._of(name, list, "a list")

    def any(self, name: str) -> Any:
        """Return a value of any type; left out it is None."""
        return self._found.get(name)

    def record(self) -> str:
        """Return the id, the prefix of one, or the URI: contextId or uri, exactly one of them."""
        context_id, uri = (self.text(name) for name in RECORD)
        if (context_id is None) == (uri is None):
            raise InvalidParamsError(f"{self._owner} needs contextId or uri, and not both.")
        if uri is None:
            return str(context_id)
        parse_uri(uri)  # refuses what is no URI of a record
        return uri

    def _of(self, name: str, kind: type[Value], words: str) -> Value | None:
        if name not in self._found:
            return None
        found = self._found[name]
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            raise InvalidParamsError(f"{name} must be {words}, not {_shown(found)}.")
        return found


def _hint(key: str, known: Sequence[str]) -> str:
    if not known:
        return "; it takes nothing"
    nearest = get_close_matches(key[:100], known, 1)
    return f"; did you mean {nearest[0]}" if nearest else f"; it takes {', '.join(known)}"


def _shown(found: Any) -> str:
    """Name a value of the wrong type, whatever it is and however large."""
    if isinstance(found, str):
        return f"the string {quoted(found, 60)}"
    if found is None or isinstance(found, bool):
        return {None: "null", True: "true", False: "false"}[found]
    if isinstance(found, int | float):
        return f"the number {found:.20g}" if isinstance(found, float) else "a number"
    return "an object" if isinstance(found, Mapping) else "a list"
