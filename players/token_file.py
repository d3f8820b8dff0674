"""The file in which a player keeps its token, and with it its identity, between runs."""

from __future__ import annotations

import os
from pathlib import Path

from ggp.errors import GgpError


class TokenFileUnusable(GgpError):
    """A token cannot be read from its file, or written to it."""


def read_token(file: Path) -> str | None:
    """Return the token in a file; None if the file does not exist yet.

    Raises:
        TokenFileUnusable: the file cannot be read.
    """
    if not file.exists():
        return None
    try:
        return file.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise TokenFileUnusable(f"cannot read the token in `{file}`: {error}") from error


def write_token(file: Path, token: str) -> None:
    """Write a token to a file that only its owner can read; a process killed meanwhile leaves the old file.

    Raises:
        TokenFileUnusable: the file cannot be written.
    """
    try:
        new = file.with_name(f"{file.name}.new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as kept:
            kept.write(token + "\n")
        new.replace(file)
    except OSError as error:
        raise TokenFileUnusable(f"cannot keep the token in `{file}`: {error.strerror}") from error
