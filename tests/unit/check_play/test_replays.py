"""Replays of all plays of the small game, whole and broken in one place at a time."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from ggp.check_play.findings import Finding
from ggp.check_play.replays import Replay, ReplayCheck
from ggp.encoding.state_layout import Layout
from ggp.interpreter.interpreter import Interpreter
from ggp.language import typed
from ggp.language.typed.types import BOOL, IntType
from ggp.rules_compiler.rules_backend import rules_of
from tests.support.library import game_of
from tests.support.small_game import (
    BID,
    DEAL,
    GAME,
    MADE,
    NUMBER,
    ONE,
    PLAYER,
    POT,
    REAL,
    SPAN,
    TALK,
    TWO,
    at,
    binary,
    const,
    read,
    update,
)


def with_phase(phase: typed.Phase, game: typed.Game = GAME) -> typed.Game:
    return replace(game, phases=tuple(phase if old.name == phase.name else old for old in game.phases))


def check_of(game: typed.Game) -> ReplayCheck:
    """Check all plays of the small game."""
    check = ReplayCheck(game)
    for deal, one, two, talk in product((1, 2), (0, 1), (0, 1), range(3)):
        check.check([(0, 0, deal), (one, two, 0), (talk, talk, 0)])
    return check


def only_finding(game: typed.Game) -> Finding:
    (finding,) = check_of(game).findings
    return finding


def test_a_sound_game_has_no_findings() -> None:
    check = check_of(GAME)
    assert check.findings == []
    assert check.games == 24
    assert set(check.outcomes) == {"deal"}
    assert (check.outcomes["deal"].minimum, check.outcomes["deal"].maximum) == (2, 2)


def test_a_fault_is_told_once_with_the_play_that_led_there() -> None:
    narrow = replace(POT, type=IntType(0, 5))
    raised = typed.Guard(binary("add", read(POT), const(1), IntType(0, 11)), "`pot` takes 0..5", narrow.type, at(33))
    broken = with_phase(replace(TALK, updates=(update(POT, raised),)))
    finding = only_finding(broken)
    assert (finding.kind, finding.is_error, finding.span) == ("out_of_range", True, at(33))
    assert finding.message == "`pot` takes 0..5, got 6"
    assert [text.split(":")[0] for text in finding.play] == ["deal", "bid", "talk"], "the move that failed included"


def test_a_fault_after_the_updates_says_how_to_read_what_was_before() -> None:
    rules = """
game late "What was drawn is forgotten before it is asked for"
players ann
state
    drawn: 1..3 or none = none
phase draw
    chance draws d in 1..3
    drawn := d
    next forget
phase forget
    drawn := none
    next end if drawn > 1 else draw
payoff[p] = 0
"""
    check = ReplayCheck(rules_of(game_of(rules)).rules)
    check.check([(0, 0, 0), (0, 0, 0)])
    (finding,) = check.findings
    assert (finding.kind, finding.span.line) == ("is_none", 12)
    assert "`old x`" in finding.hint


def test_a_step_beyond_the_edge_says_so() -> None:
    rules = """
game edge "A row that leaves the board"
players ann
board cell = grid(3, 1)
state
    chips[cell]: bool = yes
phase look
    ann chooses c in cell
    next end if (all i in 0..1: chips[c + i*east]) else look
payoff[p] = 0
"""
    check = ReplayCheck(rules_of(game_of(rules)).rules)
    check.check([(2, 0), (2, 0)])
    (finding,) = check.findings
    assert finding.hint == "beyond the edge of the board there is no cell: `c + i*east is some and ...`"


def test_a_dead_end_is_told_with_its_phase_and_play() -> None:
    kind = replace(BID.choosers[0].kinds[0], where=const(0, BOOL))
    finding = only_finding(with_phase(replace(BID, choosers=(replace(BID.choosers[0], kinds=(kind,)),))))
    assert (finding.kind, finding.is_error, finding.span) == ("dead_end", True, BID.choosers[0].span)
    assert len(finding.play) == 1


def test_payoffs_outside_their_bounds_are_errors() -> None:
    finding = only_finding(replace(GAME, utility_bounds=((-100, 100), (-4, 4))))
    assert (finding.kind, finding.is_error) == ("utility_bounds", True)
    assert "payoff of `two`" in finding.message


def test_estimates_outside_the_utilities_are_doubts() -> None:
    finding = only_finding(replace(GAME, estimate=(const(0.0, REAL), const(200.0, REAL))))
    assert (finding.kind, finding.is_error) == ("estimate_bounds", False)
    assert "estimate of `two` is 200" in finding.message


def test_payoffs_that_do_not_sum_to_what_is_stated_are_errors() -> None:
    assert check_of(replace(GAME, stated_sum=typed.StatedSum(0.0, at(70)))).findings == []
    finding = only_finding(replace(GAME, stated_sum=typed.StatedSum(1.0, at(70))))
    assert (finding.kind, finding.is_error, finding.span) == ("other_sum", True, at(70))
    assert finding.message == "the payoffs are said to sum to 1, got 0"
    assert finding.play


def test_a_replay_ends_with_its_trace() -> None:
    replay = Replay(Interpreter(GAME), Layout(GAME), [(0, 0, 1), (1, 0, 0)])
    assert [made.new.phase for made in replay.transitions()] == ["bid", "talk"]
    assert replay.state.phase == "talk"
    assert replay.texts() == ("deal: 2", "bid: one 3, two 1")


def test_symmetry_is_tried_by_exchanging_the_players() -> None:
    assert check_of(GAME).is_symmetric is False
    first_bid_ends = replace(BID, transfers=(typed.Transfer(None, None, at(6)),))
    higher = [
        typed.Unary("real", binary("greater", bid_of(mine), bid_of(1 - mine)), REAL, at(50)) for mine in (ONE, TWO)
    ]
    symmetric = replace(with_phase(first_bid_ends), phases=(DEAL, first_bid_ends), payoff=tuple(higher))
    assert check_of(symmetric).is_symmetric is True


def bid_of(player: int) -> typed.Expression:
    return typed.Unwrap(read(MADE, const(player, PLAYER)), "", NUMBER, at(50))


def test_the_caller_says_when_to_stop() -> None:
    asked = iter([True, False])
    check = ReplayCheck(GAME, lambda: next(asked))
    check.check([(0, 0, 1), (1, 0, 0), (0, 0, 0)])
    assert (check.games, check.is_symmetric) == (1, None)


@pytest.mark.long
def test_too_much_work_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggp.check_play.replays.WORK_LIMIT", 50_000)
    binders = tuple(typed.Binder(typed.Symbol(f"x{place}", NUMBER, "bound", SPAN), NUMBER) for place in range(11))
    endless = typed.Aggregate("count", binders, None, const(1, BOOL), IntType(0, 3**11), at(60))
    fits = binary("greater", endless, const(5), BOOL)
    slow = with_phase(replace(DEAL, updates=(update(POT, const(1), condition=fits),)))
    finding = only_finding(slow)
    assert (finding.kind, finding.is_error, finding.span) == ("too_much_work", True, DEAL.span)
    assert "50,000 steps" in finding.message


def test_a_long_step_is_given_up_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggp.check_play.replays.WORK_LIMIT", 10**9)
    binders = tuple(typed.Binder(typed.Symbol(f"x{place}", NUMBER, "bound", SPAN), NUMBER) for place in range(30))
    endless = typed.Aggregate("count", binders, None, const(1, BOOL), IntType(0, 3**30), at(60))
    slow = with_phase(
        replace(DEAL, updates=(update(POT, const(1), condition=binary("greater", endless, const(5), BOOL)),))
    )
    asked = iter(range(100))
    check = ReplayCheck(slow, lambda: next(asked, None) is not None)
    check.check([(0, 0, 1)])
    (finding,) = check.findings
    assert (finding.kind, finding.is_error) == ("too_much_work", False)
