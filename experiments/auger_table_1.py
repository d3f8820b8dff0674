"""Win rates in phantom tic-tac-toe: table 1 of Auger 2011, his algorithm after different numbers of simulations.

MMCTS learns for a given number of simulations, its strategies are saved in the folder of records, and then each player
plays first against each other one. The source has 500 thousand, 5 million and 50 million simulations.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import ggp
from experiments.options import count, read_options, run_experiment
from experiments.tables import markdown_table, write_results
from ggp.arithmetic.rng import seed_word
from ggp.cli.progress import progress_bar
from players.agents.registry import read_player
from players.evaluation.matches import TimeControl, play_games
from players.search.information_sets.learned_search import LearnedSearch

if TYPE_CHECKING:
    from rich.progress import Progress

GAME = "phantom_tic_tac_toe"
SIZES, QUICK_SIZES = (500_000, 5_000_000), (2_000,)
GAMES, QUICK_GAMES = 1000, 1
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
    """The result of two players, the first of them as cross.

    Attributes:
        first: its name.
        second: its name.
        games: how many.
        won: by the first.
        lost: by the first.
    """

    first: str
    second: str
    games: int
    won: int
    lost: int


def learn(size: int, seed: int, rewards: str, folder: Path, progress: Progress) -> Path:
    """Return the file with the strategies after this many simulations, learned now if it does not exist."""
    path = folder / f"auger_mmcts_{rewards}_{size}_{seed}.npz"
    if path.exists():
        return path
    player = read_player(f"mmcts:memory=1024,rewards={rewards}")
    search = player.kind.hidden_family.make_hidden_search(ggp.load(GAME).native(), player.settings)
    assert isinstance(search, LearnedSearch)
    search.seed(seed_word(seed))
    search.begin()
    task = progress.add_task(f"learning {size:,}", total=size)
    while search.iterations < size:
        search.learn(min(LEARNED_AT_ONCE, size - search.iterations))
        progress.update(task, completed=search.iterations)
    folder.mkdir(parents=True, exist_ok=True)
    search.save(path)
    return path


def main(words: Sequence[str]) -> None:
    """Learn, play, and print the results."""

    def add(parser: argparse.ArgumentParser) -> None:
        explained = "of MMCTS; default: 500,000 and 5 million"
        parser.add_argument("--simulations", type=count, nargs="*", metavar="N", help=explained)
        parser.add_argument("--games", type=count, metavar="N", help="of each pair; default: 1000")
        parser.add_argument("--rewards", choices=("utility", "wins"), default="utility", help="that MMCTS learns from")

    options = read_options("auger_table_1", __doc__ or "", words, {"runs", "jobs", "plot", "so_far"}, add)
    sizes = tuple(options.simulations or (QUICK_SIZES if options.quick else SIZES))
    games = options.games or (QUICK_GAMES if options.quick else GAMES)
    game = ggp.load(GAME)
    pairs: list[Pair] = []
    with progress_bar() as progress:
        files = {size: learn(size, options.seed, options.rewards, options.store, progress) for size in sizes}
        players = {f"mmcts {size:,}": f"mmcts:memory=256,file={file}" for size, file in files.items()}
        players |= {"random": "random", "belief-sampler": "belief-sampler"}
        task = progress.add_task("playing", total=games * len(players) ** 2)
        for first, one in players.items():
            for second, other in players.items():
                won = lost = 0
                both = [read_player(one), read_player(other)]
                time_control = TimeControl(iterations=SAMPLER_ITERATIONS)
                for result in play_games(game, both, range(games), options.seed, swap=False, time_control=time_control):
                    won += result.utilities[0] > 0
                    lost += result.utilities[0] < 0
                    progress.advance(task)
                pairs.append(Pair(first, second, games, won, lost))
    rows = []
    for pair in pairs:
        published = PUBLISHED.get((pair.first, pair.second))
        rows.append(
            [
                pair.first,
                pair.second,
                f"{100 * pair.won / pair.games:.1f} % / {100 * pair.lost / pair.games:.1f} %",
                f"{published[0]} % / {published[1]} %" if published else "-",
            ]
        )
    page = markdown_table(["first", "second", "won / lost by the first", "Auger"], rows)
    write_results(options, page, [asdict(pair) for pair in pairs])


if __name__ == "__main__":
    run_experiment(main)
