"""Players by what they can do, taken from the registry, so that tests meet those that are added."""

from __future__ import annotations

from dataclasses import fields, replace

from msgspec import structs

from ggp.game.game import Game
from players.agents.registry import PLAYERS, PlayerSpec, read_player
from players.agents.requirements import turns
from players.player_options import NotApplicable

TREE_PLAYERS = [name for name, kind in PLAYERS.items() if kind.module.startswith("players.search.simultaneous.")]
"""Players that search simultaneous moves by sampling, in the tree of `players.search.simultaneous`."""

SIMULTANEOUS_PLAYERS = [name for name, kind in PLAYERS.items() if kind.module and turns not in kind.requirements]
"""Players that search from known states in which several may act at once."""

QUICK = {"cfr": "cfr:nodes=64,rollouts=1", "rnr": "rnr:model=rm,nodes=64,rollouts=1,model_iterations=2"}
"""Options with which players are quick that otherwise take long for an iteration."""


def small_player(name: str) -> PlayerSpec:
    """Return a player that is quick, and needs little memory."""
    player = read_player(QUICK.get(name, name))
    known = {option.name for option in fields(player.settings)}
    little = {option: value for option, value in (("memory", 8), ("states", 100)) if option in known}
    return structs.replace(player, settings=replace(player.settings, **little))


def accepts(player: PlayerSpec, game: Game) -> bool:
    """Return whether a player plays a game."""
    try:
        player.kind.check(game)
    except NotApplicable:
        return False
    return True
