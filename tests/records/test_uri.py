"""URIs of records: one spelling to write, every spelling to read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxls.errors import InvalidParamsError
from ctxls.records.uri import Reference, format_uri, normal_id, parse_uri

ID = "01a22e4a35ac752295be200bba94bbcd"


@pytest.mark.parametrize(
    ("thread", "title", "uri"),
    [
        ("deploy", "Rollback plan", f"context://local/deploy/rollback-plan.{ID}.md"),
        ("team/deploy", "Plan", f"context://local/team/deploy/plan.{ID}.md"),
        ("a b", "100 % sure?", f"context://local/a%20b/100-sure.{ID}.md"),
        ("été", "Größe", f"context://local/%C3%A9t%C3%A9/gr%C3%B6%C3%9Fe.{ID}.md"),
        ("..", "x", f"context://local/%2E%2E/x.{ID}.md"),
        ("a//b/", "🧭", f"context://local/a/b/section.{ID}.md"),
        ("t", "word " * 40, f"context://local/t/{'word-' * 11}word.{ID}.md"),
    ],
)
def test_a_uri_is_written_one_way(thread: str, title: str, uri: str) -> None:
    assert format_uri("local", thread, title, ID) == uri


@pytest.mark.parametrize(
    "uri",
    [
        f"context://local/deploy/rollback-plan.{ID}.md",
        f"context://other/moved/renamed.{ID}.md",
        f"CONTEXT://LOCAL/DEPLOY/ROLLBACK.{ID.upper()}.MD",
        f"context:///local/deploy/rollback-plan.{ID}.md",
        f"context:/local/deploy/rollback-plan.{ID}.md",
        f"context:local/x.{ID}.md",
        f"context://local/deploy/rollback%2Dplan%2E{ID}%2Emd",
        f"context://local/a/../../etc/passwd.{ID}.md",
        f"context://local/été/größe.{ID}.md",
        f"context://local/%FF%FE/x.{ID}.md",
        f"context://local/t/v1.2.notes.{ID}.md",
        "context://local/t/x.01a22e4a-35ac-7522-95be-200bba94bbcd.md",
        f"context://local/t/x.{ID}.md?version=3",
    ],
)
def test_the_id_alone_decides(uri: str) -> None:
    assert parse_uri(uri) == Reference(ID, "")


@pytest.mark.parametrize(
    ("fragment", "place"), [("L10", "L10"), ("plan/steps", "plan/steps"), ("h%C3%A4fen", "häfen")]
)
def test_a_fragment_is_a_place_in_the_record(fragment: str, place: str) -> None:
    assert parse_uri(f"context://local/t/x.{ID}.md#{fragment}") == Reference(ID, place)


def test_the_number_of_a_peers_record_is_an_id() -> None:
    assert parse_uri("context://local/t/x.42.md").id == "42"


@pytest.mark.parametrize(
    "uri",
    [
        "file:///etc/hostname",
        f"file:///notes/x.{ID}.md",
        f"http://local/x.{ID}.md",
        "context",
        "",
        "context://local/deploy/rollback-plan.md",
        f"context://local/deploy/{ID}.md",
        f"context://local/x.{ID[:-1]}.md",
        f"context://local/x.{ID}0.md",
        "context://local/x.notanid.md",
        f"context://local/t/x#y.{ID}.md",
    ],
)
def test_what_names_no_record_is_refused(uri: str) -> None:
    with pytest.raises(InvalidParamsError):
        parse_uri(uri)


@pytest.mark.parametrize("part", ["lines=10-40", "chars=1-2", "node=setup", "file=a.txt"])
def test_a_part_is_refused_rather_than_passed_over(part: str) -> None:
    with pytest.raises(InvalidParamsError, match="names a part of a record"):
        parse_uri(f"context://local/t/x.{ID}.md?{part}")


@pytest.mark.parametrize("end", ["", f"?lines={'1' * 10_000}", "?node=a%0A%1B[2Jb"])
def test_a_refusal_is_one_short_line(end: str) -> None:
    with pytest.raises(InvalidParamsError) as caught:
        parse_uri("context://" + "a" * 10_000 + end)
    assert len(caught.value.message) < 600
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("spelling", [ID, ID.upper(), "01A22E4A-35AC-7522-95BE-200BBA94BBCD"])
def test_an_id_has_one_normal_spelling(spelling: str) -> None:
    assert normal_id(f" {spelling} ") == ID


@given(thread=st.text(min_size=1), title=st.text())
def test_what_is_written_is_ascii_and_reads_back(thread: str, title: str) -> None:
    uri = format_uri("local", thread, title, ID)
    assert uri.isascii()
    assert "%2F" not in uri
    assert parse_uri(uri) == Reference(ID, "")
