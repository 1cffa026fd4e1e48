"""The texts that one client has open, whatever the store holds."""

from dataclasses import dataclass, replace
from functools import cached_property

from ctxls.errors import InvalidParamsError
from ctxls.records.record import RecordId
from ctxls.records.uri import parse_uri
from ctxls.text import edits
from ctxls.text.edits import Edit
from ctxls.text.positions import Encoding


@dataclass(frozen=True)
class Buffer:
    """One open text, under the URI that the client gave it.

    Not slotted, since the sound text is made when first asked for and kept.
    """

    uri: str
    record_id: RecordId | None
    """None where the URI names no record."""
    raw: str
    """The client's text exactly; it may hold lone surrogates between two changes."""

    @cached_property
    def text(self) -> str:
        """The text as it can be parsed, searched and sent."""
        return edits.sound(self.raw)


class Buffers:
    """The open texts of one session."""

    def __init__(self) -> None:
        self._open: dict[str, Buffer] = {}

    def open(self, uri: str, text: str) -> Buffer:
        """Take over a text; opening a URI again replaces it."""
        buffer = Buffer(uri, record_named(uri), text)
        self._open[uri] = buffer
        return buffer

    def change(self, uri: str, changes: list[Edit], encoding: Encoding) -> bool:
        """Make changes one after the other; return whether that URI is open at all."""
        buffer = self._open.get(uri)
        if buffer is None:
            return False
        self._open[uri] = replace(buffer, raw=edits.edited(buffer.raw, changes, encoding))
        return True

    def close(self, uri: str) -> None:
        """Forget a text."""
        self._open.pop(uri, None)

    def find(self, uri: str) -> Buffer | None:
        """Return the text open under that URI, or under another spelling of the same record."""
        return self._open.get(uri) or self.of_record(record_named(uri))

    def of_record(self, record_id: RecordId | None) -> Buffer | None:
        """Return the text that is open of a record."""
        if record_id is None:
            return None
        return next((found for found in self._open.values() if found.record_id == record_id), None)


def record_named(uri: str) -> RecordId | None:
    """Return the id that a URI names, if it names one."""
    try:
        return parse_uri(uri).id
    except InvalidParamsError:
        return None
