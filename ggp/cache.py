"""The folder in which what takes long to make is kept between runs, and files in it that are whole or not there."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

LOGGER = logging.getLogger(__name__)


def cache_root() -> Path:
    """Return the folder below which everything is kept: `$GGP_CACHE`, else the platform's place for caches."""
    chosen = os.environ.get("GGP_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ggp" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ggp"
    wanted = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # one that is empty or relative counts as none: https://specifications.freedesktop.org/basedir-spec
    return (wanted if wanted.is_absolute() else Path.home() / ".cache") / "ggp"


def digest_of(*parts: bytes) -> str:
    """Return a hash of some bytes, as a part of a file's name."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:32]


def read_whole(path: Path) -> bytes | None:
    """Return what `write_whole` wrote to a file; None where there is no such file, or it was damaged since.

    A file of another user counts as none: what is in it is going to be run.
    """
    try:
        if sys.platform != "win32" and path.stat().st_uid != os.getuid():
            LOGGER.warning("the cache file %s belongs to another user and is not used", path)
            return None
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        LOGGER.warning("cannot read the cache file %s: %s", path, error)
        return None
    checksum, payload = content[:32], content[32:]
    if hashlib.sha256(payload).digest() != checksum:
        LOGGER.warning("the cache file %s is damaged and will be made anew", path)
        return None
    return payload


def write_whole(path: Path, payload: bytes) -> None:
    """Write a file that readers see whole or not at all. Where that fails, warn: the cache is only a convenience."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            Path(temporary).replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        LOGGER.warning("cannot keep anything in the cache folder %s: %s", path.parent, error)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock of this user's processes; where its file cannot be written nothing is kept, and nothing is locked."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = path.open("a+b")
    except OSError:
        yield
        return
    with file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            try:
                yield
            finally:
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
            yield
