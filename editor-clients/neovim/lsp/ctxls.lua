-- How Neovim starts ctxls and what it does with its answers; `vim.lsp.config('ctxls', ...)` adds
-- to it. No file type starts it by itself: a record's buffer does, and every `:Ctx` command.

---@type vim.lsp.Config
return {
  cmd = { require('ctxls.program').found('ctxls'), 'serve' },
  filetypes = {},
  capabilities = { workspace = { textDocumentContent = { dynamicRegistration = false } } },
  -- One server whatever the project, since all buffers read the same store.
  reuse_client = function(client, config)
    return client.name == config.name and not client:is_stopped()
  end,
  -- Loaded when first needed: `:checkhealth` reads this file without running the client.
  handlers = {
    ['textDocument/documentSymbol'] = function(...)
      return require('ctxls.lists').outline(...)
    end,
    ['workspace/symbol'] = function(...)
      return require('ctxls.lists').symbols(...)
    end,
    ['workspace/textDocumentContent/refresh'] = function(...)
      return require('ctxls.buffer').refresh(...)
    end,
  },
}
