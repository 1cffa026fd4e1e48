"""The `:Ctx` command: what it completes, and what a name opens."""

from pathlib import Path
from typing import Any

import pytest
from editors.neovim.driving import Neovim, NeovimOf
from editors.neovim.shelf import Shelf, shelf_of


def completed(neovim: Neovim, typed: str) -> Any:
    return neovim.lua("return vim.fn.getcompletion(..., 'cmdline')", typed)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Ctx ", ["open", "symbols"]),
        ("Ctx o", ["open"]),
        ("Ctx close ", []),
        ("Ctx open rollb", ["Rollback plan"]),
        ("Ctx open plan", ["Rollback plan"]),
        ("Ctx open Incident in Ma", ["March"]),
        ("Ctx open incident in ", ["March"]),
        ("Ctx open 100% of", ["of #1, done?"]),
        ("Ctx open tag:d", ["tag:db, and more"]),
        ("Ctx open 検索", ["時刻表の検索"]),
        ("Ctx open Same", ["Same name"]),
        ("Ctx open nothing", []),
        ("vertical Ctx open rollb", ["Rollback plan"]),
    ],
)
def test_the_command_completes_actions_and_titles(
    neovim: Neovim, typed: str, expected: list[str]
) -> None:
    assert completed(neovim, typed) == expected


def test_the_command_completes_the_newest_titles_and_the_start_of_an_id(
    neovim: Neovim, shelf: Shelf
) -> None:
    assert {"Rollback plan", "時刻表の検索", "mixed-all"} <= set(completed(neovim, "Ctx open "))
    one = shelf.ids["Rollback plan"]
    assert completed(neovim, f"Ctx open {one[:-1]}") == [one]


def test_a_title_that_looks_like_the_start_of_an_id_is_completed(
    neovim_of: NeovimOf, tmp_path: Path
) -> None:
    titles = ("2026-12-01 stand-up", "2026 in numbers", "Decade 4", "decade00 of trains")
    neovim = neovim_of(shelf_of(tmp_path, [(title, "t", f"# {title}\n") for title in titles]))
    assert completed(neovim, "Ctx open 2026-12-01") == ["2026-12-01 stand-up"]
    assert sorted(completed(neovim, "Ctx open 2026")) == ["2026 in numbers", "2026-12-01 stand-up"]
    assert completed(neovim, "Ctx open decade00") == ["decade00 of trains"]


def test_where_searching_is_switched_off_the_newest_records_open_by_title(
    neovim_of: NeovimOf, shelf: Shelf
) -> None:
    neovim = neovim_of(shelf, ENABLE_GREP_CONTEXT="false")
    assert completed(neovim, "Ctx open rollb") == ["Rollback plan"]
    neovim.open("Rollback plan")
    neovim.type(":Ctx symbols drain<CR>")
    neovim.wait("return vim.fn.execute('messages'):find('ctxls: .* switched off')")


def test_an_old_title_that_looks_like_a_filter_is_found_among_many(
    neovim_of: NeovimOf, tmp_path: Path
) -> None:
    newer = [(f"Note {number}", "t", f"# Note {number}\n") for number in range(110)]
    old = [("tag:db, and more", "t", "# Labels\n"), ("/etc/hosts", "t", "# Hosts\n")]
    neovim = neovim_of(shelf_of(tmp_path, [*old, *newer]))
    assert completed(neovim, "Ctx open tag:db") == ["tag:db, and more"]
    neovim.open("/etc/hosts")
    assert neovim.lines() == ["# Hosts"]


def dashed(record: str) -> str:
    return "-".join((record[:8], record[8:12], record[12:16], record[16:20], record[20:]))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Rollback plan", "Rollback plan"),
        ("Rollback plan", "ROLLBACK PLAN"),
        ("Rollback plan", "  rollb  "),
        ("Rollback plan", "{id}"),
        ("Rollback plan", "{dashed}"),
        ("Rollback plan", "{start}"),
        ("Rollback plan", "context://local/any/where.{id}.md"),
        ("100% of #1, done?", "100% of #1, done?"),
        ("時刻表の検索", "時刻表"),
        ("tag:db, and more", "tag:db, and more"),
    ],
)
def test_a_record_opens_by_title_part_of_it_id_start_of_id_and_uri(
    neovim: Neovim, shelf: Shelf, title: str, name: str
) -> None:
    record = shelf.ids[title]
    neovim.open(name.format(id=record, dashed=dashed(record), start=record[:-1]))
    assert record in neovim.name()


def test_a_title_of_two_records_asks_which(neovim: Neovim) -> None:
    neovim.type(":Ctx open Same name<CR>")
    neovim.type("2<CR>")
    neovim.wait("return vim.b.ctxls_record")
    assert neovim.lines() == ["# Same name", "", "one"]


def test_the_start_of_several_ids_asks_which(neovim: Neovim, shelf: Shelf) -> None:
    neovim.type(f":Ctx open {shelf.ids['Rollback plan'][:8]}<CR>")
    neovim.type("1<CR>")
    neovim.wait("return vim.b.ctxls_record")


def test_without_a_name_the_newest_records_are_offered(neovim: Neovim, shelf: Shelf) -> None:
    neovim.type(":Ctx open<CR>")
    neovim.type("1<CR>")
    neovim.wait("return vim.b.ctxls_record")
    assert shelf.ids["carriage-return"] in neovim.name()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("Ctx open nonesuch", "ctxls: No record has the title or id 'nonesuch'."),
        ("Ctx open 0123456789abcdef", "ctxls: Context entry not found: 0123456789abcdef"),
        ("Ctx shut", "ctxls: :Ctx has no 'shut'; it has open and symbols."),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(neovim: Neovim, typed: str, told: str) -> None:
    neovim.type(f":{typed}<CR>")
    neovim.wait("return vim.fn.execute('messages'):find(..., 1, true)", told)
    assert neovim.messages() == told
    assert neovim.name() == ""


@pytest.mark.parametrize("modifier", ["vertical", "belowright", "tab"])
def test_a_modifier_opens_the_record_beside_what_is_shown(neovim: Neovim, modifier: str) -> None:
    neovim.type(f":{modifier} Ctx open Rollback plan<CR>")
    neovim.wait("return vim.b.ctxls_record")
    windows = "return #vim.api.nvim_list_wins()"
    assert neovim.lua(windows) == 2
    assert neovim.lua("return #vim.api.nvim_list_tabpages()") == (2 if modifier == "tab" else 1)


def test_a_buffer_with_changes_that_may_not_be_hidden_is_kept_and_named_as_vim_does(
    neovim_of: NeovimOf, shelf: Shelf
) -> None:
    neovim = neovim_of(shelf, after="vim.o.hidden = false")
    neovim.type("imine<Esc>", ":Ctx open Rollback plan<CR>")
    neovim.wait("return vim.fn.execute('messages'):find('E37')")
    assert neovim.messages() == "ctxls: E37: No write since last change"
    assert neovim.lines() == ["mine"]
