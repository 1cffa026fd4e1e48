"""What a plain scan with Python's `re` finds: the truth where ripgrep is not installed."""

import re
from pathlib import Path

from bench.questions import Question


def scanned(files: Path, question: Question) -> set[tuple[str, int]]:
    """Return the lines that match, as (record's id, line number)."""
    source = question.pattern if question.is_regex else re.escape(question.pattern)
    pattern = re.compile(source, 0 if question.case_sensitive else re.IGNORECASE)
    return {
        (path.stem, number)
        for path in files.rglob("*.md")
        for number, line in enumerate(_lines(path), 1)
        if pattern.search(line)
    }


def _lines(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8", "replace")
    return re.split("\r\n|\n|\r", text)
