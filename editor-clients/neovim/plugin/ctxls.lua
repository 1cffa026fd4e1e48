-- What is there from the start: `context:` documents and the `:Ctx` command.

if vim.g.loaded_ctxls then
  return
end
vim.g.loaded_ctxls = true

if vim.fn.has('nvim-0.11') == 0 then
  local found = ('ctxls: This is Neovim %s; ctxls needs 0.11 or later.'):format(tostring(vim.version()))
  vim.notify(found, vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = vim.api.nvim_create_augroup('ctxls', {}),
  pattern = 'context:/*',
  desc = 'Open a stored record',
  callback = function(event)
    require('ctxls.buffer').read(event.buf)
  end,
})

vim.api.nvim_create_user_command('Ctx', function(call)
  require('ctxls.command').run(call)
end, {
  nargs = '+',
  desc = 'Open and search stored records',
  complete = function(...)
    return require('ctxls.command').complete(...)
  end,
})
