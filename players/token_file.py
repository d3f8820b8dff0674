"""The file in which a player keeps its token, and with it its identity, between runs."""

from __future__ import annotations

from pathlib import Path

from ggp.errors import GgpError
from ggp.whole_files import replacing


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
        with replacing(file, 0o600) as kept:
            kept.write(f"{token}\n".encode())
    except OSError as error:
        raise TokenFileUnusable(f"cannot keep the token in `{file}`: {error.strerror}") from error
