--- Which records a name means: a title, an id or the start of one, or a URI.
local server = require('ctxls.server')

local M = {}

---@class ctxls.Named
---@field uri string
---@field title string
---@field threadId? string

---@param uris string[]
---@return string[] ids
local function ids_of(uris)
  local ids, seen = {}, {}
  for _, uri in ipairs(uris) do
    local id = uri:match('%.(%w+)%.md')
    if id and not seen[id] then
      seen[id] = true
      ids[#ids + 1] = id
    end
  end
  return ids
end

---@param params table
---@return ctxls.Named[]
---@return string? problem
local function list(params)
  params.what = 'records'
  local page, problem = server.ask('context/list', params)
  return page and page.items or {}, problem
end

--- The newest records.
---@return ctxls.Named[]
---@return string? problem
function M.recent()
  return list({ limit = 100 })
end

--- What looks like a filter or an expression is searched as text when it is quoted.
---@param part string
local function as_text(part)
  local special = part:find('^/') or part:find('^%a+:%S')
  return special and ('/\\Q%s\\E/'):format(part) or part
end

--- Records that a search for `part` hits; their titles may have it elsewhere, or not at all.
---@param part string
---@return ctxls.Named[]
---@return string? problem
---@return boolean? is_silent Whether nobody answered: the next question would wait as long.
local function hit_by(part)
  local symbols, problem, refused = server.ask('workspace/symbol', { query = as_text(part) })
  if problem and not refused then
    return {}, problem, true
  end
  local ids = ids_of(vim.tbl_map(function(symbol)
    return symbol.location.uri
  end, symbols or {}))
  if #ids == 0 then
    return {}, problem
  end
  return list({ filter = { contextIds = ids }, limit = #ids })
end

--- Records whose title has `part` in it, whatever its case.
---@param part string
---@return ctxls.Named[]
---@return string? problem
function M.titled(part)
  local hits, problem, is_silent = hit_by(part)
  if is_silent then
    return {}, problem
  end
  local lower, found, seen = vim.fn.tolower(part), {}, {}
  -- The newest ones too: a title with markup in it is not the text that a search finds.
  for _, record in ipairs(vim.list_extend(hits, (M.recent()))) do
    if not seen[record.uri] and vim.fn.tolower(record.title):find(lower, 1, true) then
      seen[record.uri] = true
      found[#found + 1] = record
    end
  end
  return found, problem
end

--- The record with an id, or those whose ids begin so.
---@param start string
---@return ctxls.Named[]
---@return string? problem
---@return boolean? is_silent
function M.identified(start)
  local record, problem, refused = server.ask('context/get', { contextId = start })
  if record then
    return { record }
  end
  local data = refused and refused.data or {}
  if data.kind == 'ambiguous-id' then
    return (list({ filter = { contextIds = vim.tbl_map(function(candidate)
      return candidate.id
    end, data.candidates) } }))
  end
  return {}, problem, not refused
end

---@param name string
function M.may_be_id(name)
  return name:gsub('-', ''):match('^%x+$') ~= nil and #name:gsub('-', '') >= 8
    or name:match('^%d+$') ~= nil
end

--- Return the records that `name` means, the likeliest alone where it is clear.
---@param name string
---@return ctxls.Named[]
---@return string? problem
function M.named(name)
  if name:match('^context:/') then
    return { { uri = name, title = name } }
  end
  local problem
  if M.may_be_id(name) then
    local found, is_silent
    found, problem, is_silent = M.identified(name)
    if #found > 0 or is_silent then
      return found, problem
    end
  end
  local found, why = M.titled(name)
  local equal = vim.tbl_filter(function(record)
    return vim.fn.tolower(record.title) == vim.fn.tolower(name)
  end, found)
  return #equal > 0 and equal or found, problem or why
end

return M
