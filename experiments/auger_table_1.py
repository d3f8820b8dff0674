"""A11, table 1 and figure 1: win rates in phantom tic-tac-toe, of MMCTS after different numbers of simulations.

MMCTS learns for a given number of simulations, its strategies are saved in the folder of records, and then each player
plays first against each other one. The source has 500 thousand, 5 million and 50 million simulations. Figure 1 is how
the result of MMCTS against itself changes with the simulations: the rows of a size against the same. The figure's text
has a difference of 0.81 in the end, and 85 % won by the first player.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ggp
from experiments.experiment import Experiment
from experiments.options import Option
from experiments.records import recorded_parts
from experiments.tables import markdown_table
from ggp.arithmetic.rng import seed_word
from ggp.cli.progress import progress_bar
from players.agents.registry import read_player
from players.evaluation.matches import TimeControl, play_games
from players.search.information_sets.learned_search import LearnedSearch

GAME = "phantom_tic_tac_toe"
SIZES, FIGURE_SIZES, QUICK_SIZES = (500_000, 5_000_000), (5_000, 50_000, 500_000, 5_000_000, 50_000_000), (1_000, 2_000)
LEARNED_AT_ONCE = 250_000
SAMPLER_ITERATIONS = 20_000
"""Enough for the belief sampler to visit every consistent world state."""
PUBLISHED = {
    ("mmcts 500,000", "mmcts 500,000"): (65, 25),
    ("mmcts 500,000", "random"): (67, 22),
    ("mmcts 500,000", "belief-sampler"): (40, 43),
    ("mmcts 5,000,000", "mmcts 500,000"): (88, 6),
    ("mmcts 5,000,000", "mmcts 5,000,000"): (82, 10),
    ("mmcts 5,000,000", "random"): (88, 5),
    ("mmcts 5,000,000", "belief-sampler"): (78, 10),
    ("mmcts 50,000,000", "mmcts 50,000,000"): (85, 4),
    ("mmcts 50,000,000", "random"): (93, 2),
    ("mmcts 50,000,000", "belief-sampler"): (82, 3),
    ("random", "mmcts 500,000"): (55, 33),
    ("random", "mmcts 5,000,000"): (48, 39),
    ("random", "mmcts 50,000,000"): (41, 47),
    ("random", "random"): (59, 28),
    ("random", "belief-sampler"): (30, 53),
    ("belief-sampler", "mmcts 500,000"): (77, 14),
    ("belief-sampler", "mmcts 5,000,000"): (73, 18),
    ("belief-sampler", "mmcts 50,000,000"): (68, 22),
    ("belief-sampler", "random"): (79, 12),
    ("belief-sampler", "belief-sampler"): (56, 28),
}
"""Percent won by the first and by the second player."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The result of two players, the first of them as cross: games, and how many it won and lost."""

    games: int
    won: int
    lost: int


def learn(size: int, seed: int, rewards: str, folder: Path) -> Path:
    """Return the file with the strategies after this many simulations, learned now if it does not exist."""
    path = folder / f"auger_mmcts_{rewards}_{size}_{seed}.npz"
    if path.exists():
        return path
    player = read_player(f"mmcts:memory=1024,rewards={rewards}")
    search = player.kind.hidden_family.make_hidden_search(ggp.load(GAME).native(), player.settings)
    assert isinstance(search, LearnedSearch)
    search.seed(seed_word(seed))
    search.begin()
    with progress_bar() as progress:
        task = progress.add_task(f"learning {size:,}", total=size)
        while search.iterations < size:
            search.learn(min(LEARNED_AT_ONCE, size - search.iterations))
            progress.update(task, completed=search.iterations)
    folder.mkdir(parents=True, exist_ok=True)
    search.save(path)
    return path


def play(first: str, second: str, games: int, seed: int) -> Iterator[Pair]:
    """Let two players meet, and yield the result once."""
    both, control = [read_player(first), read_player(second)], TimeControl(iterations=SAMPLER_ITERATIONS)
    results = play_games(ggp.load(GAME), both, range(games), seed, swap=False, time_control=control)
    utilities = [result.utilities[0] for result in results]
    yield Pair(games, sum(one > 0 for one in utilities), sum(one < 0 for one in utilities))


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Learn, and play what is missing."""
    among = {"random": "random", "belief-sampler": "belief-sampler"}
    names = dict(among)
    for size in sorted({*options.simulations, *options.figure}):
        file = learn(size, options.seed, options.rewards, options.store)
        names[f"mmcts {size:,}"] = f"mmcts:memory=256,file={file}"
    table = [*(f"mmcts {size:,}" for size in options.simulations), *among]
    pairs = [(first, second) for first in table for second in table]
    itself = [(name, name) for size in options.figure if (name := f"mmcts {size:,}")]
    wanted = {
        f"{first} against {second}": (names[first], names[second], options.games, options.seed)
        for first, second in dict.fromkeys((*pairs, *itself))
    }
    found = recorded_parts(options, wanted, play, Pair, "pairs of players")

    def row(first: str, second: str) -> list[str]:
        one, theirs = found.get(f"{first} against {second}"), PUBLISHED.get((first, second))
        shares = f"{100 * one.won / one.games:.1f} % / {100 * one.lost / one.games:.1f} %" if one else "-"
        return [first, second, shares, f"{theirs[0]} % / {theirs[1]} %" if theirs else "-"]

    heads = ["first", "second", "won / lost by the first", "Auger"]
    parts = [
        f"{options.games:,} games of each pair.",
        "## Table 1",
        markdown_table(heads, [row(*pair) for pair in pairs]),
    ]
    parts += ["## Figure 1", markdown_table(heads, [row(*pair) for pair in itself])]
    return parts, found


EXPERIMENT = Experiment(
    "auger_table_1",
    "A11, table 1 and figure 1",
    __doc__,
    measure,
    options=(
        Option("--simulations", "of MMCTS in the table", SIZES, QUICK_SIZES[:1], nargs="*", planned=False),
        Option("--figure", "of MMCTS in the figure", FIGURE_SIZES, QUICK_SIZES, nargs="*", planned=False),
        Option("--games", "of each pair", 1000, 1),
        Option("--rewards", "that MMCTS learns from, `utility` or `wins`", "utility", "utility", str, "WHAT"),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
