"""A record that changes in the store while it is open: what a refresh shows."""

from editors.neovim.driving import Neovim, NeovimOf, until
from editors.neovim.shelf import PLAN, Shelf

LINES = PLAN.removesuffix("\n").split("\n")


def changed(neovim: Neovim, shelf: Shelf, text: str) -> None:
    """Change the plan in the store, and tell Neovim as a server would."""
    shelf.set_text("Rollback plan", text)
    answer = neovim.hear("workspace/textDocumentContent/refresh", {"uri": neovim.name()})
    assert answer == {"jsonrpc": "2.0", "id": answer["id"], "result": None}


def test_a_refreshed_record_shows_its_new_text_and_keeps_the_cursor_and_marks(
    neovim_of: NeovimOf, own_shelf: Shelf
) -> None:
    neovim = neovim_of(own_shelf)
    neovim.open("Rollback plan")
    neovim.type("/drain<CR>", "ma")
    neovim.lands_on("drain")
    text = PLAN.replace("line 7\n", "line 7\nline 7½ 🧭\n")
    changed(neovim, own_shelf, text)
    neovim.wait("return vim.fn.search('line 7½', 'nw') > 0")
    assert neovim.under_cursor() == "drain the queue"
    assert neovim.lua("return vim.fn.getpos(\"'a\")[2] == vim.fn.line('.')")
    assert not neovim.option("modifiable")
    assert not neovim.option("modified")
    assert neovim.sent("textDocument/didOpen")[-1]["textDocument"]["text"] == text


def test_a_refreshed_record_may_have_other_line_ends(neovim_of: NeovimOf, own_shelf: Shelf) -> None:
    neovim = neovim_of(own_shelf)
    neovim.open("Rollback plan")
    text = PLAN.removesuffix("\n").replace("\n", "\r\n")
    changed(neovim, own_shelf, text)
    neovim.wait("return vim.bo.fileformat == 'dos'")
    until(lambda: len(neovim.sent("textDocument/didOpen")) == 2, neovim.messages)
    assert neovim.sent("textDocument/didOpen")[-1]["textDocument"]["text"] == text


def test_many_refreshes_at_once_end_with_the_newest_text(
    neovim_of: NeovimOf, own_shelf: Shelf
) -> None:
    neovim = neovim_of(own_shelf)
    neovim.open("Rollback plan")
    for number in range(5):
        changed(neovim, own_shelf, f"# Number {number}\n")
    neovim.wait("return vim.fn.getline(1) == '# Number 4'")
    assert neovim.lines() == ["# Number 4"]


def test_a_refresh_of_a_record_that_is_gone_says_so_and_keeps_what_is_shown(
    neovim_of: NeovimOf, own_shelf: Shelf
) -> None:
    neovim = neovim_of(own_shelf)
    neovim.open("Rollback plan")
    gone = own_shelf.delete("Rollback plan")
    neovim.hear("workspace/textDocumentContent/refresh", {"uri": neovim.name()})
    neovim.wait("return vim.fn.execute('messages'):find(...)", f"not found: {gone}")
    assert neovim.lines() == LINES


def test_a_refresh_of_a_record_that_is_not_open_changes_nothing(
    neovim: Neovim, shelf: Shelf
) -> None:
    neovim.open("Rollback plan")
    params = {"uri": shelf.uri("Incident in March")}
    answer = neovim.hear("workspace/textDocumentContent/refresh", params)
    assert answer["result"] is None
    assert neovim.lines() == LINES
    assert neovim.messages() == ""
