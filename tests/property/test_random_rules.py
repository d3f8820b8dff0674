"""Rules files that nobody wrote mean the same to the interpreter, the generated source and the machine code.

`GGP_EXAMPLES=5000 python -m pytest tests/property/test_random_rules.py` looks further than the test suite has time to
(`examples.py`).
"""

from __future__ import annotations

import pytest
from comparison import compare_playouts, compare_plays
from examples import examples
from hypothesis import assume, note
from hypothesis import given as given_rules
from implementations import Interpreted, Native, Plain
from library import typed_game
from random_rules import rules_texts
from recorded_playouts import compare_recorded_playouts

from ggp.language import SourceFile, check, typed
from ggp.model.reference.checked_play import play_checked

LIMIT = 40


def checked(text: str) -> typed.Game:
    """Return the game of a text, passing over the few that the checker rightly refuses."""
    note(text)
    game = check(SourceFile("random.rules", text)).game
    assume(game is not None)
    assert game is not None
    return game


@examples(40)
@given_rules(rules_texts())
def test_interpreter_and_generated_source_agree(text: str) -> None:
    game = checked(text)
    interpreted, plain = Interpreted(game), Plain(game)
    compare_plays(interpreted, [plain], seed=1, games=4, limit=LIMIT)
    compare_recorded_playouts(interpreted, plain, seed=1, games=3, limit=LIMIT)


@examples(15)
@given_rules(rules_texts())
def test_all_three_agree(text: str) -> None:
    game = checked(text)
    plain = Plain(game)
    native = Native(plain)
    compare_plays(Interpreted(game), [plain, native], seed=2, games=4, limit=LIMIT)
    compare_playouts(plain, native, seed=2, games=4, limit=LIMIT)


@examples(25)
@given_rules(rules_texts())
def test_checked_play_takes_every_game(text: str) -> None:
    report = play_checked(checked(text), seed=3, games=3, step_limit=LIMIT)
    assert report.games <= 3
    assert not any(finding.kind == "utility_bounds" for finding in report.findings)


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
