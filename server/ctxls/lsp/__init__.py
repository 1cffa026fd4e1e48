"""The one rung that speaks LSP. Its `extensions` know JSON alone, and no protocol library."""
