"""Our players as opponents in a batch: an agent for each game and role, told what its role observes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.errors import GgpError
from ggp.game.batch import Batch
from ggp.game.game import Game
from ggp.game.tensors import I64, Bools
from ggp.native.interface import GOES_ON
from players.agents.agent import Agent, Budget
from players.agents.auto import of_memory
from players.agents.registry import PlayerSpec, read_player
from players.search.foundation.memory import MEGABYTE, memory_bytes

ITERATIONS = 100
"""A move, where the opponent does not say how many."""


class AgentOpponents:
    """Chooses for the roles that do not learn, see `ggp.adapters.gymnasium.Opponent`.

    Args:
        game: what is played.
        games: n.
        roles: those that do not learn.
        text: a player of ours, such as `mcts` or `rm:gamma=0.1`, with the iterations of a move behind an `@`.
        seed: of their draws.

    Raises:
        GgpError: there is no such player, or it does not play this game.
    """

    def __init__(self, game: Game, games: int, roles: Sequence[int], text: str, seed: int) -> None:
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is no opponent: it is the name of a player or a function")
        name, _, iterations = text.partition("@")
        if iterations and not (iterations.isdecimal() and int(iterations)):
            raise GgpError(f"`{text}`: behind `@` stands the number of iterations of a move")
        self._game = game
        spec = read_player(name)
        spec.check(game)
        self._iterations = int(iterations or ITERATIONS)
        self._seed = seed
        self._matches = np.zeros(games, np.int64)
        spec = _of_a_share(spec, games * len(roles))
        self._agents: dict[int, list[Agent]] = {role: [spec.make_agent() for _ in range(games)] for role in roles}
        for place in range(games):
            self._start(place)

    def __call__(self, batch: Batch, player: int, where: Bools) -> I64:
        """Return the choices of a player in some games."""
        counts, legal = batch.legal(player)
        chosen = np.zeros(len(batch), np.int64)
        for place in np.flatnonzero(where).tolist():
            actions = {self._game.action_text(action): action for action in legal[place, : counts[place]].tolist()}
            budget = Budget(time.monotonic, iterations=self._iterations)
            chosen[place] = actions[self._agents[player][place].choose(list(actions), budget)]
        return chosen

    def tell(self, batch: Batch, where: Bools, begun: bool) -> None:
        """Tell the agents of the last transition in some games, or that these have just begun."""
        ended = where & ((batch.status != GOES_ON) | begun)
        if not begun:
            self._report(batch, np.flatnonzero(where & ~ended).tolist())
        for place in np.flatnonzero(ended).tolist():
            self._matches[place] += 1
            self._start(place)

    def _report(self, batch: Batch, places: Iterable[int]) -> None:
        joint, acted = batch.joint, batch.acted
        for player, agents in self._agents.items():
            counts, words = batch.observations(player)
            for place in places:
                told = self._game.readable_observation(words[place, : counts[place]].tolist())
                own = self._game.action_text(int(joint[place, player])) if acted[place] >> player & 1 else None
                if told or own is not None:
                    agents[place].observe(own, told)

    def _start(self, place: int) -> None:
        for role, agents in self._agents.items():
            agents[place].start(self._game, role, seed_word(self._seed, place, int(self._matches[place])))


def _of_a_share(spec: PlayerSpec, agents: int) -> PlayerSpec:
    """Return a player that shares the memory of one with others like it, unless its settings say how much it takes."""
    if getattr(spec.settings, "memory", 0):
        return spec
    return PlayerSpec(spec.kind, of_memory(spec.settings, max(1, memory_bytes(0) // MEGABYTE // max(1, agents))))
