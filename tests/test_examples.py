"""Every example of docs/protocol.md, sent to a real server that holds the sample records."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from processes import environment

import ctxls
from ctxls.lsp.extensions import METHODS

ROOT: Final = Path(__file__).parent.parent
SAMPLES: Final = ROOT / "server" / "ctxls" / "samples"
PROTOCOL: Final = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
CTXLS: Final = (sys.executable, "-m", "ctxls")
EXAMPLES: Final = [
    json.loads(block)
    for block in re.findall(r"^```json\n(.*?)^```", PROTOCOL, re.DOTALL | re.MULTILINE)
]
RECORD_ID: Final = re.compile(r"\b[0-9a-f]{32}\b")
SLUG_AND_ID: Final = re.compile(r"/([^/.\"]+)\.([0-9a-f]{32})\.md")


class Server:
    """The real server on a store of the sample records, asked one request after the other."""

    def __init__(self, home: Path) -> None:
        store = home / "samples.db"
        subprocess.run(
            [*CTXLS, "import", "--store", str(store), str(SAMPLES)],
            env=environment(home),
            check=True,
            capture_output=True,
        )
        self._process = subprocess.Popen(
            [*CTXLS, "serve", "--store", str(store)],
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self._send({"method": "initialized", "params": {}})
        while self.ask("context/status", {})["index"]["state"] != "ready":
            time.sleep(0.05)  # as the example shows it
        listed = self.ask("context/list", {"what": "records"})
        self._ids = dict(SLUG_AND_ID.findall(json.dumps(listed)))

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and return its result."""
        self._send({"id": 1, "method": method, "params": params})
        while "id" not in (message := self._receive()):
            pass
        return message["result"]

    def ask_example(self, method: str, params: Any) -> Any:
        """Ask with an example's parameters, whose record ids are the documentation's own."""
        text = json.dumps(params)
        for slug, documented in SLUG_AND_ID.findall(PROTOCOL):
            if slug in self._ids:
                text = text.replace(documented, self._ids[slug])
        return self.ask(method, json.loads(text))

    def close(self) -> None:
        """Part as the protocol says."""
        self.ask("shutdown", None)
        self._send({"method": "exit"})
        self._process.communicate(timeout=10)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> Any:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self._process.stdout.read(length))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GREP_MAX_MATCHES_CAP", "of whoever runs the tests")  # and is not read
        running = Server(tmp_path_factory.mktemp("docs"))
    yield running
    running.close()


def comparable(answer: Any) -> Any:
    """Return an answer without what differs from day to day: ids, hashes, times, the version."""
    text = json.dumps(answer).replace(f'"{ctxls.__version__}"', '"VERSION"')
    text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", RECORD_ID.sub("ID", text))
    return json.loads(re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["method"]))
def test_a_real_server_answers_as_the_example_says(server: Server, example: Any) -> None:
    answer = server.ask_example(example["method"], example["params"])
    assert comparable(answer) == comparable(example["result"])


def test_every_own_method_has_an_example() -> None:
    assert {example["method"] for example in EXAMPLES} == set(METHODS)
