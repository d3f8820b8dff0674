"""Counts of histories by depth against the tables of Lisý 2014, section 4.1.

The tables count histories. Their split into pure and mixed is that of the strategies one solver returned: where a
state has optimal strategies of both kinds, it depends on the solver. Here a decision is pure if its matrix of values
has a saddle point, so no table can have fewer mixed decisions than are counted here; the sums agree exactly.
Goofspiel's table is that of the cards 1 to 5, highest prize first, although the text has cards from 0.
"""

import pytest

from ggp.rules_compiler.loading import load
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.depth_counts import count_by_depth
from ggp.solvers.worlds.exploration import explore_game

TABLES = {
    "goofspiel": [(0, 1), (17, 8), (334, 66), (3354, 246), (14400, 0)],
    "oshi_zumo": [
        *((1, 0), (98, 1), (2012, 4), (14767, 17), (48538, 8)),
        *((79926, 0), (69938, 0), (33538, 0), (8351, 0), (861, 0)),
    ],
    "pursuit_evasion": [(1, 0), (12, 0), (261, 63), (7656, 1008), (241986, 6726)],
}
PARAMETERS: dict[str, dict[str, str | int]] = {
    "goofspiel": {"n": 5, "lowest": 1, "prizes": "descending"},
    "oshi_zumo": {"coins": 10, "half": 3, "least": 1},
    "pursuit_evasion": {},
}
SOLVER_DEPENDENT = {
    "goofspiel": [1, 0, 2, 0, 0],
    "oshi_zumo": [0, 1, 2, 3, 0, 0, 0, 0, 0, 0],
    "pursuit_evasion": [0, 0, 23, 0, 0],
}
"""At each depth, histories that the table has as mixed though their decision has a saddle point."""


@pytest.mark.parametrize("name", TABLES)
def test_counts_by_depth(name: str) -> None:
    game = explore_game(load(name, **PARAMETERS[name]).native())
    components = order_components(game.graph)
    counts = count_by_depth(optimal_values(game, components), components)
    expected = [
        (pure + both, mixed - both) for (pure, mixed), both in zip(TABLES[name], SOLVER_DEPENDENT[name], strict=True)
    ]
    assert [(count.pure, count.mixed) for count in counts] == expected
