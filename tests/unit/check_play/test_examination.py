"""What many games played natively show: leaks, faults, games without end, what was never met."""

from __future__ import annotations

import textwrap
from unittest.mock import patch

import pytest

from ggp.check_play import examination, view_checks
from ggp.check_play.examination import Examination, _Examiner, examine
from ggp.check_play.findings import Finding
from ggp.language import check, typed
from ggp.language.library import load_rules
from ggp.language.text.source import SourceFile
from ggp.rules_compiler.rules_backend import game_of_rules
from ggp.static_analysis.traits import untold_draws
from tests.support.faulty_rules import RARE_FAULT
from tests.support.library import load_typed, one_phase, typed_game
from tests.support.sweeps import WANTED

DARK = """
game dark "Three in a row in the dark"

players cross, nought
board cell = grid(3, 3)

state
    stones[player]: set of cell = {}
    tried[player]: set of cell = {}
    turn: player = cross

phase place
    turn chooses at in LEGAL
    let free = at not in stones[other(turn)]
    tried[turn] := tried[turn] + {at}
    stones[turn] := stones[turn] + {at}                    if free
    turn := other(turn)                                    if free
    sees turn: free
    sees other(turn): "your move"                          if free
    next end if count(stones[cross]) == 2 else place

payoff[p] = if p == turn then 1 else -1
"""

CARDS = """
game cards "Who acts depends on a card"
players a, b
state
    card: 1..3 = 1
phase deal
    chance draws c in 1..3
    card := c
    SEES
    next play if card == 1 else hold if card == 2 else end
phase play
    a chooses x in 1..2
    sees nothing
    next end
phase hold
    a chooses x in 1..2
    sees nothing
    next end
payoff[p] = if p == a then card else -card
"""


DEALT = ("sees other(to): c, r", "sees other(turn): c, r")


def examined(text: str, games: int = 2000, step_limit: int = 300) -> Examination:
    game = typed_game(text)
    return examine(game, game_of_rules(game).native(), 3, games, step_limit, *[lambda: True] * 3)


def only(text: str) -> Finding:
    (finding,) = examined(text).findings
    return finding


def test_legal_actions_that_depend_on_what_a_player_cannot_know_are_shown_by_two_plays() -> None:
    finding = only(DARK.replace("LEGAL", "all - stones[cross] - stones[nought]"))
    assert (finding.kind, finding.is_error, finding.span.line) == ("leak", True, 13)
    alike = finding.alike
    assert alike is not None
    assert alike.plays[0] != alike.plays[1]
    assert alike.choices[0] != alike.choices[1]
    assert "stones" not in " ".join(alike.known)
    assert examined(DARK.replace("LEGAL", "all - tried[turn]")).findings == []


@pytest.mark.parametrize("told", ["sees nothing", "sees b: c"])
def test_being_asked_may_tell_that_it_is_not_over(told: str) -> None:
    findings = examined(CARDS.replace("SEES", told)).findings
    assert [(one.kind, one.is_error, one.span.line) for one in findings] == [
        ("end_unseen", False, 12),
        ("end_unseen", False, 16),
    ]
    for finding in findings:
        assert finding.alike is not None
        assert (finding.alike.player, finding.alike.choices[1]) == ("a", ())
    assert examined(CARDS.replace("SEES", "sees a: c")).findings == []


def test_what_is_told_before_its_update_is_named_where_legal_actions_depend_on_it() -> None:
    late = """
game passed "Hands that are passed on"
players a, b
state
    held[player, bool]: 0..1 = {a: {no: 1, yes: 0}, b: {no: 1, yes: 0}}
phase deal
    each p chooses keep in bool
    held[p, x] := if keep[other(p)] == x then 1 else 0    for p in player, x in bool
    sees each p: held[p]
    next play
phase play
    each p chooses y in {x in bool: held[p, x] > 0}
    next end
payoff[p] = 0
"""
    finding = only(late)
    assert (finding.kind, finding.span.line) == ("leak", 12)
    assert "`sees` tells `held` as before the updates" in str(finding.hint)
    seen = late.replace(
        "    sees each p: held[p]\n    next play",
        "    sees nothing\n    next look\nphase look\n    sees each p: held[p]\n    next play",
    )
    assert examined(seen).findings == []


def test_only_the_pair_of_plays_that_is_shown_is_replayed() -> None:
    with patch.object(_Examiner, "_lived", autospec=True, side_effect=_Examiner._lived) as lived:
        only(DARK.replace("LEGAL", "all - stones[cross] - stones[nought]"))
    assert lived.call_count == 2


def test_phases_alike_to_a_player_are_no_leak() -> None:
    text = CARDS.replace("SEES", "sees nothing").replace("else end\n", "else play\n", 1)
    assert "end if" not in text
    assert examined(text).findings == []
    assert examined(text).information_states == 2


@pytest.mark.long
def test_draws_told_to_all_in_a_game_that_hides_things_are_doubts() -> None:
    source, _ = load_rules("poker")
    text = source.text.replace("    sees all: c\n", "")
    assert text != source.text
    assert [(one.kind, one.is_error) for one in examined(text).findings] == [("told_to_all", False)]
    assert examined(source.text).findings == []


def test_a_deal_told_to_all_is_doubted_even_if_nothing_is_hidden_then() -> None:
    source, _ = load_rules("hanabi")
    text = "\n".join(line for line in source.text.split("\n") if line.strip() not in DEALT)
    assert len(text.split("\n")) == len(source.text.split("\n")) - 2
    assert [phase.name for phase in untold_draws(typed_game(text))] == ["deal", "draw"]
    for name in ("backgammon", "pig", "goofspiel", "hanabi"):
        assert untold_draws(load_typed(name)) == ()


def test_seldom_faults_are_found_and_told_with_the_move_that_causes_them() -> None:
    shown = examined(RARE_FAULT, games=20_000)
    (finding,) = shown.findings
    assert finding.message == "`heads` takes 0..9, got 10"
    assert finding.play == ("toss: row 1",) * 10
    assert 10 <= shown.faulted <= 40
    assert shown.games == shown.finished + shown.faulted == 20_000


COUNTED = """
game counted "Its native code is made from other rules"
players row, col
state
    n: 0..2 = 1
phase toss
    row chooses k in 0..1 where k <= n + LEAST
    n := n + STEP
    next end if n == 2 else toss
payoff[p] = n - PAID
payoff sum = 4
"""


@pytest.mark.parametrize(
    ("changed", "kind", "line", "message"),
    [
        (("STEP", "2"), "out_of_range", 8, "`n` takes 0..2"),
        (("LEAST", "-2"), "dead_end", 7, "a player who acts in `toss` has no legal action"),
        (("PAID", "8"), "utility_bounds", 10, "a payoff is outside its proven bounds"),
        (("PAID", "1"), "other_sum", 10, "the payoffs do not add up to what the rules state"),
    ],
)
def test_what_fails_natively_alone_is_an_error(changed: tuple[str, str], kind: str, line: int, message: str) -> None:
    def game(*edits: tuple[str, str]) -> typed.Game:
        text = COUNTED
        for old, new in (*edits, ("STEP", "1"), ("LEAST", "0"), ("PAID", "0")):
            text = text.replace(old, new)
        return typed_game(text)

    native = game_of_rules(game(changed)).native()
    for is_in_time in (True, False):
        shown = examine(game(), native, 3, 100, 300, lambda: True, lambda: True, lambda: is_in_time)  # noqa: B023
        finding = shown.findings[0]
        assert (finding.kind, finding.is_error, finding.span.line) == (kind, True, line)
        assert message in finding.message
        assert "100 of 100 games" in finding.hint
        assert ("mistake of ggp" in finding.hint) == is_in_time


def test_games_without_end_are_errors_and_what_was_never_met_is_listed() -> None:
    text = """
game inf "Never ends"
players row, col
state
    n: 0..3 = 0
phase go
    row chooses
        stay
        leave                                              where n == 3
    on leave: n := 0
    next out if n == 2 else go
phase out
    col chooses k in 1..3
    next end
payoff[p] = 0
"""
    shown = examined(text, games=3)
    assert [(one.kind, one.is_error, one.message) for one in shown.findings] == [
        ("no_end", True, "a game of random actions had not ended after 300 transitions (3 of 3 games)")
    ]
    assert shown.findings[0].hint.endswith("one went on and on: " + "; ".join(["go: row stay"] * 6))
    assert (shown.cut, shown.finished, shown.unreached_phases) == (3, 0, ("out",))
    assert shown.unchosen_kinds == (("go", "leave"),)


def test_a_phase_in_parts_is_one_phase_in_what_is_said_of_it() -> None:
    rules = """
    game dice "Dice that are never thrown"
    players row, col
    state
        n: 0..72 = 0
    phase play
        row chooses c in 0..3
        n := c
        sees row: c
        next end if n < 5 else roll
    phase roll
        chance draws d[i in 1..12] in 1..6
        n := sum i in 1..12: d[i]
        next end
    phase lost
        chance draws d[i in 1..12] in 1..6
        n := sum i in 1..12: d[i]
        next end
    payoff[p] = n
    """
    result = check(SourceFile("dice.rules", textwrap.dedent(rules)))
    assert result.game is not None
    assert len(result.game.phases) > 3
    assert [one.message for one in result.diagnostics] == ["phase `lost` is never reached"]
    findings = examined(rules).findings
    unreached = [one.message for one in findings if one.kind == "never_reached"]
    assert unreached == [f"phase `{name}` was not reached in 2,000 random games" for name in ("roll", "lost")]
    assert [one.span.line for one in findings if one.kind == "told_to_all"] == [12, 16]


def test_a_stated_sum_is_compared_in_all_games() -> None:
    text = one_phase(
        "ann chooses x in 1..2\nn := n + 1 if x == 1\nnext end if x == 2 or n == 9 else go",
        "n: 0..9 = 0",
        payoff="if n == 9 then 1 else if p == ann then 1 else -1\npayoff sum = 0",
    )
    (finding,) = examined(text, games=20_000).findings
    assert (finding.kind, finding.message) == ("other_sum", "the payoffs are said to sum to 0, got 2")
    assert finding.play == ("go: ann 1",) * 9


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["kuhn_poker_three", "liars_dice", "phantom_tic_tac_toe", "dark_hex", "goofspiel"])
def test_nothing_is_wrong_with_the_library(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source, _ = load_rules(name)
    if WANTED == "sample":  # the interpreter takes seconds over all
        monkeypatch.setattr(view_checks, "GAMES", 4)
        monkeypatch.setattr(examination, "CHECKED_GAMES", 20)
    assert examined(source.text, games=4000, step_limit=10_000).findings == []


def test_means_are_of_random_games_and_not_of_their_twins() -> None:
    # a is paid for a 1, after which the game is over, so that its twins draw again; after others they seldom do
    text = """
        game cards "A 1 ends the game"
        players a, b
        state
            card: 1..10 = 1
            left: 0..3 = 3
        phase deal
            chance draws c in 1..10
            card := c
            sees a: c
            next end if c == 1 else wait
        phase wait
            a chooses x in 1..2
            left := left - 1
            next end if left == 0 else wait
        payoff[p] = (if p == a then 1 else -1) * (if card == 1 then 1 else 0)
    """
    shown = examined(textwrap.dedent(text), games=10_000)
    assert (shown.games, shown.finished) == (10_000, 10_000)
    for player, exact in enumerate((0.1, -0.1)):
        seen = shown.utilities[player]
        assert seen.standard_error == pytest.approx(0.003, rel=0.1)
        assert seen.mean == pytest.approx(exact, abs=4 * seen.standard_error)
    assert shown.lengths.mean == pytest.approx(0.1 + 0.9 * 4, abs=4 * shown.lengths.standard_error)
    assert shown.steps == shown.lengths.total
    assert shown.branching["wait", 0].count == shown.steps - shown.games


BACK_AND_FORTH = """
game walk "Both may stay where they are"
players a, b
type way = {stay, leave}
state
    turn: player = a
    n: 0..9 = 0
phase play
    turn chooses w in way
    n := n
    next end if w == leave or n == 9 else over
phase over
    turn := other(turn)
    next play
payoff[p] = if p == turn then 1 else -1
"""


@pytest.mark.parametrize(
    ("change", "length"),
    [
        (("n := n", "n := n"), 4),
        (("n := n", "n := n + 1"), 0),  # a limit
        (("    turn := other(turn)\n", "    chance draws d in player\n    turn := d\n"), 0),  # chance breaks it off
    ],
)
def test_plays_that_can_go_on_for_ever_are_doubted_with_the_way_back(change: tuple[str, str], length: int) -> None:
    found = [one for one in examined(BACK_AND_FORTH.replace(*change)).findings if one.kind == "comes_back"]
    assert [len(one.play) for one in found] == [length] * (length > 0)
    assert not any(one.is_error for one in found)
