"""Learning by which patterns playouts choose: playouts that were won make their choices more probable.

From a state of a playout four playouts go on to the end. The gradient of the logarithm of a choice's probability counts
as much as the utility is above the mean of the other three (REINFORCE, with the mean as a baseline that does not bias
it); the same generator plays each one again to move the weights, so that nothing has to be kept of it. Every weight has
a step of its own, which becomes smaller with what it was moved.

Sources: Williams 1992 (REINFORCE); Silver, Tesauro 2009 (of playouts); Kool, van Hoof, Welling 2019 (the baseline);
Duchi, Hazan, Singer 2011 (the steps).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import F64, I32, I64, U64, allocated, inline_kernel, kernel
from ggp.game.game import Game
from ggp.native.calls import call_actors, call_init, mover_of
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.interface import TERMINAL as NOBODY_ACTS
from ggp.native.rng_kernels import below
from players.learning.patterns import Patterns, patterns_of
from players.search.foundation.kernel_arguments import Model, Work, new_model, new_work
from players.search.foundation.leaf_values import other_state, value_end, value_unknown
from players.search.uct.playout_policy import (
    RINGS,
    TABLE,
    Policy,
    begin,
    choose,
    go_on,
    guided_transition,
)

SEED = 51
STARTS, PLAYOUTS = 64, 4
"""Of a batch, and from each."""
STEP = 0.2
MAX_LOGIT = 8.0
SHUNNED = 2.0
"""By so much more, in the end, playouts shun what they have learned to shun.

To learn stops when it is seldom done; in playouts of a search it is still a mistake. Actions without a cell are no more
shunned: so playouts end, by passing say, when only mistakes are left.
"""
NO_CELL = RINGS - 1, TABLE - 1
"""The patterns of actions without a cell."""
LONGEST = 1000
"""Transitions of a playout that is learned from."""


class Memory(NamedTuple):
    """The memory of learning; P players, W words of a state."""

    classes: Annotated[I32, "P * TABLE"]  # the weight of each player's rings and crosses
    logits: Annotated[F64, "2 * P * TABLE"]  # weights where nothing changed, and where something did
    squares: Annotated[F64, "2 * P * TABLE"]  # the squares of what moved them, summed
    states: Annotated[I64, "LONGEST * W"]  # of a playout
    seeds: Annotated[U64, "PLAYOUTS"]
    utilities: Annotated[F64, "PLAYOUTS * P"]


@inline_kernel
def continue_from(model: Model, policy: Policy, work: Work, memory: Memory, start: int) -> int:
    """Look at one of the noted states and the one before it, and return where it is in `work.states`."""
    words = model.shape.state_words
    for word in range(words):
        work.states[words + word] = memory.states[start * words + word]
    begin(policy, memory.states, max(start - 1, 0) * words, memory.states, start * words)
    return int(words)


@inline_kernel
def play_on(model: Model, policy: Policy, work: Work, memory: Memory, start: int) -> None:
    """Play to the end from one of the noted states, and write `work.utility`."""
    at = continue_from(model, policy, work, memory, start)
    for _ in range(LONGEST):
        if call_actors(model.functions.actors, work.states, at) == NOBODY_ACTS:
            value_end(model, work, at)
            return
        if not guided_transition(model, policy, work, at, other_state(model, at)):
            break
        at = other_state(model, at)
    value_unknown(work)


@inline_kernel
def note_states(model: Model, policy: Policy, work: Work, memory: Memory) -> int:
    """Play from the beginning, note the states in which something can happen, and return how many these are."""
    words = model.shape.state_words
    call_init(model.functions.init, work.states, words)
    at = words
    begin(policy, work.states, at, work.states, at)
    for length in range(LONGEST):
        if call_actors(model.functions.actors, work.states, at) == NOBODY_ACTS:
            return length
        for word in range(words):
            memory.states[length * words + word] = work.states[at + word]
        if not guided_transition(model, policy, work, at, other_state(model, at)):
            return length
        at = other_state(model, at)
    return LONGEST


@inline_kernel
def move(memory: Memory, place: int, pull: float) -> None:
    """Move a weight."""
    memory.squares[place] += pull * pull
    memory.logits[place] += STEP * pull / math.sqrt(1.0 + memory.squares[place])


@inline_kernel
def move_again(model: Model, policy: Policy, work: Work, memory: Memory, start: int, number: int) -> None:
    """Play a playout again, and move the weights of its choices by how much better it ended than the others."""
    players = model.shape.players
    at = continue_from(model, policy, work, memory, start)
    for _ in range(LONGEST):
        to, actors = other_state(model, at), call_actors(model.functions.actors, work.states, at)
        if actors == NOBODY_ACTS:
            return
        if actors == CHANCE_ACTS:
            guided_transition(model, policy, work, at, to)
        else:
            player = mover_of(actors)
            own, others = memory.utilities[number * players + player], 0.0
            for other in range(PLAYOUTS):
                others += memory.utilities[other * players + player]
            above = own - (others - own) / (PLAYOUTS - 1)
            count = choose(model, policy, work, at, player)
            if count < 1:
                return
            last = 0.0
            for place in range(count):
                pull = -above * (policy.sums[place] - last) / policy.sums[count - 1]
                last = policy.sums[place]
                if work.actions[place] == work.joint[player]:
                    pull += above
                cell = policy.cells[work.actions[place]]
                first = players * TABLE if policy.changed[cell] == policy.time[0] else 0
                move(memory, int(first + memory.classes[player * TABLE + policy.rings[cell]]), pull)
                move(memory, int(first + memory.classes[player * TABLE + RINGS + policy.crosses[cell]]), pull)
            go_on(model, policy, work, at, to)
        at = to


@kernel
def improve(model: Model, policy: Policy, work: Work, memory: Memory, starts: int) -> None:
    """Move the weights by playouts from as many states.

    Args:
        model: of a game in which players take turns.
        policy: by which playouts choose; its scratch memory is changed.
        work: scratch memory; `rng` is drawn from.
        memory: whose `logits` are changed.
        starts: the states.
    """
    players = model.shape.players
    for _ in range(starts):
        length = note_states(model, policy, work, memory)
        if length == 0:
            return
        start = below(work.rng, 0, length)
        differ = False
        for number in range(PLAYOUTS):
            memory.seeds[number] = work.rng[0]
            play_on(model, policy, work, memory, start)
            for player in range(players):
                memory.utilities[number * players + player] = work.utility[player]
                differ = differ or work.utility[player] != memory.utilities[player]
        if differ:
            rng = work.rng[0]
            for number in range(PLAYOUTS):
                work.rng[0] = memory.seeds[number]
                move_again(model, policy, work, memory, start, number)
            work.rng[0] = rng


@dataclass(slots=True)
class PolicyTraining:
    """A policy in training.

    Attributes:
        game: made from a rules file, in which players take turns.
        patterns: of it, with the policy.
        seed: of all chance.
        games: playouts that were learned from.
        minutes: of processor time.
        memory: of learning.
    """

    game: Game
    patterns: Patterns
    seed: int
    games: int = 0
    minutes: float = 0.0
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        classes = self.patterns.classes.ravel()
        self.memory = allocated(Memory, classes=classes, **self.game.shape.lengths)

    def about(self) -> dict[str, Any]:
        """Return what a file says."""
        return {"games": self.games, "minutes": round(self.minutes, 4), "seed": self.seed}

    def run(self, minutes: float, games: int | None, watch: Callable[[PolicyTraining], None]) -> None:
        """Play and learn; an interrupt ends it.

        Args:
            minutes: of processor time.
            games: end after so many, if that is sooner.
            watch: called after each batch.
        """
        native, policy = self.game.native(), self.patterns.policy
        model, work = new_model(native), new_work(native.shape)
        began = time.process_time()
        try:
            while self.minutes < minutes and (games is None or self.games < games):
                work.rng[0] = seed_word(self.seed, SEED, self.games)
                improve(model, policy, work, self.memory, STARTS)
                self.write()
                self.games += STARTS * PLAYOUTS
                self.minutes = (time.process_time() - began) / 60
                watch(self)
        except KeyboardInterrupt:
            pass
        self.write(learned=True)

    def write(self, learned: bool = False) -> None:
        """Write the weights of the policy; `learned`: for searches, no longer for learning."""
        logits = self.memory.logits.reshape(2, -1)[:, self.patterns.classes]  # [2, P, TABLE]
        np.clip(logits, -MAX_LOGIT, MAX_LOGIT, logits)
        if learned:
            cells = np.isin(np.arange(TABLE), NO_CELL, invert=True)
            logits[:, :, cells] *= np.where(logits[:, :, cells] < 0.0, SHUNNED, 1.0)
        self.patterns.policy.weights[:] = np.exp(logits).transpose(1, 0, 2).ravel()


def new_policy_training(game: Game, seed: int) -> PolicyTraining:
    """Return a policy of which nothing is learned.

    Raises:
        NoBoard: its actions have no patterns.
    """
    return PolicyTraining(game, patterns_of(game), seed)
