"""A play of every library game, written down in full: whatever changes the meaning of a game shows as a difference.

After a change that is meant, write the plays again and look at the difference before committing it:

    GGP_REGENERATE=1 python -m pytest tests/golden/test_plays.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ggp.arithmetic.rng import seed_word
from ggp.drawing import draw
from ggp.encoding.state_layout import Layout
from ggp.interpreter.interpreter import Interpreter, WorldState
from ggp.interpreter.random_play import (
    Transition,
    action_text,
    observation_texts,
    outcome_number,
    play_randomly,
    transition_text,
)
from ggp.language import typed
from ggp.language.typed.value_texts import value_text
from tests.support.library import library_games, load_typed

PLAYS = Path(__file__).parent / "plays"
SEED = 1
LIMIT = 40
"""Transitions written down of one play."""
LIMITS = {"chess": 20, "dark_chess": 20, "diplomacy": 8, "hasami_shogi": 16, "quoridor": 16}
"""The same for games with long lists of actions."""
OUTCOMES = 40
"""Chance outcomes written down of one transition."""


def state_lines(interpreter: Interpreter, state: WorldState) -> list[str]:
    game = interpreter.game
    lines = [
        f"    {variable.name} = {value_text(variable.type, value)}"
        for variable, value in zip(game.variables, state.values, strict=True)
    ]
    drawing = draw(interpreter, state)
    rows = ["    | " + " ".join(cell.text or "." for cell in row) for row in drawing.rows]
    estimates = None if interpreter.is_terminal(state) else interpreter.estimates(state)
    if estimates is not None:
        lines.append("    estimate " + " ".join(f"{estimate:.6f}" for estimate in estimates))
    return lines + rows


def transition_lines(interpreter: Interpreter, layout: Layout, transition: Transition) -> list[str]:
    names = interpreter.game.players.members
    phase = transition.old.phase
    assert phase is not None
    lines = []
    if transition.outcomes:
        place = layout.phase_index[phase]
        chances = [
            f"{layout.outcome_text(outcome_number(layout, phase, outcome), place) or 'nothing'}: {probability:.6f}"
            for outcome, probability in interpreter.chance_outcomes(transition.old)[:OUTCOMES]
        ]
        if transition.outcomes > OUTCOMES:
            chances.append(f"and so on, {transition.outcomes} in all")
        lines.append(f"  chance {', '.join(chances)}")
    for player, actions in transition.legal.items():
        lines.append(f"  {names[player]} may {', '.join(action_text(layout, phase, action) for action in actions)}")
    lines.append(f"> {transition_text(layout, phase, transition.chosen)}")
    for player, name in enumerate(names):
        told = observation_texts(layout, phase, interpreter.observation(transition.old, transition.chosen, player))
        lines.append(f"  {name} sees {'; '.join(told) if told else 'nothing'}")
    return lines


def written_play(game: typed.Game) -> str:
    interpreter, layout = Interpreter(game), Layout(game)
    bound = " ".join(f"{parameter.name}={parameter.value}" for parameter in game.parameters)
    lines = [f"{game.name} {bound}".strip(), *state_lines(interpreter, interpreter.initial())]
    state = interpreter.initial()
    limit = LIMITS.get(game.name, LIMIT)
    for transition in play_randomly(interpreter, [seed_word(SEED)], limit):
        lines += ["", *transition_lines(interpreter, layout, transition)]
        state = transition.new
        lines += state_lines(interpreter, state)
    if interpreter.is_terminal(state):
        lines += ["", "utilities " + " ".join(f"{utility:g}" for utility in interpreter.utilities(state))]
    else:
        lines += ["", f"cut after {limit} transitions"]
    return "\n".join(lines) + "\n"


@pytest.mark.sweep
@pytest.mark.parametrize("name", library_games())
def test_play_is_as_before(name: str) -> None:
    file = PLAYS / f"{name}.txt"
    play = written_play(load_typed(name))
    if os.environ.get("GGP_REGENERATE"):
        file.write_text(play, encoding="utf-8")
    assert file.exists(), f"{name} has no play; the head of this file says how to write one"
    assert play == file.read_text(encoding="utf-8")


def test_every_play_is_of_a_library_game() -> None:
    assert {file.stem for file in PLAYS.glob("*.txt")} <= set(library_games())
