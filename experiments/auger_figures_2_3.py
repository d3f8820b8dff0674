"""A11, figures 2 and 3: fixed players against an opponent that evolves by one-sided Monte Carlo tree search.

Each player searches from the beginning of phantom tic-tac-toe, and its strategy is then fixed. An opponent that starts
with random play learns to beat it. A point shows the share of games won by the first player minus the share won by the
second, since the previous point: in figure 2 the fixed player moves first, in figure 3 second. A strategy is robust if
the curve stays near the value of the game. A11 puts that at 0.81; it is rather 0.67 to 0.70, see
docs/experiments.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import ggp
from experiments.evolving_opponent import EvolvingOpponent
from experiments.experiment import Experiment
from experiments.options import Option
from experiments.tables import markdown_table
from ggp.arithmetic.rng import seed_word
from ggp.cli.progress import progress_bar
from ggp.native.infoset_table import InfosetTable, new_infoset_table
from players.agents.registry import read_player
from players.player_options import NotApplicable
from players.search.information_sets.information_search import InformationFamily, frozen_search

PLAYERS = ("random", "mmcts", "oos")
OPPONENT_MEGABYTES = 1024
FIRST_POINT, GROWTH = 1_000, 10


@dataclass(frozen=True, slots=True)
class Curve:
    """The results of a fixed player up to each point, from the first player's view."""

    player: str
    fixed_role: int
    games: tuple[int, ...]
    difference: tuple[float, ...]


def fixed_strategy(game: ggp.Game, player: str, searched: int, word: int) -> InfosetTable:
    """Return the strategy of a player after a search from the beginning of the game, frozen.

    Raises:
        NotApplicable: the player has no strategies by information state.
    """
    spec = read_player(player)
    if not spec.kind.searches:
        return new_infoset_table(1 << 20, 1)
    family = spec.kind.hidden_family if spec.kind.hidden_module else None
    if not (isinstance(family, InformationFamily) and family.plans):
        raise NotApplicable(f"`{spec.kind.name}` keeps no strategies by information state")
    search = family.make_information_search(game.native(), spec.settings)
    search.prepare()
    search.seed(word)
    search.begin()
    search.run(searched)
    return frozen_search(search)


def points_up_to(games: int) -> tuple[int, ...]:
    """Return the points of measurement: 1,000 games, 10,000, and so on."""
    points = [FIRST_POINT]
    while points[-1] * GROWTH <= games:
        points.append(points[-1] * GROWTH)
    return tuple(points)


def curve(game: ggp.Game, player: str, frozen: InfosetTable, role: int, games: int, word: int) -> Curve:
    """Return the curve of a fixed player in a role."""
    opponent = EvolvingOpponent(game.native(), frozen, 1 - role, word, OPPONENT_MEGABYTES)
    points = points_up_to(games)
    sign = 1.0 if role == 0 else -1.0
    found = [sign * opponent.run(later - earlier) for earlier, later in pairwise((0, *points))]
    return Curve(player, role, points, tuple(found))


def curves(options: argparse.Namespace) -> Iterator[Curve]:
    """Yield the curves: search, then let opponents evolve in both roles."""
    game = ggp.load("phantom_tic_tac_toe")
    for number, player in enumerate(options.players):
        frozen = fixed_strategy(game, player, options.searched, seed_word(options.seed, number))
        for role in range(2):
            yield curve(game, player, frozen, role, options.games, seed_word(options.seed, number, role))


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Let all opponents evolve."""
    parts = []
    with progress_bar() as progress:
        total = 2 * len(options.players)
        found = list(progress.track(curves(options), total=total, description="searching and evolving"))
    for role, title in enumerate(("Figure 2: the fixed player moves first", "Figure 3: the fixed player moves second")):
        own = [one for one in found if one.fixed_role == role]
        heads = [f"games, after {options.searched:,} iterations of search", *(f"`{one.player}`" for one in own)]
        rows = [
            (f"{games:,}", *(f"{one.difference[place]:.3f}" for one in own)) for place, games in enumerate(own[0].games)
        ]
        parts += [f"## {title}", markdown_table(heads, rows)]
    return parts, found


EXPERIMENT = Experiment(
    "auger_figures_2_3",
    "A11, figures 2 and 3",
    __doc__,
    measure,
    options=(
        Option("players", "who is fixed; default: random, mmcts, oos", PLAYERS, PLAYERS, str, "PLAYER", "*"),
        Option("--searched", "iterations of search", 5_000_000, 2_000),
        Option("--games", "of the opponent", 10_000_000, 10_000),
    ),
    without=("jobs", "store", "so_far", "plot"),
)

if __name__ == "__main__":
    EXPERIMENT.run()
