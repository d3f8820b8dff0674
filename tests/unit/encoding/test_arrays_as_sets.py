"""Which arrays a state keeps as sets, and what others see of that: nothing."""

from __future__ import annotations

import pytest

from ggp.encoding.arrays_as_sets import as_sets, from_sets, kept_as_sets
from ggp.language.typed.types import BOOL, ArrayType, CellType, EnumType, IntType, OptionType
from ggp.rules_compiler.rules_backend import game_of_rules
from tests.support.library import one_phase, typed_game

RULES = one_phase(
    """turn chooses c in cell where owner[c] is none
owner[c] := turn
seen[c.x, c.y] := yes
level[c] := if level[c] == 1 then 2 else 0
pits[c] := 0
whole[c] := turn
turn := other(turn)
sees all: c, whole
next end if all s in cell: owner[s] is some and level[s] != 1 and not seen[s.x, 0] else go""",
    "owner[cell]: player or none = none\nseen[1..3, 0..2]: bool = no\nlevel[cell]: 0..2 = 1\npits[cell]: 0..40 = 3\n"
    "whole[cell]: player or none = none\nturn: player = ann",
    "board cell = grid(3, 2)",
    payoff="count c in cell: owner[c] == p and whole[c] == p and level[c] in {0, 2} and seen[c.x, c.y] == yes",
)


def test_few_values_that_are_compared_are_kept_as_sets() -> None:
    assert {variable.name for variable in kept_as_sets(typed_game(RULES))} == {"owner", "seen", "level"}


def test_an_array_that_is_drawn_as_a_whole_is_not_kept_as_sets() -> None:
    display = '\ndisplay\n    pits "level" level\n'
    kept = {variable.name for variable in kept_as_sets(typed_game(RULES + display))}
    assert kept == {"owner", "seen"}
    game_of_rules(typed_game(RULES + display)).initial().scene()


@pytest.mark.parametrize(
    ("type_", "value", "sets"),
    [
        (
            ArrayType((CellType("cell", 3, 2),), OptionType(EnumType("p", ("a", "b")))),
            (None, 0, 1, 1, None, 0),
            (frozenset({1, 5}), frozenset({2, 3})),
        ),
        (ArrayType((IntType(-3, 2),), BOOL), (0, 1, 1, 0, 0, 1), (frozenset({-2, -1, 2}),)),
        (
            ArrayType((IntType(2, 3), IntType(0, 2)), IntType(4, 6)),
            (4, 6, 5, 5, 4, 4),
            (frozenset({0, 4, 5}), frozenset({2, 3}), frozenset({1})),
        ),
    ],
)
def test_sets_have_the_same_value(type_: ArrayType, value: tuple[int | None, ...], sets: object) -> None:
    assert as_sets(type_, value) == sets
    assert from_sets(type_, as_sets(type_, value)) == value


def test_states_and_tensors_show_elements() -> None:
    game = game_of_rules(typed_game(RULES))
    batch = game.batch(4, seed=1)
    for _ in range(9):
        names = [feature.name for feature in game.state_features]
        tensor = batch.state_tensor()
        for words, row in zip(batch.states.tolist(), tensor, strict=True):
            values = game.state(words).values()
            for name in ("owner", "seen", "level"):
                elements = values[name]
                assert isinstance(elements, tuple)
                first = next(at for at, other in enumerate(names) if other.startswith(f"{name}["))
                for feature, element in zip(game.state_features[first : first + len(elements)], elements, strict=True):
                    entries = row[feature.at : feature.at + feature.width].tolist()
                    if name == "seen":
                        assert entries == [element]
                    else:
                        place = element if name == "level" else 0 if element is None else element + 1
                        assert entries == [float(at == place) for at in range(3)]
        batch.step(batch.random_actions())
