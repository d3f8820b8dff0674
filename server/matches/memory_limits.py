"""How much memory the processes may take in which rules of strangers run."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    import resource

RULES_MEMORY = 2 << 30
"""Bytes of address space to load and play a game, LLVM included: for the check before publishing as for the referee."""
PLAYER_MEMORY = 6 << 30
"""The same with players that search, and the stacks of their threads."""


def limit_memory(most: int) -> None:
    """Let this process take so many bytes of address space at most, and leave no core. Windows has no such limits."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
