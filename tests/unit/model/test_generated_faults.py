"""Faults: the plain form raises, the native form says so in words, and nothing is written outside its arrays."""

from __future__ import annotations

import dataclasses

import pytest
import small_game
from expression_games import INTEGER, SPAN, const, expression_game, integer, operation, read, variable
from native_calls import NativeCalls

from ggp.language import typed
from ggp.language.typed.types import BOOL, ArrayType, IntType, OptionType, SetType
from ggp.model.faults import LimitExceeded, RulesFault
from ggp.model.generate import module
from ggp.model.makers.rules import game_of_rules, rules_of


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE", str(tmp_path))


N = variable("n", IntType(0, 9), 0)
SOME = variable("some", OptionType(IntType(0, 9)), None)
NOTHING = variable("nothing", SetType(IntType(0, 9)), frozenset())
SMALL = IntType(-20, 20)
SYMBOL = typed.Symbol("x", IntType(0, 9), "bound", SPAN)

FAULTY = {
    "out_of_range": typed.Guard(
        operation("subtract", read(N), integer(1), SMALL), "`n` takes 0..9", IntType(0, 9), SPAN
    ),
    "is_none": typed.Unwrap(read(SOME), "`some` is none here", IntType(0, 9), SPAN),
    "division_by_zero": operation("div", integer(7), read(N), SMALL),
    "empty": typed.SetFold("minimum", read(NOTHING), IntType(0, 9), SPAN),
}
MORE = {
    "division_by_zero": operation("mod", integer(7), read(N), SMALL),
    "empty": typed.Aggregate(
        "maximum", (typed.Binder(SYMBOL, read(NOTHING)),), None, typed.Local(SYMBOL, SYMBOL.type, SPAN), INTEGER, SPAN
    ),
}


def with_update(value: typed.Expression) -> typed.Game:
    """Return a game whose only transition assigns a value."""
    rules = expression_game([N, SOME, NOTHING], [])
    target = variable("target", SMALL, 0)
    update = typed.Update(target, (), value, (), None, None, True, SPAN)
    (phase,) = rules.phases
    return dataclasses.replace(
        rules, variables=(*rules.variables, target), phases=(dataclasses.replace(phase, updates=(update,)),)
    )


@pytest.mark.parametrize(("kind", "value"), [*FAULTY.items(), *MORE.items()])
def test_a_fault_in_a_transition(kind: str, value: typed.Expression) -> None:
    game = game_of_rules(with_update(value))
    native = NativeCalls(game)
    state = rules_of(game).plain.initial()
    with pytest.raises(RulesFault) as raised:
        rules_of(game).plain.step(state, [0, 0, 0])
    assert raised.value.kind == kind
    new = native.step(state, [0, 0, 0])
    assert rules_of(game).plain.sites[new[1] - 1].kind == kind
    assert native.actors(new) == -1
    assert native.playout(state, [5], 10)[0] == -2
    assert native.playout(new, [5], 10)[0] == -2
    with pytest.raises(RulesFault):
        game.state(new).is_terminal()


@pytest.mark.parametrize("value", FAULTY.values())
def test_what_is_not_evaluated_does_not_fail(value: typed.Expression) -> None:
    never = operation("less", read(N), integer(0))
    guarded = typed.If(never, value, integer(3), SMALL, SPAN)
    either = operation("or", operation("equal", read(N), integer(0)), operation("equal", value, integer(1)))
    for expression in (guarded, typed.If(either, integer(4), integer(5), SMALL, SPAN)):
        game = game_of_rules(with_update(expression))
        state = rules_of(game).plain.initial()
        new = rules_of(game).plain.step(state, [0, 0, 0])
        assert new[-1] in (3, 4)
        assert NativeCalls(game).step(state, [0, 0, 0]) == new


def test_the_value_and_the_place_are_told() -> None:
    game = game_of_rules(with_update(FAULTY["out_of_range"]))
    with pytest.raises(RulesFault, match=r"expressions.rules:1:1: `n` takes 0..9, got -1"):
        game.initial().apply([0, 0])


def test_a_fault_while_listing_actions() -> None:
    talk = small_game.TALK
    rules = dataclasses.replace(small_game.GAME, phases=(talk,))
    game = game_of_rules(rules)
    native = NativeCalls(game)
    state = rules_of(game).plain.initial()
    assert state[2] == 0, "no card is dealt"
    with pytest.raises(RulesFault) as raised:
        rules_of(game).plain.legal(state, 0)
    assert raised.value.kind == "is_none"
    assert rules_of(game).plain.sites[-native.legal(state, 0)[0] - 1].kind == "is_none"
    assert native.playout(state, [5], 10)[0] in (-2, -3)


def test_two_assignments_to_one_element() -> None:
    target = variable("target", ArrayType((IntType(0, 9),), SMALL), (0,) * 10)
    x = typed.Symbol("x", IntType(0, 9), "bound", SPAN)
    half = operation("div", typed.Local(x, x.type, SPAN), integer(2), IntType(0, 4))
    rules = expression_game([N, target], [])
    (phase,) = rules.phases
    update = typed.Update(target, (half,), integer(1), (typed.Binder(x, IntType(0, 9)),), None, None, False, SPAN)
    game = game_of_rules(dataclasses.replace(rules, phases=(dataclasses.replace(phase, updates=(update,)),)))
    with pytest.raises(RulesFault) as raised:
        rules_of(game).plain.step(rules_of(game).plain.initial(), [0, 0, 0])
    assert raised.value.kind == "conflict"
    new = NativeCalls(game).step(rules_of(game).plain.initial(), [0, 0, 0])
    assert rules_of(game).plain.sites[new[1] - 1].kind == "conflict"


def test_a_player_without_a_legal_action() -> None:
    rules = expression_game([N], [])
    (phase,) = rules.phases
    (chooser,) = phase.choosers
    kind = dataclasses.replace(chooser.kinds[0], where=operation("less", read(N), integer(0)))
    phase = dataclasses.replace(phase, choosers=(dataclasses.replace(chooser, kinds=(kind,)),))
    game = game_of_rules(dataclasses.replace(rules, phases=(phase,)))
    with pytest.raises(RulesFault) as raised:
        game.initial().legal(0)
    assert raised.value.kind == "dead_end"
    native = NativeCalls(game)
    assert native.legal(rules_of(game).plain.initial(), 0) == []
    assert native.playout(rules_of(game).plain.initial(), [5], 10) == (-3, [0.0, 0.0])


@pytest.mark.parametrize("domain", [NOTHING, None])
def test_chance_that_cannot_draw(domain: typed.Variable | None) -> None:
    x = typed.Symbol("x", IntType(0, 9), "draw", SPAN)
    component = typed.Component(x, x, IntType(0, 9), IntType(0, 9) if domain is None else read(domain))
    weight = None if domain is not None else const(0, IntType(0, 0))
    chance = typed.Chance((component,), weight, True, SPAN)
    phase = typed.Phase("roll", chance, (), (), (), (), (typed.Transfer(None, None, SPAN),), SPAN)
    game = game_of_rules(dataclasses.replace(expression_game([NOTHING, N], []), phases=(phase,)))
    native, state = NativeCalls(game), rules_of(game).plain.initial()
    kind = "empty" if domain is not None else "weights"
    for call in (lambda: rules_of(game).plain.chance(state), lambda: rules_of(game).plain.sample_chance(state, [5])):
        with pytest.raises(RulesFault) as raised:
            call()
        assert raised.value.kind == kind
    assert rules_of(game).plain.sites[-native.sample_chance(state, [5]) - 1].kind == kind
    assert native.playout(state, [5], 10)[0] == -2


def test_limits_are_errors_before_anything_is_allocated(monkeypatch) -> None:
    huge = variable("huge", ArrayType((IntType(1, 1000), IntType(1, 1000)), BOOL), (0,) * 1_000_000)
    with pytest.raises(LimitExceeded, match="words of state"):
        game_of_rules(expression_game([huge], []))
    monkeypatch.setattr(module, "MAX_STATEMENTS", 20)
    with pytest.raises(LimitExceeded, match="lines of generated code"):
        game_of_rules(small_game.GAME)
