"""The machine that something was measured on, in words."""

import os
import platform
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from ctxls import __version__


def described() -> Sequence[str]:
    """Name the processor, and the version of everything that takes part."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    system = f"{platform.system()} {platform.release()}"
    python = f"Python {platform.python_version()}"
    libraries = f"SQLite {sqlite3.sqlite_version}, google-re2 {version('google-re2')}"
    return [
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB; {system}",
        f"ctxls {__version__}, {python}, {libraries}",
        f"{_ripgrep()}; {_codesearch()}",
        f"{datetime.now(UTC):%Y-%m-%d}",
    ]


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    found = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    return found[1].strip() if found else platform.machine()


def _ripgrep() -> str:
    if shutil.which("rg") is None:
        return "no ripgrep"
    return _first_line("rg", "--version")


def _codesearch() -> str:
    """Ask Debian, since csearch does not tell its version."""
    if shutil.which("csearch") is None:
        return "no codesearch"
    if shutil.which("dpkg-query") is None:
        return "codesearch"
    return f"codesearch {_first_line('dpkg-query', '-Wf', '${Version}', 'codesearch')}".strip()


def _first_line(*command: str) -> str:
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.partition("\n")[0]
