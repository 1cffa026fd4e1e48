"""Hostile folders: nothing outside is read, nothing blocks, nothing stops the rest."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from ctxls.records.record import NewRecord
from ctxls.writing.arrivals import Arrivals, count_files
from ctxls.writing.refusals import Refusal

MOST: Final = 1_000


def read(*paths: Path) -> tuple[list[NewRecord], Mapping[str, str]]:
    """Read paths into records, and the refused by their last path segment."""
    found = list(Arrivals(MOST).of(paths))
    refused = {Path(item.what).name: item.why for item in found if isinstance(item, Refusal)}
    return [item for item in found if isinstance(item, NewRecord)], refused


def paths_of(records: list[NewRecord]) -> list[str]:
    return [record.metadata["path"] for record in records]


def write(folder: Path, *names: str, text: str = "# x\n") -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def test_files_come_in_one_order_and_threads_are_their_folders(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(notes, "b/2.md", "b/1.MARKDOWN", "a/deep/er/x.Md", "z.md", "a.txt", "b/skip.rst")
    records, refused = read(notes)
    assert [(record.thread, record.metadata["path"]) for record in records] == [
        ("notes", "z.md"),
        ("a/deep/er", "a/deep/er/x.Md"),
        ("b", "b/1.MARKDOWN"),
        ("b", "b/2.md"),
    ]
    assert refused == {}


def test_hidden_files_and_node_modules_are_not_looked_into(tmp_path: Path) -> None:
    write(tmp_path, ".git/a.md", ".hidden.md", "node_modules/b/c.md", "d/.e/f.md", "g.md")
    assert paths_of(read(tmp_path)[0]) == ["g.md"]


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "secret/s.md", "notes/a.md", text="secret")
    (tmp_path / "notes" / "file.md").symlink_to(tmp_path / "secret" / "s.md")
    (tmp_path / "notes" / "folder").symlink_to("../secret")
    (tmp_path / "notes" / "everything").symlink_to("/")
    (tmp_path / "notes" / "no-markdown").symlink_to("/etc/passwd")
    records, refused = read(tmp_path / "notes")
    assert paths_of(records) == ["a.md"]
    assert refused == dict.fromkeys(
        ("file.md", "folder", "everything"), "it is a link that leads out of the folder"
    )


def test_links_that_lead_in_a_circle_or_nowhere_end(tmp_path: Path) -> None:
    write(tmp_path, "a/x.md")
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "here").symlink_to(".")
    (tmp_path / "self.md").symlink_to("self.md")
    (tmp_path / "gone.md").symlink_to("nothing.md")
    records, refused = read(tmp_path)
    assert paths_of(records) == ["a/x.md"]
    assert refused == dict.fromkeys(("self.md", "gone.md"), "it is a link that leads nowhere")


def test_a_file_that_a_link_leads_to_is_taken_once(tmp_path: Path) -> None:
    write(tmp_path, "real.md", ".vault/kept.md", ".vault/deep/er.md")
    (tmp_path / "a-link.md").symlink_to("real.md")
    for name in ("first", "second"):
        (tmp_path / name).symlink_to(".vault")
    assert paths_of(read(tmp_path)[0]) == ["real.md", "first/kept.md", "first/deep/er.md"]


def test_a_folder_swapped_for_a_link_while_it_is_read_leads_nowhere(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(tmp_path, "secret/x.md", text="secret")
    write(notes, "a/x.md", "b/x.md", text="mine")
    arrivals = iter(Arrivals(MOST).of([notes]))
    first = next(arrivals)
    (notes / "b" / "x.md").unlink()
    (notes / "b").rmdir()
    (notes / "b").symlink_to(tmp_path / "secret")
    assert isinstance(first, NewRecord)
    rest = list(arrivals)
    assert [type(item) for item in rest] == [Refusal]


def test_pipes_sockets_and_folders_that_look_like_markdown_do_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.md"))
        write(tmp_path, "folder.md/a.md")
        records, refused = read(tmp_path)
    assert paths_of(records) == ["folder.md/a.md"]
    assert refused == dict.fromkeys(("pipe.md", "socket.md"), "it is not a regular file")


@pytest.mark.parametrize("name", ["pipe.md", "pipe.jsonl"])
def test_a_pipe_that_is_named_is_refused_without_waiting_for_it(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    assert read(tmp_path / name) == ([], {name: "it is not a regular file"})


BROKEN: Final = {
    "latin-1.md": (b"caf\xe9", "it is not UTF-8 at byte 3"),
    "cut.md": ("ä".encode()[:1], "it is not UTF-8 at byte 0"),
    "surrogate.md": (b"ab\xed\xa0\x80", "it is not UTF-8 at byte 2"),
    "nul.md": (b"a\0b", "text holds a NUL character; leave it out"),
    "large.md": (b"x" * (MOST + 1), "it is larger than the 1000 bytes that can be stored"),
    "yaml.md": (b"---\na: [\n---\n", "its front matter is not YAML (line 3)"),
    "infinite.md": (b"---\na: .inf\n---\n", "metadata holds inf, which is not a finite number"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_stored_is_refused_and_the_rest_is_read(
    tmp_path: Path, name: str
) -> None:
    data, why = BROKEN[name]
    (tmp_path / name).write_bytes(data)
    write(tmp_path, "zz.md")
    records, refused = read(tmp_path)
    assert paths_of(records) == ["zz.md"]
    assert refused[name].startswith(why)


KEPT: Final = (b"", b"\xef\xbb\xbf# BOM\r\n", "a\u2028b\x1b[0m\rc".encode(), b"x" * MOST)


@pytest.mark.parametrize("data", KEPT)
def test_text_is_kept_as_it_is(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    assert [record.text.encode() for record in read(tmp_path)[0]] == [data]


def test_odd_names_are_names_and_bytes_that_are_none_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "line\nbreak\x1b[0m.md", "ünï ☃/x.md")
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.md"))).write_text("x")
    records, refused = read(tmp_path)
    assert paths_of(records) == ["line\nbreak\x1b[0m.md", "ünï ☃/x.md"]
    assert list(refused.values()) == ["its name is not UTF-8"]


def test_folders_are_followed_to_a_bound(tmp_path: Path) -> None:
    write(tmp_path, "/".join(["d"] * 99) + "/a.md", "/".join(["e"] * 101) + "/b.md")
    records, refused = read(tmp_path)
    assert len(records) == 1
    assert list(refused.values()) == ["it is nested deeper than 100 folders"]


def test_a_file_named_by_itself_is_in_the_thread_of_its_folder(tmp_path: Path) -> None:
    write(tmp_path, "notes/a.md", "elsewhere/real.md")
    (tmp_path / "notes" / "link.md").symlink_to(tmp_path / "elsewhere" / "real.md")
    records, _ = read(tmp_path / "notes" / "a.md", tmp_path / "notes" / "link.md")
    assert [(record.thread, record.metadata["path"]) for record in records] == [
        ("notes", "a.md"),
        ("notes", "link.md"),
    ]


def test_a_folder_has_its_own_name_however_it_is_spelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "notes/a.md")
    monkeypatch.chdir(tmp_path / "notes")
    assert [record.thread for record in read(Path())[0]] == ["notes"]


def test_what_is_not_there_or_not_known_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.txt")
    assert read(tmp_path / "none.md", tmp_path / "a.txt", tmp_path / "none") == (
        [],
        {
            "none.md": "no such file or directory",
            "a.txt": "it is neither a folder nor a .md, .markdown or .jsonl file",
            "none": "no such file or directory",
        },
    )


def test_a_progress_bar_is_as_long_as_what_is_looked_at(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b/c.md", "d.txt")
    os.mkfifo(tmp_path / "pipe.md")
    assert count_files([tmp_path, tmp_path / "a.md", tmp_path / "none"]) == 5


def test_a_link_to_itself_is_refused_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "loop.md").symlink_to("loop.md")
    write(tmp_path, "a.md")
    records, refused = read(tmp_path / "loop", tmp_path / "loop.md", tmp_path / "a.md")
    assert paths_of(records) == ["a.md"]
    assert refused == dict.fromkeys(("loop", "loop.md"), "too many levels of symbolic links")
    assert count_files([tmp_path / "loop", tmp_path / "a.md"]) == 2
