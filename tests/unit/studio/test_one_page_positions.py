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

PLAYS, LONGEST = 2, 250


@needs_node
@pytest.mark.sweep
@pytest.mark.parametrize("name", [*library_games(), *UNDRAWN], ids=lambda name: Path(name).stem)
def test_positions_are_those_of_native_play(name: str, tmp_path: Path) -> None:
    game = ggp.load(name)
    plays = [random_play(game, f"{name} {seed}", LONGEST) for seed in range(PLAYS)]
    joints = [[[str(one) for one in joint] for joint in played] for played, _ in plays]
    found = run_script("page_plays.ts", {**data_of(game), "plays": joints}, tmp_path)
    for (_, states), positions in zip(plays, found, strict=True):
        for state, position in zip(states, positions, strict=True):
            compare(state, position)


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
    outcomes = state.chance_outcomes() if state.is_chance() else []
    drawn = position["chance"] or []
    assert [(int(number), text) for number, text, _ in drawn] == [(one, state.outcome_text(one)) for one, _ in outcomes]
    assert [chance for _, _, chance in drawn] == pytest.approx([chance for _, chance in outcomes])
    if state.is_terminal():
        assert position["utilities"] == pytest.approx(list(state.utilities()))
    else:
        assert position["utilities"] is None
    for player, told in enumerate(position["told"]):
        assert tuple(map(int, told["words"])) == state.observation(player)
    for player, scene in zip((None, *range(len(game.players))), position["scenes"], strict=True):
        assert without_letters(msgspec.to_builtins(msgspec.convert(scene, Scene))) == without_letters(
            msgspec.to_builtins(state.scene(player))
        )
