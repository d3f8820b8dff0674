"""The learned evaluations that come with the library, made again: `python -m experiments.library_estimates`.

Each game is trained from the same seed, for as long as the file in the library was, and written to `--folder` in half
precision, with the result of games at equal clocks against what `auto` plays without it. Weights are a function of the
seed and of the number of games, which depends on the machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from msgspec import to_builtins

import ggp
from experiments.experiment import Experiment
from experiments.options import Option, some
from experiments.tables import markdown_table
from ggp.language import library_names
from players.evaluation.learned_strength import strength_of
from players.learning.files import ESTIMATES, write_learned
from players.learning.training import new_training

MINUTES = {
    **dict.fromkeys(("ataxx", "connect6", "gomoku", "hasami_shogi", "pente", "yavalath", "yavalax"), 1.0),
    "los_alamos": 4.01,
    "nine_mens_morris": 4.02,
    "reversi": 4.06,
    "breakthrough": 4.07,
    "chess": 12.04,
    "backgammon": 22.0,
    "dark_chess": 3.07,
    "stratego": 5.84,
}
"""Of processor time, for which the files in the library were trained; other games are for one minute."""
HIDDEN = {"backgammon": 80}
"""Hidden units; other games have none."""
SEARCH = {
    "chess": 800,
    **dict.fromkeys(("breakthrough", "dark_chess", "los_alamos", "nine_mens_morris", "reversi", "stratego"), 400),
}
"""States that a search visits for a decision of self-play; other games are played one action ahead."""
STRAYS = {"backgammon": 0.03}
"""The share of random actions where it is not that of `ggp train`: dice vary games by themselves."""
STRENGTH_SHARE = 1.0
"""Of the training time, for the games against a player without the evaluation."""


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Train and measure."""
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, facts = [], []
    for name in options.games or MINUTES:
        game, path = ggp.load(name), options.folder / f"{name}{ESTIMATES.suffix}"
        minutes = options.minutes or MINUTES.get(name, 1.0)
        training = new_training(game, options.seed, HIDDEN.get(name, 0), SEARCH.get(name, 0))
        training.rates = training.rates._replace(strays=STRAYS.get(name, training.rates.strays))
        list(training.run(minutes, None, lambda _: None))
        learned = training.learned()
        write_learned(path, game, learned, small=True)
        met = strength_of(game, str(path), 60 * minutes * STRENGTH_SHARE, options.seed)
        if met is not None:
            learned.about["strength"] = to_builtins(met)
            write_learned(path, game, learned, small=True)
        kilobytes = path.stat().st_size / 1000
        share = "" if met is None else f"{100 * met.win_rate:.0f} ({100 * met.ci95[0]:.0f} to {100 * met.ci95[1]:.0f})"
        against = "" if met is None else f"`{met.player}` against `{met.against}`"
        rows.append([name, f"{training.games:,}", f"{training.minutes:.2f}", f"{kilobytes:.0f}", against, share])
        facts.append({"game": name, "games": training.games, "minutes": training.minutes, "strength": met})
        print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    headings = ["game", "games of training", "minutes", "kB", "players", "games won, %"]
    return [markdown_table(headings, rows)], facts


EXPERIMENT = Experiment(
    "library_estimates",
    "Learned evaluations of the library",
    __doc__,
    measure,
    options=(
        some("games", library_names(), ("connect_four",)),
        Option(
            "--minutes",
            "of processor time; default: as long as the files that are there",
            None,
            0.01,
            float,
            "M",
        ),
        Option(
            "--folder", "where the files go", Path("results/estimates"), Path("results/estimates_quick"), Path, "FOLDER"
        ),
    ),
    without=("plot", "store", "so_far", "jobs"),
)

if __name__ == "__main__":
    EXPERIMENT.run()
