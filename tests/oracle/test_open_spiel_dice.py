"""Dice games with open information against OpenSpiel's: same legal actions, chances and returns."""

from __future__ import annotations

import random
import re

import pyspiel
import pytest
from library import load_typed
from side_by_side import Ours, by_text, compare

import ggp
from ggp.analysis.worlds.backward_induction import optimal_values
from ggp.analysis.worlds.exploration import explore_game


def test_pig_with_one_die() -> None:
    compare(
        load_typed("pig", {"dice": 1, "early_hold": "yes", "goal": 30}),
        pyspiel.load_game("pig", {"winscore": 30}),
        action=lambda state, text: ["roll", "hold"].index(text),
        outcome=lambda state, faces: [faces[0] - 1],
        games=200,
        seed=1,
    )


def test_the_value_of_pig_is_that_of_value_iteration_over_open_spiels_states() -> None:
    """Their states, told apart by their texts, recur; the values of ours come from the rules file alone."""
    start = pyspiel.load_game("pig", {"winscore": 12}).new_initial_state()
    following: dict[str, list[tuple[float, str]]] = {}
    value: dict[str, float] = {}
    player: dict[str, int] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        key = str(state)
        if key in value:
            continue
        value[key], player[key] = (state.returns()[0] if state.is_terminal() else 0.0), state.current_player()
        shares = state.chance_outcomes() if state.is_chance_node() else [(one, 1.0) for one in state.legal_actions()]
        children = [(share, state.child(action)) for action, share in shares]
        following[key] = [(share, str(child)) for share, child in children]
        waiting += [child for _, child in children]
    for _ in range(300):
        for key, children in following.items():
            worth = [share * value[child] for share, child in children]
            if children:
                value[key] = sum(worth) if player[key] < 0 else max(worth) if player[key] == 0 else min(worth)
    game = ggp.load("pig", goal=12, dice=1, early_hold=True)
    assert optimal_values(explore_game(game.native())).root == pytest.approx(value[str(start)], abs=1e-7)


def test_einstein() -> None:
    """Theirs places all pieces at once, and lets white begin, as player 1, in the south-east corner."""
    rng = random.Random(6)
    ours, theirs = load_typed("einstein"), pyspiel.load_game("einstein_wurfelt_nicht")
    ways = {"north": "up", "east": "left", "northeast": "diag", "south": "down", "west": "right", "southwest": "diag"}
    for _ in range(200):
        play, state = Ours(ours), theirs.new_initial_state()
        state.apply_action(rng.randrange(720))
        state.apply_action(rng.randrange(720))
        squares = re.findall(r"\|(.\w)\|", str(state))
        at = {text: (4 - place // 5) * 5 + 4 - place % 5 for place, text in enumerate(squares)}
        for number in range(1, 7):
            play.apply((at[f"w{number}"], at[f"b{number}"]))
        while not play.is_terminal:
            if play.is_chance:
                face = rng.randint(1, 6)
                assert len(play.outcomes()) == len(state.chance_outcomes()) == 6
                play.apply((face,))
                state.apply_action(face - 1)
                continue
            (player,) = play.actors()
            assert state.current_player() == 1 - player
            legal = play.legal(player)
            texts = {text.rstrip("*"): number for text, number in by_text(state).items()}
            numbers = {text: texts[f"{'WB'[player]}{text[0]}-{ways[text[2:]]}"] for text in legal}
            assert sorted(numbers.values()) == state.legal_actions()
            chosen = rng.choice(sorted(legal))
            play.apply({player: legal[chosen]})
            state.apply_action(numbers[chosen])
        assert state.is_terminal()
        assert list(play.utilities()) == state.returns()[::-1]
