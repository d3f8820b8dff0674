"""NashConv with hidden information against OpenSpiel's, for the uniform strategy and random ones.

Each information state of ours is looked up in OpenSpiel's game by playing there what leads to it here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
import pytest

from experiments.openspiel_texts import betting, from_first_row, less, liars_action, numbered
from ggp.game.game import Game, State
from ggp.language import load_rules
from ggp.solvers.sequence_form.best_responses import responses, uniform
from ggp.solvers.sequence_form.bundled_unfolding import bundled_tree
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader, joint_action, successor
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from ggp.solvers.sequence_form.unfolding import information_tree
from tests.support.library import game_of
from tests.support.native_side_by_side import OpenSpiel
from tests.support.side_by_side import Pair
from tests.support.strategies import carried_over, random_strategies

Choice = list[tuple[int, float]]


PAIRS = (
    Pair("kuhn_poker", {}, "kuhn_poker", numbered("pass", "bet")),
    Pair("poker", {}, "leduc_poker(suit_isomorphism=true)", betting),
    Pair("liars_dice", {"faces": "4"}, "liars_dice(dice_sides=4)", liars_action),
    Pair(
        "goofspiel",
        {"n": "4", "bids": "hidden"},
        "goofspiel(num_cards=4,imp_info=true,points_order=random,returns_type=win_loss)",
        less(1),
    ),
    Pair(
        "goofspiel",
        {"n": "4", "bids": "hidden", "prizes": "descending", "winner": "point_difference"},
        "goofspiel(num_cards=4,imp_info=true,points_order=descending,returns_type=point_difference)",
        less(1),
        unit=2.0,
    ),
)


def their_game(theirs: OpenSpiel, ours: Game, branches: tuple[int, ...]) -> tuple[OpenSpiel, State]:
    """Lead OpenSpiel's game, at its beginning, and ours through actions and outcomes; return both."""
    history = ours.history()
    for branch in branches:
        state = history.state
        if theirs.is_terminal():
            pass
        elif not state.is_chance():
            theirs.apply({player: ours.action_text(action) for player, action in joint_action(state, branch)})
        elif theirs.state.is_chance_node():
            theirs.apply_outcome(state.outcome_text(state.chance_outcomes()[branch][0]))
        history = successor(history, branch)
    return theirs, history.state


def their_strategies(
    pair: Pair, game: pyspiel.Game, ours: Game, tree: SequenceFormTree
) -> dict[int, tuple[str, list[int]]]:
    """Return OpenSpiel's name of each information state, and its actions in the order of ours.

    Those in which the only action is one that OpenSpiel takes by itself are left out.
    """
    reader = InformationStateReader(ours, tree)
    names = {}
    for number in reader.neighbourly(range(tree.information_states)):
        theirs, state = their_game(pair.begun(game), ours, reader.branches(number))
        player = tree.player_of(number)
        if theirs.is_terminal():
            assert len(reader.actions(number)) == 1
            continue
        while theirs.state.current_player() != player:
            # in a simultaneous decision the others come first, and nobody sees what they do
            assert len(state.actors()) > 1
            theirs.state.apply_action(theirs.state.legal_actions()[0])
        numbers = theirs.numbers(player)
        assert set(numbers) == set(reader.actions(number))
        names[number] = (
            theirs.state.information_state_string(player),
            [numbers[text] for text in reader.actions(number)],
        )
    return names


def policy_of(tree: SequenceFormTree, names: Mapping[int, tuple[str, list[int]]], strategies: Any) -> dict[str, Choice]:
    return {
        name: list(zip(actions, strategies[tree.sequences_at(number)].tolist(), strict=True))
        for number, (name, actions) in names.items()
    }


@pytest.mark.sweep
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.name}{len(pair.parameters)}")
def test_nash_conv_of_uniform_and_random_strategies(pair: Pair) -> None:
    ours = pair.ours()
    tree = information_tree(ours.native())
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(pair.theirs)) if "goof" in pair.theirs else None
    game = game or pyspiel.load_game(pair.theirs)
    names = their_strategies(pair, game, ours, tree)
    assert len({name for name, _ in names.values()}) == len(names)
    rng = np.random.default_rng(17)
    for strategies in (uniform(tree), *(random_strategies(tree, rng) for _ in range(4))):
        expected = pair.unit * pyspiel.nash_conv(game, policy_of(tree, names, strategies))
        assert responses(tree, strategies).nash_conv == pytest.approx(expected, abs=1e-9)


BLACK_FIRST, WHITE_FIRST = ("b2", "a1", "c1"), ("c3", "a3", "a2")
"""Stones that are on the larger board when it is begun, in the order in which they are placed."""


def hex_started(width: int, stones: int, collision: str) -> Game:
    """Return dark hex on a square board, with the first `stones` stones on it: neither player knows the other's."""
    text = load_rules("dark_hex")[0].text

    def cells(texts: tuple[str, ...]) -> str:
        return "{" + ", ".join(f"cell({'abc'.index(at[0]) + 1}, {at[1]})" for at in texts) + "}"

    begun = f"{{black: {cells(BLACK_FIRST[: (stones + 1) // 2])}, white: {cells(WHITE_FIRST[: stones // 2])}}}"
    text = text.replace("\nstate\n", f"\ntable begun[player]: set of cell = {begun}\n\nstate\n", 1)
    text = re.sub(r"(stones|known)\[player\]: set of cell = \{\}", r"\1[p: player]: set of cell = begun[p]", text)
    parameters = {"width": str(width), "height": str(width), "collision": collision}
    return game_of(text, **parameters)


def hex_string(state: pyspiel.State, player: int) -> str:
    """Return OpenSpiel's name of an information state as far as the rules tell it.

    Its own counts the other's failed tries, and tells what the other's stones are connected with.
    """
    text = re.sub(r"\n\d+\n", "\n", state.information_state_string(player))
    return f"{player} " + re.sub(r"[opqO]", "o", re.sub(r"[xyzX]", "x", text))


class PlainTree:
    """OpenSpiel's game as sequences: read once, since OpenSpiel's own best responses read it for each strategy."""

    def __init__(self, root: pyspiel.State) -> None:
        self.sets: dict[tuple[int, str], tuple[int, list[int]]] = {}  # the sequence before it, and those of its actions
        self.sequences = [1, 1]
        self.ends: Counter[tuple[int, int, float]] = Counter()
        self._read(root, (0, 0))

    def _read(self, state: pyspiel.State, reached: tuple[int, int]) -> None:
        if state.is_terminal():
            self.ends[*reached, state.player_return(0)] += 1
            return
        player, actions = state.current_player(), state.legal_actions()
        key = player, hex_string(state, player)
        if key not in self.sets:
            first = self.sequences[player]
            self.sequences[player] += len(actions)
            self.sets[key] = reached[player], list(range(first, first + len(actions)))
        assert self.sets[key][0] == reached[player], "perfect recall"
        for action, own in zip(actions, self.sets[key][1], strict=True):
            self._read(state.child(action), (own, reached[1]) if player == 0 else (reached[0], own))

    def best(self, player: int, policy: Mapping[str, Choice]) -> float:
        """Return what a best response of a player to the other's policy gets."""
        reach = np.ones(self.sequences[1 - player])
        for (who, name), (before, own) in self.sets.items():  # in the order in which they were met: parents first
            if who != player:
                probabilities = dict(policy[name])
                reach[own] = [reach[before] * probabilities[action] for action in sorted(probabilities)]
        worth = np.zeros(self.sequences[player])
        for (first, second, utility), times in self.ends.items():
            own, other = (first, second) if player == 0 else (second, first)
            worth[own] += times * reach[other] * (utility if player == 0 else -utility)
        for (who, _), (before, own) in reversed(self.sets.items()):
            if who == player:
                worth[before] += worth[own].max()
        return float(worth[0])


@pytest.mark.sweep
@pytest.mark.parametrize(("width", "stones"), [(2, 0), (3, 6)])
@pytest.mark.parametrize(("version", "collision"), [("cdh", "classical"), ("adh", "abrupt")])
def test_dark_hex(width: int, stones: int, version: str, collision: str) -> None:
    """On 3 x 3 cells from six stones on: begun with four, it has 1.4 million histories, and takes a minute."""
    game = pyspiel.load_game("dark_hex", {"num_rows": width, "num_cols": width, "gameversion": version})
    root = game.new_initial_state()
    cell = from_first_row(width)
    for number in range(stones):
        wanted = (BLACK_FIRST, WHITE_FIRST)[number % 2][number // 2]
        root.apply_action(next(action for action in root.legal_actions() if cell(root, action) == wanted))
    ours = hex_started(width, stones, collision)
    tree = information_tree(ours.native())
    names = {}
    reader = InformationStateReader(ours, tree)
    for number in reader.neighbourly(range(tree.information_states)):
        theirs, player = (
            their_game(OpenSpiel(Begun(root), cell), ours, reader.branches(number))[0],
            tree.player_of(number),
        )
        numbers = theirs.numbers(player)
        names[number] = hex_string(theirs.state, player), [numbers[text] for text in reader.actions(number)]
    plain, bundled = PlainTree(root), bundled_tree(ours.native())
    assert {name for name, _ in names.values()} == {name for _, name in plain.sets}
    assert len(names) == len(plain.sets)
    rng = np.random.default_rng(3)
    for strategies in (uniform(tree), *(random_strategies(tree, rng) for _ in range(4))):
        policy, found = policy_of(tree, names, strategies), responses(tree, strategies)
        assert found.best == pytest.approx([plain.best(player, policy) for player in range(2)], abs=1e-9)
        assert responses(bundled, carried_over(strategies, tree, bundled)).best == pytest.approx(found.best, abs=1e-9)


@dataclass(frozen=True)
class Begun:
    """OpenSpiel's game from a later state on."""

    root: pyspiel.State

    def new_initial_state(self) -> pyspiel.State:
        return self.root.clone()
