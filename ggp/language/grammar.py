"""The parser tables made from `grammar.lark`, kept on disk because making them takes longer than reading most rules."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import lark

START_RULES = (
    "file_statement",
    "state_statement",
    "phase_statement",
    "kind_statement",
    "on_statement",
    "display_statement",
    "stray",
)


@cache
def grammar() -> lark.Lark:
    """Return the parser of the language, from the cache on disk where there is one."""
    text = files("ggp.language").joinpath("grammar.lark").read_text(encoding="utf-8")
    key = hashlib.sha256(f"{text}{START_RULES}{lark.__version__}{sys.version_info[:2]}".encode()).hexdigest()[:24]
    path = _cache_folder() / f"grammar-{key}.bin"
    stored = _read(path)
    if stored is not None:
        return stored
    made = lark.Lark(
        text, parser="lalr", lexer="basic", start=list(START_RULES), keep_all_tokens=True, maybe_placeholders=False
    )
    _write(path, made)
    return made


def _cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ggp"


def _read(path: Path) -> lark.Lark | None:
    """Return the stored tables; None where there are none, or none of ours that can be read."""
    try:
        if path.stat().st_uid != os.getuid():
            return None
        return lark.Lark.load(io.BytesIO(path.read_bytes()))
    except (OSError, EOFError, pickle.UnpicklingError, KeyError, ValueError, AttributeError, TypeError):
        # A torn or foreign file: the tables are made again and written over it.
        return None


def _write(path: Path, made: lark.Lark) -> None:
    buffer = io.BytesIO()
    made.save(buffer)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written aside and moved: another process never sees half a file.
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as aside:
            aside.write(buffer.getvalue())
        os.replace(aside.name, path)
    except OSError:
        # A home that cannot be written to: every start makes the tables anew, which is slower and not wrong.
        return
