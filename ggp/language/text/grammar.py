"""The parser tables made from `grammar.lark`, kept on disk because making them takes longer than reading most rules."""

from __future__ import annotations

import io
import sys
from functools import cache
from importlib.resources import files

import lark

from ggp.cache import cache_root, digest_of, read_whole, write_whole

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
    text = files("ggp.language.text").joinpath("grammar.lark").read_text(encoding="utf-8")
    key = digest_of(f"{text}{START_RULES}{lark.__version__}{sys.version_info[:2]}".encode())
    path = cache_root() / f"grammar-{key}.bin"
    stored = read_whole(path)
    if stored is not None:
        return lark.Lark.load(io.BytesIO(stored))
    made = lark.Lark(text, parser="lalr", lexer="basic", start=list(START_RULES), keep_all_tokens=True)
    buffer = io.BytesIO()
    made.save(buffer)
    write_whole(path, buffer.getvalue())
    return made
