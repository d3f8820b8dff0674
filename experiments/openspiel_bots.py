"""OpenSpiel's searches for hidden information as opponents, and the games in which they meet ours.

`OpenSpielIsmcts` is the C++ bot, in the games in which OpenSpiel can sample a state consistent with a player's
information: Kuhn and Leduc poker. `OpenSpielOos` is its C++ outcome sampling, which learns from the beginning of the
game during the whole match; OpenSpiel's targeted variant is not part of its Python package.
"""

from __future__ import annotations

import random
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.openspiel import pyspiel  # first: it tells where OpenSpiel is missing
from experiments.duels import CHANCE, Side
from ggp.game.state import State

EXPLORATION = 2.0
"""UCT's constant for utilities in [-1, 1]; scaled to the utilities of the game."""
FIRST_SIMULATIONS = 200
"""Of the first search, whose speed is not known yet."""
ITERATIONS_A_LOOK = 50
"""Iterations of outcome sampling between two readings of the clock."""


@dataclass(frozen=True)
class Meeting:
    """A game that both we and OpenSpiel have.

    Attributes:
        title: in tables.
        name: of our game.
        parameters: of our game.
        theirs: OpenSpiel's game, with turns.
        number: OpenSpiel's number of an action, given its text in ours.
        samples: whether OpenSpiel can sample a state consistent with a player's information.
    """

    title: str
    name: str
    parameters: Mapping[str, str]
    theirs: Callable[[], pyspiel.Game]
    number: Callable[[pyspiel.State, str], int]
    samples: bool = False


class OpenSpielBot(Side):
    """One of OpenSpiel's players, which reads of its true state only what its role knows.

    Args:
        meeting: the game.
    """

    def __init__(self, meeting: Meeting) -> None:
        self.meeting, self.game = meeting, meeting.theirs()

    def begin(self, role: int, seed: int) -> None:  # noqa: ARG002
        """Begin a game."""
        self.random = random.Random(seed)
        self._state = self.game.new_initial_state()

    @abstractmethod
    def think(self, state: pyspiel.State, seconds: float) -> int:
        """Return one of OpenSpiel's actions after `seconds` of processor time."""

    def choose(self, state: State, role: int, seconds: float) -> str:
        """Return our text of its action."""
        legal, theirs = [str(action) for action in state.legal(role)], self._state
        if len(legal) == 1:
            return legal[0]
        if theirs.current_player() != role:  # where both choose at once it is given some action of the first
            theirs = theirs.child(theirs.legal_actions()[0])
        wanted = self.think(theirs, seconds)
        return next(text for text in legal if self.meeting.number(theirs, text) == wanted)

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:  # noqa: ARG002
        """Make the same transition."""
        for role in sorted(taken):
            for text in taken[CHANCE].split() if role == CHANCE else ():
                if self._state.is_chance_node():
                    self._state.apply_action(int(text) - 1)
            # OpenSpiel makes the last, forced choices of goofspiel by itself
            if role != CHANCE and not self._state.is_terminal():
                self._state.apply_action(self.meeting.number(self._state, taken[role]))


class OpenSpielIsmcts(OpenSpielBot):
    """Information-set MCTS.

    It is given the number of simulations that fit at the speed of earlier decisions at this depth: a search near the
    end of a game is several times as fast as one at its beginning.

    Args:
        meeting: the game.
    """

    def __init__(self, meeting: Meeting) -> None:
        super().__init__(meeting)
        self.rates: dict[int, float] = {}
        """Simulations per second at the decisions of all games so far, by the length of the history."""
        self._c = EXPLORATION * (self.game.max_utility() - self.game.min_utility()) / 2

    def think(self, state: pyspiel.State, seconds: float) -> int:
        """Search."""
        depth = len(state.history())
        rate = self.rates.get(depth)
        simulations = max(1, int(rate * seconds)) if rate else FIRST_SIMULATIONS
        began = time.thread_time()
        bot = pyspiel.ISMCTSBot(
            self.random.randrange(2**31),
            pyspiel.RandomRolloutEvaluator(1, self.random.randrange(2**31)),
            self._c,
            simulations,
            -1,  # a new sample for each simulation
            pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
            False,  # information states, not observations
            False,
        )
        action = int(bot.step(state))
        lately = simulations / max(1e-6, time.thread_time() - began)
        self.rates[depth] = (rate + lately) / 2 if rate else lately
        return action


class OpenSpielOos(OpenSpielBot):
    """Outcome sampling from the beginning of the game, in C++; its tables are kept from move to move."""

    def begin(self, role: int, seed: int) -> None:
        """Begin a game with empty tables."""
        super().begin(role, seed)
        self._solver = pyspiel.OutcomeSamplingMCCFRSolver(self.game, 0.6, self.random.randrange(2**31))

    def think(self, state: pyspiel.State, seconds: float) -> int:
        """Learn, and draw from the average strategy."""
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            for _ in range(ITERATIONS_A_LOOK):
                self._solver.run_iteration()
        strategy: dict[int, float] = self._solver.average_policy().action_probabilities(state)
        return self.random.choices(list(strategy), list(strategy.values()))[0]


def _liar(state: pyspiel.State, text: str) -> int:
    by_text = {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}
    return int(by_text["Liar" if text == "liar" else text.removeprefix("bid ").replace(" ", "-")])


def _goofspiel() -> pyspiel.Game:
    options: dict[str, Any] = {"num_cards": 13, "imp_info": True, "points_order": "descending"}
    return pyspiel.convert_to_turn_based(pyspiel.load_game("goofspiel", options))


MEETINGS = {
    meeting.name: meeting
    for meeting in (
        Meeting(
            "Kuhn poker",
            "kuhn_poker",
            {},
            lambda: pyspiel.load_game("kuhn_poker"),
            lambda _, text: ["pass", "bet"].index(text),
            samples=True,
        ),
        Meeting(
            "Leduc poker",
            "poker",
            {},
            lambda: pyspiel.load_game("leduc_poker", {"suit_isomorphism": True}),
            lambda _, text: {"fold": 0, "check": 1, "call": 1, "raise 1": 2}[text],
            samples=True,
        ),
        Meeting("liar's dice", "liars_dice", {}, lambda: pyspiel.load_game("liars_dice"), _liar),
        Meeting(
            "phantom tic-tac-toe",
            "phantom_tic_tac_toe",
            {},
            lambda: pyspiel.load_game("phantom_ttt"),
            lambda _, text: (3 - int(text[1])) * 3 + ord(text[0]) - ord("a"),
        ),
        Meeting(
            "hidden goofspiel(13)",
            "goofspiel",
            {"bids": "hidden", "prizes": "descending"},
            _goofspiel,
            lambda _, text: int(text) - 1,
        ),
    )
}
"""The games, by the names of ours."""
