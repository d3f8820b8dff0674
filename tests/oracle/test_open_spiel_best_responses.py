"""NashConv with hidden information against OpenSpiel's, for the uniform strategy and random ones.

Each information state of ours is looked up in OpenSpiel's game by playing there what leads to it here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.best_response import BestResponsePolicy

from ggp.analysis.sequence_form.best_responses import random_strategies, responses, uniform
from ggp.analysis.sequence_form.information_state_texts import InformationStateReader, joint_action, successor
from ggp.analysis.sequence_form.information_tree import InformationTree
from ggp.analysis.sequence_form.unfolding import information_tree
from ggp.model.game import Game, State
from ggp.model.makers.loading import load

Choice = list[tuple[int, float]]


@dataclass(frozen=True)
class Pair:
    """A game of ours and OpenSpiel's of the same rules; `unit` is what one of their utilities is worth here."""

    name: str
    parameters: Mapping[str, str]
    theirs: str
    action: Callable[[pyspiel.State, str], int]
    outcome: Callable[[str], list[int]] = lambda text: [int(part) - 1 for part in text.split()]
    unit: float = 1.0


def liars_action(state: pyspiel.State, text: str) -> int:
    name = "Liar" if text == "liar" else text.removeprefix("bid ").replace(" ", "-")
    return {state.action_to_string(action): action for action in state.legal_actions()}[name]


PAIRS = (
    Pair("kuhn_poker", {}, "kuhn_poker", lambda _, text: ["pass", "bet"].index(text)),
    Pair(
        "poker",
        {},
        "leduc_poker(suit_isomorphism=true)",
        lambda _, text: ["fold", "call", "raise 1"].index(text),
    ),
    Pair("liars_dice", {"faces": "4"}, "liars_dice(dice_sides=4)", liars_action),
    Pair(
        "goofspiel",
        {"n": "4", "bids": "hidden"},
        "goofspiel(num_cards=4,imp_info=true,points_order=random,returns_type=win_loss)",
        lambda _, text: int(text) - 1,
    ),
    Pair(
        "goofspiel",
        {"n": "4", "bids": "hidden", "prizes": "descending", "winner": "point_difference"},
        "goofspiel(num_cards=4,imp_info=true,points_order=descending,returns_type=point_difference)",
        lambda _, text: int(text) - 1,
        lambda _: [],
        2.0,
    ),
)


def their_state(pair: Pair, game: pyspiel.Game, ours: Game, branches: tuple[int, ...]) -> tuple[pyspiel.State, State]:
    """Return OpenSpiel's state and ours after the same actions and outcomes."""
    history, theirs = ours.history(), game.new_initial_state()
    for branch in branches:
        state = history.state
        if theirs.is_terminal():
            pass
        elif state.is_chance():
            for part in pair.outcome(state.outcome_text(state.chance_outcomes()[branch][0])):
                theirs.apply_action(part)
        else:
            for _, action in joint_action(state, branch):
                theirs.apply_action(pair.action(theirs, ours.action_text(action)))
        history = successor(history, branch)
    return theirs, history.state


def their_strategies(
    pair: Pair, game: pyspiel.Game, ours: Game, tree: InformationTree
) -> dict[int, tuple[str, list[int]]]:
    """Return OpenSpiel's name of each information state, and its actions in the order of ours.

    Those in which the only action is one that OpenSpiel takes by itself are left out.
    """
    reader = InformationStateReader(ours, tree)
    names = {}
    for number in reader.neighbourly(range(tree.information_states)):
        theirs, state = their_state(pair, game, ours, reader.branches(number))
        player = tree.player_of(number)
        if theirs.is_terminal():
            assert len(reader.actions(number)) == 1
            continue
        while theirs.current_player() != player:
            # in a simultaneous decision the others come first, and nobody sees what they do
            assert len(state.actors()) > 1
            theirs.apply_action(theirs.legal_actions()[0])
        actions = [pair.action(theirs, text) for text in reader.actions(number)]
        assert sorted(actions) == theirs.legal_actions()
        names[number] = (theirs.information_state_string(player), actions)
    return names


def policy_of(tree: InformationTree, names: Mapping[int, tuple[str, list[int]]], strategies: Any) -> dict[str, Choice]:
    return {
        name: list(zip(actions, strategies[tree.sequences_at(number)].tolist(), strict=True))
        for number, (name, actions) in names.items()
    }


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.name}{len(pair.parameters)}")
def test_nash_conv_of_uniform_and_random_strategies(pair: Pair) -> None:
    ours = load(pair.name, **pair.parameters)
    tree = information_tree(ours.native())
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(pair.theirs)) if "goof" in pair.theirs else None
    game = game or pyspiel.load_game(pair.theirs)
    names = their_strategies(pair, game, ours, tree)
    assert len({name for name, _ in names.values()}) == len(names)
    rng = np.random.default_rng(17)
    for strategies in (uniform(tree), *(random_strategies(tree, rng) for _ in range(10))):
        expected = pair.unit * pyspiel.nash_conv(game, policy_of(tree, names, strategies))
        assert responses(tree, strategies).nash_conv == pytest.approx(expected, abs=1e-9)


class Normalised:
    """A state of OpenSpiel's dark hex whose information states are those of the rules.

    Its own count the other's failed tries, and tell with what the other's stones are connected.
    """

    def __init__(self, state: pyspiel.State) -> None:
        self._state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def child(self, action: int) -> Normalised:
        return Normalised(self._state.child(action))

    def information_state_string(self, player: int) -> str:
        text = re.sub(r"\n\d+\n", "\n", self._state.information_state_string(player))
        return f"{player} " + re.sub(r"[opqO]", "o", re.sub(r"[xyzX]", "x", text))


class Tabular:
    def __init__(self, policy: Mapping[str, Choice]) -> None:
        self._policy = policy

    def action_probabilities(self, state: Normalised, player: int | None = None) -> dict[int, float]:
        return dict(self._policy[state.information_state_string(state.current_player())])


@pytest.mark.parametrize(("version", "collision"), [("cdh", "classical"), ("adh", "abrupt")])
def test_dark_hex(version: str, collision: str) -> None:
    game = pyspiel.load_game("dark_hex", {"num_rows": 2, "num_cols": 2, "gameversion": version})
    ours = load("dark_hex", width="2", height="2", collision=collision)
    tree, pair = information_tree(ours.native()), Pair("dark_hex", {}, "", hex_action)
    names = {
        number: (
            Normalised(their_state(pair, game, ours, branches)[0]).information_state_string(tree.player_of(number)),
            [hex_action(None, text) for text in reader.actions(number)],
        )
        for reader in [InformationStateReader(ours, tree)]
        for number in range(tree.information_states)
        for branches in [reader.branches(number)]
    }
    assert len({name for name, _ in names.values()}) == len(names)
    rng = np.random.default_rng(3)
    for strategies in (uniform(tree), *(random_strategies(tree, rng) for _ in range(10))):
        policy, found = Tabular(policy_of(tree, names, strategies)), responses(tree, strategies)
        for player in range(2):
            root = Normalised(game.new_initial_state())
            best = BestResponsePolicy(game, player, policy, root).value(root)
            assert found.best[player] == pytest.approx(best, abs=1e-9)


def hex_action(_: Any, text: str) -> int:
    return (int(text[1]) - 1) * 2 + ord(text[0]) - ord("a")
