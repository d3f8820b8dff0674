"""Limits on combinations of values: what is computed once a state counts once; what large sets and searches count."""

from __future__ import annotations

from random import Random

import pytest

from ggp.language import CheckResult, SourceFile, check
from ggp.language.check.costs import MAX_KEPT, NOTHING, ONE, Cost, most_rounds, of_kept
from ggp.language.typed import Reach
from ggp.language.typed.types import DIRECTIONS
from ggp.rules_compiler.rules_backend import game_of_rules
from tests.support.library import one_phase, typed_game


def often(definition: str, use: str, size: int = 25) -> str:
    """Return rules in which a laborious definition is used often."""
    phase = f"row chooses c in {{c in cell: {use}}}\nstones := stones + {{c}}\nn := n + 1\nnext end if n == 3 else go"
    state, board = "stones: set of cell = {}\nn: 0..3 = 0", f"board cell = grid({size}, {size})"
    return one_phase(phase, state, board, defs=definition, payoff="n", players="row, col")


OF_THE_STATE = "let full = {c in cell: (count d in cell: d in stones and d.x == c.x) > 3}"
OF_ONE_VALUE = "def full(x: 1..25) = (count d in cell, y in 1..25: d in stones and d.x == x and d.y == y) > 3"
OF_TWO_VALUES = "def full(x: 1..25, y: 1..25) = (count d in cell, z in 1..25: d in stones and d.x == x and z < y) > 3"


def messages(definition: str, use: str) -> list[str]:
    result = check(SourceFile("often.rules", often(definition, use)))
    if result.game is not None:
        state = game_of_rules(result.game).initial()
        assert len(state.legal("row")) == 625
    return [found.message for found in result.diagnostics]


@pytest.mark.parametrize(
    ("definition", "use"),
    [(OF_THE_STATE, "c not in full and c + north not in full"), (OF_ONE_VALUE, "not full(c.x) and not full(c.y)")],
)
def test_what_is_kept_counts_once(definition: str, use: str) -> None:
    assert messages(definition, use) == []


def test_what_is_not_kept_counts_at_each_use() -> None:
    (message,) = messages(OF_TWO_VALUES, "not full(c.x, c.y)")
    assert message.startswith("this may run through ")


def test_costs_add_up() -> None:
    (full,) = typed_game(often(OF_THE_STATE, "c not in full")).functions
    body = Cost(400.0, 400.0)
    once = of_kept(full, body)
    assert once == Cost(400.0, 1.0, frozenset([full]))
    assert once.times(10) + ONE == Cost(4001.0, 11.0, frozenset([full]))
    assert NOTHING + ONE.more(2) == Cost(3.0, 3.0)
    assert (once + Cost(1.0, 1.0, None)).kept is None
    assert MAX_KEPT > 1


ORTHOGONAL = "{north, east, south, west}"


def checked_search(steps: str, times: int = 1, width: int = 7, height: int = 9) -> CheckResult:
    search = f"reach from {{cell(1, 1)}} through open - {{cell(1, k mod {height} + 1)}} by {steps}"
    rules = one_phase(
        f"row chooses x in 1..2\nn := (sum k in 1..{times}: count({search})) mod 70000",
        "open: set of cell = all\nn: 0..70000 = 0",
        f"board cell = grid({width}, {height})",
        defs=f"let found = reach from {{cell(1, 1)}} through open by {steps}",
        payoff="n + count(found)",
        players="row, col",
    )
    return check(SourceFile("search.rules", rules))


def rounds(steps: set[str], through: set[tuple[int, int]], start: tuple[int, int]) -> int:
    """Return in how many rounds a search adds cells, and one more that finds none."""
    taken = [(x, y) for name, x, y in DIRECTIONS if name in steps]
    front, reached, count = {start}, {start}, 0
    while front:
        front = {(x + dx, y + dy) for x, y in front for dx, dy in taken} & through - reached
        reached |= front
        count += 1
    return count


@pytest.mark.parametrize(
    ("steps", "most"),
    [("{north}", 9), ("{north, east}", 15), ("{north, northwest}", 9), ("{east, southeast, south}", 15),
     ("{east, northeast, north, northwest}", 23), (ORTHOGONAL, 64), ("{north, south}", 64)],
)  # fmt: skip
def test_rounds_of_a_search_are_bounded_by_its_directions(steps: str, most: int) -> None:
    game = checked_search(steps).game
    assert game is not None
    search = game.functions[0].body
    assert isinstance(search, Reach)
    assert most_rounds(search) == most
    cells = [(x, y) for x in range(7) for y in range(9)]
    names, random = set(steps.strip("{}").split(", ")), Random(1)
    longest = max(rounds(names, set(random.sample(cells, random.randrange(30, 64))), start) for start in cells * 3)
    assert longest <= most
    if steps in ("{north}", "{north, east}"):
        assert max(rounds(names, set(cells), start) for start in cells) == most


def test_searches_count_rounds_and_not_cells() -> None:
    # a maze of a thousand cells can take a thousand rounds; straight up a board there are only as many as it has rows
    assert [found.message for found in checked_search("{north}", 20_000, 4, 250).diagnostics] == []
    (message,) = (found.message for found in checked_search(ORTHOGONAL, 20_000, 4, 250).diagnostics)
    assert message == "this may run through 20,380,001 combinations of values; the limit is 10,000,000"


def test_operations_on_large_sets_count_their_words() -> None:
    use = "c == cell(1, 1) and count(stones + {c}) > 3"
    (found,) = check(SourceFile("often.rules", often("", use, 250))).diagnostics
    assert found.message.startswith("this may run through ")
    once = "c == cell(1, 1) and count(stones) > 3"
    assert not check(SourceFile("often.rules", often("", once, 250))).diagnostics
