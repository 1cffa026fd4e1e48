"""What Neovim shows of odd records, what it tells the server, and that places still land."""

import pytest
from editors.neovim.driving import Neovim, NeovimOf
from editors.neovim.odd import EMPTY, ODD, Odd
from editors.neovim.shelf import Shelf

odd_records = pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.name)
all_records = pytest.mark.parametrize("odd", [*ODD, *EMPTY], ids=lambda odd: odd.name)
UTF16 = (
    "vim.lsp.config('ctxls', { capabilities = { general = { positionEncodings = { 'utf-16' } } } })"
)


@pytest.fixture(scope="module", params=["", UTF16], ids=["utf-8", "utf-16"])
def counting(request: pytest.FixtureRequest, many_neovims: NeovimOf, shelf: Shelf) -> Neovim:
    """Return a Neovim that counts columns in one encoding, behind a record of short lines."""
    return many_neovims(shelf, before=request.param)


@all_records
def test_a_record_shows_its_lines_and_the_server_is_told_what_is_shown(
    neovim: Neovim, shelf: Shelf, odd: Odd
) -> None:
    neovim.open(shelf.ids[odd.name])
    assert neovim.lines() == list(odd.lines)
    assert neovim.option("fileformat") == odd.fileformat
    (opened,) = neovim.sent("textDocument/didOpen")
    assert opened["textDocument"]["text"] == odd.told


@odd_records
def test_places_in_a_record_land_on_their_character(
    counting: Neovim, shelf: Shelf, odd: Odd
) -> None:
    counting.renew()
    counting.open(shelf.ids["Same name"])

    counting.opened_list(f":Ctx symbols needle-{odd.name}<CR>")
    counting.type("<CR>")
    counting.lands_on(f"needle-{odd.name} end")

    outline = counting.opened_list("gO")
    line_of = "return vim.fn.getbufline(...)[1]"
    shown = [counting.lua(line_of, item["bufnr"], item["lnum"]) for item in outline]
    headings = [f"# 🧭 Start {odd.name}", f"## 🧭 Target {odd.name}"]
    assert [line.lstrip("\ufeff") for line in shown] == headings

    counting.type("<C-w>p2GfT", "gd")
    counting.lands_on(headings[1])


def test_a_jump_lands_far_along_a_line_of_100_kilobytes(counting: Neovim) -> None:
    counting.renew()
    counting.opened_list(":Ctx symbols needle-far<CR>")
    counting.type("<CR>")
    counting.lands_on("needle-far end")
