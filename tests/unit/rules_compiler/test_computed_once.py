"""What may be a fault, and does not change in a loop, is computed there once, and only where it is needed."""

from __future__ import annotations

import re

import pytest

from ggp.faults import RulesFault
from ggp.rules_compiler.rules_backend import RulesBackend
from tests.support.library import game_of

TEXT = """
game pits "The first pit with more seeds than were named gives a seed to those behind it"
players a, b
type pit = 1..20
state
    seeds[i: pit]: 0..40 = i
    turn: player = a
phase sow
    turn chooses n in 0..25, from in 1..21
    let first = the i in pit: seeds[i] > n
    seeds[i] := if i >= from and seeds[i] > first then 0 else seeds[i]  for i in pit
    next end
payoff[p] = (sum i in pit: seeds[i]) * (if p == a then 1 else -1)
"""


def played(named: int, begin: int) -> float:
    return game_of(TEXT).initial().apply({"a": f"{named} {begin}"}).utilities()[0]


def test_it_is_right_in_every_turn_of_the_loop() -> None:
    assert played(9, 1) == sum(range(1, 11))
    assert played(9, 20) == sum(range(1, 20))


def test_what_is_not_needed_is_no_fault() -> None:
    assert played(25, 21) == sum(range(1, 21))
    with pytest.raises(RulesFault):
        played(25, 20)


def test_it_is_computed_behind_a_test_of_whether_it_was() -> None:
    backend = game_of(TEXT).backend
    assert isinstance(backend, RulesBackend)
    step = backend.plain.source.split("def step_sow")[1].split("\ndef ")[0]
    before, behind = re.split(r"if done\d+ == 0:", step)
    assert re.search(r"done\d+ = 0", before)
    assert "fail(" not in before
    assert "fail(" in behind.partition("new[")[0]
    assert re.search(r"done\d+ = 1", behind)
