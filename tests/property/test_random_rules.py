"""Rules files that nobody wrote mean the same to the interpreter, the generated source and the machine code.

`python -m tests.fuzz` looks further than the test suite has time to.
"""

from __future__ import annotations

import pytest

from tests.fuzz.comparisons import AGREED, LIMIT, REFUSED, TOO_LARGE, compared
from tests.support.comparison import compare_plays
from tests.support.implementations import Interpreted, Plain
from tests.support.library import typed_game
from tests.support.random_rules import random_text

SEED, TEXTS, AT_ONCE = 20, 24, 4


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(0, TEXTS, AT_ONCE))
def test_random_rules(first: int) -> None:
    results = []
    for number in range(first, first + AT_ONCE):
        result = compared(random_text(SEED, number), seed=number + 1)
        assert isinstance(result, str), f"{random_text(SEED, number)}\n{result.text}"
        results.append(result)
    assert {*results} <= {AGREED, REFUSED, TOO_LARGE}
    assert AGREED in results


def test_the_same_numbers_give_the_same_text() -> None:
    assert random_text(1, 2) == random_text(1, 2) != random_text(1, 3)
    assert "chooses" in "".join(random_text(1, number) for number in range(5))


BROKEN = """game broken "Its machine code is made from other rules"
players one
state
    n: 0..99 = 0
phase play
    one chooses c in 1..3
    n := n + {change}
    next end if n > 6 else play
payoff[p] = n
"""


@pytest.mark.parametrize(("change", "is_caught"), [("c", False), ("c + 1", True), ("1", True)])
def test_the_comparison_can_fail(change: str, is_caught: bool) -> None:
    interpreted = Interpreted(typed_game(BROKEN.format(change="c")))
    plain = Plain(typed_game(BROKEN.format(change=change)))
    if is_caught:
        with pytest.raises(AssertionError):
            compare_plays(interpreted, [plain], seed=1, games=1, limit=LIMIT)
    else:
        assert compare_plays(interpreted, [plain], seed=1, games=3, limit=LIMIT) == ["end"] * 3
