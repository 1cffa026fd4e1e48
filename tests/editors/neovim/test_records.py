"""A record as a buffer: how it opens, what it is named, what a second visit finds."""

import pytest
from editors.neovim.driving import Neovim, NeovimOf, until
from editors.neovim.shelf import PLAIN, Shelf

TEXTS = {title: text for title, _, text in PLAIN}
ATTACHED = "return #vim.lsp.get_clients({ bufnr = 0 })"
titles = pytest.mark.parametrize("title", ["Rollback plan", "100% of #1, done?", "時刻表の検索"])


def shown(title: str) -> list[str]:
    return TEXTS[title].removesuffix("\n").split("\n")


@titles
def test_a_record_opens_as_markdown_under_its_canonical_uri(
    neovim: Neovim, shelf: Shelf, title: str
) -> None:
    neovim.open(title)
    assert neovim.lines() == shown(title)
    assert neovim.option("filetype") == "markdown"
    assert neovim.name() == neovim.sent("textDocument/didOpen")[-1]["textDocument"]["uri"]
    assert neovim.name().startswith("context://local/")
    assert neovim.name().endswith(f".{shelf.ids[title]}.md")
    assert neovim.lua(ATTACHED) == 1


@pytest.mark.parametrize("keys", ["ix", "dd", ":%s/a/b/<CR>", "p"])
def test_a_record_cannot_be_changed_and_neovim_says_so(neovim: Neovim, keys: str) -> None:
    neovim.open("Rollback plan")
    neovim.type(keys)
    assert neovim.wait("return vim.fn.execute('messages'):match('E21')")
    assert neovim.lines() == shown("Rollback plan")
    assert neovim.option("readonly")


def test_writing_a_record_is_refused(neovim: Neovim) -> None:
    neovim.open("Rollback plan")
    neovim.type(":write<CR>")
    assert neovim.wait("return vim.fn.execute('messages'):match('E382: Cannot write')")
    assert list(neovim.folder.glob("*context*")) == []
    assert neovim.lua("return vim.fn.swapname('')") == ""


@pytest.mark.parametrize(
    "spelling",
    [
        "context://local/deploy/stale-title.{id}.md",
        "context:///local/deploy/rollback-plan.{id}.md",
        "context://LOCAL/Deploy/ROLLBACK%20PLAN.{id}.md",
        "context://local/deploy/rollback plan, 100%.{id}.md",
        "context://local/検索/%E6%A4%9C.{id}.md",
    ],
)
def test_every_spelling_of_a_uri_opens_its_record_and_stays_the_buffers_name(
    neovim: Neovim, shelf: Shelf, spelling: str
) -> None:
    uri = spelling.format(id=shelf.ids["Rollback plan"])
    neovim.open(uri)
    assert neovim.lines() == shown("Rollback plan")
    assert neovim.name() == uri


def test_a_record_is_found_again_under_the_uri_that_is_open(neovim: Neovim, shelf: Shelf) -> None:
    stale = shelf.uri("Rollback plan", "stale/name")
    neovim.open(stale)
    neovim.open("Incident in March")
    neovim.type("G", "fR", "gd")
    neovim.lands_in("# Rollback plan")
    assert neovim.name() == stale


def test_a_record_opens_from_neovims_own_command_line(neovim_of: NeovimOf, shelf: Shelf) -> None:
    neovim = neovim_of(shelf, shelf.uri("Rollback plan"))
    neovim.wait("return vim.b.ctxls_record")
    assert neovim.lines() == shown("Rollback plan")


def test_a_record_is_read_into_its_own_buffer_not_the_current_one(
    neovim: Neovim, shelf: Shelf
) -> None:
    neovim.type("ihere<Esc>")
    code = """
      local buffer = vim.fn.bufadd(...)
      vim.fn.bufload(buffer)
      return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    """
    assert neovim.lua(code, shelf.uri("Rollback plan")) == shown("Rollback plan")
    assert neovim.lines() == ["here"]
    assert neovim.option("modifiable")


VISITS = {
    "edit": ":edit<CR>",
    "edit!": ":edit!<CR>",
    "bdelete": ":bdelete<CR>:Ctx open Rollback plan<CR>",
    "bwipeout": ":bwipeout<CR>:Ctx open Rollback plan<CR>",
    "bunload": ":enew | bunload # | buffer #<CR>",
    "another": ":Ctx open Incident in March<CR>:buffer #<CR>",
}


@pytest.mark.parametrize("keys", VISITS.values(), ids=VISITS)
def test_a_second_visit_finds_the_record_whole_attached_and_once_open(
    neovim: Neovim, keys: str
) -> None:
    neovim.open("Rollback plan")
    uri = neovim.name()
    neovim.type("3G", keys, ":let g:visited = v:true<CR>")
    neovim.wait("return vim.g.visited and vim.b.ctxls_record")
    neovim.lua("vim.g.visited = nil")
    assert neovim.name() == uri
    assert neovim.lines() == shown("Rollback plan")
    assert not neovim.option("modifiable")
    assert neovim.lua(ATTACHED) == 1
    assert neovim.messages() == ""
    of_uri = [
        message["method"].removeprefix("textDocument/")
        for message in neovim.wire()
        if message.get("method", "").startswith("textDocument/did")
        and message["params"]["textDocument"]["uri"] == uri
    ]
    assert of_uri in (["didOpen"], ["didOpen", "didClose", "didOpen"])
    assert neovim.sent("textDocument/didOpen")[-1]["textDocument"]["text"] in TEXTS.values()


def test_what_a_record_says_about_options_is_not_obeyed(
    neovim_of: NeovimOf, own_shelf: Shelf
) -> None:
    own_shelf.set_text("Rollback plan", "# Trap\n\n<!-- vim: set tabstop=3 modifiable: -->\n")
    neovim = neovim_of(own_shelf, before="vim.o.modeline = true")
    neovim.open("Rollback plan")
    assert neovim.lines()[0] == "# Trap"
    assert neovim.option("tabstop") != 3
    assert not neovim.option("modifiable")


def test_a_record_that_was_not_there_is_read_again_at_the_next_visit(
    neovim_of: NeovimOf, own_shelf: Shelf
) -> None:
    record = own_shelf.ids["Rollback plan"]
    rename = "UPDATE context_entries SET id = ? WHERE id = ?"
    own_shelf.sql(rename, "0" * 32, record)
    neovim = neovim_of(own_shelf, own_shelf.uri("Rollback plan"))
    neovim.wait("return vim.fn.execute('messages'):find('not found')")
    neovim.open("Incident in March")
    own_shelf.sql(rename, record, "0" * 32)
    neovim.open(own_shelf.uri("Rollback plan"))
    assert neovim.lines() == shown("Rollback plan")
    assert neovim.option("bufhidden") == ""


def test_a_users_own_autocommands_run_for_a_record(neovim_of: NeovimOf, shelf: Shelf) -> None:
    heard = """
      vim.api.nvim_create_autocmd({ 'FileType', 'LspAttach' }, {
        callback = function(event)
          vim.g.seen = (vim.g.seen or '') .. event.event .. ':' .. event.match .. ' '
        end,
      })
    """
    neovim = neovim_of(shelf, before=heard)
    neovim.open("Rollback plan")
    assert neovim.lua("return vim.g.seen") == f"FileType:markdown LspAttach:{neovim.name()} "


def test_a_session_brings_its_records_back_and_says_which_are_gone(
    neovim_of: NeovimOf, own_shelf: Shelf
) -> None:
    first = neovim_of(own_shelf)
    first.open("時刻表の検索")
    first.type(":split<CR>")
    first.open("Rollback plan")
    first.type("40G", f":mksession {first.folder}/session.vim<CR>")
    until((first.folder / "session.vim").exists, first.messages)
    gone = own_shelf.delete("時刻表の検索")
    second = neovim_of(own_shelf, "-S", f"{first.folder}/session.vim")
    second.wait("return vim.b.ctxls_record")
    assert second.lines() == shown("Rollback plan")
    assert second.lua("return vim.fn.line('.')") == 40
    second.type("<C-w>j")
    assert second.lines() == [f"ctxls: Context entry not found: {gone}"]
    assert second.messages() == f"ctxls: Context entry not found: {gone}"
