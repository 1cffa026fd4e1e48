"""What the pages about Neovim say works as they say it."""

import re
from pathlib import Path

import pytest
from editors.neovim.driving import PLUGIN, ROOT, Neovim

PAGES = (PLUGIN / "README.md", ROOT / "docs" / "editors" / "neovim.md")
LUA = [
    (page.parent.name, block)
    for page in PAGES
    for block in re.findall(
        r"^```lua\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
]


@pytest.mark.parametrize("block", [block for _, block in LUA])
def test_every_lua_example_is_lua(neovim: Neovim, block: str) -> None:
    code = """
      local block = ...
      return { (load(block) or load('return ' .. block)) ~= nil }
    """
    assert neovim.lua(code, block) == [True]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_key_and_command_on_the_pages_exists(neovim: Neovim, page: Path) -> None:
    text = page.read_text("utf-8")
    actions = set(re.findall(r"`:Ctx (\w+)", text))
    assert actions == {"open", "symbols"}
    neovim.open("Rollback plan")
    for key in set(re.findall(r"`(g\w)`", text)):
        assert neovim.lua("return vim.fn.maparg(..., 'n', false, true).buffer", key) == 1


def test_the_health_report_finds_nothing_wrong_with_the_client(neovim: Neovim) -> None:
    neovim.open("Rollback plan")
    neovim.type(":checkhealth vim.lsp<CR>")
    neovim.wait("return vim.bo.filetype == 'checkhealth'")
    report = "\n".join(neovim.lines())
    assert "ctxls (id:" in report
    assert [line for line in neovim.lines() if "ERROR" in line] == []
