"""What `make test` leaves to `make experiments`: a part of each test marked `sweep`, and tests marked `long`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
GAMES = {path.stem for folder in ("../rules", "support/undrawn_games") for path in (TESTS / folder).glob("*.rules")}
SAMPLED_GAMES = {"breakthrough", "goofspiel", "kuhn_poker", "ludo", "oh_hell", "phantom_tic_tac_toe"}
"""Of sweeps over games, `make test` runs the tests of these games, of all kinds: the same ones in all sweeps, since
much of the time goes into compiling them."""
SAMPLED = 10
"""Of other sweeps `make test` runs the first of every ten tests."""
WANTED = os.environ.get("GGP_SWEEPS", "sample")
"""Which of these tests run: `sample`, `rest`, or `all`."""


def to_run(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return the tests to run: of a sweep, those in the part that is wanted; long ones with the rest."""
    met = Counter[str]()
    kept = []
    for item in items:
        if WANTED == "sample" and item.get_closest_marker("long") is not None:
            continue
        if WANTED != "all" and item.get_closest_marker("sweep") is not None:
            assert isinstance(item, pytest.Function)
            case, sweep = item.callspec.id.rstrip("-"), item.nodeid.split("[")[0]
            is_sampled = case in SAMPLED_GAMES if case in GAMES else met[sweep] % SAMPLED == 0
            met[sweep] += 1
            if is_sampled != (WANTED == "sample"):
                continue
        kept.append(item)
    return kept
