"""What a symbol search answers."""

from dataclasses import dataclass
from typing import Final

from ctxls.records.place import Place
from ctxls.text.positions import Extent

MOST_SYMBOLS: Final = 200


@dataclass(frozen=True, slots=True)
class Symbol:
    """A record (`is_record`), a heading or a line, with where it is."""

    name: str
    is_record: bool
    container: str
    place: Place
    extent: Extent


@dataclass(frozen=True, slots=True)
class SymbolAnswer:
    """At most 200 symbols, and, where there may be more, the sentence that says so."""

    symbols: tuple[Symbol, ...]
    cut: str | None = None
