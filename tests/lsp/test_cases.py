"""The cases of public bug reports that URIs, open texts and symbol searches decide."""

import json
from pathlib import Path
from typing import Any

import pytest
from making import record
from peers import NESTED, PeerOf

from ctxls.records.record import NewRecord

SYMBOLS = "textDocument/documentSymbol"
CASES = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text("utf-8"))
BY_ID: dict[str, Any] = {case["id"]: case for case in CASES}
SPELT = [case for case in CASES if "equivalent_spellings" in case["expected"]]
SEARCHED = ["D013-symbol-client-filter", "D017-symbol-special-query"]


def is_in_order(letters: str, name: str) -> bool:
    """Tell whether a client's fuzzy filter lets `name` through."""
    rest = iter(name.lower())
    return all(letter in rest for letter in letters.lower())


@pytest.mark.parametrize("case", SPELT, ids=lambda case: case["id"])
async def test_every_spelling_of_a_name_reaches_its_record(
    peer_of: PeerOf, case: dict[str, Any]
) -> None:
    name = case["input"]["name"]
    peer = await peer_of([record("# Right\n", name, name), "# Other\n"])
    uri = (await peer.uris())[0]
    file_name = uri.rsplit("/", 1)[1]
    assert "%2f" not in uri.lower()
    for spelt in [*case["expected"]["equivalent_spellings"], name]:
        if "#" in spelt or "?" in spelt:
            continue  # raw, these begin a fragment or a query
        for other in (f"context://local/{spelt}/{file_name}", f"context:///{spelt}/{file_name}"):
            found = await peer.result(SYMBOLS, {"textDocument": {"uri": other}})
            assert [symbol["name"] for symbol in found] == ["Right"]
    assert (await peer.result("context/get", {"uri": uri}))["uri"] == uri


async def test_names_that_differ_by_an_escape_are_two_records(peer_of: PeerOf) -> None:
    names = BY_ID["D009-uri-double-decode"]["input"]["names"]
    peer = await peer_of([record(f"# {name}\n", name, name) for name in names])
    uris = await peer.uris()
    assert len(set(uris)) == len(names)
    for uri, name in zip(uris, names, strict=True):
        assert (await peer.result("context/get", {"uri": uri}))["threadId"] == name


@pytest.mark.parametrize("case_id", SEARCHED)
async def test_a_symbol_query_is_a_literal_that_passes_the_clients_own_filter(
    peer_of: PeerOf, case_id: str
) -> None:
    case = BY_ID[case_id]
    peer = await peer_of(list(case["input"]["records"].values()))
    query = case["request"]["query"]
    found = [item["name"] for item in await peer.result("workspace/symbol", {"query": query})]
    assert found
    assert all(is_in_order(query, name) for name in found)
    assert found == case["expected"].get("names", found)


async def test_an_exact_title_is_never_cut_off_for_vaguer_ones(peer_of: PeerOf) -> None:
    """As in D015: the exact one is the oldest of all, and the cut is said once in the log."""
    texts = ["# Order\n", *(f"# Order{n}\n" for n in range(1000))]
    peer = await peer_of(texts)
    found = await peer.result("workspace/symbol", {"query": "Order"})
    assert (len(found), found[0]["name"]) == (200, "Order")
    logged = [item for item in peer.written if item.get("method") == "window/logMessage"]
    assert [item["params"]["type"] for item in logged] == [3]
    assert "cut at 200 symbols" in logged[0]["params"]["message"]


async def test_symbols_name_their_kind_place_and_container(peer_of: PeerOf) -> None:
    records = [record("# Guide\n\n## Key words\nplain key\n", "deploy"), record("x", "t", "Key")]
    peer = await peer_of(records, NESTED)
    guide, titled = await peer.uris()
    found = await peer.result("workspace/symbol", {"query": "key"})
    shown = [(item["name"], item["kind"], item["containerName"]) for item in found]
    assert shown == [
        ("Key", 2, "t"),
        ("Key words", 3, "deploy › Guide › Guide"),
        ("plain key", 3, "deploy › Guide › Key words"),
    ]
    assert [item["location"]["uri"] for item in found] == [titled, guide, guide]
    place = {"start": {"line": 3, "character": 6}, "end": {"line": 3, "character": 9}}
    assert found[2]["location"]["range"] == place


async def test_an_empty_query_lists_the_most_recent_records(peer_of: PeerOf) -> None:
    peer = await peer_of([NewRecord("t", "agent", f"# T{n}\n") for n in range(120)])
    found = await peer.result("workspace/symbol", {"query": ""})
    assert [item["name"] for item in found] == [f"T{n}" for n in range(119, 19, -1)]
