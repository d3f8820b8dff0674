"""Our rules files against OpenSpiel's implementations of the same games, random plays walked side by side.

Compared at every point: who acts, legal actions, chance probabilities; at the end the returns; over all plays the
partition into information states: two of our histories give a player the same information state if and only if
OpenSpiel's do.

Where conventions differ:
- goofspiel: OpenSpiel plays everybody's last card by itself, so its games end one round earlier; ours goes on with
  the one action that is left. It has no chance nodes where the prizes are in order; ours has one with one outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyspiel
import pytest
from library import load_typed

from ggp.model.generator import below
from ggp.model.interpreter import Interpreter, JointAction, Outcome, WorldState
from ggp.model.interpreter_expressions import Action
from ggp.model.random_play import drawn_outcome


@dataclass
class Peer:
    """One game of ours beside the same of OpenSpiel's, and how actions and outcomes correspond."""

    ours: Interpreter
    theirs: Any
    their_action: Callable[[str, Action], int]
    their_outcome: Callable[[str, Outcome], int] = lambda _, outcome: outcome[0]
    recalls: bool = True
    """Whether OpenSpiel's information states have perfect recall and can be compared."""
    of_theirs: dict[tuple[int, str], object] = field(default_factory=dict)
    of_ours: dict[object, tuple[int, str]] = field(default_factory=dict)

    def compare_information(self, theirs: Any, memories: list[list[object]]) -> None:
        """Hold the information states of this point against those of all points before."""
        for player, memory in enumerate(memories):
            their_state = (player, theirs.information_state_string(player))
            our_state = (player, tuple(memory))
            assert self.of_theirs.setdefault(their_state, our_state) == our_state
            assert self.of_ours.setdefault(our_state, their_state) == their_state

    def walk(self, rng: list[int]) -> None:
        """Play one random game in both, comparing everything."""
        state, theirs = self.ours.initial(), self.theirs.new_initial_state()
        memories: list[list[object]] = [[] for _ in range(self.theirs.num_players())]
        while not self.ours.is_terminal(state):
            if self.ours.is_chance(state):
                state = self._remember(state, self._draw(state, theirs, rng), memories)
            elif theirs.is_terminal():
                legal = {player: self.ours.legal(state, player) for player in self.ours.actors(state)}
                assert all(len(actions) == 1 for actions in legal.values()), "only what is forced is left"
                state = self._remember(state, {player: actions[0] for player, actions in legal.items()}, memories)
            else:
                if self.recalls:
                    self.compare_information(theirs, memories)
                state = self._remember(state, self._act(state, theirs, rng), memories)
        assert theirs.is_terminal()
        assert list(self.ours.utilities(state)) == pytest.approx(theirs.returns())

    def _remember(self, state: WorldState, chosen: JointAction | Outcome, memories: list[list[object]]) -> WorldState:
        """Make a transition of ours, adding to each player's memory what it did and saw."""
        for player, memory in enumerate(memories):
            if not isinstance(chosen, tuple) and player in chosen:
                memory.append((state.phase, chosen[player]))
            seen = self.ours.observation(state, chosen, player)
            if seen:
                memory.append((state.phase, seen))
        return self.ours.step(state, chosen)

    def _draw(self, state: WorldState, theirs: Any, rng: list[int]) -> Outcome:
        """Draw a chance outcome in both; ours may draw what is certain where theirs draws nothing."""
        outcomes = self.ours.chance_outcomes(state)
        chosen = drawn_outcome(outcomes, rng)
        if theirs.is_terminal() or not theirs.is_chance_node():
            assert len(outcomes) == 1
            return chosen
        assert state.phase is not None
        ours = {self.their_outcome(state.phase, outcome): probability for outcome, probability in outcomes}
        assert ours == pytest.approx(dict(theirs.chance_outcomes()))
        theirs.apply_action(self.their_outcome(state.phase, chosen))
        return chosen

    def _act(self, state: WorldState, theirs: Any, rng: list[int]) -> JointAction:
        """Choose random legal actions in both."""
        assert not theirs.is_chance_node()
        phase = state.phase
        assert phase is not None
        legal = {player: self.ours.legal(state, player) for player in self.ours.actors(state)}
        simultaneous = theirs.is_simultaneous_node()
        assert list(legal) == (list(range(len(legal))) if simultaneous else [theirs.current_player()])
        for player, actions in legal.items():
            assert sorted(self.their_action(phase, action) for action in actions) == theirs.legal_actions(player)
        chosen = {player: actions[below(rng, len(actions))] for player, actions in legal.items()}
        numbers = [self.their_action(phase, action) for _, action in sorted(chosen.items())]
        if simultaneous:
            theirs.apply_actions(numbers)
        else:
            theirs.apply_action(numbers[0])
        return chosen


def peer(
    name: str,
    parameters: Mapping[str, str],
    theirs: str,
    their_parameters: Mapping[str, object],
    their_action: Callable[[str, Action], int],
    **parts: Any,
) -> Peer:
    game = load_typed(name, parameters)
    return Peer(Interpreter(game), pyspiel.load_game(theirs, dict(their_parameters)), their_action, **parts)


def card_below(_: str, action: Action) -> int:
    return action.values[0] - 1


def only_value(_: str, action: Action) -> int:
    return action.values[0]
