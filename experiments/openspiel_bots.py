"""OpenSpiel's searches for hidden information as opponents, and the games in which they meet ours.

`OpenSpielIsmcts` is the C++ bot in games in which OpenSpiel can sample a state consistent with a player's information:
Kuhn and Leduc poker. Other games need a sampling function; this module has them for liar's dice, phantom tic-tac-toe
and goofspiel, where the bot is OpenSpiel's Python one, which takes such a function. `OpenSpielOos` is its C++ outcome
sampling, which learns from the beginning of the game during the whole match; OpenSpiel's targeted variant is not part
of its Python package.
"""

from __future__ import annotations

import random
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.openspiel import pyspiel  # first: it tells where OpenSpiel is missing

# isort: split
from open_spiel.python.algorithms import ismcts, mcts

from experiments.duels import CHANCE, Side
from ggp.game.state import State

EXPLORATION = 2.0
"""UCT's constant for utilities in [-1, 1]; scaled to the utilities of the game."""
FIRST_SIMULATIONS = 200
"""Of the first search in C++, whose speed is not known yet."""
LEAST_SAMPLES = 2
"""With a single sample, the search in Python has no strategy."""
ITERATIONS_A_LOOK = 50
"""Iterations of outcome sampling between two readings of the clock."""
MAX_SIMULATIONS = 1_000_000
"""Of a search in Python, which its clock ends before."""
MAX_TRIES = 10_000
"""Attempts at drawing a consistent state."""


class NothingFits(Exception):
    """No state was found that is consistent with a player's information."""


class TimeIsUp(Exception):
    """A search in Python has used its clock."""


Resampler = Callable[[pyspiel.State, int, random.Random], pyspiel.State]
"""Returns a state consistent with a player's information, given the true one."""


@dataclass(frozen=True)
class Meeting:
    """A game that both we and OpenSpiel have.

    Attributes:
        title: in tables.
        name: of our game.
        parameters: of our game.
        theirs: OpenSpiel's game, with turns.
        number: OpenSpiel's number of an action, given its text in ours.
        resample: for games in which OpenSpiel cannot resample.
    """

    title: str
    name: str
    parameters: Mapping[str, str]
    theirs: Callable[[], pyspiel.Game]
    number: Callable[[pyspiel.State, str], int]
    resample: Resampler | None = None


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
    """Information-set MCTS: in Python where OpenSpiel cannot resample, else in C++.

    The bot in Python draws a sample for each simulation, and ends where that finds the time used up. The one in C++ is
    given the number of simulations that fit at the speed of earlier decisions at this depth: a search near the end of a
    game is several times as fast as one at its beginning.

    Args:
        meeting: the game.
    """

    def __init__(self, meeting: Meeting) -> None:
        super().__init__(meeting)
        self.rates: dict[int, float] = {}
        """Simulations per second in C++ at the decisions of all games so far, by the length of the history."""
        self._c = EXPLORATION * (self.game.max_utility() - self.game.min_utility()) / 2

    def think(self, state: pyspiel.State, seconds: float) -> int:
        """Search."""
        return self._in_python(state, seconds) if self.meeting.resample else self._in_cpp(state, seconds)

    def _in_cpp(self, state: pyspiel.State, seconds: float) -> int:
        depth = len(state.history())
        rate = self.rates.get(depth)
        simulations = max(LEAST_SAMPLES, int(rate * seconds)) if rate else FIRST_SIMULATIONS
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

    def _in_python(self, state: pyspiel.State, seconds: float) -> int:
        assert self.meeting.resample is not None, "in Python"
        resample, until, samples = self.meeting.resample, time.thread_time() + seconds, 0
        numbers = np.random.RandomState(self.random.randrange(2**31))

        def sample(state: pyspiel.State, player: int) -> pyspiel.State:
            nonlocal samples
            if samples >= LEAST_SAMPLES and time.thread_time() > until:
                raise TimeIsUp
            samples += 1
            return resample(state, player, self.random)

        bot = ismcts.ISMCTSBot(
            self.game,
            mcts.RandomRolloutEvaluator(1, numbers),
            self._c,
            MAX_SIMULATIONS,
            random_state=numbers,
            final_policy_type=ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT,
        )
        bot.set_resampler(sample)
        try:
            return int(bot.step(state))
        except TimeIsUp:
            strategy = bot.get_final_policy(state, bot.lookup_node(state))
            actions, probabilities = zip(*strategy, strict=True)
            return int(numbers.choice(actions, p=probabilities))


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


def other_die(state: pyspiel.State, player: int, rng: random.Random) -> pyspiel.State:
    """Sample liar's dice with one die each: the opponent's die is unknown."""
    history = state.history()
    sampled = state.get_game().new_initial_state()
    for place, action in enumerate(history):
        unknown = sampled.is_chance_node() and place != player
        sampled.apply_action(rng.choice(sampled.legal_actions()) if unknown else action)
    return sampled


def hidden_marks(state: pyspiel.State, player: int, rng: random.Random) -> pyspiel.State:
    """Sample phantom tic-tac-toe: the opponent's marks where the player's tries failed, and elsewhere at random."""
    tries: list[tuple[int, bool]] = []
    replay = state.get_game().new_initial_state()
    for action in state.history():
        who = replay.current_player()
        replay.apply_action(action)
        if who == player:
            tries.append((action, replay.is_terminal() or replay.current_player() != player))
    for _ in range(MAX_TRIES):
        sampled = _marks(state, player, tries, rng)
        if sampled is not None:
            return sampled
    raise NothingFits


def _marks(
    state: pyspiel.State, player: int, tries: list[tuple[int, bool]], rng: random.Random
) -> pyspiel.State | None:
    sampled = state.get_game().new_initial_state()
    for place in range(len(tries) + 1):
        while not sampled.is_terminal() and sampled.current_player() != player:
            kept_free = {cell for cell, free in tries[place:] if free}
            legal = [cell for cell in sampled.legal_actions() if cell not in kept_free]
            # cells that the player finds taken before its next mark must be taken by now
            due = []
            for cell, free in tries[place:]:
                if free:
                    break
                due.append(cell)
            wanted = [cell for cell in due if cell in legal]
            if not legal:
                return None
            sampled.apply_action(rng.choice(wanted or legal))
        if place == len(tries):
            break
        if sampled.is_terminal():
            return None
        cell, free = tries[place]
        sampled.apply_action(cell)
        if (sampled.is_terminal() or sampled.current_player() != player) != free:
            return None
    return None if sampled.is_terminal() else sampled


def hidden_bids(state: pyspiel.State, player: int, rng: random.Random) -> pyspiel.State:
    """Sample goofspiel with hidden bids, with turns: bids of the opponent that win and lose the same rounds."""
    game = state.get_game()
    history = state.history()
    rounds = [(history[place + player], history[place + 1 - player]) for place in range(0, len(history) - 1, 2)]
    cards = list(range(int(game.get_parameters()["game"]["num_cards"])))
    bids = _bids([(own > other) - (own < other) for own, other in rounds], [own for own, _ in rounds], cards, rng)
    if bids is None:
        raise NothingFits
    sampled = game.new_initial_state()
    for (own, _), other in zip(rounds, bids, strict=True):
        for action in (own, other) if player == 0 else (other, own):
            sampled.apply_action(action)
    if sampled.current_player() != player:
        sampled.apply_action(rng.choice(sampled.legal_actions()))
    return sampled


def _bids(signs: list[int], own: list[int], cards: list[int], rng: random.Random) -> list[int] | None:
    """Return, by backtracking, a card for each round such that the player's own minus it has the given sign."""
    if not signs:
        return []
    fitting = [card for card in cards if (own[0] > card) - (own[0] < card) == signs[0]]
    rng.shuffle(fitting)
    for card in fitting:
        rest = _bids(signs[1:], own[1:], [left for left in cards if left != card], rng)
        if rest is not None:
            return [card, *rest]
    return None


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
        ),
        Meeting(
            "Leduc poker",
            "poker",
            {},
            lambda: pyspiel.load_game("leduc_poker", {"suit_isomorphism": True}),
            lambda _, text: {"fold": 0, "check": 1, "call": 1, "raise 1": 2}[text],
        ),
        Meeting("liar's dice", "liars_dice", {}, lambda: pyspiel.load_game("liars_dice"), _liar, other_die),
        Meeting(
            "phantom tic-tac-toe",
            "phantom_tic_tac_toe",
            {},
            lambda: pyspiel.load_game("phantom_ttt"),
            lambda _, text: (3 - int(text[1])) * 3 + ord(text[0]) - ord("a"),
            hidden_marks,
        ),
        Meeting(
            "hidden goofspiel(13)",
            "goofspiel",
            {"bids": "hidden", "prizes": "descending"},
            _goofspiel,
            lambda _, text: int(text) - 1,
            hidden_bids,
        ),
    )
}
"""The games, by the names of ours."""
