"""A pygls server that answers one method with bytes that are ready-made: the least one can do.

`python -m bench.ready_server METHOD FILE`; the file holds the result as JSON.
"""

import sys
from pathlib import Path
from typing import Any

from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter


class ReadyProtocol(LanguageServerProtocol):
    """Writes a result of bytes as it is."""

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if not isinstance(result, bytes):
            super()._send_response(msg_id, result, error)
            return
        assert self.writer
        body = b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (msg_id, result)
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def main() -> None:
    """Serve on standard input and output."""
    method, file = sys.argv[1:]
    ready = Path(file).read_bytes()
    server = LanguageServer(
        "ready", "1", protocol_cls=ReadyProtocol, converter_factory=default_converter
    )

    @server.feature(method)
    def answer(_params: Any) -> bytes:
        return ready

    server.start_io()


if __name__ == "__main__":
    main()
