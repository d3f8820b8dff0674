"""Plays what the reference says of play: order of evaluation, silence; and its examples, at random."""

from __future__ import annotations

import pytest

from ggp.arithmetic.rng import seed_word
from ggp.interpreter.interpreter import Interpreter
from ggp.interpreter.random_play import play_randomly
from ggp.language import typed
from ggp.rules_compiler.rules_backend import game_of_rules
from tests.support.library import typed_game
from tests.unit.docs.test_language_reference import completed, has, of_kind

EXAMPLES = [block.text for block in of_kind("rules")]


def game_of(text: str) -> typed.Game:
    return typed_game(completed(text if has(text, "players") else f"players row, col\n{text}"))


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_can_be_played(text: str) -> None:
    game = game_of(text)
    interpreter = Interpreter(game)
    for number in range(5):
        # an example that shows one thing need not end
        for made in play_randomly(interpreter, [seed_word(0, number)], 200):
            for player in range(len(game.players.members)):
                interpreter.observation(made.old, made.chosen, player)
            if made.new.phase is None:
                interpreter.utilities(made.new)


def values(text: str) -> list[typed.Value]:
    """Return the variables' values at the end of a game in which the first action or outcome is always taken."""
    interpreter = Interpreter(game_of(text))
    state = interpreter.initial()
    while not interpreter.is_terminal(state):
        if interpreter.is_chance(state):
            chosen = interpreter.chance_outcomes(state)[0][0]
            state = interpreter.step(state, chosen)
        else:
            (player,) = interpreter.actors(state)
            state = interpreter.step(state, {player: interpreter.legal(state, player)[0]})
    return list(state.values)


def test_updates_happen_at_once() -> None:
    swap = next(text for text in EXAMPLES if "phase swap" in text)
    assert values(swap) == [2, 1]


def test_next_reads_the_new_state_and_the_choice_and_so_do_its_lets() -> None:
    text = """
state
    x: 0..3 = 0
    y: 0..3 = 0

phase first
    row chooses c in {1, 2}
    let ahead = x > y
    x := c
    y := 1 if ahead
    next second if ahead and c == 1 else end

phase second
    y := y + 2
    next end
"""
    # `ahead` is no when the updates read it, and yes when `next` does.
    assert values(text) == [1, 2]


def test_what_is_not_updated_stays() -> None:
    assert values("state\n    x: 0..3 = 2\n    y: 0..3 = 1\n\nphase a\n    y := 3 if x == 1\n    next end\n") == [2, 1]


@pytest.mark.parametrize(
    ("sees", "told"),
    [
        ("", [True, True]),
        ("sees nothing", [False, False]),
        ("sees row: c", [True, False]),
        ('sees other(row): "moved"', [False, True]),
        ("sees {row, col}: c == 1", [True, True]),
        ("sees all: c if c == 2", [False, False]),
        ("sees each p: p == row if p == col", [False, True]),
        ("sees all: move", [True, True]),
    ],
)
def test_who_is_told(sees: str, told: list[bool]) -> None:
    interpreter = Interpreter(game_of(f"phase a\n    row chooses c in {{1, 2}}\n    {sees}\n    next end\n"))
    state = interpreter.initial()
    chosen = {0: interpreter.legal(state, 0)[0]}
    assert [bool(interpreter.observation(state, chosen, player)) for player in (0, 1)] == told


def test_an_action_is_written_as_the_reference_says() -> None:
    example = next(text for text in EXAMPLES if "raise by k" in text)
    state = game_of_rules(game_of(example)).initial()
    assert [str(action) for action in state.legal("row")] == ["call", "raise 1", "raise 2", "raise 3"]
    example = next(text for text in EXAMPLES if "from in men" in text)
    state = game_of_rules(game_of(example)).initial()
    assert [str(action) for action in state.legal("row")] == ["a1 north", "b1 north"]
