"""Plays random games and hands a belief only what the wire would: texts of actions, observations read from JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import ggp
from ggp.arithmetic.rng import below
from ggp.encoding.readable import Readable
from ggp.game.game import State
from ggp.game.play_length import ways_from
from ggp.native.infoset_table import InfosetTable, new_infoset_table
from players.beliefs.belief import Belief

HERE = Path(__file__).parent / "hidden_rules"
NO_TREE: InfosetTable = new_infoset_table(0, 2)
"""Of a search that knows nothing: all actions of the others are equally probable."""


Told = Sequence[tuple[str, Readable]]


class PlainTracker:
    """All world states that are consistent with what a role did and was told: every transition of each is tried."""

    def __init__(self, game: ggp.Game, role: int) -> None:
        self.role, self.possible = role, frozenset({game.initial()})

    def tell(self, action: str | None, observation: Told) -> None:
        told = list(observation)
        self.possible = frozenset(
            after
            for state in self._with_silent()
            for after in ways_from(state)[1]
            if after.readable_observation(self.role) == told and _text(after, self.role) == action
        )

    def deciding(self, legal: Sequence[str]) -> set[tuple[int, ...]]:
        """Return the words of those in which the role has to act, with these actions."""
        asked = (state for state in self._with_silent() if self.role in state.actors())
        return {state.words for state in asked if {*map(str, state.legal(self.role))} == {*legal}}

    def _with_silent(self) -> set[State]:
        """Return the states, and those to which transitions lead that the role is not told of."""
        found, waiting = set(self.possible), [*self.possible]
        while waiting:
            state = waiting.pop()
            silent = (after for after in ways_from(state)[1] if self.role not in state.actors())
            new = {after for after in silent if not after.observation(self.role)} - found
            found |= new
            waiting += new
        return found


def _text(after: State, role: int) -> str | None:
    action = after.action_taken(role)
    return None if action is None else str(action)


def load(name: str, **parameters: str | int) -> ggp.Game:
    """Return a library game, or one of the folder of hidden rules."""
    path = HERE / f"{name}.rules"
    return ggp.load(str(path) if path.exists() else name, **parameters)


def followed(
    game: ggp.Game,
    belief: Belief,
    role: int,
    seed: int,
    also: Callable[[str | None, list[tuple[str, Readable]]], object] = lambda action, observation: None,
) -> Iterator[State]:
    """Yield the true state at each decision of a role, when its belief has caught up with what it was told.

    Args:
        game: the game.
        belief: of the role; it has begun.
        role: who is followed.
        seed: of the play.
        also: is told the same.
    """
    rng = [seed]
    state = game.initial()
    while not state.is_terminal():
        joint = {}
        if state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
        else:
            for actor in state.actors():
                legal = state.legal(actor)
                if actor == role:
                    belief.decide([str(action) for action in legal])
                    belief.catch_up(NO_TREE, time.monotonic)
                    yield state
                joint[actor] = legal[below(rng, len(legal))]
            state = state.apply(joint)
        observation = json.loads(json.dumps(state.readable_observation(role)))
        if observation or role in joint:
            told = [(label, value) for label, value in observation]
            belief.tell(str(joint[role]) if role in joint else None, told)
            also(str(joint[role]) if role in joint else None, told)
