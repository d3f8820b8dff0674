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
from ggp.rules_compiler.rules_backend import rules_of
from tests.support.library import game_of, one_phase
from tests.support.small_game import DEAL, GAME, RULES, SPAN, varied


def check_of(game: typed.Game, times: int = 1) -> ReplayCheck:
    """Check all plays of the small game."""
    check = ReplayCheck(game)
    for deal, one, two, talk in times * [*product((1, 2), (0, 1), (0, 1), range(3))]:
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
    finding = only_finding(varied(("pot: 0..9", "pot: 0..5")))
    assert (finding.kind, finding.is_error) == ("out_of_range", True)
    assert "pot + k" in RULES.splitlines()[finding.span.line - 1]
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


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        (
            "(all i in 0..1: chips[c + i*east])",
            "beyond the edge of the board there is no cell: `c + i*east is some and ...`",
        ),
        ("chips[cell(c.x + 1, c.y)]", "`c + m*east + n*north` is none there"),
    ],
)
def test_cells_that_the_board_does_not_have_are_told_with_what_to_write_instead(condition: str, hint: str) -> None:
    phase = f"ann chooses c in cell\nnext end if {condition} else go"
    rules = one_phase(phase, "chips[cell]: bool = yes", "board cell = grid(3, 2)", players="ann")
    check = ReplayCheck(rules_of(game_of(rules)).rules)
    check.check([(2, 0), (2, 0)])
    (finding,) = check.findings
    assert hint in finding.hint


def test_a_dead_end_is_told_with_its_phase_and_play() -> None:
    game = varied(("where b != card", "where no"))
    finding = only_finding(game)
    assert (finding.kind, finding.is_error, finding.span) == ("dead_end", True, game.phases[1].choosers[0].span)
    assert len(finding.play) == 1


def test_payoffs_outside_their_bounds_are_errors() -> None:
    finding = only_finding(replace(GAME, utility_bounds=((-100, 100), (-4, 4))))
    assert (finding.kind, finding.is_error) == ("utility_bounds", True)
    assert "payoff of `two`" in finding.message


def test_estimates_outside_the_utilities_are_doubts() -> None:
    finding = only_finding(varied(("payoff", "estimate[p] = if p == one then 0 else 200\npayoff")))
    assert (finding.kind, finding.is_error) == ("estimate_bounds", False)
    assert "estimate of `two` is 200" in finding.message


def test_payoffs_that_do_not_sum_to_what_is_stated_are_errors() -> None:
    assert check_of(replace(GAME, stated_sum=typed.StatedSum(0.0, SPAN))).findings == []
    finding = only_finding(replace(GAME, stated_sum=typed.StatedSum(1.0, SPAN)))
    assert (finding.kind, finding.is_error, finding.span) == ("other_sum", True, SPAN)
    assert finding.message == "the payoffs are said to sum to 1, got 0"
    assert finding.play


def test_a_replay_ends_with_its_trace() -> None:
    replay = Replay(Interpreter(GAME), Layout(GAME), [(0, 0, 1), (1, 0, 0)])
    assert [made.new.phase for made in replay.transitions()] == ["bid", "talk"]
    assert replay.state.phase == "talk"
    assert replay.texts() == ("deal: 2", "bid: one 3, two 1")


def test_symmetry_is_tried_by_exchanging_the_players() -> None:
    assert check_of(GAME).is_symmetric is False
    equal = (
        (RULES[RULES.index("phase talk") : RULES.index("payoff")], ""),
        (" if bids[one] == bids[two] else talk", ""),
        ("if p == turn then pot else -pot", "if bids[p] > bids[other(p)] then 1 else 0"),
        ('    sees all: "bid made" if b[one] == 2\n', ""),
    )
    assert check_of(varied(*equal), times=2).is_symmetric is False, "one of them alone is told the card"
    symmetric = varied(*equal, ("sees one: a", "sees all: a"))
    assert check_of(symmetric).is_symmetric is None  # in 12 games that were no draw: too few
    assert check_of(symmetric, times=2).is_symmetric is True


def long_deal(variables: int) -> typed.Game:
    """Return the game with a deal that counts through all values of some variables."""
    binders = ", ".join(f"x{place} in 1..3" for place in range(variables))
    return varied(("card := a", f"card := a\n    pot := 1 if (count {binders}: a > 0) > 5"))


def test_the_caller_says_when_to_stop() -> None:
    asked = iter([True, False])
    check = ReplayCheck(GAME, lambda: next(asked))
    check.check([(0, 0, 1), (1, 0, 0), (0, 0, 0)])
    assert (check.games, check.is_symmetric) == (1, None)


@pytest.mark.long
def test_too_much_work_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggp.check_play.replays.WORK_LIMIT", 50_000)
    finding = only_finding(long_deal(11))
    assert (finding.kind, finding.is_error, finding.span) == ("too_much_work", True, DEAL.span)
    assert "50,000 steps" in finding.message


def test_a_long_step_is_given_up_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggp.check_play.replays.WORK_LIMIT", 10**9)
    asked = iter(range(100))
    check = ReplayCheck(long_deal(13), lambda: next(asked, None) is not None)
    check.check([(0, 0, 1)])
    (finding,) = check.findings
    assert (finding.kind, finding.is_error) == ("too_much_work", False)
