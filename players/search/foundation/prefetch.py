"""Asks the processor to load a node of the tree before it is used.

A large tree does not fit into the processor's caches, and each node on the way down waits for memory: in simple games
that is most of the time of an iteration. Cache lines that are requested together arrive together.
"""

from __future__ import annotations

from ggp.codegen.kernels import F64, inline_kernel, prefetch_line

LINE_WORDS = 8
"""Words of a cache line, on all machines in use."""


@inline_kernel
def prefetch(words: F64, at: int, lines: int) -> None:
    """Prefetch cache lines, beginning with that of word `at`."""
    for line in range(lines):
        prefetch_line(words, at + line * LINE_WORDS)
