"""Every library game: the generated source as plain Python and as machine code give the same words everywhere."""

from __future__ import annotations

import pytest
from native_calls import compare_random_play

import ggp
from ggp.language import library_names

VARIANTS: list[tuple[str, dict[str, str]]] = [
    *((name, {}) for name in library_names()),
    ("goofspiel", {"prizes": "descending", "bids": "hidden", "winner": "point_difference"}),
    ("goofspiel", {"n": "4", "lowest": "0"}),
]
SEEDS = range(3)
LIMIT = 60
"""Transitions of one play, and of the playouts compared in each of its states."""
LIMITS = {"visibility_pursuit": 12, "los_alamos": 16, "chess": 6, "quoridor": 3, "dark_chess": 15}
"""The same for games of which plain Python plays a few hundred transitions a second."""


@pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=lambda value: str(value) if value else "")
def test_plain_and_native_agree(name: str, parameters: dict[str, str]) -> None:
    game = ggp.load(name, **parameters)
    assert sum(compare_random_play(game, seed, LIMITS.get(name, LIMIT)) for seed in SEEDS) > 0
