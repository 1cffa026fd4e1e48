--- The `:Ctx` command: `open` a record, list `symbols` from any buffer.
local find = require('ctxls.find')
local server = require('ctxls.server')

local M = {}

---@param uri string
---@param mods table
local function edit(uri, mods)
  local splits = mods.vertical or (mods.split or '') ~= '' or (mods.tab or -1) >= 0
  -- magic off, or `%` in a URI would become the current file's name
  local call = { cmd = splits and 'split' or 'edit', args = { uri }, mods = mods }
  call.magic = { file = false, bar = false }
  local ok, failed = pcall(vim.api.nvim_cmd, call, {})
  if not ok then -- E37 for example; the `!` that it advises is none of `:Ctx`
    server.complain((tostring(failed):gsub('^Vim[^:]*:', ''):gsub(' %(add ! to override%)$', '')))
  end
end

---@param records ctxls.Named[]
---@param mods table
local function choose(records, mods)
  vim.ui.select(records, {
    prompt = 'Open record',
    format_item = function(record)
      return ('%s  (%s)'):format(record.title, record.threadId)
    end,
  }, function(record)
    if record then
      edit(record.uri, mods)
    end
  end)
end

--- Open a record by title, id, the start of an id, or URI; without a name, choose a recent one.
---@param name string
---@param mods table
function M.open(name, mods)
  local records, problem
  if name == '' then
    records, problem = find.recent()
  else
    records, problem = find.named(name)
  end
  if #records == 1 then
    edit(records[1].uri, mods)
  elseif #records > 1 then
    choose(records, mods)
  else
    server.complain(problem or ("No record has the title or id '%s'."):format(name))
  end
end

--- List the symbols of all records that match `query`, in the quickfix window.
---@param query string
function M.symbols(query)
  local client, problem = server.client()
  if not client then
    return server.complain(problem or '')
  end
  client:request('workspace/symbol', { query = query })
end

---@type table<string, fun(argument: string, mods: table)>
local ACTIONS = { open = M.open, symbols = M.symbols }

---@param call vim.api.keyset.create_user_command.command_args
function M.run(call)
  local action, argument = call.args:match('^(%S+)%s*(.-)%s*$')
  if not ACTIONS[action] then
    return server.complain((":Ctx has no '%s'; it has open and symbols."):format(action))
  end
  ACTIONS[action](argument, call.smods)
end

---@param typed string what stands after `open `, blanks and all
---@param lead string its last word, which a candidate replaces
---@return string[]
local function names(typed, lead)
  local found = {}
  if find.may_be_id(typed) then
    local identified, _, is_silent = find.identified(typed)
    if is_silent then
      return {}
    end
    for _, record in ipairs(identified) do
      found[#found + 1] = record.contextId
    end
  end
  local records = typed == '' and find.recent() or find.titled(typed)
  local before = #typed - #lead
  for _, record in ipairs(records) do
    local title = record.title
    local begins = vim.fn.tolower(title:sub(1, before)) == vim.fn.tolower(typed:sub(1, before))
    if begins and not vim.list_contains(found, title:sub(before + 1)) then
      found[#found + 1] = title:sub(before + 1)
    end
  end
  return found
end

--- Complete the action, then titles and ids.
---@param lead string
---@param line string
---@param cursor integer
---@return string[]
function M.complete(lead, line, cursor)
  local rest = line:sub(1, cursor):match('Ctx!?%s+(.*)$') or ''
  local typed = rest:match('^open%s+(.*)$')
  if typed then
    return names(typed, lead)
  end
  return vim.tbl_filter(function(action)
    return not rest:find('%s') and vim.startswith(action, lead)
  end, { 'open', 'symbols' })
end

return M
