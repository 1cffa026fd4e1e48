"""Text as it is safe to print: in a message, or on a terminal."""


def printable(text: str, *, keep: str = "") -> str:
    r"""Spell out control characters and lone surrogates (`\x1b`, `\ud800`); leave the rest alone.

    Characters in `keep` stay as they are. Format characters that reorder or hide text, such as
    U+202E, count as control characters: `str.isprintable` draws the line.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape").decode()
        for char in text
    )


def quoted(text: str, longest: int = 200) -> str:
    """Quote `text` for a message: one line, of bounded length."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return f"'{printable(cut)}'"
