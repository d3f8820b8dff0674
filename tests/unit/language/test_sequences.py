"""Sequences against lists of Python: random expressions of both are made side by side, and their values compared."""

from __future__ import annotations

import pickle
from random import Random
from typing import cast

import pytest

from ggp.display.scenes import Scenes
from ggp.faults import RulesFault
from ggp.interpreter.interpreter import Interpreter, WorldState
from ggp.language import SourceFile, check
from tests.support.comparison import compare_all
from tests.support.library import game_of, one_phase, typed_game

Made = tuple[str, list[int]]
MOST = 6


class Writer:
    """Writes an expression that gives a sequence, and the list that it comes to."""

    def __init__(self, rng: Random, kept: list[Made]) -> None:
        self.rng, self.kept = rng, kept

    def sequence(self, depth: int) -> Made:
        rng = self.rng
        if depth == 0:
            return rng.choice(self.kept)
        text, items = self.sequence(depth - 1)
        count, end = rng.randrange(4), rng.choice(["top", "bottom"])
        is_top = end == "top"
        form = rng.randrange(12)
        if form == 0:
            other, more = self.sequence(depth - 1)
            return f"({text} + {other})", items + more
        if form == 1:
            return f"([{count}] + {text} + [1, {count}])", [count, *items, 1, count]
        if form == 2:
            return f"{text}.{end}({count})", items[max(0, len(items) - count) :] if is_top else items[:count]
        if form == 3:
            rest = items[: max(0, len(items) - count)] if is_top else items[count:]
            return f"{text}.without_{end}({count})", rest
        if form == 4:
            return f"{text}.without_{end}", items[:-1] if is_top else items[1:]
        if form == 5:
            return f"{text}.reversed", items[::-1]
        if form == 6:
            low, high = rng.randrange(-1, 5), rng.randrange(-1, 6)
            first = max(1, low)
            return f"{text}[{low}..{high}]", items[first - 1 : max(high, first - 1)]
        if form == 7:
            other, others = self.sequence(depth - 1)
            return f"(if count({text}) > {count} then {text} else {other})", items if len(items) > count else others
        if form == 8:
            return f"swapped({text}, {count})", [count, *items[1:], *items[:1]]
        if form == 9:
            return f"((if k == {1 + count % 2} then [] else [{count}, k]) + {text})", [
                *[count, 1] * (count % 2),
                *items,
            ]
        if form == 10:
            return f"around({text}, {count})", [count, *items, count] if len(items) <= MOST else items
        return f"(if {count} in {text} then {text} else [])", items if count in items else []

    def number(self) -> tuple[str, int]:
        """Write a number that depends on sequences, and what it comes to; none counts as -1."""
        text, items = self.sequence(2)
        other, others = self.sequence(1)
        t = self.kept[1][1]
        place, end = self.rng.randrange(-1, 6), self.rng.choice(["top", "bottom"])
        item = items[place - 1] if 1 <= place <= len(items) else -1
        last = -1 if not items else items[-1] if end == "top" else items[0]
        return self.rng.choice([
            (f"count({text})", len(items)),
            (f"total({text}, {place + 1})", sum(items) + place + 1),
            (f"(if {place} in [{place + 1}, k] then count([k] + {text}) else 0)", (place == 1) * (len(items) + 1)),
            (f"(sum i in 1..2: total([i] + {text}, i))", 6 + 2 * sum(items)),
            ("count(cut[1]) + total(cut[2], 0)", len(t[:-1]) + sum(t[:-2])),
            (f"(sum x in {text}: x)", sum(items)),
            (f"(count x in {text} if x > 0: x == 1)", items.count(1)),
            (f"(if {text}[{place}] is none then -1 else {text}[{place}])", item),
            (f"(if {text}.{end} is none then -1 else {text}.{end})", last),
            (f"(if {text} == {other} then 1 else 0)", int(items == others)),
            (f"(if {text} != [] then 1 else 0)", int(items != [])),
            (f"(if {place} not in {text} then 1 else 0)", int(place not in items)),
            (f"(if all x in {text}: x < 3 then 1 else 0)", int(all(x < 3 for x in items))),
            (f"sum({{x for x in {text} if x > 1}})", sum({x for x in items if x > 1})),
            (f"count(all & {{x + 1 for x in {text}}})", len(set(items))),
        ])  # fmt: skip


def kept_items(play: Interpreter, state: WorldState, name: str) -> list[int]:
    """Return the items of a sequence as its two variables keep them, which have to agree."""
    values = dict(zip((variable.name for variable in play.game.variables), state.values, strict=True))
    items = cast("tuple[int | None, ...]", values[name])
    found = [item for item in items if item is not None]
    assert list(items) == found + [None] * (len(items) - len(found)), "what is cut off is cleared"
    assert values[f"{name}_size"] == len(found)
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(40))
def test_expressions_come_to_what_lists_do(seed: int) -> None:
    rng = Random(seed)
    s, t = ([rng.randrange(4) for _ in range(rng.choice([0, 1, 2, 4, MOST]))] for _ in range(2))
    third = [rng.randrange(4) for _ in range(rng.randrange(3))]
    writer = Writer(rng, [("s", s), ("t", t), ("u[1]", third), ("u[k]", third), ("u[3 - k]", [])])
    numbers = [writer.number() for _ in range(6)]
    text, items = writer.sequence(3)
    text, items = f"({text}).bottom({MOST})", items[:MOST]
    text = f"""game g "t"
players row, col
type number = 0..3
def around(s: sequence of number, at most 200, c: number) = if count(s) <= {MOST} then [c] + s + [c] else s
def total(s: sequence of number, at most 400, more: 0..9) = (sum x in s: x) + more
def swapped(s: sequence of number, at most 200, c: number) = [c] + s.without_bottom + s.bottom(1)
state
    k: 1..2 = 1
    s: sequence of number, at most {MOST} = {s}
    t: sequence of number, at most {MOST} = {t}
    u[1..2]: sequence of number, at most 2 = {{1: {third}, else []}}
    r: sequence of number, at most {MOST} = []
    n[1..6]: -99..999 = 0
let cut[i: 1..2] = t.without_top(i)
phase go
    r := {text}
{"".join(f"    n[{place}] := {number}{chr(10)}" for place, (number, _) in enumerate(numbers, 1))}    next end
payoff[p] = 0
"""
    game = typed_game(text)
    play = Interpreter(game)
    state = play.step(play.initial(), ())
    assert kept_items(play, state, "r") == items, text
    values = dict(zip((variable.name for variable in play.game.variables), state.values, strict=True))
    assert values["n"] == tuple(value for _, value in numbers), text
    assert set(compare_all(game, games=1)) == {"end"}


RULES = """game g "t"
players row, col
type card = 1..6
state
    deck: sequence of card, at most 4 = [1, 2]
    pile[player]: sequence of card, at most 3 = [[3], []]
    told: 0..9 = 0
let under = deck.without_top
def holds(s: sequence of card, at most 4, c: card) = c in s
def with(s: sequence of card, at most 3, c: card) = if holds(deck, c) then s else s + [c]
def either(s: sequence of card, at most 4, c: card) = holds(s, c) or (any p in player: holds(pile[p], c))
phase go
    row chooses c in deck where either(deck, c)
    pile[p] := [c] + pile[p]                               for p in player
    deck := with(under, 6)
    sees row: deck
    next more if old count(deck) == 2 and old deck.top == 2 and deck == [1, 6] and holds(pile[row], 3) else end
phase more
    chance draws i in 1..count(deck)
    deck := deck + [deck[i], deck[i], deck[i]]
    next end
payoff[p] = count(pile[p])
history position[3] = deck, pile
"""


def test_sequences_are_chosen_from_handed_over_told_and_remembered() -> None:
    game = game_of(RULES)
    start = game.history()
    assert [str(action) for action in start.state.legal(0)] == ["1", "2"]
    after = start.apply({0: "2"})
    assert after.information_state("row").lines()[-1] == "saw deck[1]: 1, deck[2]: 2, deck[3]: none, deck[4]: none"
    assert after.state.phase == "more"


@pytest.mark.long
def test_the_labels_of_several_items_end_with_their_brackets() -> None:
    game = game_of(RULES.replace("sees row: deck", "sees row: deck.top(2)"))
    after = game.history().apply({0: "2"})
    assert after.information_state("row").lines()[-1].startswith("saw deck.top(2)[1]: ")


def test_more_items_than_there_may_be_are_a_fault_that_names_the_sequence() -> None:
    game = game_of(RULES)
    with pytest.raises(RulesFault, match=r"`deck` takes sequence of 1..6, at most 4 items, got 5"):
        game.initial().apply({0: "2"}).apply_outcome(0)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("deck := deck.push(3)", "`s := s + [x]` puts x on top, `s := [x] + s` beneath"),
        ("deck := push(deck, 3)", "with sequences: `s := s + [x]`, `s.top`, `s := s.without_top`, `s[a..b]`, "
         "`s.reversed`"),
        ("deck := deck + 3", "write `[...]` around one item to make a sequence of it"),
        ("deck := 3", "`deck` takes sequence of 1..6, at most 4"),
        ("told := deck.length", "`count(s)` is the number of items"),
        ("told := sum(deck)", "write `sum x in s: x` for the items of a sequence"),
        ("told := the x in deck: x > 1", "of a sequence, find the place: `the i in 1..count(s)`"),
        ("told := count(deck - [3])", "`s.without_top(k)` is what is left without the k items on top; "
         "`s[a..b]` are those from a to b"),
        ("next end if old deck == [] else go", "write `old count(s)`, `old s.top`"),
    ],
)  # fmt: skip
def test_what_other_languages_write_gets_a_hint(written: str, hint: str) -> None:
    text = RULES.replace("    deck := under + [6]\n", "")
    line = f"    {written}\n"
    text = (
        text.replace("    next end\n", line)
        if written.startswith("next")
        else text.replace("    sees row", line + "    sees row")
    )
    found = [one.hint for one in check(SourceFile("t.rules", text)).diagnostics]
    assert found[0] == hint


def test_an_update_whose_condition_does_not_hold_is_no_fault() -> None:
    """A sequence that was full was once a fault even where nothing was put on it."""
    text = one_phase(
        "ann chooses x in 1..3\npile := pile + [x] if count(pile) < 2\nleft := left.without_top if left != []\n"
        "steps := steps + 1\nnext end if steps == 5 else go",
        "pile: sequence of 1..3, at most 2 = []\nleft: sequence of 1..3, at most 2 = [3]\nsteps: 0..9 = 0",
        payoff="10 * count(pile) + pile.top",
        players="ann",
    )
    assert set(compare_all(typed_game(text), games=5)) == {"end"}
    state = game_of(text).initial()
    for x in (1, 2, 3, 3, 3):
        state = state.apply({0: str(x)})
    assert state.utilities() == (22,)


def test_a_part_that_is_always_empty_tells_and_shows_nothing() -> None:
    text = (
        'game g "G"\nplayers a\nstate\n    s: sequence of 1..3, at most 1 = []\nphase play\n    a chooses x in 1..2\n'
    )
    text += "    sees a: s[2..count(s)]\n    next end\npayoff[p] = 0\n"
    game = typed_game(text + 'display\n    score "rest" s[2..count(s)]\n')
    assert game.phases[0].sees == ()
    interpreter = Interpreter(game)
    (rest,) = Scenes(interpreter).scene(interpreter.initial()).entries
    assert rest.text == "[]"
    pickle.dumps(game)  # as the caches do


def test_what_is_handed_over_has_at_most_the_items_that_the_definition_takes() -> None:
    game = typed_game("""game g "t"
players row, col
board cell = grid(3, 2)
state
    deck: sequence of 1..9, at most 4 = [1, 2]
    n: 0..9 = 0
    earlier: cell = a1
def worth(s: sequence of 1..5, at most 3) = count(s) + s.top
phase go
    chance draws x in cell, y in cell, z in {3, 4, 9}, w in bool
    n := worth(deck + [z] + (if w then [] else [1]))
    earlier := if x < y then x else y
    next more if earlier == min({x, y}) and (x >= y or c1 > a2) else end
phase more
    next end
payoff[p] = n
""")
    play = Interpreter(game)

    def after(x: int, y: int, z: int, w: int) -> str:
        try:
            new = play.step(play.initial(), (x, y, z, w))
        except RulesFault as fault:
            return str(fault)
        return f"{new.values[2]} {new.phase}"

    assert after(0, 0, 3, 1) == "6 more"
    assert after(0, 3, 4, 1) == "7 None"
    assert after(3, 2, 4, 1) == "7 more"
    assert "at most 3" in after(0, 0, 3, 0)
    assert "1..5" in after(0, 0, 9, 1)
    assert set(compare_all(game, games=40)) == {"end", "fault"}
