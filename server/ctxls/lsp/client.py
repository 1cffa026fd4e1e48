"""What the client at the other end can do, resolved once from its `initialize`.

Read from the bare JSON and leniently: a client that sends something odd for an ability that
ctxls does not have must still be served.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ctxls.text.positions import Encoding


@dataclass(frozen=True, slots=True)
class Client:
    """A client's abilities, as far as they change an answer. The default is the plainest one."""

    encoding: Encoding = Encoding.UTF16
    nested_symbols: bool = False
    shows_progress: bool = False
    """Whether it shows work that the server begins by itself."""
    registers_text_content: bool = False
    """Whether textDocumentContent is offered by `client/registerCapability`, not statically."""

    @classmethod
    def of(cls, capabilities: Mapping[str, Any]) -> "Client":
        """Resolve a client's `ClientCapabilities`."""
        return cls(
            _encoding(_at(capabilities, "general", "positionEncodings")),
            _at(capabilities, "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
            is True,
            _at(capabilities, "window", "workDoneProgress") is True,
            _at(capabilities, "workspace", "textDocumentContent", "dynamicRegistration") is True,
        )


def _encoding(offered: Any) -> Encoding:
    """Choose the client's first encoding that we know; LSP's default when there is none."""
    known = {encoding.value: encoding for encoding in Encoding}
    names = offered if isinstance(offered, list) else []
    return next(
        (known[name] for name in names if isinstance(name, str) and name in known), Encoding.UTF16
    )


def _at(found: Any, *path: str) -> Any:
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
