"""From declarations, symmetries and tuples to the arrays that kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import I64
from ggp.game.game import Game
from ggp.native.interface import PHASE_WORD
from players.learning.declarations import Declarations, declarations_of, is_player
from players.learning.evaluation import NO_TUPLE, NO_WORD, NUMBER_FIELDS, Evaluation
from players.learning.layers import FEW_CODES, add_cells, add_layers, add_shared, add_walks
from players.learning.number_tuples import add_edges, add_numbers
from players.learning.symmetries import Successors, Symmetry, Turner, sampled_states, symmetries_of
from players.learning.tuples import Features, Layer, Tuple

MAX_COUNT = 255
"""Elements of a set that are told apart by their number."""
MAX_PHASE_BANKS = 4
"""Phases with decisions or chance that have weights of their own; where there are more, all have the same."""
SAMPLED_STATES = 300
LEAST_RANGE = 1e-3
HIDDEN_START = 0.1
"""Weights of hidden units are drawn up to this far from 0."""
RANGE = 1.1
"""The greatest value is so much farther from the middle than the utilities of random plays are."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an evaluation of a game looks at; the same for the same game, parameters, density and seed.

    Attributes:
        game: the game.
        declared: its declarations.
        features: sites and tuples.
        symmetries: all that were found.
        evaluation: with weights of 0.
    """

    game: Game
    declared: Declarations
    features: Features
    symmetries: tuple[Symmetry, ...]
    evaluation: Evaluation


def plan_of(game: Game, seed: int = 1, hidden: int = 0) -> Plan:
    """Return what an evaluation of a game looks at.

    Args:
        game: made from a rules file.
        seed: of random walks, and of the plays in which symmetries are tested.
        hidden: how many hidden units.

    Raises:
        NoRules: the game was not made from a rules file.
    """
    declared = declarations_of(game)
    found = symmetries_of(game, declared, seed)
    rows, ends = sampled_states(game, SAMPLED_STATES, seed)
    turns = [one for one in found if not one.exchanged]
    duel = len(game.players) == 2 and game.constant_sum
    exchanged = next((one for one in found if one.exchanged), None) if duel and not game.simultaneous else None
    features = _features_of_game(declared, np.concatenate([rows, ends]), turns, seed)
    evaluation = _arrays(game, declared, features, exchanged, rows, ends)
    if hidden:
        evaluation = _with_hidden(evaluation, features, hidden, seed)
    return Plan(game, declared, features, tuple(found), evaluation)


def _features_of_game(declared: Declarations, rows: I64, turns: Sequence[Symmetry], seed: int) -> Features:
    """Return the sites and tuples of a game.

    Args:
        declared: its declarations.
        rows: `[n, W]` states, which show what sets are disjoint.
        turns: symmetries without an exchange of seats, the identity among them.
        seed: of random walks.
    """
    found = Features()
    rng = [seed_word(seed, 31)]
    add_layers(found, declared, rows)
    for layer in found.layers:
        add_cells(found, layer, turns)
        if layer.board is not None:
            add_shared(found, layer, turns)
            if layer.codes <= FEW_CODES:
                add_walks(found, layer, turns, rng)
    for place, plane in enumerate(declared.planes):
        table = found.add_table(min(plane.size, MAX_COUNT) + 1)
        found.tuples.append(Tuple((), table, False, place))
    add_edges(found, declared)
    add_numbers(found, declared, rows)
    return found


def _with_hidden(e: Evaluation, features: Features, units: int, seed: int) -> Evaluation:
    """Return an evaluation with hidden units, which add 0 until they have learned."""
    rng = np.random.default_rng(seed)
    read = np.array([len(one.sites) == 1 or bool(one.factors) for one in features.tuples])
    rows = np.where(read, np.where(e.scales > 0, 1, e.last), 0)
    base = np.where(read, np.cumsum(rows) - rows, NO_TUPLE).astype(np.int32)
    banks = int(e.bank[1] // e.bank[0])
    hidden = rng.uniform(-HIDDEN_START, HIDDEN_START, (banks, int(rows.sum()) + 1, units)).astype(np.float32)
    for own, first, count in zip(e.scales.tolist(), (base + 1).tolist(), rows.tolist(), strict=True):
        if own > 0 and count:
            hidden[:, first] *= own
        elif own < 0:
            steps = 1 / np.sqrt(np.arange(1, count + 1, dtype=np.float32))
            hidden[:, first : first + count] = np.cumsum(hidden[:, first : first + count] * steps[:, None], axis=1)
    return e._replace(hidden_base=base, hidden=hidden.ravel(), top=np.zeros(len(e.scale) * units, np.float32))


def _arrays(
    game: Game, declared: Declarations, features: Features, exchanged: Symmetry | None, rows: I64, ends: I64
) -> Evaluation:
    native, phases = game.native(), declared.phases
    turn_word = _turn_word(declared, Successors(native), rows)
    views = [Symmetry(0, False), exchanged or Symmetry(0, False)]
    planes, counts, code = _plane_arrays(declared, features, views)
    numbers, codes = _number_arrays(declared, features, views)
    entries: list[list[tuple[int, int]]] = [[] for _ in features.site_codes]
    begins = np.concatenate([[0], np.cumsum(features.tables)])
    for number, one in enumerate(features.tuples):
        factor = 1
        for site, own in zip(one.sites, one.factors, strict=True) if one.factors else ():
            entries[site].append((number, own))
        for site in () if one.factors else reversed(one.sites):
            entries[site].append((number, factor))
            factor *= features.site_codes[site]
    values = 1 if len(game.players) == 2 and game.constant_sum else len(game.players)
    alone = exchanged is not None or game.simultaneous or len(game.players) == 1
    turns = 1 if alone else len(game.players)
    many = len(set(rows[:, PHASE_WORD].tolist())) > MAX_PHASE_BANKS
    used = [] if many else sorted(set(rows[:, PHASE_WORD].tolist()))
    bank = np.array([used.index(phase) if phase in used else 0 for phase in range(phases)], np.int64)
    size, banks = int(begins[-1]), max(len(used), 1) * turns
    flat = [entry for own in entries for entry in own]
    return Evaluation(
        actors=0 if turn_word != NO_WORD else native.functions.actors,
        estimate=native.functions.estimate,
        facts=np.array([turn_word, turns, int(exchanged is not None)], np.int64),
        phase_bank=bank,
        planes=planes,
        plane_code=code,
        plane_count=counts,
        numbers=numbers,
        codes=codes,
        site_seen=_sites_seen(declared, features, views),
        first=np.concatenate([[0], np.cumsum([len(own) for own in entries])]).astype(np.int64),
        target=np.array([target for target, _ in flat] or [0], np.int32),
        factor=np.array([factor for _, factor in flat] or [0], np.int32),
        base=np.array([begins[one.table] for one in features.tuples], np.int32),
        last=np.array([features.tables[one.table] - 1 for one in features.tuples], np.int32),
        fixed=np.array([one.fixed for one in features.tuples], np.int32),
        weights=np.zeros(values * banks * size, np.float32),
        bank=np.array([size, banks * size], np.int64),
        scale=_scale(game, ends, values, exchanged is not None),
        sum=np.array([(native.utility_sum or 0.0)]),
        scales=np.array([one.scale for one in features.tuples], np.float32),
        hidden_base=np.full(len(features.tuples), NO_TUPLE, np.int32),
        hidden=np.zeros(0, np.float32),
        top=np.zeros(0, np.float32),
    )


def _turn_word(declared: Declarations, follow: Successors, rows: I64) -> int:
    """Return the word that says who acts wherever one player does; NO_WORD if there is none."""
    masks = np.array([follow.actors(row) for row in rows])
    if not (masks > 0).any():
        return NO_WORD
    alone = [(row, mask.bit_length() - 1) for row, mask in zip(rows, masks.tolist(), strict=True) if mask > 0]
    if any(mask & (mask - 1) for mask in masks.tolist() if mask > 0):
        return NO_WORD
    for number in declared.numbers:
        named = is_player(number.type) and not number.none and not number.indices
        if named and all(row[number.word] == player for row, player in alone):
            return number.word
    return NO_WORD


def _plane_arrays(declared: Declarations, features: Features, views: Sequence[Symmetry]) -> tuple[I64, I64, I64]:
    """Return `planes`, `plane_count` and `plane_code`; a plane stands once for each layer, and layers for each."""
    turner = Turner(declared)
    layer_of: dict[int, Layer] = {plane: layer for layer in features.layers for plane in layer.planes}
    counted = {one.plane: place for place, one in enumerate(features.tuples) if one.plane >= 0}
    planes, counts, code = [], [], []
    for number, plane in enumerate(declared.planes):
        become = [declared.planes.index(turner.plane(plane, view)) for view in views]
        planes.append((plane.word, plane.size, layer_of[number].first))
        counts.append([counted.get(other, NO_TUPLE) for other in become])
        code.append([layer_of[other].planes[other] for other in become])
    shape = np.array(planes, np.int64).reshape(-1, 3)
    by_view = [np.ascontiguousarray(np.array(one, np.int64).reshape(-1, 2).T) for one in (counts, code)]
    return shape, by_view[0], by_view[1]


def _number_arrays(declared: Declarations, features: Features, views: Sequence[Symmetry]) -> tuple[I64, I64]:
    """Return `numbers`, a row for each site that reads one, and `codes`."""
    turner = Turner(declared)
    rows: list[tuple[int, ...]] = []
    maps: list[list[int]] = [[], []]
    for place, number in enumerate(declared.numbers):
        for which, (site, _) in enumerate(features.seen[place]):
            rows.append((number.word, number.low, number.groups, site, len(maps[0]), number.step))
            for codes, view in zip(maps, views, strict=True):
                other = declared.numbers.index(turner.number(number, view))
                own = features.seen[other][which][1]
                codes += [own[value] for value in view.values(number)]
    for (place, edge), site in features.edges.items():
        plane = declared.planes[place]
        rows.append((plane.word, 0, plane.size + 1, site, len(maps[0]), edge))
        for codes in maps:
            codes += range(plane.size + 1)
    return np.array(rows, np.int64).reshape(-1, NUMBER_FIELDS), np.array(maps, np.int64)


def _sites_seen(declared: Declarations, features: Features, views: Sequence[Symmetry]) -> I64:
    """Return `site_seen`."""
    turner = Turner(declared)
    seen = np.tile(np.arange(len(features.site_codes), dtype=np.int64), (2, 1))
    for view, by in enumerate(views):
        for place, number in enumerate(declared.numbers):
            other = declared.numbers.index(turner.number(number, by))
            for which, (site, _) in enumerate(features.seen[place]):
                seen[view, site] = features.seen[other][which][0]
        for (place, edge), site in features.edges.items():
            seen[view, site] = features.edges[declared.planes.index(turner.plane(declared.planes[place], by)), edge]
        layer_of = {plane: layer for layer in features.layers for plane in layer.planes}
        for place, plane in enumerate(declared.planes):
            other_place = declared.planes.index(turner.plane(plane, by))
            first, other_first = layer_of[place].first, layer_of[other_place].first
            seen[view, first : first + plane.size] = other_first + by.places(plane)
    return seen


def _scale(game: Game, ends: I64, values: int, even: bool) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return `scale`: of games that are won, drawn or lost the bounds, else a range by the ends of random plays.

    With `even`, 0 is what both players get alike, since values change sign when seats are exchanged.
    """
    bounds = np.array(game.utility_bounds[:values], np.float64)
    middle, half = bounds.mean(axis=1), np.maximum(np.ptp(bounds, axis=1) / 2, LEAST_RANGE)
    if len(ends) and half.max() > 1.0:
        follow = Successors(game.native())
        seen = np.array([follow.utilities(row) for row in ends])[:, :values]
        differs = np.ptp(seen, axis=0) > 0  # else random plays say nothing of the range
        middle = np.where(differs, (seen.min(axis=0) + seen.max(axis=0)) / 2, middle)
        half = np.where(differs, RANGE * np.ptp(seen, axis=0), half)
    if even:
        level = (game.native().utility_sum or 0.0) / 2
        middle, half = np.full(1, level), half + np.abs(middle - level)
    return np.ascontiguousarray(np.stack([middle, half], axis=1))
