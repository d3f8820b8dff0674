"""How close five searches come to an equilibrium where information is hidden: figures 4.11, 4.13 and 4.15 of Lisý 2014.

Goofspiel with six cards and hidden bids, generic poker with two sizes of bets, two raises and three cards of each of
three ranks, and phantom tic-tac-toe that begins in the centre. NashConv is measured for the strategies of one search
from the beginning of the game, over its iterations, and for play itself, over the iterations of each decision. In play,
the strategies are the aggregate of matches against random play (4.3.1 of the thesis), with beliefs and without. The
parameters are those of the thesis: the defaults, with utilities in units of the range of the payoffs (`unit=bounds`),
and units of 2 and 4 in poker.

Phantom tic-tac-toe has 280 million histories, which do not fit into memory. Best responses walk through them, as in
`ggp exploit`. As in the thesis, it is measured from the root only.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from experiments.curves import Curve, MeasuredCurve, measure_and_write
from experiments.options import read_options, run_experiment
from experiments.tables import markdown_table
from players.evaluation.information_measuring import AGGREGATE
from players.evaluation.measuring import Course

GAMES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "hidden goofspiel(6)": (
        "goofspiel",
        (("n", "6"), ("lowest", "0"), ("prizes", "descending"), ("bids", "hidden")),
    ),
    "generic poker": (
        "poker",
        (("bet_sizes", "2"), ("max_raises", "2"), ("copies", "3")),
    ),
}
PHANTOM = "phantom tic-tac-toe in the centre"
WALKED_GAMES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    PHANTOM: ("phantom_tic_tac_toe", (("opening", "centre"),)),
}
QUICK_GAME: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {"Kuhn poker": ("kuhn_poker", ())}
SELECTIONS = ("uct", "ruct", "exp3", "rm")
ISMCTS = {name: f"ismcts:selection={name},unit=bounds" for name in SELECTIONS}
FROM_THE_ROOT = {"oos": "oos", **ISMCTS}
IN_PLAY = {
    "oos": "oos",
    **{f"{name}, belief": player for name, player in ISMCTS.items()},
    **{f"{name}, no belief": f"{player},belief=off" for name, player in ISMCTS.items()},
}
POINTS = (1e3, 1e4, 1e5, 3e5, 1e6, 3e6)
WALKED_POINTS = (1e4, 1e5, 1e6, 1e7)
QUICK_POINTS = (100.0, 1000.0)
PLAY_POINTS, PLAY_MATCHES = (100.0, 1000.0), 60
QUICK_PLAY_POINTS, QUICK_PLAY_MATCHES = (30.0,), 2
RUNS, QUICK_RUNS = 1, 1
ROOT_PANEL, PLAY_PANEL = "{}, from the root", "{}, in play"

READING = """\
In hidden goofspiel, from the root, `oos` falls all the time and is lowest in the end, as in figure 4.11. `uct` is the
first to slow down: 0.62 after three million iterations (thesis: 0.84 at its lowest). `ruct` is ahead of it from 10,000
on and lowest between 10,000 and 300,000, where the thesis has `oos` ahead. `rm` and `exp3` are slow at first and keep
falling: 0.36 and 0.44 after three million (thesis: 0.27 and 0.41 after 500 s, some 30 and 17 million iterations by its
rates). That `uct` and `ruct` rise again, as in the thesis, is not reached here.

In generic poker, from the root, `uct`, `ruct` and `exp3` rise at first and then fall, as in figure 4.13. `oos` is
lowest in the end, `rm` between 100,000 iterations and a million; `exp3` is behind all others from 100,000 on. `uct` and
`ruct` still fall after three million, so the slow rise that the thesis shows is not reached, nor that `exp3` overtakes
them.

Phantom tic-tac-toe has the order of figure 4.15 in its first part. `oos` falls fastest, to 0.05 after 10 million
iterations. `ruct` is ahead of `uct`, and `rm`, the worst at first, has passed `uct` after a million. `exp3` is behind
all others from 100,000 to a million, as in the thesis. The rise of `uct` and `ruct`, and that `rm` passes both (0.13
after half an hour in the thesis), is not reached.

In play, `rm` is closest after 1,000 iterations a decision, in both games. In goofspiel all four selections are closer
to the equilibrium with beliefs than without, after 1,000; in poker `rm` is, and the others differ little. One run of
60 matches does not establish such differences, and the longer times, for which the thesis shows play without beliefs
drifting away, are not reached.
"""
"""What the tables have shown so far; to be read again after every run."""


def curves(quick: bool) -> list[Curve]:
    """Return the curves of the figures."""
    found = []
    for title, (game, parameters) in (QUICK_GAME if quick else GAMES).items():
        for name, player in FROM_THE_ROOT.items():
            course = Course(game, parameters, player, QUICK_POINTS if quick else POINTS)
            found.append(Curve(ROOT_PANEL.format(title), name, course))
        for name, player in IN_PLAY.items():
            points, matches = (QUICK_PLAY_POINTS, QUICK_PLAY_MATCHES) if quick else (PLAY_POINTS, PLAY_MATCHES)
            course = Course(game, parameters, player, points, way=AGGREGATE, matches=matches)
            found.append(Curve(PLAY_PANEL.format(title), name, course))
    for title, (game, parameters) in (QUICK_GAME if quick else WALKED_GAMES).items():
        for name, player in FROM_THE_ROOT.items():
            course = Course(game, parameters, player, QUICK_POINTS if quick else WALKED_POINTS, walked=True)
            found.append(Curve(ROOT_PANEL.format(f"{title}, walked" if quick else title), name, course))
    return found


def page(measured: Sequence[MeasuredCurve]) -> str:
    """Return the report as Markdown."""
    parts = [
        "# NashConv with hidden information, Lisý 2014",
        str(__doc__).split("\n\n", 1)[1].strip(),
        READING.strip(),
    ]
    for panel in dict.fromkeys(one.curve.panel for one in measured):
        own = [one for one in measured if one.curve.panel == panel]
        heads = ["iterations", *(f"{point:,.0f}" for point in own[0].curve.course.points), "seconds"]
        rows = []
        for one in own:
            last = len(one.curve.course.points) - 1
            cells = [f"{one.mean(point).estimate:.3f}" for point in range(last + 1)]
            rows.append([one.curve.name, *cells, f"{one.seconds(last):.3g}"])
        runs = len(own[0].runs)
        matches = (
            f"; of {own[0].curve.course.matches} matches in each role" if own[0].curve.course.way == AGGREGATE else ""
        )
        parts += [
            f"## {panel}",
            f"Means of {runs} {'run' if runs == 1 else 'runs'}{matches}.",
            markdown_table(heads, rows),
        ]
    parts.append("The last column has the seconds that the last point took, in play those of one decision.")
    return "\n\n".join(part for part in parts if part) + "\n"


def own_options(parser: argparse.ArgumentParser) -> None:
    """Add the option of this experiment."""
    parser.add_argument("panels", nargs="*", metavar="TEXT", help="measure only panels whose name contains this")


def main(words: Sequence[str]) -> None:
    """Run the experiment."""
    options = read_options("l14_hidden_convergence", str(__doc__), words, add=own_options)
    found = [one for one in curves(options.quick) if not options.panels or any(t in one.panel for t in options.panels)]
    measure_and_write(options, found, QUICK_RUNS if options.quick else RUNS, page)


if __name__ == "__main__":
    run_experiment(main)
