"""Pursuers and evaders in visibility games: figures 5.5 and 5.7 of Lisý 2014.

Three pursuers and three evaders meet on both maps: `minimax` with URLA (MM), `so` with RLA as the pursuer and without
simulation as the evader (SO), and `ismcts` with beliefs (MO). Then `so` pursues `ismcts` without beliefs, and with each
of its simulations. The pursuer wants small sizes and the evader large ones: the tables show the mean number of cells in
which the evader can be, the number of moves after which it is in sight, and the final size. All pairs start from the
same positions. The maps are our own, since the thesis's are not published.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import ggp
from experiments.options import count, read_options, run_experiment
from experiments.records import Facts, recorded
from experiments.tables import markdown_table, write_results
from ggp.cli.progress import progress_bar
from ggp.competition.statistics import mean_interval
from ggp.model.native.rng import below, seed_word
from players.agents import Budget
from players.registry import read_player

MAPS = ("streets", "maze")
PURSUERS = {"MM": "minimax:states=200", "SO": "so:states=200", "MO": "ismcts:states=400"}
EVADERS = {"MM": "minimax:states=200", "SO": "so:states=200", "MO": "ismcts:states=400,c=0.3"}
"""The evader's exploration is tuned, as in the thesis, in which this player is the most sensitive to it."""
NO_BELIEF, WITHOUT_BELIEF = "MO without beliefs", "ismcts:states=400,c=0.3,belief=off"
"""Meets `so` alone, its strongest opponent in the thesis."""
SIMULATIONS = ("none", "heavy", "random", "region", "rla")
AGAINST_SIMULATIONS = "MO"
PUBLISHED = {
    "streets": {"MM": (80.9, 77.4, 78.9), "SO": (72.7, 53.2, 56.5), "MO": (78.6, 78.9, 108.1)},
    "maze": {"MM": (79.8, 69.2, 128.3), "SO": (47.0, 36.3, 34.4), "MO": (164.2, 146.6, 252.7)},
}
"""Mean sizes of figure 5.5: by map and evader, against MM, SO and MO."""
PUBLISHED_SIMULATIONS = {"none": 625.7, "heavy": 600.6, "random": 612.8, "region": 352.9, "rla": 146.6}
"""Mean sizes of figure 5.7, in the maze."""
GAMES, MOVES, SECONDS = 4, 30, 0.05
QUICK_GAMES, QUICK_MOVES, QUICK_SECONDS = 1, 3, 0.005
CHANCE_SEED, PLAYER_SEED = 1, 2

READING = """\
`so` pursues better than `ismcts`, as in the thesis: after each of the evaders it has the evader in sight for longer, on
both maps (14 to 24 moves of 30 against 0 to 5). `minimax` pursues still better here: its mean sizes are the smallest
after each of the evaders.

Which evader is better this does not establish: there are four games of 30 moves each, and intervals overlap, where the
thesis played a hundred games of a hundred moves, with a second for each. Against `so`, the strongest pursuer of the
thesis, `ismcts` evades about as well as `so` in the streets (5.1 and 5.4 cells), and better in the means in the maze
(11.0 and 4.5). Beliefs do not help the evader here: without them its means are 8.1 and 26.1, with intervals as wide as
the difference; in the thesis they help.

As long as exploration was measured by the bounds of the utility, which may be 2,450 where some tens are met, `ismcts`
chose among its moves nearly at random: it stayed in sight for all 30 moves in the streets, with a mean size of 1.0. It
is now measured by the utilities that the search meets. The rows without `ismcts` as the evader were played before that
change, which concerns `ismcts` as the pursuer, too.

Of the simulations none stands out in so few games.
"""
"""What the tables have shown so far; revise after every run."""


@dataclass(frozen=True, slots=True)
class Hunt:
    """The result of a game: mean size, moves after which the evader was in sight, final size."""

    mean_size: float
    seen: float
    end_size: float


def hunt(game: ggp.Game, players: tuple[str, str], number: int, seconds: float, seed: int) -> Hunt:
    """Play a game from the numbered start, each decision with `seconds` of processor time."""
    agents = [read_player(player).make_agent() for player in players]
    for role, agent in enumerate(agents):
        agent.start(game, role, seed_word(seed, PLAYER_SEED, number, role))
    state, chance = game.initial(), [seed_word(seed, CHANCE_SEED, number)]
    while not state.is_terminal():
        taken: dict[int, str] = {}
        if state.is_chance():
            outcomes = [outcome for outcome, _ in state.chance_outcomes()]
            state = state.apply_outcome(outcomes[below(chance, len(outcomes))])
        else:
            for role in state.actors():
                legal = [str(action) for action in state.legal(role)]
                taken[role] = agents[role].choose(legal, Budget(time.thread_time, time.thread_time() + seconds))
            state = state.apply({role: state.parse_action(role, text) for role, text in taken.items()})
        for role, agent in enumerate(agents):
            observation = state.readable_observation(role)
            if observation or role in taken:
                agent.observe(taken.get(role), observation)
    values = state.values()
    made, sizes, sightings, possible = (values[name] for name in ("made", "sizes", "sightings", "possible"))
    assert isinstance(made, int)
    assert isinstance(sizes, int)
    assert isinstance(sightings, int)
    assert isinstance(possible, frozenset)
    return Hunt(sizes / made, sightings - 1, len(possible))


def parts(maps: Sequence[str] = MAPS) -> dict[str, tuple[str, tuple[str, str]]]:
    """Return the parts of the experiment by name: map, and players; those on some maps."""
    found = {}
    # the pairs that the thesis compares come first
    pairs = [(pursuer, evader) for evader in reversed(EVADERS) for pursuer in reversed(PURSUERS)]
    for pursuer, evader in sorted(pairs, key=lambda pair: pair.count("MM")):
        for place in maps:
            found[f"{place}: {pursuer} after {evader}"] = place, (PURSUERS[pursuer], EVADERS[evader])
    for place in maps:
        found[f"{place}: SO after {NO_BELIEF}"] = place, (PURSUERS["SO"], WITHOUT_BELIEF)
    for simulation in SIMULATIONS if "maze" in maps else ():
        players = f"so:states=200,simulation={simulation}", EVADERS[AGAINST_SIMULATIONS]
        found[f"maze: simulation {simulation}"] = "maze", players
    return found


def summary(hunts: Sequence[Hunt]) -> Facts:
    """Return mean and half interval of each measure."""
    measures = {
        "mean_size": [one.mean_size for one in hunts],
        "seen": [one.seen for one in hunts],
        "end_size": [one.end_size for one in hunts],
    }
    intervals = {name: mean_interval(values) for name, values in measures.items()}
    half = {name: one.half_width if len(hunts) > 1 else None for name, one in intervals.items()}
    return {name: [one.estimate, half[name]] for name, one in intervals.items()}


def _cell(facts: Facts | None, measure: str) -> str:
    if facts is None:
        return "-"
    estimate, half = facts[measure]
    return f"{estimate:.1f}" if half is None else f"{estimate:.1f} ± {half:.1f}"


def page(found: Mapping[str, Facts], games: int, moves: int, seconds: float) -> str:
    """Return the report as Markdown."""
    parts_ = ["# Visibility games, Lisý 2014, chapter 5", str(__doc__).split("\n\n", 1)[1].strip(), READING.strip()]
    parts_.append(
        f"{games} games of {moves} moves each, {seconds:g} s of processor time a decision (thesis: 100 games of 100"
        " moves, 1 s). Means with 95 % intervals; behind the mean size that of figure 5.5."
    )
    for place in MAPS:
        rows = []
        pairs = [
            (f"{pursuer} after {evader}", f"{theirs}")
            for evader in EVADERS
            for pursuer, theirs in zip(PURSUERS, PUBLISHED[place][evader], strict=True)
        ]
        for pair, theirs in [*pairs, (f"SO after {NO_BELIEF}", "89.2" if place == "maze" else "-")]:
            facts = found.get(f"{place}: {pair}")
            cells = [_cell(facts, measure) for measure in ("mean_size", "seen", "end_size")]
            rows.append([pair, cells[0], theirs, *cells[1:]])
        heads = [f"{place}: pursuer after evader", "mean size", "thesis", "moves in sight", "size in the end"]
        parts_.append(markdown_table(heads, rows))
    rows = [
        [
            simulation,
            _cell(found.get(f"maze: simulation {simulation}"), "mean_size"),
            str(theirs),
            _cell(found.get(f"maze: simulation {simulation}"), "seen"),
        ]
        for simulation, theirs in PUBLISHED_SIMULATIONS.items()
    ]
    heads = ["maze: `so` with a simulation, after MO", "mean size", "thesis, figure 5.7", "moves in sight"]
    return "\n\n".join(part for part in [*parts_, markdown_table(heads, rows)] if part) + "\n"


def own_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this experiment."""
    parser.add_argument("maps", nargs="*", metavar="MAP", help=f"of {', '.join(MAPS)}; default: both")
    parser.add_argument("--games", type=count, metavar="N", help=f"of each pair; default: {GAMES}")
    parser.add_argument("--moves", type=count, metavar="N", help=f"of a game; default: {MOVES}")
    told = f"of processor time a decision; default: {SECONDS:g}"
    parser.add_argument("--seconds", type=float, metavar="S", help=told)


def main(words: Sequence[str]) -> None:
    """Run the experiment."""
    nothing_for = ("runs", "jobs", "plot")
    options = read_options("l14_visibility", str(__doc__), words, without=nothing_for, add=own_options)
    games = options.games or (QUICK_GAMES if options.quick else GAMES)
    moves = options.moves or (QUICK_MOVES if options.quick else MOVES)
    seconds = options.seconds or (QUICK_SECONDS if options.quick else SECONDS)
    wanted = parts(options.maps or MAPS)

    def do(names: Sequence[str]) -> Iterator[tuple[str, Facts]]:
        loaded = {place: ggp.load("visibility_pursuit", map=place, moves=moves) for place in MAPS}
        with progress_bar() as progress:
            task = progress.add_task("pursuing", total=games * len(names))
            for name in names:
                place, players = wanted[name]
                hunts = []
                for number in range(games):
                    hunts.append(hunt(loaded[place], players, number, seconds, options.seed))
                    progress.advance(task)
                yield name, summary(hunts)

    plan = {"games": games, "moves": moves, "seconds": seconds, "seed": options.seed}
    found = recorded(options.record, plan, list(wanted), options.so_far, do)
    told = [{"map": wanted[name][0], "players": wanted[name][1], **facts} for name, facts in found.items()]
    write_results(options, page(found, games, moves, seconds), told)


if __name__ == "__main__":
    run_experiment(main)
