"""Outlines, definitions and lists of hits: where a jump lands, and what a list shows."""

import pytest
from editors.neovim.driving import Neovim, NeovimOf
from editors.neovim.shelf import Shelf

NBSP = "\u00a0"


def test_the_outline_lists_every_heading_indented_by_level(neovim: Neovim) -> None:
    neovim.open("Rollback plan")
    outline = neovim.opened_list("gO")
    assert [item["text"].replace(NBSP, " ") for item in outline] == [
        "Rollback plan",
        "  🧭 Steps",
        "    Before noon",
        "  Afterwards",
    ]
    title = neovim.lua("return vim.fn.getloclist(0, { title = 0 }).title")
    assert title == "Outline of deploy/rollback-plan"


def test_choosing_in_the_outline_goes_to_the_heading(neovim: Neovim) -> None:
    neovim.open("Rollback plan")
    neovim.opened_list("gO")
    neovim.type("3G<CR>")
    neovim.lands_on("### Before noon")


def test_a_record_without_headings_has_an_outline_of_one(neovim: Neovim, shelf: Shelf) -> None:
    neovim.open(shelf.ids["line-feed"])
    outline = neovim.opened_list("gO")
    assert [(item["lnum"], item["text"]) for item in outline] == [(1, "line-feed")]


GO = pytest.mark.parametrize(
    ("go", "back"), [("gd", "<C-o>"), ("<C-]>", "<C-t>")], ids=["gd", "tag"]
)


@GO
def test_a_definition_lands_far_down_in_a_record_that_was_not_open(
    neovim: Neovim, go: str, back: str
) -> None:
    neovim.open("Rollback plan")
    neovim.type("/drain the<CR>")
    neovim.lands_on("drain the")
    neovim.type("/Incident<CR>", go)
    neovim.lands_in("# Incident in March")
    assert "incidents/2026/incident-in-march" in neovim.name()
    neovim.type(back)
    neovim.lands_on("Incident in March` and drain")
    assert neovim.messages() == ""


@GO
def test_a_definition_lands_on_a_heading_behind_an_emoji(
    neovim: Neovim, shelf: Shelf, go: str, back: str
) -> None:
    neovim.open(shelf.ids["lf"])
    neovim.type("2GfT", go)
    neovim.lands_in("## 🧭 Target lf")
    neovim.type(back)
    neovim.lands_on("Target lf` there")


def test_several_definitions_are_listed_by_the_names_of_their_records(neovim: Neovim) -> None:
    neovim.open("Rollback plan")
    neovim.type("/drain the<CR>")
    neovim.lands_on("drain the")
    found = neovim.opened_list("gd")
    assert {item["module"] for item in found} == {
        "deploy/rollback-plan",
        "incidents/2026/incident-in-march",
    }
    row = next(n for n, item in enumerate(found, 1) if "was full" in item["text"])
    neovim.type(f"{row}G<CR>")
    neovim.lands_on("drain was full")


def test_a_word_that_leads_nowhere_says_so(neovim: Neovim) -> None:
    neovim.open("時刻表の検索")
    neovim.type("3G", "gd")
    neovim.wait("return vim.fn.execute('messages'):find('No locations found')")


def test_symbols_are_listed_from_any_buffer_by_thread_title_and_section(neovim: Neovim) -> None:
    neovim.type("ia line of a file of my own<Esc>")
    found = neovim.opened_list(":Ctx symbols drain<CR>")
    assert [(item["module"], item["text"]) for item in found] == [
        ("incidents/2026 › Incident in March › 🧭 Cause", "🧭 drain was full"),
        ("deploy › Rollback plan › 🧭 Steps", "1. 🧭 drain the queue"),
        ("deploy › Rollback plan › Afterwards", "🧭 see `Incident in March` and drain"),
    ]


def test_neovims_own_symbol_search_lands_on_the_match_whatever_is_shown(
    neovim: Neovim, shelf: Shelf
) -> None:
    neovim.open(shelf.ids["Same name"])
    neovim.opened_list(":lua vim.lsp.buf.workspace_symbol('drain')<CR>")
    neovim.type(":cclose<CR>")
    for rest in ("drain was full", "drain the queue", "drain"):
        neovim.type(":cc<CR>" if rest == "drain was full" else ":cnext<CR>")
        neovim.lands_on(rest)


def test_a_search_for_nothing_lists_the_newest_records(neovim: Neovim) -> None:
    found = neovim.opened_list(":Ctx symbols<CR>")
    assert ("deploy", "Rollback plan") in [(item["module"], item["text"]) for item in found]
    assert neovim.lua("return vim.fn.getqflist({ title = 0 }).title") == "Newest records"


def test_a_search_without_hits_says_what_was_looked_for(neovim: Neovim) -> None:
    neovim.type(":Ctx symbols xyzzy<CR>")
    neovim.wait("return vim.fn.execute('messages'):find(...)", "No record has 'xyzzy'")


def test_a_definition_in_a_record_that_is_gone_says_so_and_nothing_else(neovim: Neovim) -> None:
    neovim.open("Rollback plan")
    gone = f"context://local/t/gone.{'0' * 32}.md"
    place = {"line": 40, "character": 2}
    found = {"user_data": {"uri": gone, "range": {"start": place, "end": place}}}
    neovim.lua("require('ctxls.lists').go(...)", {"items": [found]})
    neovim.wait("return vim.fn.execute('messages'):find('not found')")
    assert neovim.messages() == f"ctxls: Context entry not found: {'0' * 32}"
    assert neovim.name() == gone


def test_a_jump_into_a_record_that_is_gone_says_so_and_nothing_else(
    neovim_of: NeovimOf, own_shelf: Shelf
) -> None:
    neovim = neovim_of(own_shelf)
    neovim.opened_list(":Ctx symbols drain was full<CR>")
    gone = own_shelf.delete("Incident in March")
    neovim.type("<CR>")
    neovim.wait("return vim.fn.execute('messages'):find('not found')")
    assert neovim.messages() == f"ctxls: Context entry not found: {gone}"
    assert neovim.lines() == [f"ctxls: Context entry not found: {gone}"]
