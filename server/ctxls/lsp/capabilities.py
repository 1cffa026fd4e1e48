"""What `initialize` answers: exactly what works, and nothing that only pygls would promise."""

from collections.abc import Collection
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from ctxls import __version__
from ctxls.lsp.client import Client
from ctxls.lsp.typed_params import converter
from ctxls.records.uri import SCHEME

TEXT_CONTENT = types.TextDocumentContentOptions(schemes=[SCHEME])


def initialize_result(client: Client, methods: Collection[str]) -> Any:
    """Make the result for a client, where `methods` are those that are answered."""
    found = types.InitializeResult(
        capabilities=_capabilities(client, methods),
        server_info=types.ServerInfo(name="ctxls", version=__version__),
    )
    return converter().unstructure(found)


def _capabilities(client: Client, methods: Collection[str]) -> types.ServerCapabilities:
    builder = ServerCapabilitiesBuilder(
        types.ClientCapabilities(),
        set(methods),
        feature_options={},
        commands=[],
        text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
        position_encoding=client.encoding.value,
    )
    found: types.ServerCapabilities = builder.build()  # type: ignore[no-untyped-call]
    found.execute_command_provider = None
    if found.document_symbol_provider:
        found.document_symbol_provider = types.DocumentSymbolOptions(work_done_progress=True)
    if found.workspace_symbol_provider:
        found.workspace_symbol_provider = types.WorkspaceSymbolOptions(work_done_progress=True)
    if found.definition_provider:
        found.definition_provider = types.DefinitionOptions(work_done_progress=True)
    found.workspace = types.WorkspaceOptions(
        text_document_content=None if client.registers_text_content else TEXT_CONTENT
    )
    own = sorted(method for method in methods if method.startswith(f"{SCHEME}/"))
    found.experimental = {"ctxls": {"version": __version__, "methods": own}}
    return found


def text_content_registration() -> Any:
    """Make the params of `client/registerCapability` that offer textDocumentContent."""
    method = types.WORKSPACE_TEXT_DOCUMENT_CONTENT
    registration = types.Registration(
        id=method, method=method, register_options=converter().unstructure(TEXT_CONTENT)
    )
    return converter().unstructure(types.RegistrationParams(registrations=[registration]))
