"""Every library game means the same to the interpreter, the generated source and the machine code.

Compared along random plays: who acts, legal actions, chance probabilities, states, observations, estimates, utilities;
and fused playouts of the two generated forms down to the state of the random generator.
"""

from __future__ import annotations

import pytest

from ggp.rules_compiler.rules_backend import game_of_rules
from tests.support.comparison import compare_playouts, compare_plays
from tests.support.implementations import Interpreted, Plain, native_of
from tests.support.library import library_games, load_typed
from tests.support.recorded_playouts import compare_recorded_playouts

VARIANTS: dict[str, list[dict[str, str]]] = {
    "breakthrough": [{"width": "9", "height": "9"}, {"width": "2", "height": "4"}],
    "cant_stop": [{"columns_to_win": "1"}],
    "connect_four": [{"width": "12", "height": "11"}],
    "dots_and_boxes": [{"width": "3", "height": "1", "payoffs": "difference"}],
    "einstein": [{"setup": "in_order"}],
    "go": [{"size": "3", "ko": "superko"}],
    "gomoku": [{"size": "6"}],
    "goofspiel": [
        {"n": "4", "prizes": "descending", "bids": "hidden", "winner": "point_difference"},
        {"n": "5", "lowest": "0", "prizes": "ascending"},
    ],
    "hex": [{"width": "3", "height": "5"}],
    "kuhn_poker": [{"cards": "6"}],
    "kuhn_poker_three": [{"cards": "7"}],
    "liars_dice": [{"dice": "2", "faces": "3", "wild": "nothing"}, {"wild": "one"}],
    "nim": [{"heaps": "2", "last": "wins"}],
    "oshi_zumo": [{"coins": "10", "half": "2", "least": "0"}],
    "phantom_tic_tac_toe": [{"opening": "centre"}],
    "pig": [{"goal": "20", "dice": "1", "early_hold": "yes"}],
    "poker": [{"ranks": "5", "copies": "3", "max_raises": "3", "bet_sizes": "3"}],
    "pursuit_evasion": [{"width": "10", "height": "10", "moves": "15"}],
    "ra": [{"goal": "lead"}],
    "quoridor": [{"size": "3", "walls": "2"}],
    "random_game": [{"branching": "3", "depth": "7", "seed": "9"}],
    "reversi": [{"width": "10", "height": "9"}, {"width": "4", "height": "4"}],
    "rock_paper_scissors": [{"payoffs": "biased", "rounds": "3"}],
    "sealed_auction": [{"values": "4", "price": "second"}, {"values": "3"}],
    "tron": [{"width": "5", "height": "6"}],
    "visibility_pursuit": [{"map": "streets", "objective": "times_seen"}],
}
"""Parameters to try beside the defaults."""

TOO_LARGE = {"sealed_auction"}
"""Games that the interpreter does not play with the defaults: a draw has a hundred thousand outcomes."""

CASES = [
    (name, parameters)
    for name in library_games()
    for parameters in [*([] if name in TOO_LARGE else [{}]), *VARIANTS.get(name, [])]
]
LIMITS = {
    "visibility_pursuit": 3, "los_alamos": 25, "tron": 12, "hex": 40, "gomoku": 40, "reversi": 30, "cant_stop": 40,
    "sealed_auction": 9, "chess": 6, "quoridor": 5, "yacht": 8, "diplomacy": 4,
    "dark_chess": 10, "nine_mens_morris": 60,
}  # fmt: skip
"""Transitions compared of one play, where the interpreter takes long over them."""
PLAYOUT_LIMITS = {"chess": 25, "dark_chess": 40, "quoridor": 5}
"""Transitions of one playout, where plain Python takes long over them."""


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters"), CASES, ids=lambda part: part if isinstance(part, str) else " ".join(part.values())
)
def test_library_game(name: str, parameters: dict[str, str]) -> None:
    rules = load_typed(name, parameters)
    interpreted, plain = Interpreted(rules), Plain(rules)
    native = native_of(game_of_rules(rules), plain)
    games = 1 if name in LIMITS else 3
    endings = compare_plays(interpreted, [plain, native], seed=5, games=games, limit=LIMITS.get(name, 80))
    assert "fault" not in endings
    compare_playouts(plain, native, seed=5, games=1 if name in LIMITS else 3, limit=PLAYOUT_LIMITS.get(name, 150))
    compare_recorded_playouts(interpreted, plain, seed=5, games=games, limit=LIMITS.get(name, 80))


def test_every_variant_is_of_a_library_game() -> None:
    assert TOO_LARGE | set(VARIANTS) | set(LIMITS) | set(PLAYOUT_LIMITS) <= set(library_games())
