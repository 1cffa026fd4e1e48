--- The one client for all records' buffers, and questions that wait for their answer.
local M = {}

local START_MS = 15000
local ANSWER_MS = 10000

--- The checkout that this file lies in, as long as the client is used from there.
local CHECKOUT = vim.fs.root(debug.getinfo(1, 'S').source:sub(2), 'pyproject.toml')

---@return vim.lsp.Client?
local function running()
  return vim.iter(vim.lsp.get_clients({ name = 'ctxls' })):find(function(client)
    return not client:is_stopped()
  end)
end

---@param program string
local function missing(program)
  local venv = '~/.local/share/ctxls-venv'
  local steps = {
    'python3 -m venv ' .. venv,
    ('%s/bin/pip install %s'):format(venv, CHECKOUT or 'ctxls'),
    'mkdir -p ~/.local/bin',
    ('ln -sf %s/bin/ctxls ~/.local/bin/ctxls'):format(venv),
  }
  return ("There is no program '%s'. Install it with: %s"):format(
    program,
    table.concat(steps, ' && ')
  )
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

---@param config vim.lsp.ClientConfig
---@return vim.lsp.Client? client
---@return string? problem
local function start(config)
  local id = vim.lsp.start(config, { attach = false, reuse_client = config.reuse_client })
  vim.wait(START_MS, function()
    local client = id and vim.lsp.get_client_by_id(id)
    return not client or client.initialized or client:is_stopped()
  end, 10)
  local client = running()
  if client and client.initialized then
    take_over(client)
    return client
  end
  local command = table.concat(config.cmd --[[@as string[] ]], ' ')
  local log = vim.lsp.log.get_filename()
  return nil, ('The server did not start: %s. What it said is in %s'):format(command, log)
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
  local program = type(config.cmd) == 'table' and config.cmd[1]
  if program and vim.fn.executable(program) == 0 then
    return nil, missing(program)
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
