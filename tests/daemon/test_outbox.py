import asyncio

from ctxls.daemon.framing import frame
from ctxls.daemon.outbox import HIGH_WATER, Outbox


async def test_there_is_room_again_once_the_client_has_read_half() -> None:
    outbox = Outbox()
    piece = HIGH_WATER // 4
    for _ in range(4):
        outbox.write(b"x" * piece)
    waiting = asyncio.create_task(outbox.room())
    await asyncio.sleep(0)
    assert not waiting.done()
    outbox.wrote(piece)
    await asyncio.sleep(0.01)
    assert not waiting.done()
    outbox.wrote(2 * piece)
    async with asyncio.timeout(5):
        await waiting


async def test_finish_waits_as_long_as_the_client_goes_on_reading() -> None:
    outbox = Outbox()
    outbox.write(b"x" * 100)
    finishing = asyncio.create_task(outbox.finish(patience=0.2))
    for _ in range(4):
        await asyncio.sleep(0.1)
        outbox.wrote(10)
    assert not finishing.done()
    outbox.ended(broken=False)
    async with asyncio.timeout(5):
        await finishing
    assert outbox.flushed.is_set()


async def test_finish_gives_up_on_a_client_that_reads_nothing() -> None:
    outbox = Outbox()
    outbox.write(b"x" * 100)
    async with asyncio.timeout(5):
        await outbox.finish(patience=0.05)
    assert not outbox.flushed.is_set()


async def test_a_client_that_has_gone_holds_nothing_up_and_is_sent_nothing() -> None:
    outbox = Outbox()
    outbox.write(b"x" * 2 * HIGH_WATER)
    outbox.ended(broken=True)
    async with asyncio.timeout(5):
        await outbox.broken.wait()
        await outbox.room()
    outbox.write(b"late")
    await outbox.finish(patience=0)
    assert [outbox.take() for _ in range(2)] == [frame(b"x" * 2 * HIGH_WATER), None]
