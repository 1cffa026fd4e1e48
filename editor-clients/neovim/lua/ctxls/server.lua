--- The one client for all records' buffers, and questions that wait for their answer.
local program = require('ctxls.program')

local M = {}

local START_MS = 15000
local ANSWER_MS = 10000

---@return vim.lsp.Client?
local function running()
  return vim.iter(vim.lsp.get_clients({ name = 'ctxls' })):find(function(client)
    return not client:is_stopped()
  end)
end

--- Buffers of a server that has ended keep their text; a new one takes them over.
---@param client vim.lsp.Client
local function take_over(client)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.b[buffer].ctxls_record and vim.api.nvim_buf_is_loaded(buffer) then
      vim.lsp.buf_attach_client(buffer, client.id)
    end
  end
end

--- Say why a server does not serve; one that gave no answer is ended, or it would wait for ever.
---@param config vim.lsp.ClientConfig
---@param silent? vim.lsp.Client
---@return string problem
local function why_not(config, silent)
  local command = table.concat(config.cmd --[[@as string[] ]], ' ')
  if silent then
    silent:stop(true)
    return ('The server gave no answer, and was ended: %s'):format(command)
  end
  local log = vim.lsp.log.get_filename()
  return ('The server did not start: %s. What it said is in %s'):format(command, log)
end

---@param config vim.lsp.ClientConfig
---@return vim.lsp.Client? client
---@return string? problem
local function start(config)
  local id = vim.lsp.start(config, { attach = false, reuse_client = config.reuse_client })
  local client = id and vim.lsp.get_client_by_id(id)
  local answered = vim.wait(START_MS, function()
    return not client or client.initialized or client:is_stopped()
  end, 10)
  if client and client.initialized and not client:is_stopped() then
    take_over(client)
    return client
  end
  return nil, why_not(config, not answered and client or nil)
end

--- Return the running client, or start it; where that fails, say why.
---@return vim.lsp.Client? client
---@return string? problem
function M.client()
  local client = running()
  if client and client.initialized then
    return client
  end
  local config = vim.deepcopy(vim.lsp.config.ctxls)
  config.root_dir = nil -- a record belongs to no project
  if type(config.cmd) == 'table' then
    config.cmd[1] = program.found(config.cmd[1])
    if vim.fn.executable(config.cmd[1]) == 0 then
      return nil, program.missing(config.cmd[1])
    end
  end
  return start(config)
end

--- Ask the server and wait.
---@param method string
---@param params table
---@return any answer
---@return string? problem
---@return lsp.ResponseError? error What the server said, where it was the server that refused.
function M.ask(method, params)
  local client, problem = M.client()
  if not client then
    return nil, problem
  end
  local answer, reason = client:request_sync(method, params, ANSWER_MS)
  if not answer then
    return nil, ('The server gave no answer to %s (%s).'):format(method, reason or 'it has ended')
  end
  if answer.err then
    return nil, answer.err.message, answer.err
  end
  return answer.result
end

--- Tell the user what went wrong; later, since an error shown within a jump would abort the jump.
---@param problem string
function M.complain(problem)
  vim.schedule(function()
    vim.notify('ctxls: ' .. problem, vim.log.levels.ERROR)
  end)
end

return M
