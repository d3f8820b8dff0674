"""OpenSpiel's searches as players: `ggp match poker openspiel:ismcts:simulations=1000 auto`.

They are the bots of `open_spiel.python`, on our games; those in C++ cannot play games that are written in Python. An
agent knows only what its role is told: it searches from states that fit that, see `InformationState.sample`.
Players who act at once choose one after the other, the agent's role first: unseen by `ismcts`, while `mcts` knows no
hidden information, and searches as if they saw it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from ggp.adapters.openspiel import OpenSpielState, load_openspiel
from ggp.errors import GgpError
from ggp.game.history import InformationState
from players.openspiel_settings import OpenSpielSettings

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from players.agents.agent import Budget

TRIAL = 5
"""Simulations whose time says how many there is time for."""
SHARE = 0.7
"""Of the time left, that a search is planned for: it cannot be stopped."""
EXPLORATION = 2.0
"""Of UCT, for utilities in [-1, 1]; scaled to those of the game."""


class OpenSpielAgent:
    """Plays one role of one match by a bot of OpenSpiel; a budget of iterations is one of simulations.

    By a clock it makes as many simulations as its settings say, or as there is time for.
    """

    def __init__(self, settings: OpenSpielSettings) -> None:
        self._settings = settings

    def start(self, game: Game, role: int, seed: int) -> None:
        """Begin with nothing known."""
        self._game, self._role = game, role
        self._theirs = load_openspiel(game, in_turns=game.simultaneous)
        self._theirs.first = role
        self._rng = random.Random(seed)
        self._known: list[int | tuple[int, ...]] = []

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Note a transition.

        Raises:
            GgpError: what was told can be read in several ways.
        """
        if action is not None:
            (number,) = self._read(self._game.codec.actions_called(action), action)
            self._known.append(number)
        if observation:
            (words,) = self._read(self._game.codec.observation_words(observation), observation)
            self._known.append(tuple(words))

    def _read(self, readings: Any, told: object) -> Any:
        if len(readings) != 1:
            raise GgpError(f"`{told}` can be read in {len(readings)} ways: bots of OpenSpiel cannot follow")
        return readings

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Search from states that fit, and return the bot's choice.

        Raises:
            NothingFits: no state was found.
        """
        if len(legal) == 1:
            return legal[0]
        known = InformationState(self._game, self._role, tuple(self._known))
        state = OpenSpielState(self._theirs, known.sample(self._rng))
        wanted, began = budget.iterations or self._settings.simulations, budget.clock()
        made = wanted if budget.deadline == math.inf else min(wanted, TRIAL)
        action = self._bot(made).step(state)
        seconds = max(1e-9, (budget.clock() - began) / made)
        possible = int(min(wanted, SHARE * budget.left() / seconds))
        if possible > made:
            action = self._bot(possible).step(state)
        return self._game.action_text(self._theirs.actions.number(int(action)))

    def _bot(self, simulations: int) -> Any:
        numbers = np.random.RandomState(self._rng.randrange(2**31))
        low, high = zip(*self._game.utility_bounds, strict=True)
        c = EXPLORATION * (max(high) - min(low)) / 2
        rollouts = mcts.RandomRolloutEvaluator(1, numbers)
        if self._settings.bot == "mcts":
            return mcts.MCTSBot(self._theirs, c, simulations, rollouts, random_state=numbers)
        bot = ismcts.ISMCTSBot(self._theirs, rollouts, c, simulations, random_state=numbers)
        bot.set_resampler(self._resampled)
        return bot

    def _resampled(self, state: OpenSpielState, player: int) -> OpenSpielState:
        return OpenSpielState(self._theirs, state.ours.information_state(player).sample(self._rng))
