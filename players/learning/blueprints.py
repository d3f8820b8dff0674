"""Blueprints of a game: learned for a time, recognised as of that game, and found by `auto`."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from ggp.arithmetic.rng import seed_word
from ggp.game.game import Game
from ggp.solvers.sequence_form.strategy_files import rules_hash
from players.search.blueprint.blueprint_search import SUFFIX, Blueprint, BlueprintUnusable, about_blueprint
from players.search.foundation.memory import memory_bytes

ITERATIONS = 256
"""Between two looks at the clock."""


def head_of(game: Game) -> dict[str, Any]:
    """Return what identifies a game in a file."""
    return {"game": game.name, "parameters": dict(game.parameters), "rules_hash": rules_hash(game)}


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
        BlueprintUnusable: it cannot be read, or is of another game, other parameters or other rules.
    """
    about = about_blueprint(file)
    differs = [name for name, value in head_of(game).items() if about.get(name) != value]
    if differs:
        raise BlueprintUnusable(f"{file} has a blueprint of another game than {game.name}: {', '.join(differs)} differ")
    return about


def found_blueprint(game: Game) -> str:
    """Return the file of a game's blueprint that was measured to gain by it; else nothing.

    It is named like the game, and looked for in the working directory and then in the library.
    """
    for folder in (Path(), Path(str(resources("rules")))):
        path = folder / f"{game.name}{SUFFIX}"
        if path.is_file():
            try:
                strength = about_blueprint_of(game, path).get("strength")
            except BlueprintUnusable:
                continue
            if strength and strength["gain95"][0] > 0:
                return str(path)
    return ""
