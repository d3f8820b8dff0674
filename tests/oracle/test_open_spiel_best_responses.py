"""NashConv with hidden information against OpenSpiel's, for the uniform strategy and random ones.

Each information state of ours is looked up in OpenSpiel's game by playing there what leads to it here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
import pytest

from ggp.analysis.sequence_form.best_responses import random_strategies, responses, uniform
from ggp.analysis.sequence_form.information_state_texts import InformationStateReader, successor
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
    state, theirs = ours.initial(), game.new_initial_state()
    for branch in branches:
        following, chosen = successor(state, branch)
        if theirs.is_terminal():
            pass
        elif state.is_chance():
            text = state.outcome_text(state.chance_outcomes()[branch][0])
            for part in pair.outcome(text):
                theirs.apply_action(part)
        else:
            for text in chosen.values():
                theirs.apply_action(pair.action(theirs, text))
        state = following
    return theirs, state


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
