"""`ggp bench`: how fast a game's native code is, and a player's search on it."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.arguments import GameArgument, JsonOption, ParameterOption, SeedOption, parameters_from

if TYPE_CHECKING:
    from ggp.model.game import Game
    from ggp.model.native.interface import NativeGame
    from players.search.trees.information_search import InformationSearch
    from players.search.trees.searches import Search

FIRST_BATCH = 64
BATCH_S = 0.02


def bench(
    game: GameArgument,
    parameters: ParameterOption = [],  # noqa: B006 - read only; typer wants a list
    player: Annotated[str | None, typer.Option("--player", help="Measure this player's search, too.")] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.05, help="How long each measurement takes.")] = 1.0,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure random playouts, transitions and compilation of a game; with a player, iterations of its search."""
    import ggp

    bound = parameters_from(parameters)
    loaded = ggp.load(game, **bound)
    facts = compile_times(loaded) | playout_speed(loaded.native(), seconds, seed)
    if player is not None:
        facts["iterations_per_s"] = search_speed(loaded, player, seconds, seed)
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    for key, value in facts.items():
        print(f"{key:20} {value:,.3f}" if value < 100 else f"{key:20} {value:,.0f}")


def compile_times(game: Game) -> dict[str, float]:
    """Return how long native code takes: compiled anew, and loaded from the cache, in seconds."""
    from ggp.model.backends.compilation import MachineCode, compiled
    from ggp.model.native.loading import FUNCTIONS, load_native

    has_estimate = game.rules.estimate is not None
    names = FUNCTIONS + (("estimate",) if has_estimate else ())
    load_native(game.plain.source, has_estimate)  # now it is in the cache
    began = time.perf_counter()
    MachineCode(compiled(game.plain.source, names), names)
    compiled_at = time.perf_counter()
    load_native(game.plain.source, has_estimate)
    return {"compile_cold_s": compiled_at - began, "compile_cached_s": time.perf_counter() - compiled_at}


def playout_speed(native: NativeGame, seconds: float, seed: int) -> dict[str, float]:
    """Return random playouts and transitions a second, from the initial state, on one thread."""
    import numpy as np

    from ggp.model.native.calls import call_init
    from ggp.model.native.playouts import random_playouts
    from ggp.model.native.rng import seed_word

    state = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, state, 0)
    rng = np.array([seed_word(seed)], np.uint64)
    utilities = np.zeros(native.shape.players)
    random_playouts(native.functions, state, rng, utilities, 1)
    played, transitions, batch = 0, 0, FIRST_BATCH
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        transitions += random_playouts(native.functions, state, rng, utilities, batch)
        played += batch
        rate = played / max(time.perf_counter() - began, 1e-9)
        batch = max(1, int(rate * BATCH_S))
    return {"playouts_per_s": played / spent, "steps_per_s": transitions / spent}


def search_speed(game: Game, player: str, seconds: float, seed: int) -> float:
    """Return a player's iterations a second, from the first state in which somebody decides, on the threads it uses.

    Raises:
        GgpError: the player is unknown, or cannot play the game.
    """
    from ggp.cli.arguments import BadArgument
    from ggp.model.native.rng import seed_word
    from players.registry import read_player
    from players.warmup import warm_up

    spec = read_player(player)
    if not spec.kind.searches:
        raise BadArgument(f"`{spec.kind.name}` does not search: there is nothing to measure")
    spec.kind.check(game)
    warm_up([spec], lambda _done, _total, _name: None)
    state = game.initial()
    rng = [seed_word(seed)]
    while state.is_chance():
        state = state.apply_outcome(state.sample_outcome(rng))
    import numpy as np

    search: Search | InformationSearch
    if spec.kind.module and (game.perfect_information or not spec.kind.hidden_module):
        search = spec.kind.family.make_search(game.native(), spec.settings)
        search.seed(seed_word(seed))
        search.set_root(np.array(state.words, np.int64))
    else:  # what is known at the first decision is known at the beginning of the game
        search = spec.kind.hidden_family.make_information_search(game.native(), spec.settings)
        search.seed(seed_word(seed))
        search.begin()
    done, batch = 0, FIRST_BATCH
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        search.run(batch)
        done += batch
        batch = max(1, int(done / max(time.perf_counter() - began, 1e-9) * BATCH_S))
    return done / spent
