"""Subsets, histories, arrays as arguments, computed steps, limited sets, powers: in all three implementations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ggp.interpreter.interpreter import Interpreter
from ggp.language import SourceFile
from ggp.language.typed.hashing import hash_values
from ggp.language.typed.types import BOOL, CellType, SetType
from ggp.rules_compiler.loading import game_from_source
from tests.support.comparison import compare_all
from tests.support.implementations import Plain
from tests.support.library import game_of, one_phase, typed_game

TEXT = (Path(__file__).parent / "subset_forms.rules").read_text(encoding="utf-8")


@pytest.mark.sweep
@pytest.mark.parametrize(("most", "kept"), [(3, 0), (4, 6), (4, 40)])
def test_all_implementations_agree(most: int, kept: int) -> None:
    endings = compare_all(typed_game(TEXT, most=most, kept=kept), games=12, playouts=60, limit=60)
    # a hand that grows too large is a fault, with room for three cards always
    assert "fault" in endings
    assert ("end" in endings) == (most == 4)


def small(statements: str, defs: str = "") -> str:
    phase = f"{statements}\nnext end if n == 9 else go"
    state, head = "a: set of card = {}\nn: 0..9 = 0\nc: cell = cell(1, 1)", "board cell = grid(3, 3)\ntype card = 1..6"
    return one_phase(phase, state, head, defs=defs, payoff="n", players="row, col")


def test_subsets_are_drawn_uniformly_and_listed_once() -> None:
    game = game_of(small("chance draws s in 3 of card - {2}\na := s\nn := 9"))
    state, rng = game.initial(), [7]
    outcomes = state.chance_outcomes()
    assert [probability for _, probability in outcomes] == pytest.approx([0.1] * 10)
    assert [state.outcome_text(outcome) for outcome, _ in outcomes][:3] == ["1 3 4", "1 3 5", "1 3 6"]
    drawn = Counter(state.sample_outcome(rng) for _ in range(4000))
    assert set(drawn) == {outcome for outcome, _ in outcomes}
    assert all(abs(count - 400) < 5 * 400**0.5 for count in drawn.values())


def test_nobody_is_asked_for_whom_to_tell_where_nothing_is_told() -> None:
    rules = """game g "t"
players row, col
state
    who: player or none = none
phase pick
    row chooses k in 0..2
    who := if k == 0 then none else if k == 1 then row else col
    sees nothing
    next tell
phase tell
    sees who: "you" if who is some
    next end
payoff[p] = if who == p then 1 else 0
"""
    assert set(compare_all(typed_game(rules), games=12, playouts=60, limit=60)) == {"end"}
    game = game_from_source(SourceFile("g.rules", rules))
    for action in game.initial().legal(0):
        told = game.initial().apply({0: action})
        after = told.apply_outcome(told.chance_outcomes()[0][0])
        assert [bool(after.observation(role)) for role in range(2)] == [str(action) == "1", str(action) == "2"]


def test_repeats_counts_the_states_before() -> None:
    rules = small("row chooses to in cell\nc := to\nn := repeats(stood)", "history stood[3] = c")
    state = game_of(rules).initial()
    counts = []
    for cell in ("a1", "b1", "a1", "b1", "a1", "a1", "a1", "a1", "b1"):
        state = state.apply({0: cell})
        counts.append(state.values()["n"])
    # `n` is worked out in the state before the move, of the three states before that one
    assert counts == [0, 1, 0, 2, 1, 1, 2, 2, 3]


@pytest.mark.long
def test_large_boards_and_piles_are_remembered() -> None:
    rules = one_phase(
        """ann chooses
    turn_over by c in {a1, q17}
    put by i in {1, 20}
    take by i in {1, 20}                                   where pile[i] != []
made := made + 1
again := repeats(stood)
on turn_over: mark[c] := if mark[c] is none then bob else none
on put: pile[i] := pile[i] + [2]
on take: pile[i] := pile[i].without_top
next end if made == 12 else go""",
        "mark[cell]: player or none = none\npile[1..20]: sequence of 1..9, at most 30 = []\n"
        "again: 0..5 = 0\nmade: 0..12 = 0",
        "board cell = grid(17, 17)",
        defs="history stood[20] = mark, pile",
        payoff="again",
    )
    state, counts = game_of(rules).initial(), []
    for action in ("turn_over q17", "turn_over q17", "put 20", "take 20", "put 1", "take 1", "turn_over a1"):
        state = state.apply({0: action})
        counts.append(state.values()["again"])
    assert counts == [0, 0, 1, 0, 2, 0, 3]


def test_equal_values_have_equal_hashes_whatever_their_types_hold() -> None:
    rules = one_phase(
        "ann chooses x in 0..3\nsame := hash(1000, short, few) == hash(1000, long, many)\n"
        "found := repeats(stood, [3])\nlong := [x]\nnext go",
        "short: sequence of 0..3, at most 2 = [1, 0]\nlong: sequence of 0..3, at most 300 = [1, 0]\n"
        "few: set of 1..3 = {1, 3}\nmany: set of -9..300 = {1, 3}\nfound: 0..9 = 0\nsame: bool = no",
        defs="history stood[9] = long",
        payoff="found",
    )
    game, counts = game_of(rules).in_python(), []
    state = game.initial()
    for x in (3, 2, 3, 1):
        state = state.apply({0: x})
        counts.append((state.values()["found"], state.values()["same"]))
    assert counts == [(0, 1), (0, 0), (1, 0), (1, 0)]


def test_old_reads_what_a_kind_of_move_chose() -> None:
    rules = """game g "t"
players row, col
state
    heap: set of 1..9 = {1, 2, 3}
phase go
    row chooses
        take by k in 1..9
        stop
    on take:
        let there = k in heap
        heap := heap - {k}
        next hit if old there else end
    on stop: next end
phase hit
    next go if 3 in heap else miss
phase miss
    row chooses nothing_at_all in 1..2
    next end
payoff[p] = 0
"""
    game = typed_game(rules)
    natively, interpreter = game_of(rules).in_python().initial(), Interpreter(game)
    for number, phase in ((4, None), (2, "hit"), (3, "hit")):
        assert natively.apply({0: f"take {number}"}).phase == phase
        (action,) = (one for one in interpreter.legal(interpreter.initial(), 0) if one.values == (number,))
        assert interpreter.step(interpreter.initial(), {0: action}).phase == phase
    assert natively.apply({0: "stop"}).is_terminal()


def test_all_values_of_a_let_are_told_by_its_name() -> None:
    rules = """game g "t"
param n: 2..6 = 3
players seat[n]
phase vote
    each p chooses against in player
    let votes[q] = count p in player: against[p] == q
    let pairs[q, k: 1..2] = votes[q] >= k
    sees seat1: votes
    sees seat2: pairs[seat3]
    next end
payoff[p] = 0
"""
    state = game_of(rules).in_python().initial().apply({0: "seat3", 1: "seat3", 2: "seat1"})
    assert state.readable_observation(0) == [("votes[seat1]", 1), ("votes[seat2]", 0), ("votes[seat3]", 2)]
    assert state.readable_observation(1) == [("pairs[seat3, 1]", True), ("pairs[seat3, 2]", True)]
    assert state.readable_observation(2) == []


def test_a_hash_is_fixed_by_the_values() -> None:
    cells = CellType("cell", 19, 19)
    values = [frozenset({0, 360}), frozenset({0}), frozenset({64}), frozenset({63, 127}), frozenset({62, 126})]
    hashes = {hash_values([(value, SetType(cells)), (1, BOOL)], 2**53) for value in values}
    assert len(hashes) == len(values)
    assert all(0 <= number < 2**53 for number in hashes)
    assert hash_values([(3, BOOL)], 1000) == 113  # never changes: games are defined by such numbers


def test_listing_the_outcomes_of_many_dice_is_not_unrolled() -> None:
    text = small("chance draws t[i in 1..10] in {1, 2, 3}\nn := t[1] + t[2]\nc := cell(t[3], 1)")
    lines = Plain(typed_game(text)).source.count("\n")
    assert lines < 1_000, "3^10 outcomes are listed by loops"
