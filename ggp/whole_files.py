"""Files that are replaced once the new one is complete, so that whoever is interrupted keeps the old one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Yield a file to write to, which takes the place of another at the end; if the block fails, nothing changes.

    Args:
        path: of the file. A device, such as standard output, is written to as it is.
        mode: of a new file, less the process's mask.

    Raises:
        OSError: it cannot be written.
    """
    if path.exists() and not path.is_file():
        with open(path, "wb") as device:
            yield device
        return
    beside = path.with_name(path.name + ".new")
    try:
        with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
