"""Faults: plain Python raises, machine code says so in words, and nothing is written outside its arrays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ggp.faults import LimitExceeded, RulesFault
from ggp.game.game import Game
from ggp.interpreter.interpreter import Interpreter
from ggp.rules_compiler.emit import module
from ggp.rules_compiler.plain_module import PlainGame
from ggp.rules_compiler.rules_backend import game_of_rules, rules_of
from tests.support import small_game
from tests.support.comparison import compare_plays
from tests.support.implementations import Interpreted, Native, Plain, native_of
from tests.support.library import one_phase, typed_game


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE", str(tmp_path))


RULES = """game faulty "t"
players ann, bob
state
    n: 0..9 = 0
    m: 0..9 = 0
    some_: 0..9 or none = none
    nothing: set of 0..9 = {{}}
    many[0..9]: 0..9 = 0
    flag: bool = no
    target: -20..20 = 0
phase only
    {who}
    {update}
    next end
payoff[p] = 0
"""
FAULTY = [
    ("out_of_range", "m := n - 1", "-1"),
    ("is_none", "m := some_", None),
    ("is_none", "m := some_ + 1", None),
    ("division_by_zero", "target := 7 div n", None),
    ("division_by_zero", "target := 7 mod n", None),
    ("empty", "target := min(nothing)", None),
    ("empty", "target := max(nothing)", None),
    ("empty", "target := max x in nothing: x", None),
    ("division_by_zero", "flag := all x in 1..5: if x < 3 then yes else 7 div n == 1", None),
    ("conflict", "many[x div 2] := 1  for x in 0..9", None),
]


def faulty(update: str = "target := 1", who: str = "each p chooses q in 0..0") -> Game:
    return game_of_rules(typed_game(RULES.format(update=update, who=who)))


def fault_of(call: Callable[[], object]) -> str:
    with pytest.raises(RulesFault) as raised:
        call()
    return raised.value.kind


def both(game: Game) -> tuple[PlainGame, Native, list[int]]:
    return rules_of(game).plain, native_of(game), rules_of(game).plain.initial()


@pytest.mark.parametrize(("kind", "update", "value"), FAULTY)
def test_a_fault_in_a_transition(kind: str, update: str, value: str | None) -> None:
    game = faulty(update)
    plain, native, state = both(game)
    play = Interpreter(rules_of(game).rules)
    start = play.initial()
    with pytest.raises(RulesFault) as meant:
        play.step(start, {player: play.legal(start, player)[0] for player in (0, 1)})
    assert (meant.value.kind, meant.value.value) == (kind, value)
    assert RULES.format(who="", update=update).splitlines()[meant.value.span.line - 1].strip() == update
    assert fault_of(lambda: plain.step(state, [0, 0, 0])) == kind
    assert fault_of(lambda: native.step(state, [0, 0, 0])) == kind
    with pytest.raises(RulesFault) as told:
        game.initial().apply([0, 0])
    assert str(told.value).removeprefix("test.") == str(meant.value), "the place and the value"
    failed = [state[0], 1 + [site.kind for site in plain.sites].index(kind), *state[2:]]
    assert native.actors(failed) == -1
    assert native.playout(state, [5], 10)[0] == -2
    assert native.playout(failed, [5], 10)[0] == -2
    assert fault_of(lambda: game.state(failed).is_terminal()) == kind


@pytest.mark.parametrize(
    ("who", "kind"), [("ann chooses q in 0..some_", "is_none"), ("ann chooses q in 0..9 where n > q", "dead_end")]
)
def test_a_fault_while_listing_actions(who: str, kind: str) -> None:
    game = faulty(who=who)
    plain, native, state = both(game)
    assert native.playout(state, [5], 10)[0] == (-3 if kind == "dead_end" else -2)
    assert fault_of(lambda: game.initial().legal(0)) == kind
    if kind == "dead_end":
        assert native.legal(state, 0) == []
    else:
        assert fault_of(lambda: plain.legal(state, 0)) == fault_of(lambda: native.legal(state, 0)) == kind


@pytest.mark.parametrize(
    ("who", "kind"), [("chance draws x in nothing", "empty"), ("chance draws x in 0..9 weight n", "weights")]
)
def test_chance_that_cannot_draw(who: str, kind: str) -> None:
    plain, native, state = both(faulty(who=who))
    assert fault_of(lambda: plain.chance(state)) == kind
    assert fault_of(lambda: plain.sample_chance(state, [5])) == kind
    assert fault_of(lambda: native.sample_chance(state, [5])) == kind
    assert native.playout(state, [5], 10)[0] == -2


def test_limits_are_errors_before_anything_is_allocated(monkeypatch) -> None:
    huge = typed_game(RULES.format(update="target := 1", who="each p chooses q in 0..0").replace("0..9]", "0..15999]"))
    with pytest.raises(LimitExceeded, match="words of state"):
        game_of_rules(replace(huge, variables=huge.variables * 2))
    monkeypatch.setattr(module, "MAX_STATEMENTS", 20)
    with pytest.raises(LimitExceeded, match="lines of generated code"):
        game_of_rules(small_game.GAME)


@pytest.mark.parametrize(
    "search",
    [
        "any a in 1..8, b in 1..5, d in 1..2: mark[a + d, b] == ann and d == 2",
        "any x in 1..4, y in 1..4: owner[cell(x, y)] == ann and 4 div weight[cell(x, y)] > 0",
    ],
)
def test_a_search_in_another_order_meets_no_other_fault(search: str) -> None:
    rules = one_phase(
        f"ann chooses n in 1..8\nmark[n, 1] := bob if n < 4\nowner[c4] := ann\nfound := {search}\n"
        "made := made + 1\nnext end if made == 2 else go",
        "mark[column: 1..8, 1..5]: player or none = if column == 8 then ann else none\n"
        "owner[cell]: player or none = {a2: ann, b1: ann, else none}\nweight[cell]: 0..4 = {b1: 0, else 4}\n"
        "made: 0..9 = 0\nfound: bool = no",
        "board cell = grid(4, 4)",
        payoff="if found then 1 else 0",
    )
    game = typed_game(rules)
    assert set(compare_plays(Interpreted(game), [Plain(game)], seed=1, games=2, limit=3)) == {"end"}
