--- A record as a buffer: read when it is opened, read again when the server says it changed.
local server = require('ctxls.server')
local text = require('ctxls.text')

local M = {}

local CONTENT = 'workspace/textDocumentContent'

--- The newest refresh asked for each buffer: an older answer that comes late is dropped.
---@type table<integer, integer>
local newest = {}

---@param buffer integer
---@param lines string[]
local function set_lines(buffer, lines)
  M.reading = function()
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  end
  -- Marks and entries of a quickfix list name lines of the text that is being read: without
  -- lockmarks they would move down by as many, and every jump would end on the last line.
  vim.cmd.lua({ "require('ctxls.buffer').reading()", mods = { lockmarks = true } })
end

--- Put `lines` in place of what differs, so that the cursor, marks and folds keep their place.
---@param buffer integer
---@param lines string[]
local function change_lines(buffer, lines)
  local old = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local shorter = math.min(#old, #lines)
  local first, last = 0, 0
  while first < shorter and old[first + 1] == lines[first + 1] do
    first = first + 1
  end
  while last < shorter - first and old[#old - last] == lines[#lines - last] do
    last = last + 1
  end
  local changed = vim.list_slice(lines, first + 1, #lines - last)
  vim.api.nvim_buf_set_lines(buffer, first, #old - last, false, changed)
end

---@param buffer integer
---@param content ctxls.Text
---@param put fun(buffer: integer, lines: string[])
local function fill(buffer, content, put)
  local option = vim.bo[buffer]
  option.modifiable, option.readonly = true, false
  option.swapfile, option.modeline = false, false
  option.fileformat, option.endofline = content.fileformat, content.endofline
  put(buffer, content.lines)
  option.buftype = 'nowrite' -- a session restores it, as it does not with 'nofile'
  option.modified, option.modifiable, option.readonly = false, false, true
end

--- Show why a record cannot be read, in its buffer too: an empty one would look like its text.
---@param buffer integer
---@param problem string
local function refuse(buffer, problem)
  local line = 'ctxls: ' .. problem:gsub('[\r\n]+', ' ')
  fill(buffer, { lines = { line }, fileformat = 'unix', endofline = true }, set_lines)
  vim.bo[buffer].filetype = ''
  vim.bo[buffer].bufhidden = 'wipe'
  server.complain(problem)
end

--- Keys of a record start a server that has ended; then they mean what they mean to Neovim, but
--- Markdown's own `gO` lists what Vim takes for headings, and its `gd` knows no records.
---@param buffer integer
local function map_keys(buffer)
  local function map(keys, action, description)
    vim.keymap.set('n', keys, function()
      local client, problem = server.client()
      if not client then
        return server.complain(problem or '')
      end
      action()
    end, { buffer = buffer, desc = description })
  end
  map('gO', vim.lsp.buf.document_symbol, 'Outline of this record')
  map('gd', function()
    vim.lsp.buf.definition({ on_list = require('ctxls.lists').go })
  end, 'Go to what the cursor names')
  map('<C-]>', function()
    local count = vim.v.count > 0 and vim.v.count or ''
    vim.api.nvim_feedkeys(count .. vim.keycode('<C-]>'), 'ni', false)
  end, 'Go to what the cursor names, as to a tag')
end

--- Read the record that a buffer is named after. Waits, since a jump places its cursor next.
---@param buffer integer
function M.read(buffer)
  vim.b[buffer].ctxls_record = nil
  local answer, problem = server.ask(CONTENT, { uri = vim.api.nvim_buf_get_name(buffer) })
  local client = answer and server.client()
  if not client then
    return refuse(buffer, problem or 'The server has ended.')
  end
  fill(buffer, text.of(answer.text), set_lines)
  vim.b[buffer].ctxls_record = true
  vim.bo[buffer].bufhidden = ''
  vim.bo[buffer].filetype = 'markdown'
  map_keys(buffer)
  vim.lsp.buf_attach_client(buffer, client.id)
end

--- Show a changed text; the server is told it anew, whatever its line ends have become.
---@param buffer integer
---@param client vim.lsp.Client
---@param content ctxls.Text
local function replace(buffer, client, content)
  vim.lsp.buf_detach_client(buffer, client.id)
  fill(buffer, content, change_lines)
  vim.lsp.buf_attach_client(buffer, client.id)
end

---@param buffer integer
---@param client vim.lsp.Client
local function reread(buffer, client)
  local uri = vim.api.nvim_buf_get_name(buffer)
  local ticket = (newest[buffer] or 0) + 1
  newest[buffer] = ticket
  client:request(CONTENT, { uri = uri }, function(failed, answer)
    if newest[buffer] ~= ticket or not vim.api.nvim_buf_is_loaded(buffer) then
      return
    end
    if failed then
      return server.complain(failed.message)
    end
    replace(buffer, client, text.of(answer.text))
  end, buffer)
end

--- workspace/textDocumentContent/refresh: read an open record again.
---@param _ any
---@param params { uri: string }
---@param context lsp.HandlerContext
function M.refresh(_, params, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  for buffer in pairs(client.attached_buffers) do
    if vim.api.nvim_buf_get_name(buffer) == params.uri then
      reread(buffer, client)
    end
  end
  return vim.NIL
end

return M
