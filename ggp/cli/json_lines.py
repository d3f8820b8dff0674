"""Files of JSON lines that are appended to as work gets done, so that an interrupted run can be continued.

The first line says what the file records; a last line that was cut off counts as not written.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ggp.errors import GgpError


class RecordUnusable(GgpError):
    """A record of something else, or one that cannot be read or written."""


def read_lines(path: Path) -> list[Any]:
    """Return the complete lines of a file, the heading first; none where there is no file.

    Raises:
        RecordUnusable: the file cannot be read, or a complete line is no JSON.
    """
    return [_parsed(path, line, at) for at, line in enumerate(_complete(path).splitlines(), 1)]


def _complete(path: Path) -> bytes:
    """Return what the file holds up to the end of its last complete line."""
    try:
        whole = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise RecordUnusable(f"cannot read {path}: {error.strerror}") from error
    # a line without its end was being written when the last run stopped
    return whole[: whole.rfind(b"\n") + 1]


def _parsed(path: Path, line: bytes, at: int) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise RecordUnusable(f"{path}:{at} is damaged: {error}") from error


class JsonLines:
    """A file of JSON lines, open for appending.

    Args:
        path: of the file; made if there is none.
        kind: what it records, in words, for error messages, such as `tournament`.
        heading: what makes this record what it is, as plain data; a file with another heading is refused.

    Attributes:
        found: the complete lines that were there, without the heading; the first is line 2 of the file.

    Raises:
        RecordUnusable: the file records something else, is damaged before its last line, or cannot be opened.
    """

    def __init__(self, path: Path, kind: str, heading: dict[str, Any]) -> None:
        self.path = path
        lines = read_lines(path)
        if lines:
            self._check(lines[0], kind, heading)
        self.found: list[Any] = lines[1:]
        try:
            self._file = open(path, "r+b" if path.exists() else "w+b")  # noqa: SIM115 - open as long as this object
            self._file.seek(len(_complete(path)))
            self._file.truncate()
        except OSError as error:
            raise RecordUnusable(f"cannot write {path}: {error.strerror}") from error
        if not lines:
            self.append(heading)

    def _check(self, found: Any, kind: str, heading: dict[str, Any]) -> None:
        if not isinstance(found, dict) or found.get("format") != heading["format"]:
            raise RecordUnusable(f"{self.path} is not the record of a {kind}")
        other = [key for key in heading if found.get(key) != heading[key]]
        if other:
            raise RecordUnusable(
                f"{self.path} is the record of another {kind}: {', '.join(other)} differ"
                f" ({other[0]} there: {found.get(other[0])}); continue it with the same arguments, or name another file"
            )

    def append(self, line: dict[str, Any]) -> None:
        """Write a line; it is on the disk when this returns."""
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()
