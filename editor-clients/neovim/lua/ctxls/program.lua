--- The program that serves records: where it is, and how it is installed.
local M = {}

local NAME = 'ctxls'

--- Return a program that can be started: an installation for one user may not be on the PATH.
---@param program string
---@return string
function M.found(program)
  local own = vim.fs.normalize('~/.local/bin/' .. NAME)
  local is_there = vim.fn.executable(program) == 1 or vim.fn.executable(own) == 0
  return (is_there or program ~= NAME) and program or own
end

--- Return the checkout that this file lies in, as long as the client is used from there.
---@return string?
local function checkout()
  local file = debug.getinfo(1, 'S').source:sub(2)
  local root = vim.fs.root(vim.uv.fs_realpath(file) or file, 'pyproject.toml')
  return root and vim.uv.fs_stat(root .. '/server/ctxls') and root
end

--- Say that a program is missing, and what installs it.
---@param program string
---@return string
function M.missing(program)
  local venv = '~/.local/share/ctxls-venv'
  local folder = checkout()
  local steps = {
    'python3 -m venv ' .. venv,
    ('%s/bin/pip install %s'):format(venv, folder or '.'),
    'mkdir -p ~/.local/bin',
    ('ln -sf %s/bin/ctxls ~/.local/bin/ctxls'):format(venv),
  }
  return ("There is no program '%s'. Install it with%s: %s"):format(
    program,
    folder and '' or ", in ctxls's folder",
    table.concat(steps, ' && ')
  )
end

return M
