"""How close five searches come to an equilibrium where information is hidden: figures 4.11 to 4.15 of Lisý 2014.

Goofspiel with six cards and hidden bids, generic poker with two sizes of bets, two raises and three cards of each of
three ranks, and phantom tic-tac-toe that begins in the centre. NashConv is measured for the strategies of one search
from the beginning of the game, over its iterations, and for play itself, over the iterations of each decision. In play,
the strategies are the aggregate of matches against random play (4.3.1 of the thesis), with beliefs and without; figures
4.12 and 4.14 are play by `oos` with different shares of exploration and of targeting. The parameters are those of the
thesis: the defaults, with utilities in units of the range of the payoffs (`unit=bounds`), and units of 2 and 4 in
poker.

Phantom tic-tac-toe has 280 million histories, which do not fit into memory. Best responses walk through them, as in
`ggp exploit`. As in the thesis, it is measured from the root only.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from msgspec.structs import replace

from experiments.curves import Curve, MeasuredCurve, by_panel, curve_experiment, curve_table, seconds_told
from experiments.options import Option
from players.evaluation.information_measuring import AGGREGATE, FROM_THE_ROOT
from players.evaluation.measuring import Course

Games = dict[str, tuple[str, tuple[tuple[str, str], ...]]]
GAMES: Games = {
    "hidden goofspiel(6)": (
        "goofspiel",
        (("n", "6"), ("lowest", "0"), ("prizes", "descending"), ("bids", "hidden")),
    ),
    "generic poker": ("poker", (("bet_sizes", "2"), ("max_raises", "2"), ("copies", "3"))),
}
WALKED_GAMES: Games = {"phantom tic-tac-toe in the centre": ("phantom_tic_tac_toe", (("opening", "centre"),))}
QUICK_GAME: Games = {"Kuhn poker": ("kuhn_poker", ())}
SELECTIONS = ("uct", "ruct", "exp3", "rm")
ISMCTS = {name: f"ismcts:selection={name},unit=bounds" for name in SELECTIONS}
SEARCHES = {"oos": "oos", **ISMCTS}
IN_PLAY = {
    "oos": "oos",
    **{f"{name}, belief": player for name, player in ISMCTS.items()},
    **{f"{name}, no belief": f"{player},belief=off" for name, player in ISMCTS.items()},
}
OOS_PARAMETERS = {
    f"exploration {gamma}, targeting {delta}": f"oos:gamma={gamma},delta={delta}"
    for gamma, delta in (("0.2", "0.9"), ("0.4", "0"), ("0.4", "0.5"), ("0.4", "0.9"), ("0.6", "0.9"), ("0.8", "0.9"))
}
POINTS, WALKED_POINTS, QUICK_POINTS = (1e3, 1e4, 1e5, 3e5, 1e6, 3e6), (1e4, 1e5, 1e6, 1e7), (100.0, 1000.0)
PLAY_POINTS, OOS_POINTS, PLAY_MATCHES = (1e2, 1e3, 1e4), (1e2, 1e3, 1e4, 1e5), 60
QUICK_PLAY_POINTS, QUICK_PLAY_MATCHES = (30.0,), 2
ROOT_PANEL, PLAY_PANEL, OOS_PANEL = "{}, from the root", "{}, in play", "{}, oos in play"


def planned(options: argparse.Namespace) -> list[Curve]:
    """Return the curves whose graphs were asked for."""
    quick = options.quick
    games, walked = (QUICK_GAME, {"Kuhn poker, walked": QUICK_GAME["Kuhn poker"]}) if quick else (GAMES, WALKED_GAMES)
    matches = QUICK_PLAY_MATCHES if quick else PLAY_MATCHES
    found = []
    for panel, among, players, points in (
        (ROOT_PANEL, games, SEARCHES, POINTS),
        (PLAY_PANEL, games, IN_PLAY, PLAY_POINTS),
        (OOS_PANEL, games, OOS_PARAMETERS, OOS_POINTS),
        (ROOT_PANEL, walked, SEARCHES, WALKED_POINTS),
    ):
        from_root, walks = panel == ROOT_PANEL, among is walked
        measured = (QUICK_POINTS if from_root else QUICK_PLAY_POINTS) if quick else points
        way = FROM_THE_ROOT if from_root else AGGREGATE
        for title, (game, parameters) in among.items():
            for name, player in players.items():
                course = Course(game, parameters, player, measured, way=way, walked=walks)
                course = course if from_root else replace(course, matches=matches)
                found.append(Curve(panel.format(title), name, course))
    return [one for one in found if not options.panels or any(text in one.panel for text in options.panels)]


def tables(measured: Sequence[MeasuredCurve]) -> list[str]:
    """Return a section for each graph."""
    parts = []
    for panel, own in by_panel(measured).items():
        runs, course = len(own[0].runs), own[0].curve.course
        matches = f"; of {course.matches} matches in each role" if course.way == AGGREGATE else ""
        parts += [f"## {panel}", f"Means of {runs} {'run' if runs == 1 else 'runs'}{matches}."]
        parts.append(curve_table(own, {"seconds": seconds_told}, digits=3))
    return [*parts, "The last column has the seconds that the last point took, in play those of one decision."]


EXPERIMENT = curve_experiment(
    "l14_hidden_convergence",
    "NashConv with hidden information, Lisý 2014",
    __doc__,
    planned,
    tables,
    (1, 1),
    (
        Option(
            "panels", "measure only graphs whose name contains this", type=str, metavar="TEXT", nargs="*", planned=False
        ),
    ),
)

if __name__ == "__main__":
    EXPERIMENT.run()
