"""The interpreter on a small game with a weighted deal, simultaneous bids and several kinds of move, and variants."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ggp.drawing import draw
from ggp.faults import LimitExceeded, RulesFault
from ggp.interpreter.interpreter import Interpreter, Seen, WorldState
from ggp.language import typed
from ggp.language.evaluation.expressions import evaluate
from ggp.language.evaluation.scope import Action, Scope
from ggp.language.typed import Expression, Symbol
from ggp.language.typed.types import IntType
from ggp.scene.terminal import DrawnCell
from tests.support.library import typed_game
from tests.support.small_game import ONE, RULES, SPAN, TWO

FOLD, RAISE_1, RAISE_2 = Action(0, 0, ()), Action(0, 1, (1,)), Action(0, 1, (2,))


def play_of(old: str = "", new: str = "", **limits: int) -> Interpreter:
    """Return the game with a part of its rules replaced."""
    assert old in RULES
    return Interpreter(typed_game(RULES.replace(old, new) if old else RULES), **limits)


PLAY = play_of()


def bid(value: int) -> Action:
    return Action(0, 0, (value,))


def state(phase: str | None, card: int | None = 3, bidders: frozenset[int] = frozenset({ONE, TWO})) -> WorldState:
    return WorldState(phase, (card, bidders, (None, None), ONE, 5))


BOTH = {ONE: bid(1), TWO: bid(2)}


def test_play_begins_in_the_first_phase() -> None:
    assert PLAY.initial() == state("deal", None)
    assert PLAY.is_chance(PLAY.initial())
    assert PLAY.actors(PLAY.initial()) == ()


def test_chance_leaves_out_what_has_no_weight_changes_the_state_and_is_seen() -> None:
    assert PLAY.chance_outcomes(PLAY.initial()) == [((2,), 1 / 3), ((3,), 2 / 3)]
    assert PLAY.step(PLAY.initial(), (2,)) == state("bid", 2)
    assert PLAY.observation(PLAY.initial(), (2,), ONE) == (Seen(0, (2,)),)
    assert PLAY.observation(PLAY.initial(), (2,), TWO) == ()


@pytest.mark.parametrize(
    "drawn", ["a in 3 of 1..6, b in all - a", "a in 1..3, b in 2 of 1..4", "a in 1..2, b in 1..4 weight b - 1"]
)
def test_outcomes_are_counted_from_one_of_them(drawn: str) -> None:
    game = typed_game(f'game g "G"\nplayers one\nphase deal\n    chance draws {drawn}\n    next end\npayoff[p] = 0\n')
    interpreter = Interpreter(game)
    deal = interpreter.initial()
    outcomes = [outcome for outcome, _ in interpreter.chance_outcomes(deal)]
    assert {interpreter.outcome_count(deal, outcome) for outcome in outcomes} == {len(outcomes)}
    assert interpreter.outcome_count(deal, (*outcomes[0][:-1], 9)) == 0


def test_where_is_asked_of_each_value() -> None:
    assert PLAY.actors(state("bid", 2)) == (ONE, TWO)
    assert PLAY.legal(state("bid", 2), TWO) == [bid(1), bid(3)]


def test_who_does_not_act_has_no_actions_and_chooses_none() -> None:
    alone = state("bid", 3, frozenset({TWO}))
    assert PLAY.actors(alone) == (TWO,)
    assert PLAY.legal(alone, ONE) == []
    assert PLAY.step(alone, {TWO: bid(1)}).values[2] == (None, 1)
    assert PLAY.observation(alone, {TWO: bid(1)}, ONE) == (Seen(0, (None,)),)


@pytest.mark.parametrize(
    ("old", "new", "asked", "kind", "told", "where"),
    [
        ("weight a - 1", "weight pot - 6", "deal", "weights", "negative", "chance draws"),
        ("weight a - 1", "weight pot - 5", "deal", "weights", "add up to 0", "chance draws"),
        ("a in 1..3 weight a - 1", "a in {k in 1..3: k > pot}", "deal", "empty", "nothing to draw `a` from", ""),
        ("p in bidders", "p in bidders - {one, two}", "bid", "empty", "nobody acts in phase `bid`", "each p in"),
        ("b != card", "b > pot", "bid", "dead_end", "`one` has to act", "each p in"),
        (
            "each p in bidders chooses b in 1..3 where b != card\n    bids[p] := b[p] for p in player\n"
            '    sees each w: b[w]\n    sees all: "bid made" if b[one] == 2',
            "one chooses b in 1..3\n    turn chooses c in 1..3",
            *("bid", "conflict", "acts twice", ""),
        ),
        ("    sees each w", "    bids[two] := 1\n    sees each w", "step", "conflict", "assigned twice", "bids[two]"),
        (
            *("    sees each w", "    bids[two] := 2 if pot == 5\n    sees each w"),
            *("step", "conflict", "`bids` is assigned twice", "bids[two]"),
        ),
    ],
)
def test_faults_tell_kind_and_place(old: str, new: str, asked: str, kind: str, told: str, where: str) -> None:
    text = RULES.replace(old, new)
    play = play_of(old, new)
    ask: dict[str, Callable[[], object]] = {
        "deal": lambda: play.chance_outcomes(play.initial()),
        "bid": lambda: [play.legal(state("bid"), player) for player in play.actors(state("bid"))],
        "step": lambda: play.step(state("bid"), BOTH),
    }
    with pytest.raises(RulesFault, match=told) as caught:
        ask[asked]()
    assert caught.value.kind == kind
    assert where in text.splitlines()[caught.value.span.line - 1]


def test_the_first_transfer_that_holds_in_the_new_state_is_taken() -> None:
    assert PLAY.step(state("bid"), BOTH) == WorldState("talk", (3, frozenset({ONE, TWO}), (1, 2), ONE, 5))
    assert PLAY.step(state("bid"), {ONE: bid(1), TWO: bid(1)}).phase is None


def test_each_player_is_told_what_binds_to_it_and_what_its_condition_lets_through() -> None:
    assert PLAY.observation(state("bid"), BOTH, ONE) == (Seen(0, (1,)),)
    assert PLAY.observation(state("bid"), BOTH, TWO) == (Seen(0, (2,)),)
    told = PLAY.observation(state("bid"), {ONE: bid(2), TWO: bid(2)}, TWO)
    assert told == (Seen(0, (2,)), Seen(1, ("bid made",)))


def test_kinds_of_action_and_statements_on_one() -> None:
    assert PLAY.legal(state("talk"), ONE) == [FOLD, RAISE_1, RAISE_2]
    assert PLAY.legal(state("talk", 1), ONE) == [FOLD]
    assert PLAY.legal(state("talk"), TWO) == []
    assert PLAY.step(state("talk"), {ONE: FOLD}).values[3:] == (TWO, 5)
    assert PLAY.step(state("talk"), {ONE: RAISE_2}).values[3:] == (TWO, 7)
    assert PLAY.observation(state("talk"), {ONE: FOLD}, TWO) == ()
    assert PLAY.observation(state("talk"), {ONE: RAISE_2}, TWO) == (Seen(0, (RAISE_2,)),)


@pytest.mark.parametrize(
    ("update", "bids"),
    [
        ("bids[one] := bids[two]\n    bids[two] := bids[one]", (2, 1)),  # the old ones
        ("bids[p] := none for p in player if p == two", (1, None)),
        ("bids[p] := b[p] for p in player\n    bids[two] := 1 if pot > 5", (1, 3)),
    ],
)
def test_updates_read_the_old_state_and_change_what_they_name(update: str, bids: tuple[int | None, ...]) -> None:
    old = WorldState("bid", (3, frozenset({ONE, TWO}), (1, 2), ONE, 5))
    play = play_of("bids[p] := b[p] for p in player", update)
    assert play.step(old, {ONE: bid(1), TWO: bid(3)}).values[2] == bids


def test_utilities_and_estimates() -> None:
    assert PLAY.utilities(WorldState(None, (3, frozenset(), (1, 1), TWO, 7))) == (-7.0, 7.0)
    assert PLAY.estimates(state("bid")) is None
    guess = play_of("payoff[p]", "estimate[p] = if p == one then 0.5 else -0.5\npayoff[p]")
    assert guess.estimates(state("bid")) == (0.5, -0.5)


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
    board = """board cell = grid(2, 2)
let shown = {a1, b2}
display grid cell
    a1: "R" red
    (shown + {b2}): "#"
    line "pot" pot
"""
    drawing = draw(play_of("state\n", board + "state\n"), state("bid"))
    blank, wall, red = DrawnCell("", None), DrawnCell("#", None), DrawnCell("R", "red")
    assert drawing.rows == ((blank, wall), (red, blank))
    assert drawing.lines == (("pot", "5"),)


# --- evaluation; values of expressions are in `tests/property/test_expressions.py` ------------------------------------

WIDE = IntType(-100, 100)


def test_work_is_limited() -> None:
    with pytest.raises(LimitExceeded):
        play_of(work_limit=2).legal(state("bid"), ONE)
    binders = tuple(typed.Binder(Symbol(f"x{place}", WIDE, "bound", SPAN), IntType(1, 5)) for place in range(10))
    count = typed.Aggregate("count", binders, None, typed.Constant(1, WIDE, SPAN), WIDE, SPAN)
    with pytest.raises(LimitExceeded):
        evaluate(count, Scope({}, work_limit=1000))


def test_chains_of_definitions_do_not_explode() -> None:
    body: Expression = typed.Constant(1, WIDE, SPAN)
    for depth in range(60):
        function = typed.Function(f"f{depth}", (), body, WIDE, True, None, SPAN)
        call = typed.Call(function, (), WIDE, SPAN)
        body = typed.Binary("add", call, call, WIDE, SPAN)
    assert evaluate(body, Scope({}, work_limit=1000)) == 2**60


def test_functions_of_choices_are_evaluated_anew_while_choices_are_tried() -> None:
    choice = Symbol("choice", WIDE, "bound", SPAN)
    function = typed.Function("f", (), typed.Local(choice, WIDE, SPAN), WIDE, True, "place", SPAN)
    scope = Scope({}, settled=False)
    for code in (1, 2):
        scope.symbols[choice] = code
        assert evaluate(typed.Call(function, (), WIDE, SPAN), scope) == code
