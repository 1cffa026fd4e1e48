--- How a record's text becomes a buffer's, so that Neovim counts lines as the server does.
local M = {}

---@class ctxls.Text
---@field lines string[]
---@field fileformat 'unix'|'dos'|'mac'
---@field endofline boolean

local FORMATS = { ['\n'] = 'unix', ['\r\n'] = 'dos', ['\r'] = 'mac' }

--- Cut a text where LSP ends lines: at "\n", "\r\n" and a lone "\r", and nowhere else.
---
--- Neovim tells a server its lines joined by what 'fileformat' says, and one more line end where
--- 'endofline' is set. So a text with one kind of line end is told exactly as it is stored. Mixed
--- ones are told as "\n": every line and column stays where it is.
---@param text string
---@return ctxls.Text
function M.of(text)
  local lines, ends, first = {}, {}, 1
  local at = text:find('[\r\n]')
  while at do
    local line_end = text:match('^\r?\n', at) or '\r'
    ends[line_end] = true
    lines[#lines + 1] = text:sub(first, at - 1)
    first = at + #line_end
    at = text:find('[\r\n]', first)
  end
  local endofline = #lines > 0 and first > #text
  if not endofline then
    lines[#lines + 1] = text:sub(first)
  end
  local only = next(ends)
  local mixed = only and next(ends, only)
  return {
    lines = lines,
    fileformat = not mixed and FORMATS[only] or 'unix',
    endofline = endofline,
  }
end

return M
