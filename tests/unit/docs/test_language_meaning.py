"""Plays what the reference says of play: order of evaluation, faults, silence; and its examples, at random."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ggp.arithmetic.rng import seed_word
from ggp.faults import RulesFault
from ggp.interpreter.interpreter import Interpreter
from ggp.interpreter.random_play import play_randomly
from ggp.language import SourceFile, check, render_all, typed

TEXT = (Path(__file__).parents[3] / "docs/language.md").read_text(encoding="utf-8")
MISSING = {
    "game": 'game example "An example"',
    "phase": "phase fill\n    next end",
    "payoff": "payoff[p] = 0",
}
EXAMPLES = re.findall(r"^```rules\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def game_of(text: str) -> typed.Game:
    if not re.search(r"^players\b", text, re.MULTILINE):
        text = "players row, col\n" + text
    text += "".join(
        f"\n{statement}\n" for word, statement in MISSING.items() if not re.search(rf"^{word}\b", text, re.MULTILINE)
    )
    source = SourceFile("example.rules", text)
    result = check(source)
    assert result.game is not None, render_all(result.diagnostics, source)
    return result.game


def fault_in_play(game: typed.Game) -> str | None:
    """Return the kind of the fault that random plays meet."""
    interpreter = Interpreter(game)
    try:
        for number in range(20):
            # an example that shows one thing need not end
            for made in play_randomly(interpreter, [seed_word(0, number)], 200):
                for player in range(len(game.players.members)):
                    interpreter.observation(made.old, made.chosen, player)
                if made.new.phase is None:
                    interpreter.utilities(made.new)
    except RulesFault as fault:
        return fault.kind
    return None


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_can_be_played(text: str) -> None:
    assert fault_in_play(game_of(text)) is None


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


FAULTS = {
    "out_of_range": "x := x + 1",
    "is_none": "x := o",
    "division_by_zero": "x := 1 div y",
    "empty": "x := max(s)",
    "conflict": "x := 1 if y == 0\n    x := 2 if x == 3",
}


@pytest.mark.parametrize("kind", FAULTS)
def test_faults_of_updates(kind: str) -> None:
    state = "state\n    x: 0..3 = 3\n    y: 0..3 = 0\n    o: 0..3 or none = none\n    s: set of 0..3 = {}\n"
    found = fault_in_play(game_of(f"{state}\nphase a\n    {FAULTS[kind]}\n    next end\n"))
    assert found == kind


@pytest.mark.parametrize(
    ("kind", "draw"),
    [
        ("weights", "c in 1..2 weight x"),
        ("weights", "c in 1..2 weight c - 2 + x"),
        ("empty", "c in {i in 1..2: i < x}"),
    ],
)
def test_faults_of_chance(kind: str, draw: str) -> None:
    found = fault_in_play(game_of(f"state\n    x: 0..1 = 0\n\nphase a\n    chance draws {draw}\n    next end\n"))
    assert found == kind


def test_a_player_with_nothing_to_choose_is_a_dead_end() -> None:
    text = "state\n    s: set of 1..3 = {}\n\nphase a\n    row chooses c in s\n    next end\n"
    found = fault_in_play(game_of(text))
    assert found == "dead_end"


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
    from ggp.rules_compiler.rules_backend import game_of_rules

    example = next(text for text in EXAMPLES if "raise by k" in text)
    state = game_of_rules(game_of(example)).initial()
    assert [str(action) for action in state.legal("row")] == ["call", "raise 1", "raise 2", "raise 3"]
    example = next(text for text in EXAMPLES if "from in men" in text)
    state = game_of_rules(game_of(example)).initial()
    assert [str(action) for action in state.legal("row")] == ["a1 north", "b1 north"]
