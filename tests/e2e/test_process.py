"""The process at its edges: bytes that are no messages, clients that vanish, odd descriptors."""

import asyncio
import json
import os
import pty
import sys
from pathlib import Path
from typing import Any

import pytest
from peers import message
from processes import ChildOf, command, stored

from ctxls.daemon.framing import frame

INITIALIZE = message("initialize", {"capabilities": {}}) | {"id": 0}
SHUTDOWN = message("shutdown") | {"id": "bye"}
EXIT = message("exit")
LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 7919))) * 430
"""10 MB of UTF-8 in one line."""
SLOW = {"pattern": r"[\pL\pN]{1,200}zq", "isRegex": True}


@pytest.fixture
async def store(tmp_path: Path) -> Path:
    await stored(tmp_path / "store.db", ["# Title\ntext"])
    return tmp_path / "store.db"


async def test_a_bare_client_gets_through_the_whole_handshake(
    child_of: ChildOf, store: Path
) -> None:
    child = await (await child_of(store)).ready()
    assert (await child.result("context/status"))["records"] == 1
    assert await child.result("shutdown") is None
    child.send(EXIT)
    assert (await child.code(), child.complaints) == (0, "")


async def test_each_bad_message_is_answered_and_the_server_goes_on(
    child_of: ChildOf, store: Path
) -> None:
    child = await (await child_of(store)).ready()
    bad = [b"{", b"\xff\xfe", b"", b"[]", b"null", b'{"jsonrpc":"2.0","id":1.5,"method":"x"}']
    child.send(*map(frame, bad))
    codes = [(await child.read())["error"]["code"] for _ in bad]
    assert codes == [-32700, -32700, -32700, -32600, -32600, -32600]
    assert (await child.result("context/status"))["records"] == 1


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 9999999999\r\n\r\n",
        b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Type: text/plain\r\n\r\n",
        b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}',
    ],
)
async def test_broken_framing_is_one_error_and_the_end(
    child_of: ChildOf, store: Path, head: bytes
) -> None:
    child = await child_of(store)
    child.send(head)
    assert (await child.read())["error"]["code"] == -32700
    assert await child.read() is None
    assert (await child.code(), child.complaints) == (1, "")


@pytest.mark.parametrize("head", [b"content-length:%d\n\n", b"CONTENT-LENGTH: %d\r\nX: y\r\n\r\n"])
async def test_odd_but_readable_framing_is_read(
    child_of: ChildOf, store: Path, head: bytes
) -> None:
    child = await child_of(store)
    body = json.dumps(INITIALIZE).encode()
    child.send(head % len(body) + body)
    assert (await child.read())["id"] == 0


@pytest.mark.parametrize(("last", "code"), [([SHUTDOWN, EXIT], 0), ([EXIT], 1), ([], 1)])
async def test_a_file_of_messages_can_be_piped_through(
    child_of: ChildOf, store: Path, tmp_path: Path, last: list[Any], code: int
) -> None:
    status = message("context/status") | {"id": 1}
    said = [frame(json.dumps(item).encode()) for item in (INITIALIZE, status, *last)]
    asked, answers = tmp_path / "asked", tmp_path / "answers"
    asked.write_bytes(b"".join(said))
    with asked.open("rb") as stdin, answers.open("wb") as stdout:
        child = await child_of(store, stdin=stdin, stdout=stdout)
        assert await child.code() == code
    assert b'"records":1' in answers.read_bytes()
    assert answers.read_bytes().count(b"Content-Length") == len(last[:-1]) + 2


async def test_a_terminal_can_be_at_both_ends(child_of: ChildOf, store: Path) -> None:
    ours, theirs = pty.openpty()
    child = await child_of(store, stdin=theirs, stdout=theirs)
    os.close(theirs)
    os.write(ours, frame(json.dumps(EXIT).encode()) + b"\n")
    assert await child.code() == 1
    os.close(ours)


PRINTING = """
import asyncio, os, subprocess, sys
from pathlib import Path
from ctxls.daemon.listeners import serve_stdio
from ctxls.queries.library import Library
from ctxls.stores.sqlite import SqliteStore

class Printing(SqliteStore):
    async def count(self, caller):
        print("stray print")
        os.write(1, b"stray write\\n")
        subprocess.run(["echo", "stray child"])
        return await super().count(caller)

async def main():
    library = Library(Printing(Path(sys.argv[1]), create=False, busy_timeout_s=5, longest_text=9))
    try:
        return await serve_stdio(library)
    finally:
        await library.close()

code = asyncio.run(main())
print("printed after")
sys.exit(code)
"""


async def test_a_stray_print_goes_to_stderr_while_serving(child_of: ChildOf, store: Path) -> None:
    child = await (await child_of(store, [sys.executable, "-c", PRINTING, str(store)])).ready()
    assert (await child.result("context/status"))["records"] == 1
    assert await child.result("shutdown") is None
    child.send(EXIT)
    assert child.process.stdout
    assert await child.process.stdout.read() == b"printed after\n"
    assert await child.code() == 0
    assert {"stray print", "stray write", "stray child"} <= set(child.complaints.splitlines())


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
async def test_a_closed_or_full_stderr_ends_nothing(
    child_of: ChildOf, store: Path, stderr: str
) -> None:
    child = await child_of(store, ["sh", "-c", f'exec "$@" {stderr}', "sh", *command(store)])
    await child.ready()
    child.send(message("textDocument/didChange", {}), message("textDocument/didOpen", None))
    assert (await child.result("context/status"))["records"] == 1
    await child.result("shutdown")
    child.send(EXIT)
    assert await child.code() == 0


async def test_the_server_ends_when_the_process_that_initialize_names_ends(
    child_of: ChildOf, store: Path
) -> None:
    editor = await asyncio.create_subprocess_exec("sleep", "100")
    child = await child_of(store)
    await child.result("initialize", {"processId": editor.pid, "capabilities": {}})
    editor.kill()
    await editor.wait()
    assert await child.code() == 1


async def test_the_server_ends_when_its_parent_vanishes_and_its_pipes_stay_open(
    child_of: ChildOf, store: Path
) -> None:
    shell = 'exec 3<&0; "$@" <&3 & echo $! >&2; wait'
    parent = await child_of(store, ["sh", "-c", shell, "sh", *command(store)])
    await parent.ready()
    assert parent.process.stderr
    server = int(await parent.process.stderr.readline())
    parent.process.kill()
    assert await parent.read() is None
    await asyncio.sleep(0.1)
    assert gone(server)


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return state == "Z"


async def test_closing_stdin_ends_the_server_while_a_hostile_search_runs(
    child_of: ChildOf, tmp_path: Path
) -> None:
    await stored(tmp_path / "large.db", [LETTERS])
    child = await (await child_of(tmp_path / "large.db")).ready()
    child.send(message("context/grep", SLOW) | {"id": 1})
    await asyncio.sleep(0.5)
    assert child.process.stdin
    child.process.stdin.close()
    async with asyncio.timeout(5):
        assert await child.code() == 1


async def test_cancels_are_read_and_others_answered_while_many_hostile_searches_run(
    child_of: ChildOf, tmp_path: Path
) -> None:
    await stored(tmp_path / "large.db", [LETTERS])
    child = await (await child_of(tmp_path / "large.db")).ready()
    child.send(*(message("context/grep", SLOW) | {"id": f"g{n}"} for n in range(12)))
    await asyncio.sleep(0.8)
    async with asyncio.timeout(3):
        assert (await child.result("context/status"))["records"] == 1
        child.send(*(message("$/cancelRequest", {"id": f"g{n}"}) for n in range(12)))
        told = [await child.read() for _ in range(12)]
    assert {found["id"]: found["error"]["code"] for found in told} == {
        f"g{n}": -32800 for n in range(12)
    }


async def test_a_client_that_does_not_read_costs_little_memory(
    child_of: ChildOf, tmp_path: Path
) -> None:
    """64 answers of 10 MB are asked for at once; made at once they would take over 1 GB."""
    [record] = await stored(tmp_path / "large.db", [LETTERS])
    child = await (await child_of(tmp_path / "large.db")).ready()
    uri = f"context://local/t/x.{record.id}.md"
    content = message("workspace/textDocumentContent", {"uri": uri})
    child.send(*(content | {"id": f"c{n}"} for n in range(60)))
    child.send(*(message("$/unknown", "x" * 1000) for _ in range(5000)))
    await asyncio.sleep(2)
    for _ in range(5):
        assert (await child.read())["result"]["text"] == LETTERS
    assert peak_kib(child.process.pid) < 300 * 1024


def peak_kib(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


async def test_a_message_of_10_mb_is_read(child_of: ChildOf, store: Path) -> None:
    child = await (await child_of(store)).ready()
    [uri] = await child.uris()
    opened = {"uri": uri, "languageId": "markdown", "version": 1, "text": LETTERS + "\n# End\n"}
    child.send(message("textDocument/didOpen", {"textDocument": opened}))
    found = await child.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [symbol["name"] for symbol in found] == ["End"]
