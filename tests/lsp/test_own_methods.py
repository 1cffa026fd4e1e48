"""The methods of our own: what they take, what they refuse, and the shape of their answers."""

import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from making import record
from peers import Peer, PeerOf, encodings

from ctxls.lsp.offer import Offer
from ctxls.queries.library import Library
from ctxls.records.record import NewRecord
from ctxls.stores.sqlite import SqliteStore

COMPASS = "\U0001f9ed"
TEXT = f"# Set up\n{COMPASS} key one\r\n## Install\nkey two\n"
WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


def row_range(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


async def test_grep_in_content_mode_shows_each_match_with_its_place(peer_of: PeerOf) -> None:
    peer = await peer_of([TEXT], encodings("utf-16"))
    [uri] = await peer.uris()
    params = {"pattern": "KEY", "outputMode": "content", "contextLines": 1, "filter": {}}
    found = await peer.result("context/grep", params)
    rows = found.pop("results")
    assert found == {"mode": "content", "totalMatches": 2, "truncated": False, "scanned": 1}
    assert rows[0] == {
        "contextId": uri.rsplit(".", 2)[1],
        "uri": uri,
        "lineNumber": 2,
        "line": f"{COMPASS} key one",
        "lineStart": 9,
        "matchStart": 11,
        "matchEnd": 14,
        "range": row_range(1, 3, 6),
        "before": ["# Set up"],
        "after": ["## Install"],
        "nodeId": "set-up",
    }
    assert (rows[1]["nodeId"], rows[1]["after"]) == ("set-up/install", [])


async def test_grep_in_the_other_modes_shows_each_record_once(peer_of: PeerOf) -> None:
    peer = await peer_of([TEXT])
    [uri] = await peer.uris()
    context_id = uri.rsplit(".", 2)[1]
    for mode, row in (
        (None, {"contextId": context_id, "uri": uri, "title": "Set up", "matchCount": 2}),
        ("count", {"contextId": context_id, "uri": uri, "count": 2}),
    ):
        params = {"pattern": "key"} | ({"outputMode": mode} if mode else {})
        found = await peer.result("context/grep", params)
        assert found["mode"] == (mode or "files_with_matches")
        assert (found["totalMatches"], found["results"]) == (2, [row])


async def test_a_cut_grep_says_by_what(peer_of: PeerOf) -> None:
    peer = await peer_of(["key"] * 3)
    for params, reason in (({"maxMatches": 2}, "matches"), ({"maxEntriesScanned": 1}, "entries")):
        found = await peer.result("context/grep", {"pattern": "key"} | params)
        assert (found["truncated"], found["truncatedBy"]) == (True, reason)


async def test_a_value_over_a_ceiling_is_lowered_to_it(peer_of: PeerOf) -> None:
    peer = await peer_of(["key"] * 3)
    huge = {"maxMatches": 2**70, "maxEntriesScanned": 2**70, "contextLines": 2**70}
    assert (await peer.result("context/grep", {"pattern": "key"} | huge))["totalMatches"] == 3
    assert len((await peer.result("context/list", {"what": "records", "limit": 2**70}))["items"])
    [uri, *_] = await peer.uris()
    deep = await peer.result("context/navigate", {"uri": uri, "maxDepth": 2**70})
    assert deep["nodeCount"] == 0
    far = await peer.result("context/readRange", {"uri": uri, "startChar": 0, "endChar": 2**70})
    assert far["text"] == "key"


async def test_navigate_shows_the_tree_and_counts_what_it_shows(peer_of: PeerOf) -> None:
    peer = await peer_of([NewRecord("t", "agent", TEXT, summary="All of it.")])
    [uri] = await peer.uris()
    found = await peer.result("context/navigate", {"uri": uri})
    root = found.pop("root")
    assert found == {
        "contextId": uri.rsplit(".", 2)[1],
        "uri": uri,
        "title": "Set up",
        "version": 1,
        "totalChars": len(TEXT),
        "nodeCount": 2,
    }
    [top] = root["children"]
    [inner] = top["children"]
    assert (root["nodeId"], root["level"], root["summary"]) == ("root", 0, "All of it.")
    assert inner == {
        "nodeId": "set-up/install",
        "level": 2,
        "ordinal": 1,
        "title": "Install",
        "charStart": 20,
        "charEnd": 39,
        "range": {"start": {"line": 2, "character": 0}, "end": {"line": 4, "character": 0}},
        "selectionRange": row_range(2, 0, 10),
        "summary": None,
        "children": [],
    }
    shallow = await peer.result("context/navigate", {"uri": uri, "maxDepth": 1})
    assert (shallow["nodeCount"], shallow["root"]["children"][0]["children"]) == (1, [])


async def test_section_summaries_are_shown_on_request(tmp_path: Path) -> None:
    path = tmp_path / "peer.db"
    shutil.copy(Path(__file__).parents[1] / "data" / "peer-small.db", path)
    store = SqliteStore(path, create=False, busy_timeout_s=5, longest_text=64 << 20)
    peer = await Peer(Library(store)).ready()
    shown = set()
    for uri in await peer.uris():
        for asked in (True, False):
            params = {"uri": uri, "includeNodeSummaries": asked}
            found = await peer.result("context/navigate", params)
            top = found["root"]["children"]
            shown |= {(asked, bool(node["summary"])) for node in top}
    await peer.library.close()
    assert shown == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize(
    ("asked", "resolved"),
    [
        ({"startChar": 9, "endChar": 11}, (9, 11, 2, 2)),
        ({"endChar": 5}, (0, 5, 1, 1)),
        ({"startChar": 38}, (38, 39, 4, 4)),
        ({"startChar": 99, "endChar": 100}, (39, 39, 5, 5)),
        ({"startChar": 9, "endChar": 5}, (9, 9, 2, 2)),
        ({"startLine": 2, "endLine": 3}, (9, 30, 2, 3)),
        ({"startLine": 4}, (31, 38, 4, 4)),
        ({"nodeId": "set-up/install"}, (20, 39, 3, 4)),
        ({"nodeId": "root"}, (0, 39, 1, 4)),
    ],
)
async def test_a_read_answers_what_was_resolved(
    peer_of: PeerOf, asked: Any, resolved: tuple[int, int, int, int]
) -> None:
    peer = await peer_of([TEXT])
    [uri] = await peer.uris()
    found = await peer.result("context/readRange", {"uri": uri} | asked)
    names = ("startChar", "endChar", "startLine", "endLine")
    assert tuple(found[name] for name in names) == resolved
    assert found["text"] == TEXT[resolved[0] : resolved[1]]
    assert found["range"]["start"]["line"] == resolved[2] - 1
    assert set(found) == {*names, "contextId", "uri", "version", "range", "text"}


async def test_a_record_is_named_by_uri_id_uuid_or_prefix(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"])
    [uri] = await peer.uris()
    found = uri.rsplit(".", 2)[1]
    uuid = "-".join([found[:8], found[8:12], found[12:16], found[16:20], found[20:]]).upper()
    named = ({"uri": uri}, {"contextId": found}, {"contextId": uuid}, {"contextId": found[:8]})
    for params in named:
        for method in ("context/get", "context/navigate", "context/readRange"):
            whole = {"nodeId": "root"} if method == "context/readRange" else {}
            assert (await peer.result(method, params | whole))["contextId"] == found


async def test_an_ambiguous_prefix_names_its_candidates(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n", "# B\n"])
    found = (await peer.uris())[0].rsplit(".", 2)[1]
    error = await peer.error("context/get", {"contextId": found[:8]})
    assert (error["code"], error["data"]["kind"]) == (-32602, "ambiguous-id")
    assert [item["title"] for item in error["data"]["candidates"]] == ["B", "A"]
    assert set(error["data"]["candidates"][0]) == {"id", "title", "time"}


async def test_an_unknown_section_is_an_error_with_the_nearest(peer_of: PeerOf) -> None:
    peer = await peer_of([TEXT])
    [uri] = await peer.uris()
    error = await peer.error("context/readRange", {"uri": uri, "nodeId": "set-up/instal"})
    assert (error["code"], error["data"]["kind"]) == (-32803, "unknown-node")
    assert error["data"]["nearest"][0] == "set-up/install"


async def test_get_and_list_show_all_of_a_record_but_its_text(peer_of: PeerOf) -> None:
    metadata = {"title": "Plan", "jsonrpc": "2.0", "deep": {"id": 1, "method": "x"}}
    stored = NewRecord("a/b", "user", "text", "text", ("db",), metadata, "Short.", created=WHEN)
    peer = await peer_of([stored])
    [uri] = await peer.uris()
    found = await peer.result("context/get", {"uri": uri})
    assert await peer.result("context/list", {"what": "records"}) == {"items": [found]}
    assert len(found.pop("contentHash")) == 64
    assert datetime.fromisoformat(found.pop("updatedAt")).tzinfo == UTC
    assert found == {
        "contextId": uri.rsplit(".", 2)[1],
        "uri": uri,
        "title": "Plan",
        "threadId": "a/b",
        "source": "user",
        "contentType": "text",
        "tags": ["db"],
        "metadata": metadata,
        "summary": "Short.",
        "version": 1,
        "createdAt": "2026-03-01T12:30:00Z",
        "totalChars": 4,
        "files": [],
    }


async def test_lists_are_paged_by_their_cursor(peer_of: PeerOf) -> None:
    peer = await peer_of([NewRecord(f"t{n}", "agent", "x", tags=(f"g{n}",)) for n in range(5)])
    for what, name, expected in (
        ("threads", "threadId", [f"t{n}" for n in range(4, -1, -1)]),
        ("records", "threadId", [f"t{n}" for n in range(4, -1, -1)]),
        ("tags", "tag", [f"g{n}" for n in range(5)]),
    ):
        items: list[Any] = []
        cursor: dict[str, Any] = {}
        while True:
            page = await peer.result("context/list", {"what": what, "limit": 2} | cursor)
            items += page["items"]
            if "nextCursor" not in page:
                break
            cursor = {"cursor": page["nextCursor"]}
        assert [item[name] for item in items] == expected
    [thread] = (await peer.result("context/list", {"what": "threads", "limit": 1}))["items"]
    assert set(thread) == {"threadId", "records", "updatedAt"}
    [tag] = (await peer.result("context/list", {"what": "tags", "limit": 1}))["items"]
    assert tag == {"tag": "g0", "records": 1}


async def test_status_says_what_is_served_and_shows_the_settings(peer_of: PeerOf) -> None:
    peer = await peer_of(["x"], offer=Offer(settings={"GREP_MAX_MATCHES_CAP": 5}))
    found = await peer.result("context/status")
    off = {"state": "off", "records": 0, "bytes": 0}
    assert found.pop("version")
    assert found == {
        "backend": "sqlite",
        "layout": "ctxls",
        "store": "local",
        "records": 1,
        "readOnly": False,
        "index": off | {"state": "building"},  # wanted, and not begun before anybody follows it
        "words": off,
        "sessions": 1,
        "settings": {"GREP_MAX_MATCHES_CAP": 5},
    }


FILTERS: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [0, 1, 2]),
    ({"threadId": "a"}, [0]),
    ({"source": "user"}, [1]),
    ({"contentType": "multimodal"}, []),
    ({"tags": [" DB ", "none"]}, [2]),
    ({"tags": []}, [0, 1, 2]),
    ({"createdAfter": "2026-03-01T12:30:00Z"}, [0, 1]),
    ({"createdBefore": "2026-03-01T13:30:00+01:00"}, [2]),
    ({"metadataFilters": [{"key": "n", "operator": "gte", "value": 2}]}, [2]),
    ({"metadataFilters": [{"key": "s", "operator": "eq", "value": "UP"}]}, [2]),
    (
        {"metadataFilters": [{"key": "s", "operator": "eq", "value": "UP", "caseSensitive": True}]},
        [],
    ),
    ({"metadataFilters": [{"key": "s", "operator": "exists"}]}, [2]),
    ({"contextIds": []}, []),
]


@pytest.mark.parametrize(("asked", "expected"), FILTERS)
async def test_a_filter_narrows_grep_and_list_alike(
    peer_of: PeerOf, asked: dict[str, Any], expected: list[int]
) -> None:
    old = datetime(2020, 1, 1, tzinfo=UTC)
    peer = await peer_of(
        [
            NewRecord("a", "agent", "key 0", created=WHEN),
            NewRecord("b", "user", "key 1", created=WHEN),
            NewRecord(
                "c", "agent", "key 2", tags=("db",), metadata={"n": 2, "s": "up"}, created=old
            ),
        ]
    )
    listed = await peer.result("context/list", {"what": "records", "filter": asked})
    assert sorted(int(item["title"][-1]) for item in listed["items"]) == expected
    found = await peer.result("context/grep", {"pattern": "key", "filter": asked})
    assert found["scanned"] == len(expected)


async def test_a_filter_takes_ids_in_any_spelling(peer_of: PeerOf) -> None:
    peer = await peer_of(["key", "key"])
    found = (await peer.uris())[0].rsplit(".", 2)[1]
    uuid = "-".join([found[:8], found[8:12], found[12:16], found[16:20], found[20:]]).upper()
    asked = {"pattern": "key", "filter": {"contextIds": [uuid]}}
    assert [row["contextId"] for row in (await peer.result("context/grep", asked))["results"]] == [
        found
    ]


REFUSED: list[tuple[str, Any, str]] = [
    ("context/grep", {"pattern": None}, "pattern must be a string, not null"),
    ("context/grep", {"pattern": ["a"]}, "pattern must be a string, not a list"),
    ("context/grep", {"pattern": "a", "isRegex": 1}, "isRegex must be true or false"),
    ("context/grep", {"pattern": "a", "isRegex": "true"}, "isRegex must be true or false"),
    ("context/grep", {"pattern": "a", "maxMatches": 1.5}, "maxMatches must be a whole number"),
    ("context/grep", {"pattern": "a", "maxMatches": "5"}, "not the string '5'"),
    ("context/grep", {"pattern": "a", "maxMatches": False}, "not false"),
    ("context/grep", {"pattern": "a", "maxMatches": 0}, "1 or more"),
    ("context/grep", {"pattern": "a", "contextLines": -1}, "0 or more"),
    ("context/grep", {"pattern": "a", "maxEntriesScanned": -2}, "maxEntriesScanned is -2"),
    ("context/grep", {"pattern": "a", "outputMode": "lines"}, "files_with_matches"),
    ("context/grep", {"pattern": "a", "outputMode": 1}, "outputMode must be a string"),
    ("context/grep", {"pattern": "a", "filter": []}, "filter must be an object"),
    ("context/grep", {"pattern": "a", "filter": {"tags": "db"}}, "tags must be a list"),
    ("context/grep", {"pattern": "a", "filter": {"tags": [1]}}, "list of strings"),
    ("context/grep", {"pattern": "a", "filter": {"tags": [" "]}}, "blank tag"),
    ("context/grep", {"pattern": "a", "filter": {"source": "bot"}}, "user or agent"),
    ("context/grep", {"pattern": "a", "filter": {"createdAfter": "soon"}}, "ISO 8601"),
    ("context/grep", {"pattern": "a", "filter": {"metadataFilters": [5]}}, "must be an object"),
    ("context/grep", {"pattern": "a", "filter": {"metadataFilters": [{}]}}, "needs key"),
    (
        "context/grep",
        {"pattern": "a", "filter": {"metadataFilters": [{"key": "k", "op": "eq", "value": 1}]}},
        "'op'; it takes key, operator",
    ),
    (
        "context/grep",
        {"pattern": "a", "filter": {"metadataFilters": [{"key": "k", "operator": "like"}]}},
        "no filter operator",
    ),
    ("context/navigate", {}, "needs contextId or uri"),
    ("context/navigate", {"contextId": "a" * 32, "uri": "context://l/t.md"}, "and not both"),
    ("context/navigate", {"contextId": 5}, "contextId must be a string"),
    ("context/navigate", {"contextId": "abc"}, "no record id"),
    ("context/navigate", {"uri": "file:///etc/passwd"}, "not a context: URI"),
    ("context/navigate", {"contextId": "a" * 32, "maxDepth": -1}, "maxDepth is -1"),
    ("context/navigate", {"contextId": "a" * 32, "depth": 1}, "'depth'"),
    ("context/readRange", {"contextId": "a" * 32}, "exactly one"),
    ("context/readRange", {"contextId": "a" * 32, "startChar": 0, "nodeId": "x"}, "exactly one"),
    ("context/readRange", {"contextId": "a" * 32, "startChar": 0, "endLine": 1}, "exactly one"),
    ("context/readRange", {"contextId": "a" * 32, "startChar": True}, "startChar must be"),
    ("context/list", {}, "needs what"),
    ("context/list", {"what": "files"}, "threads, records, tags"),
    ("context/list", {"what": "tags", "limit": 0}, "limit is 0"),
    ("context/list", {"what": "tags", "cursor": "nonsense"}, "cursor"),
    ("context/list", {"what": "tags", "cursor": 5}, "cursor must be a string"),
    ("context/get", {"id": "a" * 32}, "'id'"),
    ("context/status", {"verbose": True}, "'verbose'"),
]


@pytest.mark.parametrize(("method", "params", "named"), REFUSED)
async def test_what_is_wrong_is_refused_in_one_sentence(
    peer_of: PeerOf, method: str, params: Any, named: str
) -> None:
    peer = await peer_of(["# A\n"])
    error = await peer.error(method, params)
    assert (error["code"], error["data"]["kind"]) == (-32602, "invalid-params")
    assert re.search(named, error["message"]), error["message"]
    assert error["message"].endswith(".")


@pytest.mark.parametrize(("number", "unit"), [(-1, "startChar"), (-1, "endChar"), (0, "startLine")])
async def test_a_negative_offset_and_line_0_are_refused(
    peer_of: PeerOf, number: int, unit: str
) -> None:
    peer = await peer_of([TEXT])
    [uri] = await peer.uris()
    error = await peer.error("context/readRange", {"uri": uri, unit: number})
    assert (error["code"], error["data"]["kind"]) == (-32602, "invalid-params")
    assert unit in error["message"]


async def test_an_unreadable_record_answers_like_one_that_does_not_exist(peer_of: PeerOf) -> None:
    peer = await peer_of(["# A\n"])
    missing = "0" * 32
    uri = f"context://local/t/x.{missing}.md"
    asked: list[tuple[str, Any]] = [
        ("context/get", {"contextId": missing}),
        ("context/get", {"uri": uri}),
        ("context/navigate", {"uri": uri}),
        ("context/readRange", {"uri": uri, "nodeId": "root"}),
        ("workspace/textDocumentContent", {"uri": uri}),
        ("textDocument/documentSymbol", {"textDocument": {"uri": uri}}),
    ]
    for method, params in asked:
        error = await peer.error(method, params)
        assert error == {
            "code": -32803,
            "message": f"Context entry not found: {missing}",
            "data": {"kind": "not-found", "contextId": missing},
        }


async def test_odd_text_comes_through_as_it_is_stored(peer_of: PeerOf) -> None:
    odd = f"\ufeff# T\x01\r\u2028\x85{COMPASS}\ud7ff\uffff\n"
    peer = await peer_of([record(odd), record("")])
    uris = await peer.uris()
    contents = [await peer.result("workspace/textDocumentContent", {"uri": uri}) for uri in uris]
    assert contents == [{"text": odd}, {"text": ""}]


def test_the_shapes_need_no_protocol_library() -> None:
    names = "grep navigate read_range listing status"
    check = "import sys; from ctxls.lsp.extensions import " + ", ".join(names.split())
    check += "; sys.exit(bool({'lsprotocol', 'pygls', 'cattrs'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


@pytest.mark.parametrize("wrong", ["zz", "01a22e4a", "", "x" * 100_000])
async def test_an_id_that_is_not_whole_is_refused_in_a_filter(peer_of: PeerOf, wrong: str) -> None:
    peer = await peer_of(["key"])
    params = {"pattern": "key", "filter": {"contextIds": [wrong]}}
    error = await peer.error("context/grep", params)
    assert error["data"]["kind"] == "invalid-params"
    assert len(error["message"]) < 200
