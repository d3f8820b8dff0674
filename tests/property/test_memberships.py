"""Memberships decided for a whole domain at once, against the interpreter, which tests value after value."""

from __future__ import annotations

import pytest

from ggp.language import typed
from ggp.rules_compiler.rewrite import memberships
from tests.support.comparison import compare_all
from tests.support.library import typed_game

RULES = """game memberships "Sets with something in common"
param size: 2..19 = 3
players ann, bob
board cell = grid(size, size)
table touch[c: cell]: set of cell = {{c + north, c + east, c + south, c + west}}
state
    stones[player]: set of cell = {{}}
    turn: player = ann
    made: 0..40 = 0
{state}
let empty = all - stones[ann] - stones[bob]
def crowd(c: cell) = count(touch[c] - empty) > 1
phase go
    turn chooses z in empty
    stones[turn] := stones[turn] + {{z}}
{updates}
    turn := other(turn)
    made := made + 1
    next end if made == 40 or empty - {{z}} == {{}} else go
payoff[p] = made
"""
SETS = [
    "{c in cell: c in stones[ann]}",
    "{c in cell: c in stones[ann] and c not in touch[z]}",
    "{c in cell: c in stones[ann] and crowd(c)}",
    "{c in cell: crowd(c) and c not in stones[ann] and c.x > 1}",
    "{c in cell: c in stones[bob] or crowd(c)}",
    "{c in empty: c not in touch[z] or crowd(c) or c in touch[z] & stones[ann]}",
    "{c in touch[z]: c in empty or c in stones[ann]}",
    "{c in touch[z]: not (c not in empty)}",
    "{c in cell: c + north in stones[ann] and crowd(c)}",
    "{c in cell: c + 2 * west not in stones[bob] or c + northeast in touch[z]}",
    "{c in cell: c.x > 1 and (made > 3 or c.y + 1 == z.y) or c == z}",
    "{c in cell: if z.x < c.x then c in empty else c in stones[ann] or c.y in {1, 3}}",
    "{c in cell: not (c + east == z or c in stones[bob] and 2 >= c.y - 1) and c.x - z.y != c.y}",
]
QUANTIFIERS = [
    "any c in touch[z]: c in empty",
    "no c in touch[z]: c in empty and crowd(c)",
    "all c in touch[z]: c in empty",
    "any c in cell: crowd(c) and c in stones[ann] and c in touch[z]",
    "any c in empty: crowd(c) or c in touch[z]",
    "all c in cell: c not in stones[turn] or crowd(c)",
    "all c in empty: c in touch[z] and crowd(c)",
    "all c in empty: not (c in touch[z] and crowd(c))",
    "no c in stones[ann] + {z}: c not in touch[z] or crowd(c) or c not in stones[bob]",
]
LEFT_ALONE = [
    "{c in cell: crowd(c)}",
    "{c in cell: z in touch[c]}",
    "{c in cell: z in stones[ann] and crowd(c)}",
    "{c in cell: c in touch[c] + {z} or crowd(c)}",
    "{c in cell: 3 div count(stones[ann]) > 1 or c in empty}",
    "{c + east for c in cell if c in stones[ann] and crowd(c)}",
    "{c for c in stones[ann], d in touch[c] if c in empty and d in stones[bob]}",
]


def checked(sets: list[str], size: int) -> typed.Game:
    state = [f"    s{number}: set of cell = {{}}" for number in range(len(sets))]
    updates = [f"    s{number} := {form}" for number, form in enumerate(sets)]
    return typed_game(RULES.format(state="\n".join(state), updates="\n".join(updates)), size=size)


def values(game: typed.Game) -> list[typed.Expression]:
    return [update.value for update in game.phases[0].updates if update.target.name.startswith("s") and
            update.target.name != "stones"]  # fmt: skip


def as_set(quantifier: str) -> str:
    return f"if {quantifier} then {{z}} else {{}}"


@pytest.mark.long
@pytest.mark.parametrize(("size", "games"), [(3, 4), (9, 1)])
def test_sets_and_quantifiers(size: int, games: int) -> None:
    game = checked(SETS + [as_set(form) for form in QUANTIFIERS], size)
    found = values(game)
    for made in found[: len(SETS)]:
        assert isinstance(made, typed.Comprehension)
        assert memberships.comprehension(made) is not None
    for made in found[len(SETS) :]:
        assert isinstance(made, typed.If)
        assert isinstance(made.condition, typed.Quantifier)
        assert memberships.quantifier(made.condition) is not None
    assert compare_all(game, games, playouts=10, limit=50) == ["end"] * games


def test_what_says_something_else_is_left_alone() -> None:
    game = checked(LEFT_ALONE, 3)
    for made in values(game):
        assert isinstance(made, typed.Comprehension)
        assert memberships.comprehension(made) is None
    assert compare_all(game, games=4, playouts=10, limit=50) == ["fault"] * 4
