"""Games of the library with simultaneous moves, and tic-tac-toe, against OpenSpiel's, on random games.

OpenSpiel plays everybody's last card of goofspiel by itself, so its games end one round before ours. Its information
states of goofspiel with hidden bids remember everything, as ours do; those of goofspiel with open bids and of Oshi-Zumo
forget how the game came to where it is, and are not compared. Its difference in points is that from the mean of both.
"""

from __future__ import annotations

import pyspiel
import pytest
from library import load_typed as load
from side_by_side import compare


def in_order(prizes: str) -> bool:
    return prizes != "shuffled"


@pytest.mark.parametrize("winner", ["most_points", "point_difference"])
@pytest.mark.parametrize("bids", ["shown", "hidden"])
@pytest.mark.parametrize(("prizes", "n"), [("shuffled", 4), ("descending", 4), ("ascending", 3), ("shuffled", 13)])
def test_goofspiel(prizes: str, n: int, bids: str, winner: str) -> None:
    def outcome(state: pyspiel.State, codes: tuple[int, ...]) -> list[int]:
        # No chance nodes where the prizes are in order, nor for the last prize, which theirs plays by itself.
        return [] if in_order(prizes) or state.is_terminal() else [codes[0] - 1]

    compare(
        load("goofspiel", {"n": n, "prizes": prizes, "bids": bids, "winner": winner}),
        pyspiel.load_game(
            "goofspiel",
            {
                "num_cards": n,
                "imp_info": bids == "hidden",
                "points_order": prizes if in_order(prizes) else "random",
                "returns_type": "win_loss" if winner == "most_points" else "point_difference",
            },
        ),
        action=lambda state, text: int(text) - 1,
        outcome=outcome,
        unit=1.0 if winner == "most_points" else 2.0,
        games=300 if n < 10 else 30,
        seed=n,
        same_information=bids == "hidden",
    )


@pytest.mark.parametrize(("coins", "half", "least"), [(50, 3, 1), (10, 3, 1), (6, 1, 1), (8, 2, 0), (9, 2, 3)])
def test_oshi_zumo(coins: int, half: int, least: int) -> None:
    compare(
        load("oshi_zumo", {"coins": coins, "half": half, "least": least}),
        pyspiel.load_game("oshi_zumo", {"coins": coins, "size": half, "min_bid": least}),
        action=lambda state, text: int(text),
        games=100,
        seed=coins,
    )


def test_matching_pennies() -> None:
    compare(
        load("matching_pennies"),
        pyspiel.load_game("matrix_mp"),
        action=lambda state, text: ["heads", "tails"].index(text),
        games=20,
        seed=1,
    )


def test_rock_paper_scissors() -> None:
    compare(
        load("rock_paper_scissors"),
        pyspiel.load_game("matrix_rps"),
        action=lambda state, text: ["rock", "paper", "scissors"].index(text),
        games=30,
        seed=2,
    )


def test_tic_tac_toe() -> None:
    compare(
        load("tic_tac_toe"),
        pyspiel.load_game("tic_tac_toe"),
        action=lambda state, text: 3 * (int(text[1]) - 1) + ord(text[0]) - ord("a"),
        games=300,
        seed=3,
    )
