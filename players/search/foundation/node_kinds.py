"""The kinds of nodes of a search tree, by what comes next in their world state."""

from __future__ import annotations

DECISION, CHANCE, TERMINAL = 0, 1, 2
