"""In how many places definitions are called."""

from __future__ import annotations

from ggp.language.typed.walk import calls
from tests.support.library import typed_game

RULES = """game g "What play and the estimate call"
players one, two
state
    n: 0..9 = 0
def double(x: 0..9) = 2 * x
def near(x: 0..9) = double(x) - 1
def far(x: 0..9) = near(x) + near(9 - x)
phase go
    one chooses x in 1..3
    n := min(9, double(x) + max(0, near(x)))
    next end if n > 4 and double(n) > 2 else go
payoff[p] = if p == one then near(n) else 0
estimate[p] = far(n) + double(n)
"""


def test_calls_in_play_are_counted_and_those_of_the_estimate_are_not() -> None:
    counts = {function.name: count for function, count in calls(typed_game(RULES)).items()}
    assert counts == {"double": 3, "near": 2}  # near: in the update and in the payoff of one
