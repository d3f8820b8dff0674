"""Our players for hidden information against OpenSpiel's: `python -m experiments.openspiel_hidden_duel`.

Both play the same game side by side, ours in our model and theirs in OpenSpiel's. Each decision has the same clock, in
processor time, so other work of the machine takes nothing from either. OpenSpiel's ISMCTS, which plays where it can
sample states that fit, is given the simulations that fit at the speed of its searches at the same depth. The last
column shows what both took. Seats are swapped, and each pair of games has the same chance.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import ggp
from benchmarks.machine import machine_line
from experiments.duels import Duel, Ours, agent_of, duel
from experiments.experiment import Experiment
from experiments.openspiel_bots import MEETINGS, OpenSpielIsmcts, OpenSpielOos
from experiments.options import Option, seconds, some
from experiments.records import recorded_parts
from experiments.tables import around, markdown_table, percent

GAMES = {"kuhn_poker": 300, "poker": 500, "liars_dice": 100, "phantom_tic_tac_toe": 80, "goofspiel": 200}
OURS = ("auto", "ismcts", "oos")
SAMPLING = "openspiel-ismcts"
THEIRS = {SAMPLING: OpenSpielIsmcts, "openspiel-oos": OpenSpielOos}


def play(name: str, players: tuple[str, str], games: int, play_clock_s: float, seed: int) -> Iterator[Duel]:
    """Let two players meet in a game, and yield the result once."""
    game = ggp.load(name, **MEETINGS[name].parameters)
    sides = Ours(game, agent_of(players[0])), THEIRS[players[1]](MEETINGS[name])
    yield duel(game, sides, games, play_clock_s, seed)


def page(found: dict[str, Duel], names: dict[str, tuple[str, tuple[str, str]]], given: str) -> list[str]:
    """Return what follows the text."""
    heads = ["game", "first", "second", "games", "the first wins, % (95 %)", "its mean payoff", "ms a decision"]
    rows: list[Sequence[str]] = []
    for name, one in found.items():
        game, (first, second) = names[name]
        clocks = " / ".join(f"{1000 * taken:.0f}" for taken in one.seconds)
        results = (str(one.games), percent(one.rate, 1), around(one.payoff, 3), clocks)
        rows.append([MEETINGS[game].title, f"`{first}`", f"`{second}`", *results])
    return [
        markdown_table(heads, rows),
        "## Again",
        f"```sh\npython -m experiments.openspiel_hidden_duel{given}\n```",
        machine_line(),
    ]


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    pairs = {
        f"{game}: {first} against {second}": (game, (first, second))
        for game in options.games or MEETINGS
        for second in THEIRS
        for first in OURS
        if second != SAMPLING or MEETINGS[game].samples
    }
    rest = options.play_clock, options.seed
    wanted = {name: (game, both, options.number or GAMES[game], *rest) for name, (game, both) in pairs.items()}
    found = recorded_parts(options, wanted, play, Duel, "pairs of players")
    told = [{"game": pairs[name][0], "players": pairs[name][1], "result": one} for name, one in found.items()]
    return page(found, pairs, f" --play-clock {options.play_clock:g} --seed {options.seed}"), told


EXPERIMENT = Experiment(
    "openspiel_hidden_duel",
    "Hidden information: against OpenSpiel's bots",
    __doc__,
    measure,
    (
        some("games", MEETINGS, ("kuhn_poker",), "GAME"),
        Option("--number", "games of each pair, an even number; default: 80 to 500", quick=2),
        seconds("--play-clock", "for a decision", 0.02, 0.002),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
