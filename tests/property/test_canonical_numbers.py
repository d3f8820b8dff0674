"""Numbers of actions and words of observations are equal exactly where the texts are."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from ggp.encoding.state_layout import Layout
from ggp.rules_compiler.rules_backend import game_of_rules
from players.agents.candidate_trial import random_play
from tests.support.comparison import compare_all
from tests.support.library import typed_game

RULES = """
game twins "Two phases that one of the players cannot tell apart"

players a, b
type fish = {cod, eel, ray}
type bird = {jay, cod, owl}
board small = grid(2, 2)

state
    where: bool = no
    low: 1..3 or none = none
    rounds: 0..9 = 0

phase fork
    chance draws c in bool
    where := c
    sees nothing
    next left if c else right

phase left
    a chooses
        hold
        bet by k in 1..3
    on bet: low := k
    on bet:
        sees b: move, rounds
    sees all: "played"
    next names

phase right
    a chooses
        bet by k in 0..5
        hold
    on bet:
        sees b: move, rounds
    sees all: "played"
    next animals

phase names
    a chooses x in fish
    let found = if x == ray then none else x
    let some_numbers = {1, 2}
    sees b: x
    sees a: found, some_numbers
    sees b: low
    sees a: {1, 3}, some_numbers
    next ask

phase animals
    a chooses x in bird
    let found = if x == jay then none else x
    let some_numbers = {0, 1, 2}
    sees b: x, low
    sees a: found, some_numbers, {1, 3}
    next ask

phase ask
    each p chooses x in 1..2
    rounds := rounds + 1
    next end if rounds == 6 else fork

payoff[p] = if p == a then rounds else -rounds
"""


@pytest.mark.long
def test_words_are_equal_exactly_where_the_wire_is_in_all_implementations() -> None:
    rules = typed_game(RULES)
    assert compare_all(rules, games=30) == ["end"] * 30
    game = game_of_rules(rules)
    words_of: dict[str, tuple[int, ...]] = {}
    wire_of: dict[tuple[int, ...], str] = {}
    number_of: dict[str, int] = {}
    text_of: dict[int, str] = {}
    phases: dict[str, set[str | None]] = {}
    for play in range(400):
        for before, state in pairwise(random_play(game, play)):
            phase = before.phase
            for player in before.actors():
                legal = before.legal(player)
                assert list(legal) == sorted(legal)
                for action in legal:
                    assert number_of.setdefault(str(action), int(action)) == int(action)
                    assert text_of.setdefault(int(action), str(action)) == str(action)
                    assert before.parse_action(player, str(action)) == action
            for player in range(2):
                words, wire = state.observation(player), json.dumps(state.readable_observation(player))
                assert words_of.setdefault(wire, words) == words, wire
                assert wire_of.setdefault(words, wire) == wire
                phases.setdefault(wire, set()).add(phase)
    several = [wire for wire, told_in in phases.items() if {"names", "animals"} <= told_in]
    assert len(several) > 3, "some observations are made in both phases"
    assert any("null" in wire for wire in several)
    assert {"left", "right"} <= phases['[["move", "bet 2"], ["rounds", 0], ["\\"played\\"", "played"]]']


def test_contradicting_orders_are_numbered_apart() -> None:
    text = RULES.replace("bird = {jay, cod, owl}", "bird = {ray, eel, owl}").replace("x == jay", "x == ray")
    layout = Layout(typed_game(text))
    numbers = [layout.parse_action("eel", layout.phase_index[phase]) for phase in ("names", "animals")]
    assert numbers[0] != numbers[1]
