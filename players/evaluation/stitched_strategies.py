"""Strategies of players that search again at every move, combined from the strategies they compute on the way.

*Full stitching* leads a player to each of its information states and keeps the strategy it computes there. The
*aggregate* of many matches against random opponents also keeps the strategies in its tree for later information states,
weighted by how often the search was there. Source: Lisý 2014, section 4.3.1.

Plans here are sums of weighted strategies, `[S]` as in `ggp.solvers.sequence_form`: normalised at each information
state they are the stitched strategy.
"""

from __future__ import annotations

import math
import random
import time
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from ggp.arithmetic.rng import seed_word
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader, joint_action, successor
from players.agents.agent import Budget

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64
    from ggp.game.game import Game
    from ggp.game.history import History
    from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
    from players.agents.agent import TellingAgent

LEAST_REACH = 1e-9
"""Weight of strategies computed where the player's own strategy never leads: they count only if there are no others."""


class Thought(Struct, frozen=True):
    """How long a player may think about each move: a number of iterations, or seconds."""

    iterations: int | None = None
    seconds: float = math.inf

    def budget(self) -> Budget:
        """Return the budget of a move that begins now."""
        return Budget(time.perf_counter, time.perf_counter() + self.seconds, self.iterations)


class Stitcher:
    """Combines the strategy of one player in one role.

    Attributes:
        plan: `[S]` the sum so far; of the role's sequences only.
        decisions: so far.
        seconds: spent on them.
    """

    def __init__(self, game: Game, tree: SequenceFormTree, agent: TellingAgent, role: int, thought: Thought) -> None:
        self._game = game
        self._tree = tree
        self._agent = agent
        self._role = role
        self._thought = thought
        self._followers: dict[int, list[int]] = {}
        owner = {
            sequence: number
            for number in tree.own_sets(role)
            for sequence in range(int(tree.form.first[number]), int(tree.form.first[number + 1]))
        }
        for number in tree.own_sets(role):
            before = owner.get(int(tree.form.parent[number]))
            if before is not None:
                self._followers.setdefault(before, []).append(number)
        self.plan = np.zeros(tree.sequences)
        self.decisions = 0
        self.seconds = 0.0

    def stitch_all(self, word: int) -> None:
        """Lead the player to each information state of its role, and add the strategies computed there and on the way.

        Information states with successors are passed several times; each passage is weighted by the probability with
        which the player itself would have made it.
        """
        reader = InformationStateReader(self._game, self._tree)
        last = [number for number in self._tree.own_sets(self._role) if number not in self._followers]
        for passage, number in enumerate(reader.neighbourly(last)):
            self._agent.start(self._game, self._role, seed_word(word, self._role, passage))
            self._lead(reader.branches(number))

    def _lead(self, branches: tuple[int, ...]) -> None:
        history, reach = self._game.history(), 1.0
        for branch in branches:
            state, taken = history.state, None
            if self._role in state.actors():
                strategy, number, _ = self._decide(history)
                place = self._tree.sequences_at(number)
                self.plan[place] += max(reach, LEAST_REACH) * strategy
                taken = dict(joint_action(state, branch))[self._role]
                reach *= strategy[self._tree.action[place].tolist().index(taken)]
            history = successor(history, branch)
            self._tell(history, taken)
        strategy, number, _ = self._decide(history)
        self.plan[self._tree.sequences_at(number)] += max(reach, LEAST_REACH) * strategy

    def add_match(self, word: int) -> None:
        """Play one match against random opponents, and add the strategies that the player computes at each move."""
        rng = random.Random(seed_word(word, self._role))
        self._agent.start(self._game, self._role, seed_word(word, self._role, 1))
        history = self._game.history()
        while not history.state.is_terminal():
            state, taken = history.state, None
            if state.is_chance():
                outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                history = history.apply_outcome(rng.choices(outcomes, probabilities)[0])
            else:
                joint = {player: int(rng.choice(state.legal(player))) for player in state.actors()}
                if self._role in joint:
                    strategy, number, taken = self._decide(history)
                    self._collect(number, strategy)
                    joint[self._role] = taken
                history = history.apply(joint)
            self._tell(history, taken)

    def _decide(self, history: History) -> tuple[F64, int, int]:
        """Let the player choose; return its strategy, the number of the information state, and the action."""
        legal = history.state.legal(self._role)
        began = time.perf_counter()
        text = self._agent.choose([str(action) for action in legal], self._thought.budget())
        self.seconds += time.perf_counter() - began
        self.decisions += 1
        number = self._tree.find(*self._key(history))
        assert number is not None, "the tree has all information states"
        chosen = next(int(action) for action in legal if str(action) == text)
        return np.asarray(self._agent.last_strategy()), number, chosen

    def _key(self, history: History) -> tuple[int, tuple[int, int]]:
        return self._role, history.information_state(self._game.players[self._role]).key

    def _tell(self, history: History, taken: int | None) -> None:
        observation = history.state.readable_observation(self._role)
        if observation or taken is not None:
            self._agent.observe(None if taken is None else self._game.action_text(taken), observation)

    def _collect(self, number: int, strategy: F64) -> None:
        """Add the strategies known after a search, from the present information state on."""
        here = self._planned(number)
        self.plan[self._tree.sequences_at(number)] += (here[0] if here is not None else 1.0) * strategy
        waiting = list(self._followers.get(number, ()))
        while waiting:
            later = waiting.pop()
            planned = self._planned(later)
            if planned is not None and planned[0] > 0:
                self.plan[self._tree.sequences_at(later)] += planned[0] * planned[1]
                waiting += self._followers.get(later, ())

    def _planned(self, number: int) -> tuple[float, F64] | None:
        keys = np.zeros(2 * self._tree.players, np.uint64)
        keys[2 * self._role : 2 * self._role + 2] = self._tree.key[number]
        return self._agent.plan(keys, self._tree.action[self._tree.sequences_at(number)])
