"""Plays random games of ours and of OpenSpiel side by side, and compares everything that can be compared."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyspiel
import pytest

from ggp.language.typed import Game
from ggp.model.reference.interpreter import Interpreter
from ggp.model.reference.random_play import action_text, observation_texts
from ggp.model.state_layout import Layout


@dataclass
class Ours:
    """A play of one of our games, by the reference interpreter: actions and outcomes are their texts here."""

    game: Game
    known: dict[int, list[Any]] = field(default_factory=dict)
    """What each player knows: its own actions and what it was told, in order."""

    def __post_init__(self) -> None:
        self.interpreter = Interpreter(self.game)
        self.layout = Layout(self.game)
        self.state = self.interpreter.initial()
        self.known = {player: [] for player in range(len(self.game.players.members))}

    @property
    def is_terminal(self) -> bool:
        return self.interpreter.is_terminal(self.state)

    @property
    def is_chance(self) -> bool:
        return self.interpreter.is_chance(self.state)

    def actors(self) -> tuple[int, ...]:
        return self.interpreter.actors(self.state)

    def legal(self, player: int) -> dict[str, Any]:
        phase = self.interpreter.phase(self.state).name
        actions = self.interpreter.legal(self.state, player)
        return {action_text(self.layout, phase, action): action for action in actions}

    def outcomes(self) -> dict[tuple[int, ...], float]:
        return dict(self.interpreter.chance_outcomes(self.state))

    def apply(self, chosen: Any) -> None:
        """Make a transition: an outcome, or the action of each player who acts."""
        phase = self.interpreter.phase(self.state).name
        for player, known in self.known.items():
            if isinstance(chosen, dict) and player in chosen:
                known.append(action_text(self.layout, phase, chosen[player]))
            told = self.interpreter.observation(self.state, chosen, player)
            if told:
                known.append(observation_texts(self.layout, phase, told))
        self.state = self.interpreter.step(self.state, chosen)

    def utilities(self) -> tuple[float, ...]:
        return self.interpreter.utilities(self.state)


def compare(
    ours: Game,
    theirs: pyspiel.Game,
    *,
    action: Callable[[pyspiel.State, str], int],
    outcome: Callable[[pyspiel.State, tuple[int, ...]], list[int]] = lambda state, codes: [],
    passing: int | None = None,
    unit: float = 1.0,
    games: int,
    seed: int,
    same_information: bool = False,
) -> None:
    """Walk random games side by side and compare who acts, legal actions, probabilities, returns, information states.

    Where theirs has ended and ours has not, what is left of ours has to be forced.

    Args:
        ours: our game.
        theirs: OpenSpiel's.
        action: the number in theirs of the action with a text of ours.
        outcome: the outcomes in theirs that make up an outcome of ours; none where theirs has no such chance node, and
            ours only one outcome.
        passing: an action of theirs that ours does without where it is the only one.
        unit: what one of theirs is worth in ours, at the end.
        games: how many games.
        seed: of the choices.
        same_information: whether information states where a player acts have to be the same partition in both.
    """
    rng = random.Random(seed)
    to_theirs: dict[tuple[int, tuple[Any, ...]], str] = {}
    to_ours: dict[tuple[int, str], tuple[Any, ...]] = {}
    for _ in range(games):
        play, state = Ours(ours), theirs.new_initial_state()
        while not play.is_terminal:
            if play.is_chance:
                drawn = rng.choices(*zip(*play.outcomes().items(), strict=True))[0]
                probability = 1.0
                parts = outcome(state, drawn)
                for part in parts:
                    probability *= dict(state.chance_outcomes())[part]
                    state.apply_action(part)
                assert probability == pytest.approx(play.outcomes()[drawn])
                play.apply(drawn)
                continue
            actors = play.actors()
            legal = {player: play.legal(player) for player in actors}
            if state.is_terminal():
                assert all(len(actions) == 1 for actions in legal.values()), "only what is forced is left"
                play.apply({player: action for player, actions in legal.items() for action in actions.values()})
                continue
            if state.legal_actions() == [passing]:
                state.apply_action(passing)
            together = state.is_simultaneous_node()
            assert actors == (tuple(range(theirs.num_players())) if together else (state.current_player(),))
            numbers = {player: {text: action(state, text) for text in legal[player]} for player in actors}
            for player in actors:
                assert sorted(numbers[player].values()) == sorted(state.legal_actions(player))
                if same_information:
                    mine, other = tuple(play.known[player]), state.information_state_string(player)
                    assert to_theirs.setdefault((player, mine), other) == other
                    assert to_ours.setdefault((player, other), mine) == mine
            chosen = {player: rng.choice(sorted(legal[player])) for player in actors}
            play.apply({player: legal[player][text] for player, text in chosen.items()})
            if together:
                state.apply_actions([numbers[player][text] for player, text in chosen.items()])
            else:
                state.apply_action(numbers[player][chosen[player]])
        assert state.is_terminal()
        assert list(play.utilities()) == pytest.approx([unit * number for number in state.returns()])


def by_text(state: pyspiel.State) -> dict[str, int]:
    """Return the legal actions of theirs by their texts."""
    return {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}
