"""How close five players come to an equilibrium of five small games: figures 4.6 to 4.10 of Lisý 2014.

Goofspiel(5), Oshi-Zumo(10, 3, 1), a random game of depth 5 with four actions, pursuit-evasion on 4x4 with four moves
and Tron 5x6, with the parameters of the figures, and `drm` in addition. NashConv (the sum of both players'
exploitability) over iterations, and the seconds that they take.

C is given by the thesis for its utilities; for utilities scaled to [0, 1] it is divided by their range, 2, in the
random game 10. Details that the thesis leaves open: goofspiel's cards 0 to 4 come in descending order, as in its
matches; the random game is the one with seed 1; the fugitive begins at (2, 2), the hunters at (1, 1) and (4, 3), from
where the game has no pure equilibrium, as in the thesis; in Tron riding into a wall is legal only if there is no other
action, since the thesis has at most three actions. (In the library's Tron all four are legal: where nothing was
searched, a player then crashes at once, and NashConv is still 2 after ten million iterations.)
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, toml

from experiments.curves import Curve, MeasuredCurve, by_panel, curve_experiment, curve_table, player_told, seconds_told
from experiments.rules_files import game_here
from players.evaluation.measuring import Course


class Figure(Struct, frozen=True):
    """A figure of the thesis.

    Attributes:
        game: a rules file, or the name of a library game.
        parameters: of the game.
        c: of DUCT, for utilities scaled to [0, 1].
        claims: what the text says about the figure, with its seconds converted to iterations.
    """

    game: str
    parameters: dict[str, str]
    c: float
    claims: str


FIGURES = toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, Figure])
PLAYERS = {
    "oos": "oos:gamma=0.6",
    "rm": "rm:gamma=0.1",
    "drm": "drm:gamma=0.1",
    "exp3": "exp3:gamma=0.1,unit=bounds",
    "duct": "duct:c={c:g},ties=0.01,unit=bounds",
    "duct, exact ties": "duct:c={c:g},ties=0,unit=bounds",
}
POINTS = (1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7)


def planned(options: argparse.Namespace) -> list[Curve]:
    """Return the curves of all figures."""
    points = (300.0, 1000.0) if options.quick else POINTS
    return [
        Curve(
            panel,
            name,
            Course(game_here(figure.game), tuple(figure.parameters.items()), text.format(c=figure.c), points),
        )
        for panel, figure in FIGURES.items()
        for name, text in PLAYERS.items()
    ]


def tables(curves: Sequence[MeasuredCurve]) -> list[str]:
    """Return a section for each figure."""
    parts = []
    for panel, own in by_panel(curves).items():
        runs = min(len(one.runs) for one in own)
        parts += [f"## {panel}", FIGURES[panel].claims]
        parts.append(f"NashConv after the given iterations, mean of at least {runs} runs.")
        parts.append(curve_table(own, {"seconds": seconds_told, "player": player_told}))
    return parts


EXPERIMENT = curve_experiment(
    "l14_convergence", "Figures 4.6 to 4.10 of Lisý 2014", __doc__, planned, tables, runs=(20, 1)
)

if __name__ == "__main__":
    EXPERIMENT.run()
