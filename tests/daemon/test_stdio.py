"""Whole conversations over real pipes, in this process."""

import asyncio
import fcntl
import json
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from making import MakeLibrary
from peers import message

from ctxls.daemon.framing import Frames, frame
from ctxls.daemon.listeners import converse
from ctxls.lsp.offer import Offer
from ctxls.queries.library import Library
from ctxls.records.access import OWNER
from ctxls.records.filters import Filter

INITIALIZE = message("initialize", {"capabilities": {}}) | {"id": 0}
SHUTDOWN = message("shutdown") | {"id": "bye"}
SLOW = {"pattern": r"[\pL\pN]{1,200}zq", "isRegex": True}
LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 7919))) * 130
"""3 MB over which SLOW takes some 15 seconds."""


class Line:
    """A client's ends of two pipes, and the server's conversation over them."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.source, says = os.pipe()
        hears, self.sink = os.pipe()
        self.says = os.fdopen(says, "wb", buffering=0)
        self.hears = os.fdopen(hears, "rb", buffering=0)
        self.served = asyncio.create_task(converse(library, Offer(), self.source, self.sink))
        self._frames = Frames(lambda most: asyncio.to_thread(self._hear, most))

    async def send(self, *messages: Any) -> None:
        for item in messages:
            body = item if isinstance(item, bytes) else frame(json.dumps(item).encode())
            await asyncio.to_thread(self._say, body)

    async def read(self) -> Any:
        async with asyncio.timeout(20):
            body = await self._frames.next()
        return None if body is None else json.loads(body)

    async def code(self) -> int:
        async with asyncio.timeout(20):
            return await self.served

    async def end(self) -> None:
        self.says.close()
        self.hears.close()
        await self.code()
        os.close(self.source)
        os.close(self.sink)

    def _hear(self, most: int) -> bytes:
        return self.hears.read(most) or b""

    def _say(self, data: bytes) -> None:
        while data:
            data = data[self.says.write(data) or 0 :]


@pytest.fixture
async def line(library_of: MakeLibrary) -> AsyncIterator[Line]:
    """Open a line to a server of one record."""
    line = Line(await library_of([LETTERS]))
    yield line
    await line.end()


async def test_the_code_is_0_after_shutdown_and_exit(line: Line) -> None:
    await line.send(INITIALIZE, SHUTDOWN, message("exit"))
    assert [(await line.read())["id"] for _ in range(2)] == [0, "bye"]
    assert await line.code() == 0


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ([INITIALIZE, message("exit")], 1),
        ([message("exit")], 1),
        ([INITIALIZE], 1),
        ([], 1),
        ([INITIALIZE, SHUTDOWN], 0),
    ],
)
async def test_the_server_ends_with_its_client(line: Line, said: list[Any], code: int) -> None:
    await line.send(*said)
    line.says.close()
    assert await line.code() == code


async def test_a_client_that_pipes_all_it_has_to_say_gets_every_answer(line: Line) -> None:
    asked = [message("context/grep", {"pattern": f"zz{n}"}) | {"id": n} for n in range(1, 20)]
    await line.send(INITIALIZE, *asked, SHUTDOWN, message("exit"))
    line.says.close()
    answers = [await line.read() for _ in range(21)]
    assert {found["id"] for found in answers} == {*range(20), "bye"}
    assert all("result" in found for found in answers)
    assert await line.code() == 0


async def test_pipelined_requests_read_the_text_as_it_was_when_each_was_sent(line: Line) -> None:
    [record_id] = await line.library.store.select(Filter(), OWNER)
    uri = f"context://local/t/x.{record_id}.md"
    opened = {"uri": uri, "languageId": "markdown", "version": 1, "text": "# Before\n"}
    changed = {
        "textDocument": {"uri": uri, "version": 2},
        "contentChanges": [{"text": "# After\n"}],
    }
    ask = message("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    said = [
        INITIALIZE,
        message("textDocument/didOpen", {"textDocument": opened}),
        ask | {"id": 1},
        message("textDocument/didChange", changed),
        ask | {"id": 2},
    ]
    await line.send(b"".join(frame(json.dumps(item).encode()) for item in said))
    answers = [await line.read() for _ in range(3)]
    shown = {found["id"]: found["result"][0]["name"] for found in answers[1:]}
    assert shown == {1: "Before", 2: "After"}


@pytest.mark.parametrize("leave", ["says", "both"])
async def test_work_in_flight_stops_when_its_client_leaves(line: Line, leave: str) -> None:
    await line.send(INITIALIZE, message("context/grep", SLOW) | {"id": 1})
    await line.read()
    await asyncio.sleep(0.5)
    if leave == "both":
        line.hears.close()
    line.says.close()
    async with asyncio.timeout(5):
        await line.served
        await asyncio.get_running_loop().run_in_executor(line.library.workers, int)


@pytest.mark.parametrize(
    "header", [b"Content-Length: 9999999999\r\n\r\n", b"Content-Length: x\r\n\r\n", b"{}"]
)
async def test_broken_framing_gets_one_error_and_ends_the_connection(
    line: Line, header: bytes
) -> None:
    await line.send(INITIALIZE, header)
    assert (await line.read())["id"] == 0
    told = await line.read()
    assert (told["id"], told["error"]["code"]) == (None, -32700)
    assert await line.code() == 1


async def test_nothing_of_a_descriptor_that_others_share_is_changed(line: Line) -> None:
    before = fcntl.fcntl(line.sink, fcntl.F_GETFL)
    await line.send(INITIALIZE)
    assert (await line.read())["id"] == 0
    assert fcntl.fcntl(line.sink, fcntl.F_GETFL) == before
    assert not before & os.O_NONBLOCK


async def test_a_descriptor_that_another_process_made_nonblocking_works_too(
    library_of: MakeLibrary,
) -> None:
    line = Line(await library_of(["# T\n" + "x" * 500_000]))
    for descriptor in (line.source, line.sink):
        os.set_blocking(descriptor, False)
    [record_id] = await line.library.store.select(Filter(), OWNER)
    uri = f"context://local/t/x.{record_id}.md"
    await line.send(INITIALIZE)
    await asyncio.sleep(0.2)
    await line.send(message("workspace/textDocumentContent", {"uri": uri}) | {"id": 1})
    await asyncio.sleep(0.2)
    assert [(await line.read())["id"] for _ in range(2)] == [0, 1]
    await line.end()
