"""A phase with many draws is played in parts: state, probabilities and what players are told are those of the whole."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator

import pytest

from ggp.faults import RulesFault
from ggp.interpreter.interpreter import Interpreter, Outcome, WorldState
from ggp.language import typed
from ggp.language.check.checker import check
from ggp.language.check.phases import successive_draws
from ggp.language.text.source import SourceFile
from tests.support.comparison import compare_all
from tests.support.library import typed_game
from tests.support.random_rules import random_text

EVERYWHERE = """
game everywhere "Draws that are read everywhere"
players a, b
type slot = 1..3
type suit = {spades, hearts, clubs, stars}
type pile = 1..6
state
    deck: set of pile = all
    total[player]: 0..18 = 0
    held[player]: set of pile = {}
    other_held: set of pile = {}
    best: suit or none = none
    rounds: 0..2 = 0
def two_more(x: 1..6) = x + 2
def spread(of_all[slot]: 1..6) = (max i in slot: of_all[i]) - (min i in slot: of_all[i])
phase roll
    chance draws d[i in slot] in 1..3, e[i in slot] in 1..3
    let of_two[p] = if p == a then d[1] + d[2] else e[1] + e[2]
    let whole = of_two[a] + of_two[b] + e[3]
    total[p] := of_two[p] + spread(d) for p in player if two_more(if p == a then d[1] else e[1]) > 3
    sees a: d[1], whole
    sees each p: early = d[2] if d[3] > 1 or p == b
    sees all: "rolled", of_two[a] if d[2] == 2
    sees b: e
    rounds := rounds + 1
    next roll if whole > 8 and rounds < 2 and total[a] > old total[a] and d[2] == 1 else deal
phase deal
    chance draws x in 2 of deck, y in 2 of deck - x, s in suit, t in suit - {s}, u in suit - {s, t}, z in deck - x - y
    held[a] := x
    held[b] := y
    other_held := {z}
    best := min({s, t, u})
    sees a: x
    sees b: y, t
    next end if u == spades or z in {1, 2} else roll if rounds < 2 else end
payoff[p] = total[p] - count(held[p] & {1, 2})
"""
SMALL = {"MAX_OUTCOMES": 12, "MAX_PART_OUTCOMES": 5}


def in_small_parts(text: str, monkeypatch: pytest.MonkeyPatch) -> typed.Game | None:
    """Return a game whose large draws are made in parts; None if it is refused so."""
    with monkeypatch.context() as patched:
        for name, value in SMALL.items():
            patched.setattr(successive_draws, name, value)
        return check(SourceFile("t.rules", text)).game


def whole_sets(told: list[tuple[str, object]]) -> list[tuple[str, object]]:
    """Return what was told with the members of a set that were told one by one as one set."""
    found: list[tuple[str, object]] = []
    for label, value in told:
        if found and isinstance(value, frozenset) and found[-1][0] == label and isinstance(found[-1][1], frozenset):
            found[-1] = label, found[-1][1] | value
        else:
            found.append((label, value))
    return found


class Pair:
    """A game and the same in parts, played in step."""

    def __init__(self, whole: typed.Game, parted: typed.Game) -> None:
        self.whole, self.parted = Interpreter(whole), Interpreter(parted)
        self.shown = [
            number for number, variable in enumerate(parted.variables) if not variable.name.startswith("drawn_")
        ]
        self.parts = 0

    def same(self, state: WorldState, other: WorldState) -> None:
        """Compare two states, variables that keep draws left out, and that these are clear."""
        assert state.phase == other.phase
        assert state.values == tuple(other.values[number] for number in self.shown)
        initial = self.parted.initial().values
        hidden = set(range(len(initial))) - set(self.shown)
        assert all(other.values[number] == initial[number] for number in hidden)

    def told(
        self, interpreter: Interpreter, state: WorldState, chosen: object, player: int
    ) -> list[tuple[str, object]]:
        """Return the labels and values that a player is told of a transition."""
        sees = interpreter.phase(state).sees
        observation = interpreter.observation(state, chosen, player)  # type: ignore[arg-type]
        return [pair for seen in observation for pair in zip(sees[seen.position].labels, seen.values, strict=True)]

    def draw(
        self, state: WorldState, other: WorldState, outcome: Outcome, probability: float
    ) -> tuple[WorldState, WorldState]:
        """Make a draw in both, and compare what it tells, how likely it is, and where it leads."""
        players = range(len(self.whole.game.players.members))
        wanted = [self.told(self.whole, state, outcome, player) for player in players]
        told: list[list[tuple[str, object]]] = [[] for _ in players]
        left, product = list(outcome), 1.0
        parts = 0
        while left:
            chance = self.parted.phase(other).chance
            assert chance is not None
            part = tuple(left[: len(chance.components)])
            del left[: len(chance.components)]
            product *= dict(self.parted.chance_outcomes(other))[part]
            for player in players:
                told[player] += self.told(self.parted, other, part, player)
            other = self.parted.step(other, part)
            parts += 1
        self.parts = max(self.parts, parts)
        assert [*map(whole_sets, told)] == [*map(whole_sets, wanted)]
        orders = self.orders(state)
        assert product * orders == pytest.approx(probability)
        return self.whole.step(state, outcome), other

    def orders(self, state: WorldState) -> int:
        """Return in how many orders the members of large subsets can be drawn, which are drawn one by one."""
        phase = self.whole.phase(state)
        assert phase.chance is not None
        parts = [other.chance for other in self.parted.game.phases if other.name.partition(" (")[0] == phase.name]
        apart = {part.symbol.name for chance in parts if chance for part in chance.components if part.together == 1}
        subsets = (part for part in phase.chance.components if part.symbol.name in apart)
        return math.prod(math.factorial(part.together) for part in subsets)


def plays(pair: Pair, rng: random.Random, limit: int) -> Iterator[str]:
    """Play both at random to the end, a fault or the limit; yield what happened."""
    state, other = pair.whole.initial(), pair.parted.initial()
    for _ in range(limit):
        pair.same(state, other)
        if state.phase is None:
            assert pair.whole.utilities(state) == pair.parted.utilities(other)
            yield "end"
            return
        try:
            if pair.whole.is_chance(state):
                outcomes = pair.whole.chance_outcomes(state)
                outcome, probability = rng.choice(outcomes)
                if not outcome:
                    state, other = pair.whole.step(state, outcome), pair.parted.step(other, outcome)
                    continue
                state, other = pair.draw(state, other, outcome, probability)
            else:
                legal = {player: pair.whole.legal(state, player) for player in pair.whole.actors(state)}
                assert legal == {player: pair.parted.legal(other, player) for player in pair.parted.actors(other)}
                joint = {player: rng.choice(actions) for player, actions in legal.items()}
                state, other = pair.whole.step(state, joint), pair.parted.step(other, joint)
        except RulesFault:
            yield "fault"
            return
        yield "transition"


@pytest.mark.long
def test_a_phase_in_parts_is_the_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    parted = in_small_parts(EVERYWHERE, monkeypatch)
    assert parted is not None
    whole = typed_game(EVERYWHERE)
    assert len(whole.phases) == 2
    assert len(parted.phases) > 8
    pair, rng = Pair(whole, parted), random.Random(1)
    happened = list(itertools.chain.from_iterable(plays(pair, rng, 20) for _ in range(15)))
    assert happened.count("end") == 15
    assert pair.parts >= 4


def test_a_phase_in_parts_means_the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    parted = in_small_parts(EVERYWHERE, monkeypatch)
    assert parted is not None
    compare_all(parted, games=6)


@pytest.mark.long
def test_random_phases_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, seen = random.Random(2), 0
    for number in range(60):
        text = random_text(11, number)
        whole = check(SourceFile("t.rules", text)).game
        parted = in_small_parts(text, monkeypatch)
        if whole is None or parted is None or len(whole.phases) == len(parted.phases):
            continue
        if any(variable.name.startswith("drawn_") for variable in whole.variables):
            continue  # in parts as it is
        for _ in range(3):
            seen += sum(1 for _ in plays(Pair(whole, parted), rng, 12))
    assert seen > 10
