"""Text rules, pure: a string in, frozen values out. No record, no database, no LSP."""
