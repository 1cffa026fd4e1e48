"""The main path through pytest-lsp's client, in every encoding, an emoji before every target."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from processes import command, environment, stored
from pygls.protocol import JsonRPCResponseMessage, default_converter
from pytest_lsp import ClientServerConfig, LanguageClient

from ctxls.records.record import NewRecord

pytestmark = pytest.mark.asyncio(loop_scope="module")
COMPASS = "\U0001f9ed"
PLAN = f"""# {COMPASS} Rollback plan

{COMPASS} See [[{COMPASS} Incident]] before the `failover`.\r
\u2028## not a heading
## {COMPASS} Steps
{COMPASS} drain, then failover
"""
INCIDENT = f"# {COMPASS} Incident\r{COMPASS} failover took 40 s\r"
WIDTH = {"utf-8": 4, "utf-16": 2, "utf-32": 1}


@dataclass
class Desk:
    """A client, the URIs of its two records, and how wide the emoji is in its encoding."""

    client: LanguageClient
    plan: str
    incident: str
    width: int

    async def ask(self, method: str, params: Any = None) -> Any:
        protocol: Any = self.client.protocol
        return await protocol.send_request_async(method, params)


def make_client() -> LanguageClient:
    """Make a client that keeps the answers of our own methods as they are."""

    def converter() -> Any:
        made = default_converter()  # type: ignore[no-untyped-call]
        made.register_structure_hook(JsonRPCResponseMessage, lambda found, kind: kind(**found))
        return made

    return LanguageClient(converter_factory=converter)


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=WIDTH)
async def desk(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Desk]:
    folder = tmp_path_factory.mktemp("main-path")
    store = folder / "store.db"
    await stored(store, [NewRecord("a/b", "agent", PLAN), NewRecord("ops", "user", INCIDENT)])
    config = ClientServerConfig(server_command=command(store), client_factory=make_client)
    config.server_env = environment(folder)
    client: Any = await config.start()
    capabilities = types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=[request.param]),
        text_document=types.TextDocumentClientCapabilities(
            document_symbol=types.DocumentSymbolClientCapabilities(
                hierarchical_document_symbol_support=True
            )
        ),
    )
    found = await client.initialize_session(types.InitializeParams(capabilities=capabilities))
    assert found.capabilities.position_encoding == request.param
    found = await client.protocol.send_request_async("context/list", {"what": "records"})
    incident, plan = (item["uri"] for item in found["items"])
    yield Desk(client, plan, incident, WIDTH[request.param])
    await client.shutdown_session()
    await client.stop()


def here(line: int, start: int, end: int) -> types.Range:
    return types.Range(
        start=types.Position(line=line, character=start),
        end=types.Position(line=line, character=end),
    )


def plain(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


async def test_the_uris_are_canonical(desk: Desk) -> None:
    assert desk.plan.startswith("context://local/a/b/rollback-plan.")
    assert desk.incident.startswith("context://local/ops/incident.")


async def test_a_record_opens_as_a_document_with_its_stored_text(desk: Desk) -> None:
    for uri, text in ((desk.plan, PLAN), (desk.incident, INCIDENT)):
        params = types.TextDocumentContentParams(uri=uri)
        found = await desk.client.workspace_text_document_content_async(params)
        assert found.text == text


async def test_the_outline_is_the_heading_tree(desk: Desk) -> None:
    document = types.TextDocumentIdentifier(uri=desk.plan)
    found = await desk.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(text_document=document)
    )
    assert found
    [top] = found
    assert isinstance(top, types.DocumentSymbol)
    assert (top.name, top.kind) == (f"{COMPASS} Rollback plan", types.SymbolKind.Namespace)
    assert top.selection_range == here(0, 0, 2 + desk.width + len(" Rollback plan"))
    assert top.range.end == types.Position(line=6, character=0)
    [steps] = top.children or []
    assert (steps.name, steps.range.start.line) == (f"{COMPASS} Steps", 4)


async def test_a_symbol_search_is_grep(desk: Desk) -> None:
    found = await desk.client.workspace_symbol_async(types.WorkspaceSymbolParams(query="FAILOVER"))
    shown = {
        (item.name, item.location.uri, str(item.location.range), item.container_name)
        for item in found or []
        if isinstance(item.location, types.Location)
    }
    first = desk.width
    assert shown == {
        (
            f"{COMPASS} failover took 40 s",
            desk.incident,
            str(here(1, first + 1, first + 9)),
            f"ops › {COMPASS} Incident › {COMPASS} Incident",
        ),
        (
            f"{COMPASS} See [[{COMPASS} Incident]] before the `failover`.",
            desk.plan,
            str(here(2, 2 * first + 31, 2 * first + 39)),
            f"a/b › {COMPASS} Rollback plan › {COMPASS} Rollback plan",
        ),
        (
            f"{COMPASS} drain, then failover",
            desk.plan,
            str(here(5, first + 13, first + 21)),
            f"a/b › {COMPASS} Rollback plan › {COMPASS} Steps",
        ),
    }


async def test_a_title_in_brackets_leads_to_its_record(desk: Desk) -> None:
    found = await desk.client.text_document_definition_async(
        types.DefinitionParams(
            text_document=types.TextDocumentIdentifier(uri=desk.plan),
            position=types.Position(line=2, character=2 * desk.width + 12),
        )
    )
    assert isinstance(found, list | tuple)
    assert [getattr(item, "uri", None) for item in found] == [desk.incident]


async def test_a_word_leads_to_its_other_occurrences(desk: Desk) -> None:
    found = await desk.client.text_document_definition_async(
        types.DefinitionParams(
            text_document=types.TextDocumentIdentifier(uri=desk.incident),
            position=types.Position(line=1, character=desk.width + 4),
        )
    )
    assert isinstance(found, list | tuple)
    assert [(getattr(item, "uri", None), getattr(item, "range", None)) for item in found] == [
        (desk.plan, here(2, 2 * desk.width + 31, 2 * desk.width + 39)),
        (desk.plan, here(5, desk.width + 13, desk.width + 21)),
    ]


async def test_grep_leads_to_its_section_and_the_section_is_read(desk: Desk) -> None:
    found = await desk.ask("context/grep", {"pattern": "drain", "outputMode": "content"})
    [row] = found["results"]
    assert row["range"] == plain(5, desk.width + 1, desk.width + 6)
    assert PLAN[row["matchStart"] : row["matchEnd"]] == "drain"
    tree = await desk.ask("context/navigate", {"uri": row["uri"]})
    node = next(node for node in nodes(tree["root"]) if node["nodeId"] == row["nodeId"])
    section = {"uri": row["uri"], "nodeId": row["nodeId"]}
    read = await desk.ask("context/readRange", section)
    assert (
        read["text"]
        == PLAN[node["charStart"] : node["charEnd"]]
        == PLAN[PLAN.index("## " + COMPASS) :]
    )
    assert read["range"] == node["range"]


def nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in node["children"]:
        yield from nodes(child)


async def test_an_edit_behind_an_emoji_moves_the_outline(desk: Desk) -> None:
    client, uri = desk.client, desk.incident
    opened = types.TextDocumentItem(uri=uri, language_id="markdown", version=1, text=INCIDENT)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=opened))
    change = types.TextDocumentContentChangePartial(
        range=here(0, 2 + desk.width, 2 + desk.width + len(" Incident")), text=f" {COMPASS}!"
    )
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=2),
            content_changes=[change],
        )
    )
    document = types.TextDocumentIdentifier(uri=uri)
    params = types.DocumentSymbolParams(text_document=document)
    found = await client.text_document_document_symbol_async(params)
    assert [item.name for item in found or []] == [f"{COMPASS} {COMPASS}!"]
    client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=document))
    found = await client.text_document_document_symbol_async(params)
    assert [item.name for item in found or []] == [f"{COMPASS} Incident"]
