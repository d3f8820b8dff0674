"""Bounds on the length of plays by the rules alone: as small as can be in plain rules, and never too small.

`tests/fuzz/comparisons.py` asks the latter of random rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ggp
from ggp.game.batch import ENDED
from ggp.rules_compiler.rules_backend import rules_of
from ggp.static_analysis import play_bounds, possible_values
from ggp.static_analysis.play_bounds import bound_on_plays
from tests.support.library import typed_game

RULES = """game forms "One phase that changes something"
players one, two
board cell = grid(3, 3)
type card = 1..5
state
    turn: player = one
    men[player]: set of cell = {{}}
    deck: set of card = all
    n: 0..6 = 0
    left[card]: 0..2 = 2
    done: bool = no
{phases}
payoff[p] = 0
"""


@pytest.mark.parametrize(
    ("phases", "bound"),
    [
        # numbers that grow, and that fall
        ("phase a\n    one chooses x in 1..2\n    n := n + x\n    next end if n > 5 else a", 6),
        ("phase a\n    one chooses x in 2..3\n    n := n + x\n    next end if n > 3 else a", 3),
        ("phase a\n    one chooses x in 0..1\n    n := n + x\n    next end if n > 3 else a", None),
        ("phase a\n    one chooses x in card\n    left[x] := left[x] - 1\n    next end if n > 5 else a", 10),
        ("phase a\n    one chooses x in 1..2\n    n := min(6, n + x)\n    next end if n > 5 else a", None),
        ("phase a\n    one chooses x in 1..2\n    n := n + 1 if x == 2\n    next end if n > 5 else a", None),
        # sets of which something is drawn, and that are filled
        ("phase a\n    chance draws c in deck\n    deck := deck - {c}\n    next end if deck == {} else a", 5),
        ("phase a\n    chance draws c in card\n    deck := deck - {c}\n    next end if deck == {} else a", None),
        (
            "phase a\n    turn chooses c in all - men[one] - men[two]\n    men[turn] := men[turn] + {c}\n"
            "    turn := other(turn)\n    next end if men[one] + men[two] == all else a",
            9,
        ),
        (
            "phase a\n    turn chooses c in cell where c not in men[turn] and n < 6\n"
            "    men[turn] := men[turn] + {c}\n    turn := other(turn)\n    next a",
            18,
        ),
        # what is taken from one goes to the other, and was nowhere else
        (
            "phase a\n    turn chooses c in all - men[one] - men[two]\n"
            "    let taken = {d in men[other(turn)]: d.x == c.x}\n"
            "    men[turn] := men[turn] + taken + {c}\n    men[other(turn)] := men[other(turn)] - taken\n"
            "    turn := other(turn)\n    next a",
            9,
        ),
        # what is taken is gone
        (
            "phase a\n    turn chooses c in all - men[one] - men[two]\n"
            "    men[turn] := men[turn] + {c}\n    men[other(turn)] := {}\n    turn := other(turn)\n    next a",
            None,
        ),
        # a round of two phases, which begins anew five times
        (
            "phase a\n    one chooses c in deck\n    deck := deck - {c}\n    n := 0\n    next b\n"
            "phase b\n    two chooses stop in 0..1\n    n := n + 1\n"
            "    next end if deck == {} else a if n == 3 else b",
            41,
        ),
        # kinds of actions, each with something of its own
        (
            "phase a\n    turn chooses\n        up where n < 6\n        draw by c in deck\n"
            "    on up: n := n + 1\n    on draw: deck := deck - {c}\n    next end if n == 6 else a",
            11,
        ),
    ],
)
def test_forms_of_progress(phases: str, bound: int | None) -> None:
    assert bound_on_plays(typed_game(RULES.format(phases=phases))) == bound


def test_too_much_to_look_at_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = typed_game(RULES.format(phases="phase a\n    one chooses x in 1..2\n    n := n + x\n    next a"))
    monkeypatch.setattr(play_bounds, "MAX_STEPS", 2)
    assert bound_on_plays(rules) is None


def test_an_operation_is_evaluated_once_for_the_same_operands(monkeypatch: pytest.MonkeyPatch) -> None:
    """There were 195,221 evaluations in this game, most of them the same."""
    evaluated, counted = possible_values.evaluate, 0

    def counting(*arguments: Any) -> Any:
        nonlocal counted
        counted += 1
        return evaluated(*arguments)

    monkeypatch.setattr(possible_values, "evaluate", counting)
    assert bound_on_plays(rules_of(ggp.load("cant_stop")).rules) is None
    assert 0 < counted < 20_000


@pytest.mark.sweep
@pytest.mark.parametrize("name", ggp.games())
def test_no_random_play_is_longer(name: str) -> None:
    game = ggp.load(name)
    bound = game.backend.length_bound
    if bound is None:
        return
    batch, longest = game.batch(16, seed=1), 0
    for _ in range(min(bound + 1, 450)):
        lengths = batch.lengths + 1
        batch.step(batch.random_actions())
        longest = max(longest, lengths[batch.status == ENDED].max(initial=0), batch.lengths.max())
    assert np.max(longest) <= bound
