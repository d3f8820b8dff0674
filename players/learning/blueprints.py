"""Blueprints of a game: learned for a time, recognised as of that game, and found by `auto`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ggp.arithmetic.rng import seed_word
from ggp.game.game import Game
from players.search.blueprint.blueprint_search import BLUEPRINTS, Blueprint
from players.search.foundation.memory import memory_bytes

ITERATIONS = 256
"""Between two looks at the clock."""


def learned_blueprint(
    game: Game, minutes: float, iterations: int | None, seed: int, watch: Callable[[float, Blueprint], None]
) -> tuple[Blueprint, dict[str, Any]]:
    """Return a blueprint and what is known of it; an interrupt ends learning.

    Args:
        game: two players, constant sum, turns.
        minutes: of processor time.
        iterations: to end after, if that is sooner; the same number from the same seed gives the same strategies.
        seed: of all chance.
        watch: is called now and then with the share of the time that is over.
    """
    made = Blueprint(game.native(), memory_bytes(0), seed_word(seed, 1))
    began = time.process_time()
    made.make_buckets()
    share = 0.0
    try:
        while share < 1 and (iterations is None or made.iterations < iterations):
            made.learn(ITERATIONS if iterations is None else min(ITERATIONS, iterations - made.iterations))
            share = (time.process_time() - began) / 60 / minutes
            watch(share, made)
    except KeyboardInterrupt:
        pass
    spent = (time.process_time() - began) / 60
    return made, {"iterations": made.iterations, "nodes": made.nodes, "minutes": round(spent, 4), "seed": seed}


def about_blueprint_of(game: Game, file: Path) -> dict[str, Any]:
    """Return what the file of a blueprint says of itself.

    Raises:
        ArchiveUnusable: it cannot be read, or is of another game, other parameters or other rules.
    """
    return BLUEPRINTS.check_game(file, BLUEPRINTS.read(file)[0], game)


def found_blueprint(game: Game) -> str:
    """Return the file of a game's blueprint that was measured to gain by it; else nothing."""

    def gains(path: Path) -> bool:
        strength = about_blueprint_of(game, path).get("strength")
        return bool(strength and strength["gain95"][0] > 0)

    return BLUEPRINTS.found(game, gains)
