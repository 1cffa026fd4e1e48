"""The tools that ctxls is measured against: whole processes, whose output is read to its end."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bench.ground import Ground
from bench.questions import MOST, Question

PACKAGES: Final = {"rg": "ripgrep", "csearch": "codesearch"}
LINE: Final = re.compile(rb"^[^\n]*?/([0-9a-f]{32}|[0-9]+)\.md:([0-9]+):", re.MULTILINE)
RIPGREP: Final = ("rg", "--hidden", "--no-ignore", "-j2", "-a", "-n", "--no-heading")


class Ran(NamedTuple):
    """What a process wrote, and the seconds from its start to its end."""

    seconds: float
    output: bytes

    @property
    def lines(self) -> set[tuple[str, int]]:
        """The lines found, as (record's id, line number)."""
        return {(one.decode(), int(number)) for one, number in LINE.findall(self.output)}


@dataclass(frozen=True)
class Rival:
    """Another tool; its command for a question, and what that needs in its environment."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]

    def run(self) -> Ran:
        begun = time.perf_counter()
        found = subprocess.run(
            self.command, env=self.environment, stdout=subprocess.PIPE, check=False
        )
        return Ran(time.perf_counter() - begun, found.stdout)


def missing(*, install: bool) -> Sequence[str]:
    """Return the tools that this machine lacks, after installing them where that can be done."""
    absent = [tool for tool in PACKAGES if shutil.which(tool) is None]
    if absent and install:
        packages = [PACKAGES[tool] for tool in absent]
        command = ["apt-get", "install", "-y", "-qq", *packages]
        if os.geteuid() or shutil.which("apt-get") is None:
            raise SystemExit(f"Install what ctxls is compared with: sudo {shlex.join(command)}")
        print(f"Installing {', '.join(packages)} (once) ...", file=sys.stderr)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        return missing(install=False)
    return absent


def ripgrep(ground: Ground, question: Question) -> Rival:
    """Ask ripgrep for the lines that match, with their numbers, in any order."""
    case = "-s" if question.case_sensitive else "-i"
    kind = "-e" if question.is_regex else "-Fe"
    command = [*RIPGREP, case, kind, question.pattern, str(ground.files)]
    return Rival("ripgrep", command, os.environ)


def ripgrep_to_head(ground: Ground, question: Question) -> Rival:
    """Ask ripgrep for no more lines than ctxls answers with."""
    whole = shlex.join(ripgrep(ground, question).command)
    return Rival("ripgrep | head", ["sh", "-c", f"{whole} | head -n {MOST}"], os.environ)


def codesearch(ground: Ground, question: Question) -> Rival:
    """Ask csearch, whose index is made beforehand."""
    pattern = question.pattern if question.is_regex else re.escape(question.pattern)
    case = [] if question.case_sensitive else ["-i"]
    where = {**os.environ, "CSEARCHINDEX": str(ground.codesearch)}
    return Rival("csearch", ["csearch", "-n", *case, pattern], where)


def indexed(ground: Ground) -> int:
    """Let cindex make its index where there is none, and return its size in bytes."""
    if not ground.codesearch.exists():
        print("Indexing with cindex (once) ...", file=sys.stderr)
        where = {**os.environ, "CSEARCHINDEX": str(ground.codesearch)}
        command = ["cindex", str(ground.files)]
        subprocess.run(command, env=where, stderr=subprocess.DEVNULL, check=True)
    return ground.codesearch.stat().st_size
