"""What a Markdown file becomes: thread, source, tags, title and metadata."""

from typing import Any, Final

import pytest

from ctxls.writing.markdown import Defaults, record_of

CASES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "nothing said": (
        "# Plan\n",
        {"thread": "deploy/db", "source": "user", "tags": (), "metadata": {}},
    ),
    "everything said": (
        "---\nthread: ops\nsource: agent\ntags: [DB, ' x ']\ntitle: Plan B\nrisk: 3\n---\n",
        {
            "thread": "ops",
            "source": "agent",
            "tags": ("DB", "x"),
            "metadata": {"title": "Plan B", "risk": 3},
        },
    ),
    "tags with commas": ("---\ntags: db, deploy\n---\n", {"tags": ("db", "deploy")}),
    "one tag": ("---\ntags: db\n---\n", {"tags": ("db",), "metadata": {}}),
    "tags that are numbers": ("---\ntags: [2026, 4.20]\n---\n", {"tags": ("2026", "4.20")}),
    "a title that is a number": ("---\ntitle: 1.10\n---\n", {"metadata": {"title": "1.10"}}),
    "a thread that is a number": ("---\nthread: 007\n---\n", {"thread": "007"}),
    "a source that is an address is metadata": (
        "---\nsource: https://example.org\n---\n",
        {"source": "user", "metadata": {"source": "https://example.org"}},
    ),
    "tags that are no list of words are metadata": (
        "---\ntags: {a: 1}\n---\n",
        {"tags": (), "metadata": {"tags": {"a": 1}}},
    ),
    "a blank thread counts as left out": ("---\nthread: ' '\n---\n", {"thread": "deploy/db"}),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_a_file_becomes_what_its_folder_and_front_matter_say(
    text: str, expected: dict[str, Any]
) -> None:
    record = record_of(text, ("deploy", "db", "plan.md"), "notes", Defaults())
    path = {"path": "deploy/db/plan.md"}
    wanted = (
        expected | {"metadata": expected["metadata"] | path} if "metadata" in expected else expected
    )
    assert {name: getattr(record, name) for name in wanted} == wanted
    assert record.text == text


def test_a_file_directly_in_the_folder_is_in_the_thread_of_its_name() -> None:
    assert record_of("x", ("a.md",), "notes", Defaults()).thread == "notes"


def test_the_callers_word_counts_unless_the_file_says_otherwise() -> None:
    defaults = Defaults("agent", "inbox")
    plain = record_of("x", ("a", "b.md"), "notes", defaults)
    said = record_of("---\nthread: ops\nsource: user\n---\n", ("a", "b.md"), "notes", defaults)
    assert [(one.thread, one.source) for one in (plain, said)] == [
        ("inbox", "agent"),
        ("ops", "user"),
    ]


def test_the_path_of_the_file_wins_over_one_in_its_front_matter() -> None:
    record = record_of("---\npath: /etc/passwd\n---\n", ("a.md",), "notes", Defaults())
    assert record.metadata == {"path": "a.md"}
