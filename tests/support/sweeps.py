"""Sweeps: tests over the library, marked `sweep`, of which `make test` runs a part and `make experiments` the rest."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
GAMES = {path.stem for folder in ("../rules", "support/undrawn_games") for path in (TESTS / folder).glob("*.rules")}
SAMPLED_GAMES = {
    "chess", "connect_four", "dark_hex", "einstein", "go", "goofspiel", "hanabi", "hex", "kuhn_poker",
    "kuhn_poker_three", "love_letter", "nim", "oh_hell", "oshi_zumo", "phantom_tic_tac_toe", "pig", "ra", "tic_tac_toe",
    "twenty_one", "auction", "ludo", "memory", "of_a_kind", "slide", "track", "war",
}  # fmt: skip
"""Of sweeps over games, `make test` runs the tests of these games, of all kinds: the same ones in all sweeps, since
much of the time goes into compiling them."""
SAMPLED = 5
"""Of other sweeps `make test` runs every fifth test."""
WANTED = os.environ.get("GGP_SWEEPS", "sample")
"""Which tests of sweeps run: `sample`, `rest`, or `all`."""


def runs(item: pytest.Item) -> bool:
    """Whether a test is to run: one of a sweep only if it is in the part that is wanted."""
    if WANTED == "all" or item.get_closest_marker("sweep") is None:
        return True
    assert isinstance(item, pytest.Function)
    case = item.callspec.id.rstrip("-")
    is_sampled = case in SAMPLED_GAMES if case in GAMES else zlib.crc32(item.nodeid.encode()) % SAMPLED == 0
    return is_sampled == (WANTED == "sample")
