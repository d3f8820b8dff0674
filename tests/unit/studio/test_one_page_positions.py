"""A page's game is the game: positions of random plays in WebAssembly, native functions and `display`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import ggp
from ggp.game.state import State
from ggp.scene.scene import Scene
from tests.support.clicked_games import UNDRAWN
from tests.support.library import library_games
from tests.support.page_plays import data_of, needs_node, random_play, run_script, without_letters
from tests.support.sweeps import WANTED

PLAYS, LONGEST, EVERY = 1 if WANTED == "sample" else 2, 120, 9
"""Plays, their transitions at most; of one in so many positions what chance may draw and the pictures are compared."""


@needs_node
@pytest.mark.sweep
@pytest.mark.parametrize("name", [*library_games(), *UNDRAWN], ids=lambda name: Path(name).stem)
def test_positions_are_those_of_native_play(name: str) -> None:
    game = ggp.load(name)
    plays = [random_play(game, f"{name} {seed}", LONGEST) for seed in range(PLAYS)]
    joints = [[[str(one) for one in joint] for joint in played] for played, _ in plays]
    whole = [[*range(number, len(states) - 1, EVERY), len(states) - 1] for number, (_, states) in enumerate(plays)]
    found = run_script("page_plays.ts", {**data_of(game), "plays": joints, "whole": whole})
    for (_, states), positions, wanted in zip(plays, found, whole, strict=True):
        assert [at for at, position in enumerate(positions) if position["scenes"] is not None] == wanted
        for state, position in zip(states, positions, strict=True):
            compare(state, position)


SHUFFLED = """game shuffled "A discard pile is shuffled into a deck"
players ann, bob
type card = 1..6
state
    deck: sequence of card, at most 6 = []
    discard: sequence of card, at most 6 = [1, 2, 3, 4, 5, 6]
    taken: 0..9 = 0
phase shuffle
    chance draws i in 1..count(discard)
    deck := deck + [discard[i]]
    discard := discard[1..i - 1] + discard[i + 1..count(discard)]
    next take if discard == [] else shuffle
phase take
    ann chooses
        take
        skip
    on take: discard := discard + [deck.top]               if count(discard) < 2
    on take: deck := deck.without_top                      if count(discard) < 2
    taken := taken + 1
    next end if taken == 4 else take
payoff[p] = count(deck)
display
    pile "deck" deck
    line "discarded" discard
    cards "left" deck
"""


TINTED = """game tinted "Cells of which several variables tell"
players ann, bob
board cell = grid(3, 3)
state
    marked: set of cell = {a1, b1, c1}
    open: set of cell = {}
    hot[cell]: bool = {a1: yes, c3: yes, else no}
    gems: set of cell = {a2, b2, b3}
    bombs: set of cell = {b2, c2}
    men[player]: set of cell = {ann: {a2, a3}, bob: {b3, c3}}
    kings[player]: set of cell = {ann: {a3}, bob: {b3}}
    lies[cell]: 1..8 or none = {a1: 3, b1: 4, else none}
    turned[cell]: 0..3 = {a1: 3, b1: 1, else 0}
phase look
    ann chooses c in all - open
    open := open + {c}
    hot[c] := not hot[c]
    next end if count(open) == 5 else look
payoff[p] = 0
"""


@needs_node
def test_cells_show_all_that_is_said_of_them() -> None:
    game = ggp.load_text(TINTED)
    played, states = random_play(game, "tinted", 20)
    joints = [[str(one) for one in joint] for joint in played]
    (positions,) = run_script("page_plays.ts", {**data_of(game), "plays": [joints], "whole": [[*range(len(states))]]})
    for state, position in zip(states, positions, strict=True):
        compare(state, position)


@needs_node
def test_sequences_are_shown_as_far_as_they_go() -> None:
    game = ggp.load_text(SHUFFLED)
    played, states = random_play(game, "shuffled", 20)
    joints = [[str(one) for one in joint] for joint in played]
    (positions,) = run_script("page_plays.ts", {**data_of(game), "plays": [joints], "whole": [[*range(len(states))]]})
    for state, position in zip(states, positions, strict=True):
        compare(state, position)
    start, shuffled = states[0].scene(), states[6].scene()
    assert [entry.text for entry in start.entries] == ["[]", "[1, 2, 3, 4, 5, 6]", "[]"]
    assert [len(row.items) for entry in shuffled.entries for row in entry.rows] == [6, 0, 6]


def compare(state: State, position: dict[str, Any]) -> None:
    """Compare a position as the page has it with a state of the same play."""
    game, codec = state.game, state.game.codec
    assert tuple(map(int, position["words"])) == state.words
    assert tuple(position["acting"]) == state.actors()
    legal = [
        [[str(int(one)), str(one), [list(part) for part in codec.action_parts(one, state.words[0])]] for one in actions]
        for actions in (state.legal(player) for player in state.actors())
    ]
    assert position["legal"] == legal
    if state.is_terminal():
        assert position["utilities"] == pytest.approx(list(state.utilities()))
    else:
        assert position["utilities"] is None
    for player, told in enumerate(position["told"]):
        assert tuple(map(int, told["words"])) == state.observation(player)
    if position["scenes"] is None:
        return
    outcomes = state.chance_outcomes() if state.is_chance() else []
    drawn = position["chance"] or []
    assert [(int(number), text) for number, text, _ in drawn] == [(one, state.outcome_text(one)) for one, _ in outcomes]
    assert [chance for _, _, chance in drawn] == pytest.approx([chance for _, chance in outcomes])
    for player, scene in zip((None, *range(len(game.players))), position["scenes"], strict=True):
        assert without_letters(msgspec.to_builtins(msgspec.convert(scene, Scene))) == without_letters(
            msgspec.to_builtins(state.scene(player))
        )
