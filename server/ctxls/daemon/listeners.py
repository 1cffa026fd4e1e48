"""Where clients are listened to. Standard input and output is one listener among others to come."""

import asyncio
from typing import Final

from ctxls.daemon.framing import Frames, FramingError
from ctxls.daemon.lifecycle import Lifeline
from ctxls.daemon.outbox import Outbox
from ctxls.daemon.stdio import Inbox, reader_gone, start_writing, wire
from ctxls.lsp.offer import Offer
from ctxls.lsp.server import Server
from ctxls.queries.library import Library
from ctxls.records.access import OWNER

GRACE_S: Final = 1.0
"""How long requests in flight may still run after a client's last word, if it still reads."""
PATIENCE_S: Final = 2.0
"""How long a client may read nothing of its last answers."""


async def serve_stdio(library: Library, offer: Offer | None = None) -> int:
    """Serve the one client on stdin and stdout; return the process's exit code.

    0 when the client asked for `shutdown` before it left, 1 otherwise. Ends with the client, with
    the parent process, or with the process that `initialize` names.
    """
    with wire() as (source, sink):
        return await converse(library, offer or Offer(), source, sink)


async def converse(library: Library, offer: Offer, source: int, sink: int) -> int:
    """Serve the client at the other end of two file descriptors."""
    outbox, lifeline = Outbox(), Lifeline()
    start_writing(outbox, sink)
    server = Server(library, OWNER, offer, outbox, lifeline.follow)
    listening = asyncio.create_task(listen(Frames(Inbox(source).read), server, outbox))
    gone, unheard = (asyncio.create_task(end) for end in (lifeline.wait(), outbox.broken.wait()))
    ends = (listening, gone, unheard)
    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    still_read = listening.done() and not reader_gone(sink)
    await server.end(GRACE_S if still_read else 0)
    await outbox.finish(PATIENCE_S)
    for task in ends:
        task.cancel()
    return server.exit_code


async def listen(frames: Frames, server: Server, outbox: Outbox) -> None:
    """Take one message after the other until the client has said its last."""
    try:
        while not server.exited and (body := await frames.next()) is not None:
            server.receive(body)
            await asyncio.sleep(0)  # a request reads the text as it was when it was asked
            await outbox.room()
    except FramingError as error:
        server.refuse(str(error))
