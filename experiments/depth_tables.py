"""Prints the pure and mixed decisions by depth of Lisý 2014, 4.1.1, beside the published numbers.

What gives the tables: they count histories (sequences of joint actions that end in a decision), not distinct states;
their totals are met at every depth. `pure` is published as the solver of the authors saw it; here it says that the
matrix of values has a saddle point, which depends on no solver. Where the two differ, theirs has always fewer pure
ones: states with a pure equilibrium for which their linear program gave a mixed one. (HiGHS, asked for its vertices,
differs likewise: in pursuit-evasion, depth 2, it mixes in 62 histories; the table has 63, but 40 have no saddle point.)

Conventions of the games: goofspiel has cards 1 to 5 (the text says 0 to 4, its evaluation function assumes 1 to d)
and the order of prizes that comes closest; in Tron a rider without a free cell has lost already; in pursuit-evasion
the evader begins in a corner, the pursuers in the opposite one and beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import ggp
from ggp.analysis.backward_induction import optimal_values
from ggp.analysis.components import order_components
from ggp.analysis.depth_counts import count_by_depth
from ggp.analysis.exploration import explore_game

HERE = Path(__file__).parent

TABLES: dict[str, tuple[str, dict[str, int], list[tuple[int, int]]]] = {
    "goofspiel(5)": (
        str(HERE / "goofspiel_known_order.rules"),
        {},
        [(0, 1), (17, 8), (334, 66), (3354, 246), (14400, 0)],
    ),
    "Oshi-Zumo(10,3,1)": (
        "oshi_zumo",
        {"coins": 10},
        [
            *((1, 0), (98, 1), (2012, 4), (14767, 17), (48538, 8)),
            *((79926, 0), (69938, 0), (33538, 0), (8351, 0), (861, 0)),
        ],
    ),
    "pursuit-evasion 4x4": (
        "pursuit_evasion",
        {},
        [(1, 0), (12, 0), (261, 63), (7656, 1008), (241986, 6726)],
    ),
    "Tron 5x6": (
        str(HERE / "tron_stuck_loses.rules"),
        {},
        [
            *((1, 0), (4, 0), (14, 2), (100, 0), (565, 9), (2598, 7), (9508, 51)),
            *((25964, 92), (54304, 106), (83624, 121), (87009, 74), (63642, 0), (23296, 0), (3127, 0)),
        ],
    ),
}
"""Name, rules, parameters, and the published pairs of pure and mixed by depth."""


def main(names: list[str]) -> None:
    """Print the tables of the named games, or of all."""
    for name in names or TABLES:
        rules, parameters, published = TABLES[name]
        game = explore_game(ggp.load(rules, **parameters).native())
        components = order_components(game.graph)
        counts = count_by_depth(optimal_values(game, components), components)
        print(f"{name}: {game.states:,} distinct world states")
        print("depth  histories  published    pure  published    mixed  published")
        for (pure, mixed), one in zip(published, counts, strict=True):
            numbers = (one.pure + one.mixed, pure + mixed, one.pure, pure, one.mixed, mixed)
            print(f"{one.depth:5}  " + "  ".join(f"{number:9,}" for number in numbers))
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
