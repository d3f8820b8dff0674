"""In how many places definitions are called."""

from __future__ import annotations

from ggp.language.typed.walk import calls
from tests.support.library import one_phase, typed_game

RULES = one_phase(
    "ann chooses x in 1..3\nn := min(9, double(x) + max(0, near(x)))\nnext end if n > 4 and double(n) > 2 else go",
    "n: 0..9 = 0",
    defs="def double(x: 0..9) = 2 * x\ndef near(x: 0..9) = double(x) - 1\ndef far(x: 0..9) = near(x) + near(9 - x)",
    payoff="if p == ann then near(n) else 0\nestimate[p] = far(n) + double(n)",
)
"""What play and the estimate call."""


def test_calls_in_play_are_counted_and_those_of_the_estimate_are_not() -> None:
    counts = {function.name: count for function, count in calls(typed_game(RULES)).items()}
    assert counts == {"double": 3, "near": 2}  # near: in the update and in the payoff of ann
