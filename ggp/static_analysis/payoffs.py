"""What payoffs have in common: what they add up to, where that is proven or stated, and whether all are the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product

from ggp.faults import RulesFault
from ggp.language import typed
from ggp.language.typed.types import codes, lowest, size
from ggp.language.typed.walk import form
from ggp.static_analysis.payoff_conditions import TooLarge, Tree, Trees
from ggp.static_analysis.payoff_forms import ONE, Form, added, form_range, payoff_cases

MAX_COMBINATIONS = 100_000
"""Combinations of table indices are tried up to this number."""

ROUNDING = 1e-12
"""By which computed bounds that are not whole numbers may be off, as a share where they are above 1."""

SUM_TOLERANCE = 1e-9
"""Payoffs add up to what the rules state if the difference is no larger; as a share of it where that is above 1."""


def known_sum(game: typed.Game) -> float | None:
    """Return the sum of all payoffs in every terminal state; None if it is neither proven nor stated.

    Either the rules state it, so that another sum is a fault in play, or it is proven.
    """
    return proven_sum(game) if game.stated_sum is None else game.stated_sum.value


def is_shared(game: typed.Game) -> bool:
    """Return whether several players have one payoff, as the rules write it: they win or lose together."""
    return len(game.payoff) > 1 and len({form(payoff, {}) for payoff in game.payoff}) == 1


def check_sum(game: typed.Game, utilities: Sequence[float]) -> None:
    """Compare utilities with what the rules state that they add up to.

    Native code does not: it would compute payoffs twice.

    Raises:
        RulesFault: `other_sum`.
    """
    stated = game.stated_sum
    if stated is not None and not abs(sum(utilities) - stated.value) <= SUM_TOLERANCE * max(1.0, abs(stated.value)):
        reason = f"the payoffs are said to sum to {stated.value:g}"
        raise RulesFault("other_sum", stated.span, reason, f"{sum(utilities):g}", game.source_name)


def proven_sum(game: typed.Game) -> float | None:
    """Return the number that the payoffs of all players provably add up to in every terminal state; None if no proof.

    Every payoff is brought to a linear form in each case that its conditions can tell apart; facts that are written the
    same way are the same, everything else is taken as independent. So no proof may be found where there is one, but
    none is found where there is none.
    """
    sums: set[float] = set()
    try:
        for forms in payoff_cases(game, Trees()):
            total: Form = {}
            for form in forms:
                total = added(total, form)
            rest = {term: factor for term, factor in total.items() if factor and term != ONE}
            of_tables = _sums_of_entries(rest)
            if of_tables is None:
                return None
            sums |= {round(total.get(ONE, 0.0) + value, 9) for value in of_tables}
    except TooLarge:
        return None
    return sums.pop() if len(sums) == 1 else None


def proven_teams(game: typed.Game) -> tuple[int, ...]:
    """Return the team of each player, numbered from 0: players are in one if their payoffs provably never differ."""
    members = range(len(game.players.members))
    apart: set[tuple[int, int]] = set()
    try:
        for forms in payoff_cases(game, Trees()):
            for one, other in combinations(members, 2):
                difference = added(forms[one], {term: -factor for term, factor in forms[other].items()})
                if any(difference.values()):
                    apart.add((one, other))
    except TooLarge:
        return tuple(members)
    leaders = [min(other for other in members if other == one or (other, one) not in apart) for one in members]
    numbers = {leader: number for number, leader in enumerate(sorted(set(leaders)))}
    return tuple(numbers[leader] for leader in leaders)


def proven_bounds(game: typed.Game) -> tuple[tuple[float, float], ...]:
    """Return the lowest and highest utility of each player that the rules leave.

    The checker's, which come from the types alone, are narrowed to what is possible in the cases that the conditions of
    the payoffs tell apart, and by the sum of the payoffs where it is known.
    """
    bounds = game.utility_bounds
    trees = Trees()
    try:
        cases = [[form_range(form, trees) for form in forms] for forms in payoff_cases(game, trees)]
    except TooLarge:
        cases = [list(bounds)]
    narrowed = []
    for (low, high), found in zip(bounds, zip(*cases, strict=True), strict=True):
        lowest, highest = min(low for low, _ in found), max(high for _, high in found)
        narrowed.append((max(low, _outward(lowest, -1)), min(high, _outward(highest, 1))))
    return within_sum(narrowed, known_sum(game))


def _outward(bound: float, direction: int) -> float:
    """Return a bound moved by what rounding can make of it: play computes payoffs in another order."""
    is_exact = math.isinf(bound) or bound == math.floor(bound)
    return bound if is_exact else bound + direction * ROUNDING * max(1.0, abs(bound))


def _sums_of_entries(terms: Form) -> set[float] | None:
    """Return every value that a sum of table entries can have; None where other terms are in it, or it takes too long.

    Indices that are written the same way are the same; others are taken as independent.
    """
    sizes: dict[Tree, range] = {}
    entries: list[tuple[typed.Table, list[Tree], float]] = []
    for term, factor in terms.items():
        match term:
            case ("entry", typed.Table() as table, *parts) if parts:
                indices = [part for part in parts if isinstance(part, Tree)]
                for type_, index in zip(table.type.indices, indices, strict=True):
                    if index[0] != "constant":
                        sizes[index] = codes(type_)
                entries.append((table, indices, factor))
            case _:
                return None
    if math.prod(len(values) for values in sizes.values()) > MAX_COMBINATIONS:
        return None
    return {
        sum(
            factor * _entry(table, indices, dict(zip(sizes, values, strict=True))) for table, indices, factor in entries
        )
        for values in product(*sizes.values())
    }


def _entry(table: typed.Table, indices: list[Tree], known: dict[Tree, int]) -> float:
    position = 0
    for type_, index in zip(table.type.indices, indices, strict=True):
        code = index[1] if index[0] == "constant" else known[index]
        assert isinstance(code, int)
        position = position * size(type_) + code - lowest(type_)
    value = table.values[position]
    assert isinstance(value, (int, float))
    return float(value)


def within_sum(bounds: Sequence[tuple[float, float]], total: float | None) -> tuple[tuple[float, float], ...]:
    """Return the bounds of all utilities, each narrowed to what the others' and the constant sum leave.

    Afterwards those of two players, scaled by them to [0, 1], add up to 1. Bounds proven for each player alone can be
    wide apart: of a payoff that stands in a table and its rest of 100, for example. A sum that no payoffs can have
    narrows nothing.
    """
    if total is None or not sum(low for low, _ in bounds) <= total <= sum(high for _, high in bounds):
        return tuple(bounds)
    narrowed = []
    for player, (low, high) in enumerate(bounds):
        others = [*bounds[:player], *bounds[player + 1 :]]
        of_others = sum(low for low, _ in others), sum(high for _, high in others)
        narrowed.append((max(low, total - of_others[1]), min(high, total - of_others[0])))
    return tuple(narrowed)
