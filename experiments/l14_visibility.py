"""Pursuers and evaders in visibility games: figures 5.4 to 5.7 of Lisý 2014.

Pursuers and evaders meet on both maps: `minimax` with URLA (MM), `so` with RLA as the pursuer and without simulation
as the evader (SO), and `ismcts` with beliefs (MO), whose C is tuned, as in the thesis, or 1, the default. Then `so`
pursues `ismcts` without beliefs, and with each of its simulations; `ismcts` meets its nemesis with other C; and
`minimax` looks some moves ahead, up to ten seconds. The pursuer wants small sizes and the evader large ones: the tables
show the mean number of cells in which the evader can be, the number of moves after which it is in sight, and the final
size. All pairs start from the same positions. The maps are our own, since the thesis's are not published. The lengths
of simulations in figures 5.6 and 5.8 are not varied: the rules have no estimate for a simulation that is broken off.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

import ggp
from experiments.duels import Ours, agent_of, play
from experiments.experiment import Experiment
from experiments.options import Option, seconds, some
from experiments.records import recorded_parts
from experiments.tables import around, markdown_table
from ggp.arithmetic.rng import seed_word
from ggp.competition.statistics import Interval, mean_interval
from ggp.game.state import State
from players.agents.agent import Agent

MAPS = ("streets", "maze")
PLAYERS = {
    "MM": "minimax:states=200",
    "SO": "so:states=200",
    "MO": "ismcts:states=400,memory=256,c=0.3",
    "MO, C 1": "ismcts:states=400,memory=256",
    "MO without beliefs": "ismcts:states=400,memory=256,c=0.3,belief=off",
}
PURSUERS, EVADERS = ("MM", "SO", "MO"), ("MM", "SO", "MO")
OTHERS = (("MO, C 1", "SO"), ("MO, C 1", "MO"), ("SO", "MO without beliefs"))
"""Pursuers and evaders that the thesis has no table of."""
PUBLISHED = {
    "streets": {"MM": (80.9, 77.4, 78.9), "SO": (72.7, 53.2, 56.5), "MO": (78.6, 78.9, 108.1)},
    "maze": {"MM": (79.8, 69.2, 128.3), "SO": (47.0, 36.3, 34.4), "MO": (164.2, 146.6, 252.7)},
}
"""Mean sizes of figure 5.5: by map and evader, against MM, SO and MO."""
PUBLISHED_WITHOUT_BELIEFS = 89.2
"""Mean size in the maze, `so` after `ismcts` without beliefs."""
SO, MO = "so:states=200,simulation={}", "ismcts:states=400,memory=256,c={:g}"
SIMULATIONS = ("none", "heavy", "random", "region", "rla")
SERIES: dict[str, dict[str, tuple[str, str, str]]] = {
    "`so` with a simulation, after MO; figure 5.7": {
        f"simulation {name}": (SO.format(name), PLAYERS["MO"], theirs)
        for name, theirs in zip(SIMULATIONS, ("625.7", "600.6", "612.8", "352.9", "146.6"), strict=True)
    },
    "`ismcts` with another C pursues itself; figure 5.6, whose C of 2 stands for 0.3": {
        f"pursuer's C {0.15 * c:g}": (MO.format(0.15 * c), PLAYERS["MO"], theirs)
        for c, theirs in ((0.5, "235"), (1, "253"), (2, "253"), (4, "263"), (8, "314"))
    },
    "`ismcts` with another C flees from SO; figure 5.6": {
        f"evader's C {0.15 * c:g}": (PLAYERS["SO"], MO.format(0.15 * c), theirs)
        for c, theirs in ((0.5, "31"), (1, "43"), (2, "147"), (4, "115"), (8, "76"))
    },
}
"""What is varied in the maze: pursuer, evader, and the thesis's mean size."""
DEEP = {f"minimax of depth {depth}": f"minimax:states=200,depth={depth}" for depth in (3, 4, 5)}
SHARES, DEEP_S = (0.1, 0.5, 0.9), 10.0
"""Of the decisions of these, and the seconds that one may take."""
FIRST = 10
"""The first decision has this many times as long: the evader has to work out where the units can be."""
MEASURES = {"mean_size": "mean size", "seen": "moves in sight", "end_size": "size in the end"}


@dataclass(frozen=True, slots=True)
class Hunt:
    """The result of a game.

    Attributes:
        mean_size: number of cells in which the evader can be, in the mean.
        seen: moves after which the evader was in sight.
        end_size: the final size.
        took_s: seconds of the pursuer's decisions, where it looks to a fixed depth; else empty.
    """

    mean_size: float
    seen: float
    end_size: float
    took_s: tuple[float, ...] = ()


Hunts: TypeAlias = dict[int, Hunt]
"""The games of a pair by number; games with the same number begin from the same places on a map."""


@dataclass
class Deep(Ours):
    """A pursuer that has `DEEP_S` for each decision."""

    took_s: list[float] = field(default_factory=list)

    def choose(self, state: State, role: int, seconds: float) -> str:  # noqa: ARG002
        """Return its choice, and take note of the time."""
        began = self.clock()
        choice = super().choose(state, role, DEEP_S)
        self.took_s.append(self.clock() - began)
        return choice


@cache
def _loaded(place: str, moves: int) -> ggp.Game:
    return ggp.load("visibility_pursuit", map=place, moves=moves)


@cache
def _agent(player: str, role: int, place: str) -> Agent:
    """Return an agent, the same for all games of a process."""
    del role, place
    return agent_of(player)


def hunt(
    place: str, pursuer: str, evader: str, number: int, moves: int, decision_s: float, seed: int
) -> Iterator[Hunt]:
    """Play a game from the numbered start, and yield its result once."""
    game = _loaded(place, moves)
    deep = Deep(game, _agent(pursuer, 0, place)) if pursuer in DEEP.values() else None
    sides = deep or Ours(game, _agent(pursuer, 0, place)), Ours(game, _agent(evader, 1, place))
    values = play(game, sides, (0, 1), seed_word(seed, number), decision_s, first=FIRST).values()
    made, sizes, sightings, possible = (values[name] for name in ("made", "sizes", "sightings", "possible"))
    assert isinstance(made, int)
    assert isinstance(sizes, int)
    assert isinstance(sightings, int)
    assert isinstance(possible, frozenset)
    yield Hunt(sizes / made, sightings - 1, len(possible), tuple(deep.took_s) if deep else ())


def pairs_of(maps: tuple[str, ...]) -> dict[str, tuple[str, str, str]]:
    """Return map, pursuer and evader of all pairs by name, those that figure 5.5 compares first."""
    found = {}
    thesis = [(pursuer, evader) for evader in EVADERS for pursuer in PURSUERS]
    for pursuer, evader in sorted((*thesis, *OTHERS), key=lambda pair: "MM" in pair):
        for place in maps:
            found[f"{place}: {pursuer} after {evader}"] = place, PLAYERS[pursuer], PLAYERS[evader]
    if "maze" in maps:
        for series in SERIES.values():
            found |= {f"maze: {name}": ("maze", pursuer, evader) for name, (pursuer, evader, _) in series.items()}
        found |= {f"maze: {name}": ("maze", pursuer, PLAYERS["SO"]) for name, pursuer in DEEP.items()}
    return found


def parts(names: list[str], games: int) -> list[tuple[str, int]]:
    """Return pair and number of all games: all pairs of figure 5.5 play a game before any plays its next."""

    def order(part: tuple[str, int]) -> tuple[bool, int]:
        name, number = part
        compared = any(name.endswith(f": {one} after {other}") for one in PURSUERS for other in EVADERS)
        return "MM" in name or not compared, number

    return sorted(((name, number) for name in names for number in range(games)), key=order)


def _mean(hunts: Hunts, measure: str) -> str:
    return around(mean_interval(getattr(one, measure) for one in hunts.values()), 1)


def difference(first: Hunts, second: Hunts, measure: str) -> Interval | None:
    """Return the mean difference of a measure over the games that both have, if there are two of them."""
    shared = sorted(first.keys() & second.keys())
    if len(shared) < 2:
        return None
    return mean_interval(getattr(first[number], measure) - getattr(second[number], measure) for number in shared)


def comparisons(found: Mapping[str, Hunts], place: str) -> list[list[str]]:
    """Return the rows of the table that compares two players against the same third one, from the same places."""
    asked = [
        ("evaders", [(f"{one} after MO", f"{one} after SO") for one in (*PURSUERS, "MO, C 1")]),
        ("beliefs on, or off", [("SO after MO", "SO after MO without beliefs")]),
        ("pursuers", [(f"SO after {one}", f"MO after {one}") for one in EVADERS]),
        ("pursuers", [(f"SO after {one}", f"MO, C 1 after {one}") for one in EVADERS]),
    ]
    rows = []
    for title, pairs in asked:
        for first, second in pairs:
            both = found.get(f"{place}: {first}", {}), found.get(f"{place}: {second}", {})
            between = [difference(*both, measure) for measure in MEASURES]
            if between[0] is not None:
                cells = [around(one, 1) if one is not None else "" for one in between]
                rows.append([f"{title}: {first}, less {second}", *cells])
    return rows


def page(found: Mapping[str, Hunts], options: argparse.Namespace) -> list[str]:
    """Return what follows the text."""
    parts_ = [
        f"Games of {options.moves} moves each, {options.seconds:g} s of processor time a decision,"
        f" {FIRST * options.seconds:g} s the first (thesis: 100 games of 100 moves, 1 s). Means with 95 % intervals;"
        " behind the mean size that of the thesis."
    ]

    def table(head: str, place: str, told: Mapping[str, str]) -> None:
        rows = []
        for pair, theirs in told.items():
            if hunts := found.get(f"{place}: {pair}"):
                means = [_mean(hunts, measure) for measure in MEASURES]
                rows.append([pair, str(len(hunts)), means[0], theirs, *means[1:]])
        heads = [f"{place}: {head}", "games", "mean size", "thesis", "moves in sight", "size in the end"]
        parts_.extend([markdown_table(heads, rows)] if rows else [])

    for place in MAPS:
        told = {
            f"{pursuer} after {evader}": f"{theirs}"
            for evader in EVADERS
            for pursuer, theirs in zip(PURSUERS, PUBLISHED[place][evader], strict=True)
        }
        told |= {f"{pursuer} after {evader}": "-" for pursuer, evader in OTHERS}
        if place == "maze":
            told["SO after MO without beliefs"] = str(PUBLISHED_WITHOUT_BELIEFS)
        table("pursuer after evader; figure 5.5", place, told)
        if compared := comparisons(found, place):
            heads = [f"{place}: differences from the same places", *MEASURES.values()]
            parts_.append(markdown_table(heads, compared))
    for title, series in SERIES.items():
        table(title, "maze", {name: theirs for name, (*_, theirs) in series.items()})
    rows = []
    for name in DEEP:
        if games := found.get(f"maze: {name}"):
            took = sorted(second for one in games.values() for second in one.took_s)
            cells = [f"{took[int(share * len(took))]:.3f}" for share in SHARES]
            long = sum(second > 0.95 * DEEP_S for second in took) / len(took)
            rows.append([name, str(len(took)), *cells, f"{100 * long:.0f} %"])
    if rows:
        heads = [f"{100 * share:.0f} % below" for share in SHARES]
        parts_.append(markdown_table(["seconds; figure 5.4", "decisions", *heads, f"stopped at {DEEP_S:g}"], rows))
    return parts_


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    chosen = {
        name: pair
        for name, pair in pairs_of(tuple(options.maps or MAPS)).items()
        if not options.pairs or any(text in name for text in options.pairs)
    }
    wanted = {f"{name}, game {number}": (name, number) for name, number in parts(list(chosen), options.games)}
    limits = options.moves, options.seconds, options.seed
    arguments = {part: (*chosen[name], number, *limits) for part, (name, number) in wanted.items()}
    results = recorded_parts(options, arguments, hunt, Hunt, "games")
    found: dict[str, Hunts] = {}
    for part, one in results.items():
        name, number = wanted[part]
        found.setdefault(name, {})[number] = one
    told = [
        {"map": chosen[name][0], "players": chosen[name][1:], "games": list(hunts.values())}
        for name, hunts in found.items()
    ]
    return page(found, options), told


EXPERIMENT = Experiment(
    "l14_visibility",
    "Visibility games, Lisý 2014, chapter 5",
    __doc__,
    measure,
    (
        some("maps", MAPS, MAPS[:1], "MAP"),
        Option(
            "--pairs", "only pairs whose name contains one of these", type=str, metavar="TEXT", nargs="+", planned=False
        ),
        Option("--games", "of each pair", 24, 1, planned=False),
        Option("--moves", "of a game", 30, 3),
        seconds("--seconds", "of processor time a decision", 0.05, 0.005),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
