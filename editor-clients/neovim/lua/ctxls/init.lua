--- Stored context records as Neovim buffers, with the ctxls language server.
local program = require('ctxls.program')

local M = {}

---@class ctxls.Options
---@field cmd? string[] How the server is started; default `{ 'ctxls', 'serve' }`, on the PATH or in ~/.local/bin.
---@field store? string A SQLite file; default: the server's own choice, your data folder's.

--- Choose the server's command and store. Without a call, or without an option, defaults hold.
---@param options? ctxls.Options
function M.setup(options)
  options = options or {}
  for name in pairs(options) do
    if name ~= 'cmd' and name ~= 'store' then
      error(("ctxls: setup has no option '%s'; it takes cmd and store."):format(name), 2)
    end
  end
  vim.validate('cmd', options.cmd, vim.islist, true, 'a list, for example { "ctxls", "serve" }')
  vim.validate('store', options.store, 'string', true)
  local cmd = vim.list_slice(options.cmd or { program.found('ctxls'), 'serve' })
  if options.store then
    vim.list_extend(cmd, { '--store', (options.store:gsub('^~/', vim.env.HOME .. '/')) })
  end
  vim.lsp.config('ctxls', { cmd = cmd })
end

--- Open a record by its title, id, the first 8 or more digits of its id, or its URI.
---@param name string
function M.open(name)
  require('ctxls.command').open(name, {})
end

return M
