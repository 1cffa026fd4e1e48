"""Folders and files for this user alone, whatever the umask says."""

import os
from pathlib import Path


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing."""
    for folder in (*reversed(path.parents), path):
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file where there is none."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
