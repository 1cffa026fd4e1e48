--- Outlines and hits as lists to jump from, with the columns that a record's own text has.
---
--- Neovim 0.11 measures the columns of workspace symbols in the current buffer, whatever record
--- they are in; the outline it makes shows no levels, and every line its buffer's whole URI.
local server = require('ctxls.server')

local M = {}

local INDENT = '\194\160\194\160' -- no-break spaces: a list trims plain ones

---@param buffer integer
---@param position lsp.Position
---@param encoding string
---@return integer column from 1, in bytes
local function column(buffer, position, encoding)
  if position.character == 0 or encoding == 'utf-8' then
    return position.character + 1
  end
  vim.fn.bufload(buffer)
  local line = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1]
  return vim.str_byteindex(line or '', encoding, position.character, false) + 1
end

---@param buffer integer
---@param range lsp.Range
---@param encoding string
---@return vim.quickfix.entry
local function entry(buffer, range, encoding)
  return {
    bufnr = buffer,
    lnum = range.start.line + 1,
    col = column(buffer, range.start, encoding),
    end_lnum = range['end'].line + 1,
    end_col = column(buffer, range['end'], encoding),
  }
end

--- A record's name in a list: `deploy/rollback-plan`, from its URI.
---@param uri string
local function name_of(uri)
  local path = uri:match('^context:/+[^/]+/(.*)%.[^.]+%.md') or uri
  return (vim.uri_decode(path):gsub('|', '¦')) -- a bar ends the name in a list
end

---@param list vim.lsp.LocationOpts.OnList
---@param config { on_list?: fun(list: table), loclist?: boolean }
local function show(list, config)
  if config.on_list then
    config.on_list(list)
  elseif config.loclist then
    vim.fn.setloclist(0, {}, ' ', list)
    vim.cmd.lopen()
  else
    vim.fn.setqflist({}, ' ', list)
    vim.cmd('botright copen')
  end
end

---@param symbols lsp.DocumentSymbol[]
---@param depth integer
---@param add fun(symbol: lsp.DocumentSymbol, depth: integer)
local function walk(symbols, depth, add)
  for _, symbol in ipairs(symbols) do
    add(symbol, depth)
    walk(symbol.children or {}, depth + 1, add)
  end
end

--- A list's lines without file names and places: a 'quickfixtextfunc'.
---@param info { quickfix: integer, winid: integer, id: integer, start_idx: integer, end_idx: integer }
local function headings_alone(info)
  local what = { id = info.id, items = 0 }
  local list = info.quickfix == 1 and vim.fn.getqflist(what) or vim.fn.getloclist(info.winid, what)
  return vim
    .iter(vim.list_slice(list.items, info.start_idx, info.end_idx))
    :map(function(item)
      return item.text
    end)
    :totable()
end

--- textDocument/documentSymbol: the headings, indented by level.
---@type lsp.Handler
function M.outline(failed, symbols, context, config)
  if failed then
    return server.complain(failed.message)
  end
  local encoding = assert(vim.lsp.get_client_by_id(context.client_id)).offset_encoding
  local items = {}
  walk(symbols or {}, 0, function(symbol, depth)
    local item = entry(context.bufnr, symbol.selectionRange, encoding)
    item.kind = vim.lsp.protocol.SymbolKind[symbol.kind]
    item.text = INDENT:rep(depth) .. symbol.name
    items[#items + 1] = item
  end)
  config = vim.tbl_extend('keep', config or {}, { loclist = true })
  local title = 'Outline of ' .. name_of(context.params.textDocument.uri)
  local list = { title = title, items = items, context = context }
  if not config.on_list then
    list.quickfixtextfunc = headings_alone
  end
  show(list, config)
end

--- workspace/symbol: one line a hit, named as the server says where it is.
---@type lsp.Handler
function M.symbols(failed, symbols, context, config)
  if failed then
    return server.complain(failed.message)
  end
  if not symbols or #symbols == 0 then
    return vim.notify(("No record has '%s'."):format(context.params.query))
  end
  local encoding = assert(vim.lsp.get_client_by_id(context.client_id)).offset_encoding
  local items = vim.tbl_map(function(symbol)
    local item = entry(vim.uri_to_bufnr(symbol.location.uri), symbol.location.range, encoding)
    item.module = (symbol.containerName or name_of(symbol.location.uri)):gsub('|', '¦')
    item.kind = vim.lsp.protocol.SymbolKind[symbol.kind]
    item.text = symbol.name
    return item
  end, symbols)
  local query = context.params.query
  local title = query == '' and 'Newest records' or ("Records with '%s'"):format(query)
  show({ title = title, items = items, context = context }, config or {})
end

--- Go to the only place found, or list them all (an `on_list` of `vim.lsp.buf.definition`).
---@param list vim.lsp.LocationOpts.OnList
function M.go(list)
  if #list.items > 1 then
    for _, item in ipairs(list.items) do
      item.module = name_of(item.user_data.uri)
    end
    return show(list, {})
  end
  local location = list.items[1].user_data ---@type lsp.Location
  if not vim.b[vim.uri_to_bufnr(location.uri)].ctxls_record then
    location.range = nil -- it could not be read, and says so; there is no place in it
  end
  local client = vim.lsp.get_clients({ name = 'ctxls' })[1]
  vim.lsp.util.show_document(location, client and client.offset_encoding or 'utf-8')
end

return M
