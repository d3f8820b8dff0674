"""Games with hidden information or simultaneous choices against OpenSpiel's or a simulator, on random games."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Hashable, Mapping, Sequence

import pyspiel
import pytest

import ggp
from experiments.openspiel_texts import cell_text, from_first_row
from tests.oracle.test_board_games import Go
from tests.support.native_side_by_side import OpenSpiel, SequentialModel, compare_native


@pytest.mark.parametrize(("size", "version", "collision"), [(3, "cdh", "classical"), (4, "adh", "abrupt")])
def test_dark_hex(size: int, version: str, collision: str) -> None:
    theirs = pyspiel.load_game("dark_hex", {"board_size": size, "gameversion": version})

    def knowledge(model: OpenSpiel, player: int) -> Hashable:
        """Their text counts the other's failed tries, and tells with what the other's stones are connected."""
        text = model.state.information_state_string(player)
        return re.sub(r"[opqO]", "o", re.sub(r"[xyzX]", "x", re.sub(r"\n\d+\n", "\n", text)))

    ours = ggp.load("dark_hex", width=size, height=size, collision=collision)
    games = 400 if size == 3 else 60
    made = compare_native(
        ours, lambda: OpenSpiel(theirs, from_first_row(size)), games=games, seed=3, knowledge=knowledge
    )
    assert made > 500


@pytest.mark.long
def test_battleship() -> None:
    theirs = pyspiel.load_game(
        "battleship(board_width=5,board_height=4,ship_sizes=[2;3;3],ship_values=[1;1;1],num_shots=12,"
        "allow_repeated_shots=false)"
    )

    def action(state: pyspiel.State, number: int) -> str:
        text = state.action_to_string(number)
        row, column = map(int, re.findall(r"\d+", text)[-2:])
        kind = "across " if "horizontally" in text else "down " if "vertically" in text else ""
        return kind + cell_text(column, 3 - row)

    def knowledge(model: OpenSpiel, player: int) -> Hashable:
        return re.sub(r"T=\d+ ", "", model.state.information_state_string(player))

    ours = ggp.load("battleship", width=5, height=4, ships=3, shots=12)
    assert compare_native(ours, lambda: OpenSpiel(theirs, action), games=40, seed=2, knowledge=knowledge) > 500


@pytest.mark.parametrize(("coins", "fields"), [(5, 3), (3, 4)])
def test_blotto(coins: int, fields: int) -> None:
    """All pairs of actions for few coins."""
    theirs = pyspiel.load_game("blotto", {"coins": coins, "fields": fields}).new_initial_state()
    start = ggp.load("blotto", coins=coins, fields=fields).initial()
    actions = [
        {
            re.sub(r"[^\d]+", " ", theirs.action_to_string(player, number)).strip(): number
            for number in theirs.legal_actions(player)
        }
        for player in range(2)
    ]
    for player in range(2):
        assert {str(action) for action in start.legal(player)} == set(actions[player])
    for row, one in actions[0].items():
        for column, two in actions[1].items():
            after = theirs.clone()
            after.apply_actions([one, two])
            assert start.apply({0: row, 1: column}).utilities() == pytest.approx(after.returns())


class PhantomGo(SequentialModel):
    """Go in the dark: a game of Go, and what each player has come upon."""

    def __init__(self, size: int) -> None:
        self.game = Go(size, superko=False)
        self.met: tuple[set[str], set[str]] = (set(), set())
        self.tried: set[str] = set()

    def is_terminal(self) -> bool:
        return self.game.is_terminal()

    def actors(self) -> Collection[int]:
        return self.game.actors()

    def stones(self, player: int) -> set[str]:
        return {cell_text(*cell) for cell, owner in self.game.board.items() if owner == player}

    def legal(self, player: int) -> Collection[str]:
        everywhere = {cell_text(*cell) for cell in self.game.cells}
        return {"pass"} | {f"play {cell}" for cell in everywhere - self.stones(player) - self.met[player] - self.tried}

    def apply(self, joint: Mapping[int, str]) -> None:
        ((player, text),) = joint.items()
        cell = text.removeprefix("play ")
        if text in self.game.legal(player):
            self.game.apply(joint)
            self.met[player].intersection_update(self.stones(1 - player))
            self.tried = set()
        elif cell in self.stones(1 - player):
            self.met[player].add(cell)
        else:
            self.tried.add(cell)

    def returns(self) -> Sequence[float]:
        return self.game.returns()


@pytest.mark.sweep
@pytest.mark.parametrize("size", [5, 3])
def test_phantom_go(size: int) -> None:
    def choose(rng: random.Random, texts: list[str]) -> str:
        return rng.choice([text for text in texts if text != "pass" or rng.random() < 0.2] or texts)

    ours = ggp.load("phantom_go", size=size)
    assert compare_native(ours, lambda: PhantomGo(size), games=20, seed=9, choose=choose) > 500
