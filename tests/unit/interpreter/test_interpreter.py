"""The interpreter on a small game (`small_game.py` says which)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.drawing import draw
from ggp.faults import LimitExceeded, RulesFault
from ggp.interpreter.interpreter import Interpreter, Seen, WorldState
from ggp.language import typed
from ggp.language.evaluation.scope import Action
from ggp.language.typed import Expression
from ggp.language.typed.types import BOOL, CellType, OptionType, SetType
from ggp.scene.terminal import DrawnCell
from tests.support.small_game import (
    BID,
    BIDS,
    DEAL,
    GAME,
    MADE,
    NUMBER,
    ONE,
    PLAYER,
    POT,
    REAL,
    SPAN,
    TWO,
    A,
    at,
    const,
    read,
    update,
)

PLAY = Interpreter(GAME)


def with_phase(phase: typed.Phase) -> Interpreter:
    phases = tuple(phase if old.name == phase.name else old for old in GAME.phases)
    return Interpreter(replace(GAME, phases=phases))


def bid(value: int) -> Action:
    return Action(0, 0, (value,))


FOLD, RAISE_1, RAISE_2 = Action(0, 0, ()), Action(0, 1, (1,)), Action(0, 1, (2,))


def state(phase: str | None, card: int | None = 3, bidders: frozenset[int] = frozenset({ONE, TWO})) -> WorldState:
    return WorldState(phase, (card, bidders, (None, None), ONE, 5))


def test_play_begins_in_the_first_phase() -> None:
    assert PLAY.initial() == state("deal", None)
    assert PLAY.is_chance(PLAY.initial())
    assert PLAY.actors(PLAY.initial()) == ()


def test_chance_leaves_out_what_has_no_weight() -> None:
    assert PLAY.chance_outcomes(PLAY.initial()) == [((2,), 1 / 3), ((3,), 2 / 3)]


def test_chance_changes_the_state_and_is_seen() -> None:
    assert PLAY.step(PLAY.initial(), (2,)) == state("bid", 2)
    assert PLAY.observation(PLAY.initial(), (2,), ONE) == (Seen(0, (2,)),)
    assert PLAY.observation(PLAY.initial(), (2,), TWO) == ()


@pytest.mark.parametrize(("weight", "reason"), [(const(-1), "negative"), (const(0), "add up to 0")])
def test_weights_that_are_no_distribution_are_faults(weight: Expression, reason: str) -> None:
    assert DEAL.chance is not None
    play = with_phase(replace(DEAL, chance=replace(DEAL.chance, weight=weight)))
    with pytest.raises(RulesFault, match=reason) as caught:
        play.chance_outcomes(play.initial())
    assert (caught.value.kind, caught.value.span) == ("weights", DEAL.chance.span)


def test_drawing_from_nothing_is_a_fault() -> None:
    assert DEAL.chance is not None
    nothing = typed.Component(A, A, NUMBER, const(frozenset(), SetType(NUMBER)))
    play = with_phase(replace(DEAL, chance=replace(DEAL.chance, components=(nothing,))))
    with pytest.raises(RulesFault, match="nothing to draw `a` from") as caught:
        play.chance_outcomes(play.initial())
    assert caught.value.kind == "empty"


def test_where_is_asked_of_each_value() -> None:
    assert PLAY.actors(state("bid", 2)) == (ONE, TWO)
    assert PLAY.legal(state("bid", 2), TWO) == [bid(1), bid(3)]


def test_who_does_not_act_has_no_actions_and_chooses_none() -> None:
    alone = state("bid", 3, frozenset({TWO}))
    assert PLAY.actors(alone) == (TWO,)
    assert PLAY.legal(alone, ONE) == []
    assert PLAY.step(alone, {TWO: bid(1)}).values[2] == (None, 1)
    assert PLAY.observation(alone, {TWO: bid(1)}, ONE) == (Seen(0, (None,)),)


def test_nobody_to_act_is_a_fault() -> None:
    with pytest.raises(RulesFault, match="nobody acts in phase `bid`") as caught:
        PLAY.actors(state("bid", 3, frozenset()))
    assert (caught.value.kind, caught.value.span) == ("empty", BID.choosers[0].span)


def test_no_legal_action_is_a_dead_end() -> None:
    kind = replace(BID.choosers[0].kinds[0], where=const(0, BOOL))
    play = with_phase(replace(BID, choosers=(replace(BID.choosers[0], kinds=(kind,)),)))
    with pytest.raises(RulesFault, match="`two` has to act") as caught:
        play.legal(state("bid"), TWO)
    assert (caught.value.kind, caught.value.span) == ("dead_end", BID.choosers[0].span)


def test_one_player_cannot_act_twice() -> None:
    alone = replace(BID.choosers[0], actors=None, actor=const(ONE, PLAYER))
    play = with_phase(replace(BID, choosers=(alone, alone)))
    with pytest.raises(RulesFault, match="acts twice") as caught:
        play.actors(state("bid"))
    assert caught.value.kind == "conflict"


def test_the_first_transfer_that_holds_in_the_new_state_is_taken() -> None:
    assert PLAY.step(state("bid"), {ONE: bid(1), TWO: bid(2)}) == WorldState(
        "talk", (3, frozenset({ONE, TWO}), (1, 2), ONE, 5)
    )
    assert PLAY.step(state("bid"), {ONE: bid(1), TWO: bid(1)}).phase is None


def test_each_player_is_told_what_binds_to_it_and_what_its_condition_lets_through() -> None:
    joint = {ONE: bid(1), TWO: bid(2)}
    assert PLAY.observation(state("bid"), joint, ONE) == (Seen(0, (1,)),)
    assert PLAY.observation(state("bid"), joint, TWO) == (Seen(0, (2,)),)
    joint[ONE] = bid(2)
    assert PLAY.observation(state("bid"), joint, TWO) == (Seen(0, (2,)), Seen(1, ("bid made",)))


def test_kinds_of_action() -> None:
    assert PLAY.legal(state("talk"), ONE) == [FOLD, RAISE_1, RAISE_2]
    assert PLAY.legal(state("talk", 1), ONE) == [FOLD]
    assert PLAY.legal(state("talk"), TWO) == []


def test_statements_on_a_kind_concern_that_kind_only() -> None:
    assert PLAY.step(state("talk"), {ONE: FOLD}).values[3:] == (TWO, 5)
    assert PLAY.step(state("talk"), {ONE: RAISE_2}).values[3:] == (TWO, 7)
    assert PLAY.observation(state("talk"), {ONE: FOLD}, TWO) == ()
    assert PLAY.observation(state("talk"), {ONE: RAISE_2}, TWO) == (Seen(0, (RAISE_2,)),)


def test_updates_read_the_old_state() -> None:
    swap = with_phase(
        replace(
            BID,
            updates=(
                update(MADE, read(MADE, const(TWO, PLAYER)), indices=(const(ONE, PLAYER),)),
                update(MADE, read(MADE, const(ONE, PLAYER)), indices=(const(TWO, PLAYER),)),
            ),
        )
    )
    old = WorldState("bid", (3, frozenset({ONE}), (1, 2), ONE, 5))
    assert swap.step(old, {ONE: bid(1)}).values[2] == (2, 1)


def test_whole_arrays_are_assigned_at_once() -> None:
    play = with_phase(replace(BID, updates=(update(MADE, const((3, None), BIDS)),)))
    assert play.step(state("bid"), {ONE: bid(1), TWO: bid(2)}).values[2] == (3, None)


@pytest.mark.parametrize(
    "second",
    [
        update(MADE, const(1), 12, indices=(const(TWO, PLAYER),)),
        update(MADE, const((1, 1), BIDS), 12),
        update(MADE, const(2), 12, indices=(const(TWO, PLAYER),), condition=const(1, BOOL)),
    ],
)
def test_two_assignments_to_one_element_are_a_fault(second: typed.Update) -> None:
    play = with_phase(replace(BID, updates=(*BID.updates, second)))
    with pytest.raises(RulesFault, match="`bids` is assigned twice") as caught:
        play.step(state("bid"), {ONE: bid(1), TWO: bid(2)})
    assert (caught.value.kind, caught.value.span) == ("conflict", at(12))


def test_an_update_whose_condition_fails_meets_nothing() -> None:
    idle = update(MADE, const(1), 12, indices=(const(TWO, PLAYER),), condition=const(0, BOOL))
    play = with_phase(replace(BID, updates=(*BID.updates, idle)))
    assert play.step(state("bid"), {ONE: bid(1), TWO: bid(2)}).values[2] == (1, 2)


def test_utilities_and_estimates() -> None:
    assert PLAY.utilities(WorldState(None, (3, frozenset(), (1, 1), TWO, 7))) == (-7.0, 7.0)
    assert PLAY.estimates(state("bid")) is None
    guess = Interpreter(replace(GAME, estimate=(const(0.5, REAL), const(-0.5, REAL))))
    assert guess.estimates(state("bid")) == (0.5, -0.5)


def test_work_is_limited_in_one_call() -> None:
    with pytest.raises(LimitExceeded):
        Interpreter(GAME, work_limit=2).legal(state("bid"), ONE)


def test_states_compare_and_hash_by_value() -> None:
    assert len({state("bid"), state("bid"), state("talk")}) == 2


def test_without_display_every_variable_is_a_line() -> None:
    drawing = draw(PLAY, state("bid"))
    assert drawing.rows == ()
    assert drawing.lines == (
        ("card", "3"),
        ("bidders", "all"),
        ("bids", "[one: none, two: none]"),
        ("turn", "one"),
        ("pot", "5"),
    )


def test_boards_are_drawn_from_the_top_and_the_first_rule_wins() -> None:
    board = CellType("cell", 2, 2)
    rules = (
        typed.DisplayRule(const(0, board), typed.Look(None, "R", colour="red"), SPAN),
        typed.DisplayRule(const(None, OptionType(board)), typed.Look(None, "?"), SPAN),
        typed.DisplayRule(const(frozenset({0, 3}), SetType(board)), typed.Look(None, "#"), SPAN),
    )
    shown = typed.DisplayBoard(board, None, rules)
    display = typed.Display((shown,), (typed.DisplayLine("line", "pot", read(POT)),))
    drawing = draw(Interpreter(replace(GAME, display=display)), state("bid"))
    blank, wall, red = DrawnCell("", None), DrawnCell("#", None), DrawnCell("R", "red")
    assert drawing.rows == ((blank, wall), (red, blank))
    assert drawing.lines == (("pot", "5"),)
