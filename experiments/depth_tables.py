"""The pure and mixed decisions by depth of Lisý 2014, 4.1.1, beside the published numbers.

The tables count histories (sequences of joint actions that end in a decision), not distinct states; their totals are
reproduced at every depth. The published `pure` depends on the authors' solver; here it means that the matrix of values
has a saddle point, which depends on no solver. Where the two differ, theirs always has fewer pure ones: for some states
with a pure equilibrium, their linear program returned a mixed one. (HiGHS with vertex solutions differs in the same
way: in pursuit-evasion, depth 2, it mixes in 62 histories; the table has 63, but only 40 have no saddle point.)

Conventions of the games: goofspiel has cards 1 to 5 (the text says 0 to 4, its evaluation function assumes 1 to d)
and the order of prizes that comes closest; in Tron a rider without a free cell has lost; in pursuit-evasion
the evader begins in a corner, the pursuers in the opposite one and beside it.
"""

from __future__ import annotations

import argparse
from typing import Any

import ggp
from experiments.experiment import Experiment
from experiments.options import PRINTED, some
from experiments.rules_files import rules_file
from experiments.tables import markdown_table
from ggp.cli.progress import progress_bar
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.depth_counts import count_by_depth
from ggp.solvers.worlds.exploration import explore_game

TABLES: dict[str, tuple[str, dict[str, int], list[tuple[int, int]]]] = {
    "goofspiel(5)": (
        rules_file("goofspiel_known_order"),
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
        rules_file("tron_stuck_loses"),
        {},
        [
            *((1, 0), (4, 0), (14, 2), (100, 0), (565, 9), (2598, 7), (9508, 51)),
            *((25964, 92), (54304, 106), (83624, 121), (87009, 74), (63642, 0), (23296, 0), (3127, 0)),
        ],
    ),
}
"""Name, rules, parameters, and the published pairs of pure and mixed by depth."""


def counted(name: str) -> list[dict[str, Any]]:
    """Return the counts of a game by depth, beside the published ones."""
    rules, parameters, published = TABLES[name]
    game = explore_game(ggp.load(rules, **parameters).native())
    components = order_components(game.graph)
    counts = count_by_depth(optimal_values(game, components), components)
    return [
        {"depth": one.depth, "pure": one.pure, "mixed": one.mixed, "published_pure": pure, "published_mixed": mixed}
        for (pure, mixed), one in zip(published, counts, strict=True)
    ]


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Count in each game."""
    names, tables = options.games or TABLES, {}
    with progress_bar() as progress:
        for name in progress.track(names, description="counting"):
            tables[name] = counted(name)
    parts = []
    heads = ["depth", "histories", "published", "pure", "published", "mixed", "published"]
    for name, rows in tables.items():
        numbers = [
            (
                *(row["depth"], row["pure"] + row["mixed"], row["published_pure"] + row["published_mixed"]),
                *(row["pure"], row["published_pure"], row["mixed"], row["published_mixed"]),
            )
            for row in rows
        ]
        parts += [f"## {name}", markdown_table(heads, [[f"{number:,}" for number in row] for row in numbers])]
    return parts, tables


EXPERIMENT = Experiment(
    "depth_tables",
    "Pure and mixed decisions by depth",
    __doc__,
    measure,
    options=(some("games", TABLES, ("goofspiel(5)",), "GAME"),),
    without=PRINTED,
)

if __name__ == "__main__":
    EXPERIMENT.run()
