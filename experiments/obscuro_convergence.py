"""How close `obscuro` comes to an equilibrium where information is hidden, beside `oos` and `ismcts`.

NashConv over iterations, in Kuhn and Leduc poker, liar's dice with dice of four sides, and hidden goofspiel(4) with
prizes in descending order: of the strategies of one search from the beginning of the game, and of play itself, in which
the player searches anew in every information state (stitched). An iteration of `obscuro` is a walk, or a part of a pass
over its subgame that takes about as long.

What is measured of `obscuro` is its last strategy (`final=last`), and of play the purified one, too, which it plays by
itself: of at most three actions, so that it stays away from equilibria that need more.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from experiments.curves import Curve, MeasuredCurve, by_panel, curve_experiment, curve_table, seconds_told
from players.evaluation.information_measuring import FROM_THE_ROOT, STITCHED
from players.evaluation.measuring import Course

GAMES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "Kuhn poker": ("kuhn_poker", ()),
    "Leduc poker": ("poker", ()),
    "liar's dice(4)": ("liars_dice", (("faces", "4"),)),
    "hidden goofspiel(4)": ("goofspiel", (("n", "4"), ("bids", "hidden"), ("prizes", "descending"))),
}
FROM_ROOT = {"obscuro": "obscuro:final=last", "oos": "oos", "ismcts": "ismcts", "ismcts, rm": "ismcts:selection=rm"}
IN_PLAY = {**FROM_ROOT, "obscuro, purified": "obscuro"}
POINTS, PLAY_POINTS = (1e3, 1e4, 1e5, 1e6), (300.0, 3000.0, 10000.0)
QUICK_GAMES, QUICK_POINTS = ("Kuhn poker",), (100.0, 300.0)


def planned(options: argparse.Namespace) -> list[Curve]:
    """Return all curves."""
    found = []
    for panel, players, way, points in (
        ("{}, from the root", FROM_ROOT, FROM_THE_ROOT, POINTS),
        ("{}, in play", IN_PLAY, STITCHED, PLAY_POINTS),
    ):
        for title in QUICK_GAMES if options.quick else GAMES:
            game, parameters = GAMES[title]
            for name, player in players.items():
                course = Course(game, parameters, player, QUICK_POINTS if options.quick else points, way=way)
                found.append(Curve(panel.format(title), name, course))
    return found


def tables(measured: Sequence[MeasuredCurve]) -> list[str]:
    """Return a section for each graph."""
    parts = []
    for panel, own in by_panel(measured).items():
        parts += [f"## {panel}", curve_table(own, {"seconds": seconds_told})]
    return [
        *parts,
        "The last column has the seconds that the last point took, in play those of one decision.",
    ]


EXPERIMENT = curve_experiment(
    "obscuro_convergence", "Obscuro: NashConv in four small games", __doc__, planned, tables, (1, 1)
)

if __name__ == "__main__":
    EXPERIMENT.run()
