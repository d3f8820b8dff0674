"""What is kept of a game's generated code between runs, so that its machine code is found without generating it again.

An entry says what text the code of a checked game has as Python, by its hash, and which faults it can meet. Machine
code is kept under that hash (`native_code`). The key of an entry is a hash of the whole typed tree and of
the code generator's sources; `pickle` writes the tree, in a hundredth of the time that generating takes.
"""

from __future__ import annotations

import json
import pickle
from functools import cache
from pathlib import Path

from msgspec import Struct

from ggp.cache import cache_root, digest_of, read_whole, write_whole
from ggp.language import typed

GENERATOR_ROOMS = ("arithmetic", "codegen", "encoding", "language", "native", "rules_compiler", "static_analysis")
"""The rooms of `ggp` that generated code may depend on, besides the typed tree."""


class IndexEntry(Struct, frozen=True):
    """What is known of generated code.

    Attributes:
        source_digest: the hash of the code as Python.
        faults: for each fault site, where in the rules it is and what fails there.
    """

    source_digest: str
    faults: tuple[str, ...]


def source_digest(source: str) -> str:
    """Return the hash of generated code as Python."""
    return digest_of(source.encode())


def entry_file(rules: typed.Game, module: str) -> Path:
    """Return where the entry of one generated module of a game is kept.

    Args:
        rules: the checked game.
        module: which of its modules.
    """
    key = digest_of(pickle.dumps(rules, protocol=5), module.encode(), _generator_digest())
    return cache_root() / "games" / f"{key}.entry"


def read_entry(path: Path) -> IndexEntry | None:
    """Return an entry; None where there is none."""
    kept = read_whole(path)
    if kept is None:
        return None
    source, faults = json.loads(kept)
    return IndexEntry(source, tuple(faults))


def write_entry(path: Path, entry: IndexEntry) -> None:
    """Keep an entry."""
    write_whole(path, json.dumps([entry.source_digest, entry.faults]).encode())


@cache
def _generator_digest() -> bytes:
    folder = Path(__file__).parents[1]
    paths = [path for room in GENERATOR_ROOMS for path in sorted((folder / room).rglob("*.py"))]
    paths.append(folder / "faults.py")
    return digest_of(*(path.read_bytes() for path in paths)).encode()
