"""How the client is installed and set up, how its one server lives, and what is said when not."""

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from editors.neovim.driving import PLUGIN, Neovim, NeovimOf, headless, init_of, relayed, until
from editors.neovim.shelf import Shelf

GONE = "return vim.fn.execute('messages'):find('There is no program')"
BOTH_ATTACHED = """
  local client = vim.lsp.get_clients()[1]
  return client and #vim.tbl_keys(client.attached_buffers) == 2
"""
CLIENTS = "return vim.tbl_map(function(c) return c.id end, vim.lsp.get_clients())"


def program(folder: Path, store: Path) -> Path:
    """Put a `ctxls` into a folder, as an installation does."""
    folder.mkdir()
    script = folder / "ctxls"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m ctxls "$@" --store {store}\n', "utf-8")
    script.chmod(0o755)
    return script


def test_as_a_package_without_set_up_it_finds_ctxls_on_the_path(
    tmp_path: Path, shelf: Shelf
) -> None:
    package = tmp_path / "site" / "pack" / "any" / "start"
    package.mkdir(parents=True)
    (package / "ctxls").symlink_to(PLUGIN)
    program(tmp_path / "bin", shelf.store)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    neovim = Neovim(tmp_path, f"vim.opt.packpath:prepend('{tmp_path / 'site'}')")
    with headless(neovim, PATH=path):
        neovim.open("Rollback plan")
        assert neovim.lines()[0] == "# Rollback plan"


def test_a_program_in_the_folder_of_the_users_own_is_found_off_the_path(
    tmp_path: Path, shelf: Shelf
) -> None:
    (tmp_path / ".local").mkdir()
    program(tmp_path / ".local" / "bin", shelf.store)
    neovim = Neovim(tmp_path, f"vim.opt.runtimepath:prepend('{PLUGIN}')")
    with headless(neovim, PATH="/usr/bin:/bin"):
        neovim.open("Rollback plan")
        assert neovim.lines()[0] == "# Rollback plan"


def test_through_a_link_the_message_names_the_checkout_that_is_installed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(PLUGIN)
    neovim = Neovim(tmp_path, f"vim.opt.runtimepath:prepend('{tmp_path / 'link'}')")
    with headless(neovim, PATH="/usr/bin:/bin"):
        neovim.type(":Ctx open<CR>")
        neovim.wait(GONE)
        assert f"pip install {PLUGIN.parents[1]} &&" in neovim.messages()


def test_without_the_program_one_message_says_how_to_install_it(
    tmp_path: Path, shelf: Shelf
) -> None:
    init = init_of(["ctxls-of-nowhere", "serve"], shelf.store)
    with headless(Neovim(tmp_path, init), shelf.uri("Rollback plan")) as neovim:
        neovim.wait(GONE)
        (message,) = neovim.messages().splitlines()
        assert message.startswith("ctxls: There is no program 'ctxls-of-nowhere'. Install it with:")
        assert f"pip install {PLUGIN.parents[1]} &&" in message
        assert neovim.lines() == [message]
        neovim.type(":Ctx open Rollback plan<CR>")
        neovim.wait("return select(2, vim.fn.execute('messages'):gsub('no program', '')) == 2")


def test_once_the_program_is_there_the_record_opens(tmp_path: Path, shelf: Shelf) -> None:
    missing = tmp_path / "bin" / "ctxls"
    neovim = Neovim(tmp_path, init_of([str(missing), "serve"], shelf.store))
    with headless(neovim, shelf.uri("Rollback plan")):
        neovim.wait(GONE)
        program(tmp_path / "bin", shelf.store)
        neovim.type(":edit<CR>")
        neovim.wait("return vim.b.ctxls_record")
        assert neovim.lines()[0] == "# Rollback plan"


def test_a_server_that_does_not_start_is_named_with_its_log(tmp_path: Path, shelf: Shelf) -> None:
    neovim = Neovim(tmp_path, init_of(["false"], shelf.store))
    with headless(neovim, shelf.uri("Rollback plan")):
        command = f"false --store {shelf.store}"
        neovim.wait("return vim.fn.execute('messages'):find(..., 1, true)", command)
        assert neovim.lines()[0].startswith(f"ctxls: The server did not start: {command}. ")
        log = neovim.lines()[0].rpartition(" ")[2]
        assert Path(log).name == "lsp.log"


def test_a_store_that_is_missing_is_told_in_the_servers_words(
    neovim_of: NeovimOf, tmp_path: Path
) -> None:
    nowhere = Shelf(tmp_path / "nowhere.db", {"any": "0" * 32})
    neovim = neovim_of(nowhere, nowhere.uri("any"))
    neovim.wait("return vim.fn.execute('messages'):find('ctxls: ')")
    assert neovim.lines() == [neovim.messages()]
    assert "store" in neovim.lines()[0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("{ stroe = 'x' }", "ctxls: setup has no option 'stroe'; it takes cmd and store."),
        ("{ cmd = 'ctxls serve' }", 'expected a list, for example { "ctxls", "serve" }'),
        ("{ store = 7 }", "store: expected string, got number"),
    ],
)
def test_a_wrong_option_is_refused_by_name(neovim: Neovim, options: str, told: str) -> None:
    code = f"return select(2, pcall(require('ctxls').setup, {options}))"
    assert told in neovim.lua(code)


def test_a_store_under_home_is_found(neovim_of: NeovimOf, shelf: Shelf) -> None:
    neovim = neovim_of(shelf, after="require('ctxls').setup({ store = '~/records.db' })")
    assert neovim.lua("return vim.lsp.config.ctxls.cmd") == [
        *("ctxls", "serve", "--store"),
        f"{neovim.folder}/records.db",
    ]


def test_one_server_serves_every_record_and_file_whatever_project_they_are_in(
    neovim_of: NeovimOf, shelf: Shelf, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    note = tmp_path / "note.md"
    note.write_text("# Note\n", "utf-8")
    everywhere = """
      vim.lsp.config('*', { root_markers = { '.git' }, root_dir = '/' })
      vim.lsp.config('ctxls', { filetypes = { 'markdown' } })
      vim.lsp.enable('ctxls')
    """
    neovim = neovim_of(shelf, before=everywhere)
    neovim.open("Rollback plan")
    neovim.open("Incident in March")
    neovim.type(f":edit {note}<CR>")
    attached = "#vim.lsp.get_clients({ bufnr = 0 }) == 1"
    neovim.wait(f"return vim.fn.expand('%:t') == 'note.md' and {attached}")
    assert len(neovim.lua(CLIENTS)) == 1
    assert [asked["rootUri"] for asked in neovim.sent("initialize")] == [None]
    found = neovim.opened_list(":lua vim.lsp.buf.workspace_symbol('drain was')<CR>")
    assert [item["text"] for item in found] == ["🧭 drain was full"]


def test_two_records_opened_at_once_start_one_server(neovim_of: NeovimOf, shelf: Shelf) -> None:
    uris = (shelf.uri("Rollback plan"), shelf.uri("Incident in March"))
    neovim = neovim_of(shelf, "-o", *uris)
    neovim.wait(BOTH_ATTACHED)
    assert len(neovim.sent("initialize")) == 1


def test_the_encoding_is_agreed_on_and_virtual_documents_are_offered(neovim: Neovim) -> None:
    neovim.open("Rollback plan")
    client = neovim.lua("return { vim.lsp.get_clients()[1].offset_encoding }")
    assert client == ["utf-8"]


def test_the_server_is_told_that_the_client_can_show_virtual_documents(
    neovim_of: NeovimOf, shelf: Shelf
) -> None:
    neovim = neovim_of(shelf)
    neovim.open("Rollback plan")
    (asked,) = neovim.sent("initialize")
    assert asked["capabilities"]["general"]["positionEncodings"][0] == "utf-8"
    assert asked["capabilities"]["workspace"]["textDocumentContent"] == {
        "dynamicRegistration": False
    }
    assert asked["rootUri"] is None


def test_a_server_that_has_ended_is_started_again_for_all_open_records(
    neovim_of: NeovimOf, shelf: Shelf
) -> None:
    neovim = neovim_of(shelf)
    neovim.open("Rollback plan")
    first = neovim.lua("return vim.lsp.get_clients()[1].id")
    os.kill(int((neovim.folder / "relay.pid").read_text("utf-8")), signal.SIGKILL)
    neovim.wait("return #vim.lsp.get_clients() == 0")
    assert neovim.lines()[0] == "# Rollback plan"
    neovim.open("Incident in March")
    neovim.wait(BOTH_ATTACHED)
    assert neovim.lua("return vim.lsp.get_clients()[1].id") != first


@pytest.mark.parametrize(
    ("key", "line"),
    [("gO", "Rollback plan"), ("gd", "# Incident in March"), ("<C-]>", "# Incident in March")],
)
def test_a_key_in_a_record_starts_a_server_that_has_ended(
    neovim_of: NeovimOf, shelf: Shelf, key: str, line: str
) -> None:
    neovim = neovim_of(shelf)
    neovim.open("Rollback plan")
    neovim.type("G", "fI")
    os.kill(int((neovim.folder / "relay.pid").read_text("utf-8")), signal.SIGKILL)
    neovim.wait("return #vim.lsp.get_clients() == 0")
    neovim.type(key)
    neovim.lands_in(line)
    assert len(neovim.lua(CLIENTS)) == 1


def test_a_server_that_never_answers_is_waited_for_once_and_ended(
    tmp_path: Path, shelf: Shelf
) -> None:
    mark = tmp_path / "starts"
    hanging = ["sh", "-c", f"echo >>'{mark}'; exec sleep 120"]
    with headless(Neovim(tmp_path, init_of(hanging, shelf.store))) as neovim:
        neovim.type(":Ctx open deadbeef<CR>")
        neovim.wait("return vim.fn.execute('messages'):find('ctxls: ')")
        (message,) = neovim.messages().splitlines()
        assert message.startswith("ctxls: The server gave no answer, and was ended: sh -c ")
        assert neovim.lua(CLIENTS) == []
        assert mark.read_text("utf-8") == "\n"


def test_leaving_neovim_ends_the_server_as_it_should_end(tmp_path: Path, shelf: Shelf) -> None:
    init = init_of(relayed(tmp_path, shelf.store), shelf.store)
    with headless(Neovim(tmp_path, init)) as neovim:
        neovim.open("Rollback plan")
    until(lambda: {"exit": 0} in neovim.wire(), lambda: json.dumps(neovim.wire()[-2:]))


def test_a_checkout_that_is_moved_away_still_says_how_to_install(
    tmp_path: Path, shelf: Shelf
) -> None:
    shutil.copytree(PLUGIN, tmp_path / "plugin")
    init = init_of(["ctxls-of-nowhere"], shelf.store).replace(str(PLUGIN), f"{tmp_path}/plugin")
    with headless(Neovim(tmp_path, init), shelf.uri("Rollback plan")) as neovim:
        neovim.wait(GONE)
        assert "Install it with, in ctxls's folder: python3 -m venv" in neovim.messages()
        assert "/bin/pip install . &&" in neovim.messages()


def test_the_store_stays_as_it_was(neovim_of: NeovimOf, own_shelf: Shelf) -> None:
    count = "SELECT count(*), max(updated_at) FROM context_entries"
    before = own_shelf.sql(count)
    neovim = neovim_of(own_shelf)
    neovim.open("Rollback plan")
    neovim.type("dd", ":write!<CR>")
    neovim.wait("return vim.fn.execute('messages'):find('E382')")
    assert own_shelf.sql(count) == before
