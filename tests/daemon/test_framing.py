from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxls.daemon.framing import LARGEST_MESSAGE, Frames, FramingError, frame


def reading(data: bytes, size: int = 1 << 16) -> Callable[[int], Awaitable[bytes]]:
    """Read `data` in pieces of `size` bytes, and then its end."""
    pieces = [data[at : at + size] for at in range(0, len(data), size)]

    async def read(_most: int) -> bytes:
        return pieces.pop(0) if pieces else b""

    return read


async def never(_most: int) -> bytes:
    pytest.fail("the stream was read further than its broken header")


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\n\r\n",
        b"content-length: 2\r\n\r\n",
        b"CONTENT-LENGTH:2\r\n\r\n",
        b"Content-Length : 2\r\n\r\n",
        b"Content-Length:\t 2 \r\n\r\n",
        b"Content-Length: 2\n\n",
        b"Content-Length: 002\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\r\nX-Unknown: whatever \xff\r\n\r\n",
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1 << 16])
async def test_a_header_is_understood_however_it_is_spelt(header: bytes, size: int) -> None:
    frames = Frames(reading((header + b"{}") * 2, size))
    assert [await frames.next() for _ in range(3)] == [b"{}", b"{}", None]


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n", "names 2 Content-Lengths"),
        (b"Content-Length: 2\r\ncontent-length: 3\r\n\r\n", "names 2 Content-Lengths"),
        (b"Content-Type: text/plain\r\n\r\n", "names 0 Content-Lengths"),
        (b"\r\n", "names 0 Content-Lengths"),
        (b"Content-Length: -1\r\n\r\n", "whole number"),
        (b"Content-Length: +1\r\n\r\n", "whole number"),
        (b"Content-Length: 1e3\r\n\r\n", "whole number"),
        (b"Content-Length: 1_0\r\n\r\n", "whole number"),
        (b"Content-Length:\r\n\r\n", "whole number"),
        (b"Content-Length: 9999999999\r\n\r\n", "at most"),
        (b"Content-Length: %d\r\n\r\n" % (LARGEST_MESSAGE + 1), "at most"),
        (b"Content-Length: " + b"9" * 4000 + b"\r\n\r\n", "at most"),
        (b"A: b\r\n" * 1000, "longer than"),
        (b"A" * 5000, "longer than"),
        (b"Content Length: 2\r\n", "`Name: value`"),
    ],
)
async def test_a_broken_header_is_an_error_that_says_why(header: bytes, complaint: str) -> None:
    with pytest.raises(FramingError, match=complaint):
        await Frames(reading(header)).next()


@pytest.mark.parametrize(
    "start", [b'{"jsonrpc":', b"[", b"POST / HTTP/1.1", b"\x16\x03\x01", b" a"]
)
async def test_a_stream_that_cannot_be_a_header_is_refused_without_waiting_for_a_line_end(
    start: bytes,
) -> None:
    sent = [start]

    async def read(most: int) -> bytes:
        return sent.pop() if sent else await never(most)

    with pytest.raises(FramingError):
        await Frames(read).next()


@pytest.mark.parametrize(
    "cut", ["Content-Le", "Content-Length: 5\r\n", "Content-Length: 5\r\n\r\nab"]
)
async def test_a_stream_that_ends_inside_a_message_ends(cut: str) -> None:
    assert await Frames(reading(cut.encode())).next() is None


@given(st.lists(st.binary(max_size=40), max_size=5), st.integers(1, 30))
async def test_what_is_framed_is_read_back_however_it_arrives(
    bodies: list[bytes], size: int
) -> None:
    frames = Frames(reading(b"".join(map(frame, bodies)), size))
    assert [await frames.next() for _ in bodies] == bodies
    assert await frames.next() is None
