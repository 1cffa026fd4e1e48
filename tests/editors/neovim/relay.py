"""A relay between an editor and its server: keeps what the editor says, and can speak to it.

`relay.py LOG SERVER...` writes each message of the editor as a line of JSON to LOG, and in the end
`{"exit": code}`. LOG.pid names the server's process. A message that a test puts into LOG.say is
sent to the editor as the server's.
"""

import json
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

OWN_ID: Final = "relay"


def read(stream: IO[bytes]) -> bytes | None:
    """Return the body of the next message, or None at the end."""
    length = 0
    while (line := stream.readline()) not in {b"", b"\r\n"}:
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return stream.read(length) if length else None


def write(stream: IO[bytes], body: bytes) -> None:
    """Send one message."""
    stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    stream.flush()


class Relay:
    """One editor, one server."""

    def __init__(self, log: Path, server: subprocess.Popen[bytes]) -> None:
        self.log = log
        self.server = server
        self._speaking = threading.Lock()

    def note(self, line: Any) -> None:
        with self.log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def hear_editor(self) -> None:
        assert self.server.stdin
        while (body := read(sys.stdin.buffer)) is not None:
            message = json.loads(body)
            self.note(message)
            if message.get("id") != OWN_ID:
                write(self.server.stdin, body)
        self.server.stdin.close()

    def hear_server(self) -> None:
        assert self.server.stdout
        while (body := read(self.server.stdout)) is not None:
            self.tell(body)

    def hear_test(self) -> None:
        said = self.log.with_suffix(".say")
        while True:
            if said.exists():
                self.tell(said.read_bytes())
                said.unlink()
            time.sleep(0.02)

    def tell(self, body: bytes) -> None:
        with self._speaking, suppress(BrokenPipeError):  # the editor may have left already
            write(sys.stdout.buffer, body)


def main() -> int:
    """Run the server and stand in between until it ends."""
    log, *command = sys.argv[1:]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    relay = Relay(Path(log), subprocess.Popen(command, **pipes))
    relay.log.with_suffix(".pid").write_text(str(relay.server.pid), encoding="utf-8")
    for work in (relay.hear_editor, relay.hear_test):
        threading.Thread(target=work, daemon=True).start()
    relay.hear_server()
    code = relay.server.wait()
    relay.note({"exit": code})
    return code


if __name__ == "__main__":
    sys.exit(main())
