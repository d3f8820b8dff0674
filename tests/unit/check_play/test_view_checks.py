"""`display for p` that shows more than p was told."""

from __future__ import annotations

import pytest

from ggp.check_play import view_checks
from ggp.check_play.findings import Finding
from ggp.check_play.play_account import PLAIN
from ggp.check_play.sampling import Sampler
from ggp.check_play.view_checks import telling_view
from ggp.language import typed
from ggp.rules_compiler.rules_backend import game_of_rules
from tests.support.library import typed_game
from tests.support.sweeps import WANTED

RULES = """game view "t"
players row, col
board cell = grid(3, 2)
state
    at[player]: cell = cell(1, 1)
    seen[player]: set of cell = {}
    turn: player = row
    looks: 0..6 = 0
phase place
    each p chooses c in cell
    at[p] := c[p]                                          for p in player
    sees nothing
    next look
phase look
    turn chooses c in cell
    seen[turn] := seen[turn] + {c}
    looks := looks + 1
    turn := other(turn)
    sees turn: c == at[other(turn)]
    next end if looks == 6 else look
payoff[p] = if at[other(p)] in seen[p] then 1 else 0
display for p grid cell
    at[p]: "me" green
    WHAT: "it" red
    line "mine" LINE
"""


def found_in(what: str, line: str, *, in_time: bool = True) -> Finding | None:
    return view_of(typed_game(RULES.replace("WHAT", what).replace("LINE", line)), in_time=in_time)


def view_of(game: typed.Game, *, in_time: bool = True) -> Finding | None:
    sampler = Sampler(game_of_rules(game).native(), len(game.phases), PLAIN, 100)
    return telling_view(game, sampler, 1, lambda: in_time)


@pytest.mark.sweep
@pytest.mark.parametrize("what", ["seen[p] & {at[other(p)]}", "seen[p] - {at[other(p)]}", "{} & {at[p]}"])
def test_what_a_player_was_told_may_be_shown(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if WANTED == "sample":
        monkeypatch.setattr(view_checks, "GAMES", 8)
    assert found_in(what, "seen[p]") is None


@pytest.mark.parametrize("what", ["at[other(p)]", "seen[other(p)]", "{at[other(p)]} - seen[p]"])
def test_what_it_was_not_told_is_found(what: str) -> None:
    finding = found_in(what, "seen[p]")
    assert finding is not None
    assert (finding.kind, finding.is_error, finding.span.line) == ("telling_view", False, 24)
    alike = finding.alike
    assert alike is not None
    assert alike.shown is not None
    assert alike.shown[0] != alike.shown[1]
    assert "`row`" in finding.message or "`col`" in finding.message


def test_a_line_that_changes_while_the_player_notices_nothing_is_found() -> None:
    finding = found_in("seen[p]", "looks")
    assert finding is not None
    assert finding.span.line == 25
    assert finding.alike is not None
    first, second = finding.alike.plays
    assert first != second


def test_no_time_is_no_finding() -> None:
    assert found_in("at[other(p)]", "seen[p]", in_time=False) is None


@pytest.mark.long
def test_states_between_the_parts_of_a_draw_are_shown_to_nobody() -> None:
    rules = """game dice "Eight dice for each"
players row, col
type slot = 1..8
state
    sixes[player]: 0..8 = 0
phase roll
    chance draws a[i in slot] in 1..6, b[i in slot] in 1..6
    sixes[row] := count i in slot: a[i] == 6
    sixes[col] := count i in slot: b[i] == 6
    sees row: a
    sees col: b
    next claim
phase claim
    each p chooses c in 0..8
    next end
payoff[p] = sixes[p]
display for p
    line "sixes" sixes[WHOSE]
"""
    for whose, telling in (("p", False), ("other(p)", True)):
        game = typed_game(rules.replace("WHOSE", whose))
        follows = [phase.follows for phase in game.phases]
        assert follows == [False, *(len(follows) - 2) * [True], False]
        assert len(follows) > 3
        assert (view_of(game) is not None) is telling


@pytest.mark.parametrize(("shown", "is_telling"), [("score[p]", False), ("score", True)])
def test_states_that_pass_by_themselves_are_shown_to_nobody(shown: str, is_telling: bool) -> None:
    rules = """game tell "A draw told by the phase after it"
players row, col
state
    score[player]: 0..3 = 0
phase roll
    chance draws a in 1..3, b in 1..3
    score[row] := a
    score[col] := b
    sees nothing
    next tell
phase tell
    sees each p: score[p]
    next claim
phase claim
    each p chooses c in 0..8
    next end
payoff[p] = score[p]
display for p
    line "score" SHOWN
"""
    assert (view_of(typed_game(rules.replace("SHOWN", shown))) is not None) is is_telling
