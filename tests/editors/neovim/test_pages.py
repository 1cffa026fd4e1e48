"""What the pages about Neovim say works as they say it."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from editors.neovim.driving import PLUGIN, ROOT, Neovim, headless

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


class OwnNeovim(Neovim):
    """A Neovim that reads what a user has in their home folder."""

    def words(self, *arguments: str) -> list[str]:
        return [word for word in super().words(*arguments) if word != "--clean"]


def test_the_page_leads_from_nothing_to_an_outline(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "ctxls").symlink_to(ROOT)
    typed = re.findall(r"^\$ (.*)", PAGES[1].read_text("utf-8"), re.MULTILINE)
    own = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    kept = {"PIP_CACHE_DIR": str(ROOT / ".cache" / "pip"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run(["sh", "-e"], input="\n".join(typed), env=own | kept, text=True, check=True)
    neovim = OwnNeovim(tmp_path, "")
    with headless(neovim, PATH="/usr/bin:/bin", PYTHONPATH=""):
        neovim.open("A seat map")
        outline = neovim.opened_list("gO")
        assert outline[0]["text"] == "A seat map that survives the tunnel"
