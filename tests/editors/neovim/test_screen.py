"""The terminal that the pictures are taken in, by itself."""

from pathlib import Path
from typing import Final

from editors.neovim.screen import terminal
from processes import environment

LINGERING: Final = """
(while kill -0 $$; do sleep 0.05; done; sleep 0.5; touch ended) 2>/dev/null &
echo started
wait
"""
"""A shell, and a process of it that outlives it by half a second."""


def test_a_terminal_is_closed_only_after_the_last_program_in_it_has_ended(tmp_path: Path) -> None:
    with terminal(["sh", "-c", LINGERING], environment(tmp_path), tmp_path) as screen:
        screen.wait("started")
    assert (tmp_path / "ended").exists()
