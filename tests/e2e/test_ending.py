"""How the process ends while threads are still at work."""

import sys

from processes import ChildOf

BUSY = """
import sys, threading, time
from ctxls.__main__ import main

threading.Thread(target=time.sleep, args=(600,)).start()
sys.argv = ["ctxls", *sys.argv[1:]]
main()
"""


async def test_the_process_ends_at_once_with_its_code_while_a_thread_is_at_work(
    child_of: ChildOf,
) -> None:
    """As one inside RE2 is, which cannot be interrupted."""
    for words, code in ((["--version"], 0), (["no-such-command"], 2)):
        child = await child_of(None, [sys.executable, "-c", BUSY, *words])
        assert child.process.stdout
        said = (await child.process.stdout.read()).decode()
        assert (await child.code(), said.startswith("ctxls ")) == (code, code == 0)
        assert bool(child.complaints) is (code != 0)
