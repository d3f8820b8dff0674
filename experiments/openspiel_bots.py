"""OpenSpiel's searches for hidden information as opponents, in the games in which they meet ours.

`OpenSpielIsmcts` is the C++ bot, in the games in which OpenSpiel can sample a state consistent with a player's
information: Kuhn and Leduc poker. `OpenSpielOos` is its C++ outcome sampling, which learns from the beginning of the
game during the whole match; OpenSpiel's targeted variant is not part of its Python package.
"""

from __future__ import annotations

import random
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence

from msgspec import Struct

from benchmarks.openspiel import pyspiel  # first: it tells where OpenSpiel is missing
from experiments.openspiel_peers import EXPLORATION, Peer
from experiments.openspiel_texts import TextOf, betting, from_last_row, less, liars_action, numbered
from ggp.game.state import State

FIRST_SIMULATIONS = 200
"""Of the first search, whose speed is not known yet."""
ITERATIONS_A_LOOK = 50
"""Iterations of outcome sampling between two readings of the clock."""


class Meeting(Struct, frozen=True):
    """A game that both we and OpenSpiel have, by the name of ours.

    Attributes:
        title: in tables.
        theirs: OpenSpiel's game.
        text_of: returns our text of one of its actions.
        parameters: of our game.
        samples: whether OpenSpiel can sample a state consistent with a player's information.
    """

    title: str
    theirs: str
    text_of: TextOf
    parameters: Mapping[str, str] = {}
    samples: bool = False


MEETINGS = {
    "kuhn_poker": Meeting("Kuhn poker", "kuhn_poker", numbered("pass", "bet"), samples=True),
    "poker": Meeting("Leduc poker", "leduc_poker(suit_isomorphism=True)", betting, samples=True),
    "liars_dice": Meeting("liar's dice", "liars_dice", liars_action),
    "phantom_tic_tac_toe": Meeting("phantom tic-tac-toe", "phantom_ttt", from_last_row(3)),
    "goofspiel": Meeting(
        "hidden goofspiel(13)",
        "goofspiel(num_cards=13,imp_info=True,points_order=descending)",
        less(1),
        {"bids": "hidden", "prizes": "descending"},
    ),
}


def _outcomes(state: pyspiel.State, text: str) -> Sequence[int]:
    return [int(one) - 1 for one in text.split()] if state.is_chance_node() else ()


class OpenSpielBot(Peer):
    """One of OpenSpiel's players, which reads of its true state only what its role knows.

    Args:
        meeting: the game.
    """

    def __init__(self, meeting: Meeting) -> None:
        super().__init__(meeting.theirs, meeting.text_of, _outcomes)

    def begin(self, role: int, seed: int) -> None:
        """Begin a game."""
        super().begin(role, seed)
        self.random = random.Random(seed)

    @abstractmethod
    def think(self, state: pyspiel.State, seconds: float) -> int:
        """Return one of OpenSpiel's actions after `seconds` of processor time."""

    def choose(self, state: State, role: int, seconds: float) -> str:
        """Return our text of its action."""
        legal, theirs = [str(action) for action in state.legal(role)], self.state
        if len(legal) == 1:
            return legal[0]
        if theirs.current_player() != role:  # where both choose at once it is given some action of the first
            theirs = theirs.child(theirs.legal_actions()[0])
        return self._text_of(theirs, self.think(theirs, seconds))


class OpenSpielIsmcts(OpenSpielBot):
    """Information-set MCTS.

    It is given the number of simulations that fit at the speed of earlier decisions at this depth: a search near the
    end of a game is several times as fast as one at its beginning.
    """

    def think(self, state: pyspiel.State, seconds: float) -> int:
        """Search."""
        depth = len(state.history())
        rate = self._rates.get(depth)
        simulations = max(1, int(rate * seconds)) if rate else FIRST_SIMULATIONS
        began = time.thread_time()
        bot = pyspiel.ISMCTSBot(
            self.random.randrange(2**31),
            pyspiel.RandomRolloutEvaluator(1, self.random.randrange(2**31)),
            EXPLORATION * (self._game.max_utility() - self._game.min_utility()) / 2,
            simulations,
            -1,  # a new sample for each simulation
            pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
            False,  # information states, not observations
            False,
        )
        action = int(bot.step(state))
        lately = simulations / max(1e-6, time.thread_time() - began)
        self._rates[depth] = (rate + lately) / 2 if rate else lately
        return action


class OpenSpielOos(OpenSpielBot):
    """Outcome sampling from the beginning of the game, in C++; its tables are kept from move to move."""

    def begin(self, role: int, seed: int) -> None:
        """Begin a game with empty tables."""
        super().begin(role, seed)
        self._solver = pyspiel.OutcomeSamplingMCCFRSolver(self._game, 0.6, self.random.randrange(2**31))

    def think(self, state: pyspiel.State, seconds: float) -> int:
        """Learn, and draw from the average strategy."""
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            for _ in range(ITERATIONS_A_LOOK):
                self._solver.run_iteration()
        strategy: dict[int, float] = self._solver.average_policy().action_probabilities(state)
        return self.random.choices(list(strategy), list(strategy.values()))[0]
