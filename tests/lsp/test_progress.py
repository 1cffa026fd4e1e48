"""What a client hears of a request while it goes on: the work, and the results so far."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from making import MakeLibrary, record
from peers import Peer, PeerOf

from ctxls.queries.limits import Limits

SLOW = r"[\pL\pN]{1,200}zq"
LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 7919)))
"""24 KB over which SLOW takes some 0.2 seconds."""
LINES = [f"# Title {n}\nneedle {n}\nneedle again\n" for n in range(120)]


def told(peer: Peer, token: Any) -> list[Any]:
    """Return the values that belong to a token."""
    progress = (found["params"] for found in peer.written if found.get("method") == "$/progress")
    return [params["value"] for params in progress if params["token"] == token]


def kinds(peer: Peer, token: Any) -> list[str]:
    return [value["kind"] for value in told(peer, token)]


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - what the server writes sets no event
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("mode", ["files_with_matches", "count", "content"])
async def test_the_parts_of_a_grep_hold_what_its_answer_would(peer_of: PeerOf, mode: str) -> None:
    peer = await peer_of(LINES)
    asked = {"pattern": "needle", "outputMode": mode, "maxMatches": 110}
    whole = await peer.result("context/grep", asked)
    rest = await peer.result("context/grep", asked | {"partialResultToken": "p"})
    parts = told(peer, "p")
    assert len(parts) > 1
    assert all(list(part) == ["results"] for part in parts)
    assert rest | {"results": [row for part in parts for row in part["results"]]} == whole
    assert rest["results"] == []
    assert (rest["truncatedBy"], len(whole["results"])) == ("matches", 110)


@pytest.mark.parametrize("query", ["needle", "/need.e/", "title 7", "", "no such thing"])
async def test_the_parts_of_a_symbol_search_hold_what_its_answer_would(
    peer_of: PeerOf, query: str
) -> None:
    peer = await peer_of([*LINES[:90], record("other", title="A needle")])
    whole = await peer.result("workspace/symbol", {"query": query})
    rest = await peer.result("workspace/symbol", {"query": query, "partialResultToken": 7})
    assert rest == []
    heard = [symbol for part in told(peer, 7) for symbol in part]
    assert sorted(heard, key=str) == sorted(whole, key=str)


async def test_200_symbols_are_heard_and_beyond_them_only_titles_equal_to_the_query(
    peer_of: PeerOf,
) -> None:
    peer = await peer_of(["# needle\n"] * 3 + ["other"] * 40 + ["needle in a line\n" * 250])
    await peer.result("workspace/symbol", {"query": "needle", "partialResultToken": "p"})
    heard = [symbol["name"] for part in told(peer, "p") for symbol in part]
    assert sorted(heard) == ["needle"] * 3 + ["needle in a line"] * 200
    said = [found for found in peer.written if found.get("method") == "window/logMessage"]
    assert "cut at 200 symbols" in said[0]["params"]["message"]


async def test_who_gives_no_token_hears_nothing(peer_of: PeerOf) -> None:
    peer = await peer_of(LINES)
    await peer.result("context/grep", {"pattern": "needle"})
    await peer.result("workspace/symbol", {"query": "needle"})
    assert not [found for found in peer.written if found.get("method") == "$/progress"]


async def test_the_work_is_begun_told_in_rising_percentages_and_ended_before_the_answer(
    peer_of: PeerOf,
) -> None:
    peer = await peer_of([LETTERS] * 8)
    asked = {"pattern": SLOW, "isRegex": True, "workDoneToken": "w"}
    message_id = peer.start("context/grep", asked)
    await peer.answer(message_id)
    begin, *reports, end = told(peer, "w")
    assert begin["kind"] == "begin"
    assert begin["cancellable"] is True
    assert end == {"kind": "end"}
    assert {report["kind"] for report in reports} == {"report"}
    percentages = [report["percentage"] for report in reports]
    assert percentages == sorted({*percentages})
    assert percentages
    assert set(percentages) <= set(range(101))
    assert peer.written[-1]["id"] == message_id


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("context/grep", {"pattern": "needle"}),
        ("workspace/symbol", {"query": "needle"}),
        ("context/grep", {"pattern": "("} | {"isRegex": True}),
    ],
)
async def test_work_that_was_begun_is_ended_once_whatever_came_of_it(
    peer_of: PeerOf, method: str, params: Any
) -> None:
    peer = await peer_of(LINES)
    await peer.answer(peer.start(method, params | {"workDoneToken": 1}))
    first, *_, last = kinds(peer, 1)
    assert (first, last) == ("begin", "end")
    assert [kinds(peer, 1).count(kind) for kind in ("begin", "end")] == [1, 1]


async def test_the_outline_and_the_definition_tell_of_their_work_too(peer_of: PeerOf) -> None:
    peer = await peer_of(["# Title\n[[Title]]"])
    [uri] = await peer.uris()
    of = {"textDocument": {"uri": uri}}
    await peer.result("textDocument/documentSymbol", of | {"workDoneToken": "s"})
    at = {"position": {"line": 1, "character": 4}, "workDoneToken": "d"}
    assert await peer.result("textDocument/definition", of | at)
    assert kinds(peer, "s") == kinds(peer, "d") == ["begin", "end"]  # which have no percentage


@pytest.mark.parametrize("how", ["$/cancelRequest", "window/workDoneProgress/cancel"])
async def test_a_cancelled_request_ends_its_work_and_answers_so(peer_of: PeerOf, how: str) -> None:
    peer = await peer_of([LETTERS] * 200)
    params = {"pattern": SLOW, "isRegex": True, "workDoneToken": "w"}
    message_id = peer.start("context/grep", params)
    await until(lambda: "report" in kinds(peer, "w"))
    peer.notify(how, {"id": message_id} if how == "$/cancelRequest" else {"token": "w"})
    assert (await peer.answer(message_id))["error"]["code"] == -32800
    assert kinds(peer, "w").count("end") == 1
    heard = len(peer.written)
    await asyncio.sleep(0.3)
    assert len(peer.written) == heard


@pytest.mark.parametrize("params", [{"token": "w"}, {"token": {}}, {"token": None}, {}, [], None])
async def test_a_cancel_of_no_work_is_no_matter(peer_of: PeerOf, params: Any) -> None:
    peer = await peer_of(["a"])
    peer.notify("window/workDoneProgress/cancel", params)
    assert (await peer.result("context/grep", {"pattern": "a"}))["totalMatches"] == 1


@pytest.mark.parametrize("name", ["workDoneToken", "partialResultToken"])
@pytest.mark.parametrize("token", [True, 1.5, [], {}])
@pytest.mark.parametrize("method", ["context/grep", "workspace/symbol"])
async def test_a_token_that_is_none_is_refused_by_name(
    peer_of: PeerOf, method: str, name: str, token: Any
) -> None:
    peer = await peer_of(["a"])
    key = "pattern" if method == "context/grep" else "query"
    error = await peer.error(method, {key: "a", name: token})
    assert (error["code"], error["data"]["kind"]) == (-32602, "invalid-params")
    assert name in error["message"]


class Unread(Peer):
    """A client that reads only while `reads` is set."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reads = asyncio.Event()
        self.reads.set()

    async def room(self) -> None:
        await self.reads.wait()


async def test_a_client_that_does_not_read_is_sent_no_parts_and_no_reports(
    library_of: MakeLibrary,
) -> None:
    peer = Unread(await library_of(LINES, Limits(held_bytes=1)))
    await peer.ready()
    peer.reads.clear()
    asked = {"pattern": "needle", "maxMatches": 1000, "workDoneToken": 1, "partialResultToken": 2}
    message_id = peer.start("context/grep", asked)
    await asyncio.sleep(0.5)
    assert kinds(peer, 1) == ["begin"]
    assert not told(peer, 2)
    peer.reads.set()
    assert (await peer.answer(message_id))["result"]["totalMatches"] == 240
    assert sum(len(part["results"]) for part in told(peer, 2)) == 120
