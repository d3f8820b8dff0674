"""Rules files that nobody wrote mean the same to the interpreter, the generated source and the machine code.

`python -m tests.fuzz` looks further than the test suite has time to.
"""

from __future__ import annotations

import pytest
from msgspec import Struct

from ggp.language import SourceFile, syntax, typed
from ggp.language.text.parser import parse
from ggp.language.text.source import Span
from tests.fuzz.comparisons import AGREED, LIMIT, REFUSED, TOO_LARGE, compared
from tests.support.comparison import compare_plays
from tests.support.implementations import Interpreted, Plain
from tests.support.information_states import compare_information_states
from tests.support.library import game_of, one_phase, typed_game
from tests.support.random_rules import random_text

SEED, CASES, COMPARED, TRIED = 20, 10, 3, 14


@pytest.mark.sweep
@pytest.mark.parametrize("case", range(CASES))
def test_random_rules(case: int) -> None:
    agreed = 0
    for number in range(case * TRIED, (case + 1) * TRIED):
        result = compared(random_text(SEED, number), seed=number + 1)
        assert isinstance(result, str), f"{random_text(SEED, number)}\n{result.text}"
        assert result in {AGREED, REFUSED, TOO_LARGE}
        agreed += result == AGREED
        if agreed == COMPARED:
            return
    raise AssertionError(f"of {TRIED} texts {agreed} could be compared")


def test_the_same_numbers_give_the_same_text() -> None:
    assert random_text(1, 2) == random_text(1, 2) != random_text(1, 3)
    assert "chooses" in "".join(random_text(1, number) for number in range(5))


def changing(change: str) -> typed.Game:
    phase = f"one chooses c in 1..3\nn := n + {change}\nnext end if n > 6 else go"
    return typed_game(one_phase(phase, "n: 0..99 = 0", payoff="n", players="one"))


@pytest.mark.parametrize(("change", "is_caught"), [("c", False), ("c + 1", True), ("1", True)])
def test_the_comparison_can_fail(change: str, is_caught: bool) -> None:
    interpreted, plain = Interpreted(changing("c")), Plain(changing(change))
    if is_caught:
        with pytest.raises(AssertionError):
            compare_plays(interpreted, [plain], seed=1, games=1, limit=LIMIT)
    else:
        assert compare_plays(interpreted, [plain], seed=1, games=3, limit=LIMIT) == ["end"] * 3


TOLD = """game told "What is drawn is told one, and in part the other"
players one, two
state
    n: 0..9 = 0
phase deal
    chance draws c in 1..4
    n := c
    sees one: c
    sees two: {told}
    next play
phase play
    two chooses d in 1..2
    sees one: d
    next end if n < 5 else play
payoff[p] = n
"""


@pytest.mark.parametrize(("told", "is_caught"), [("c mod 2", False), ("c div 2", True), ("c", True)])
def test_information_states_are_told_apart_by_what_was_told(told: str, is_caught: bool) -> None:
    interpreted = Interpreted(typed_game(TOLD.format(told="c mod 2")))
    game = game_of(TOLD.format(told=told))
    if is_caught:
        with pytest.raises(AssertionError):
            compare_information_states(interpreted, game, seed=1, plays=20, limit=LIMIT)
    else:
        assert compare_information_states(interpreted, game, seed=1, plays=20, limit=LIMIT) > 20


EXPRESSIONS = {
    "Attribute", "Binary", "Braces", "Call", "Comprehension", "Conditional", "Indexed", "IsNone", "Membership",
    "Naming", "Quantified", "Search", "Unary",
}  # fmt: skip
PLACES = {
    "Chance", "Choice", "Definition", "DisplayLine", "DisplayRule", "Kind", "Let", "Payoff", "SeenValue", "Sees",
    "Table", "Transfer", "Update", "Variable",
}  # fmt: skip


@pytest.mark.long
def test_every_construct_is_written_and_every_expression_in_every_place() -> None:
    met, in_place = set[str](), set[tuple[str, str]]()

    def walk(part: object, place: str) -> None:
        name = type(part).__name__
        if isinstance(part, tuple) and not isinstance(part, Span):
            for one in part:
                walk(one, place)
        elif isinstance(part, Struct):
            met.add(name)
            in_place.add((place, name))
            for field in part.__struct_fields__:
                walk(getattr(part, field), name if name in PLACES else place)

    nodes = {name for name, one in vars(syntax).items() if isinstance(one, type) and issubclass(one, syntax.Node)}
    wanted = {(place, name) for place in PLACES for name in EXPRESSIONS}
    for number in range(600):
        walk(parse(SourceFile("random.rules", random_text(3, number)))[0], "")
        if nodes - met == {"Node"} and wanted <= in_place:
            return
    raise AssertionError(f"never written: {nodes - met}, {wanted - in_place}")
