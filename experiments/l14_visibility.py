"""Pursuers and evaders in visibility games: figures 5.5 and 5.7 of Lisý 2014.

Pursuers and evaders meet on both maps: `minimax` with URLA (MM), `so` with RLA as the pursuer and without simulation
as the evader (SO), and `ismcts` with beliefs (MO), whose C is tuned, as in the thesis, or 1, the default. Then `so`
pursues `ismcts` without beliefs, and with each of its simulations. The pursuer wants small sizes and the evader large
ones: the tables show the mean number of cells in which the evader can be, the number of moves after which it is in
sight, and the final size. All pairs start from the same positions. The maps are our own, since the thesis's are not
published.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeAlias

import ggp
from experiments.options import count, read_options, run_experiment
from experiments.records import Facts, recorded
from experiments.tables import markdown_table, write_results
from ggp.arithmetic.rng import below, seed_word
from ggp.cli.progress import progress_bar
from ggp.competition.statistics import Interval, mean_interval
from players.agents.agent import Agent, Budget
from players.agents.registry import read_player

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
SIMULATIONS = ("none", "heavy", "random", "region", "rla")
AGAINST_SIMULATIONS = "MO"
PUBLISHED = {
    "streets": {"MM": (80.9, 77.4, 78.9), "SO": (72.7, 53.2, 56.5), "MO": (78.6, 78.9, 108.1)},
    "maze": {"MM": (79.8, 69.2, 128.3), "SO": (47.0, 36.3, 34.4), "MO": (164.2, 146.6, 252.7)},
}
"""Mean sizes of figure 5.5: by map and evader, against MM, SO and MO."""
PUBLISHED_WITHOUT_BELIEFS = 89.2
"""Mean size in the maze, `so` after `ismcts` without beliefs."""
PUBLISHED_SIMULATIONS = {"none": 625.7, "heavy": 600.6, "random": 612.8, "region": 352.9, "rla": 146.6}
"""Mean sizes of figure 5.7, in the maze."""
GAMES, MOVES, SECONDS = 24, 30, 0.05
FIRST = 10
"""The first decision has this many times as long: the evader has to work out where the units can be."""
QUICK_GAMES, QUICK_MOVES, QUICK_SECONDS, QUICK_MAPS = 1, 3, 0.005, 1
CHANCE_SEED, PLAYER_SEED = 1, 2
MEASURES = {"mean_size": "mean size", "seen": "moves in sight", "end_size": "size in the end"}

READING = """\
`ismcts` is the better evader on both maps, as in the thesis: against `so` and `minimax` it is in sight for 10 to 12
of 30 moves less than `so` is, against `ismcts` in the streets for 12, all with intervals that exclude 0; against
`ismcts` in the maze for 4 ± 5. With beliefs or without makes no difference here, 0 ± 2 and 0 ± 4 moves; in the thesis
beliefs make the regions two thirds larger.

`so` is the better pursuer than `ismcts` with its default C: it has both evaders longer in sight on both maps, by 5 to
12 moves, with intervals that exclude 0. The tuned `ismcts` pursues about as well as `so`, which is only better after
`so` in the maze (6 ± 4 moves longer in sight); in the thesis it is far worse. It makes some 200,000 iterations a
second here and has 30 moves to go instead of 100. `minimax` pursues and evades as well as `so`; in the thesis it is
the weaker pursuer and, in the maze, the better evader.

Of the simulations of `so`, RLA has the evader longest in sight, 14 ± 5 moves, and random play shortest, 5 ± 3, as in
the thesis; no simulation at all, which is among the worst there, is level with the reached region, the second there.

Two changes were made before these games. `ismcts` measures its exploration by the range of what it meets at each
decision; while it remembered the range from the beginning of the match, its late moves were nearly random. And `so`
has a far smaller C: with the thesis's 2, which is for other units, it lost the evader in the maze. It was chosen in
games from ten of the positions in the maze, at a shorter clock. Whether `ismcts` draws its move or plays the most
visited one made no difference in five games of each. At about 9 % of all decisions no world state that fits was found
in time; players then use what they searched before. Most of the games were played on a busy machine; the clock counts
processor time.
"""
"""What the tables have shown so far; revise after every run."""


@dataclass(frozen=True, slots=True)
class Hunt:
    """The result of a game: mean size, moves after which the evader was in sight, final size."""

    mean_size: float
    seen: float
    end_size: float


Hunts: TypeAlias = dict[int, Hunt]
"""The games of a pair by number; games with the same number begin from the same places on a map."""


def hunt(game: ggp.Game, agents: Sequence[Agent], number: int, seconds: float, seed: int) -> Hunt:
    """Play a game from the numbered start, each decision but the first with `seconds` of processor time."""
    for role, agent in enumerate(agents):
        agent.start(game, role, seed_word(seed, PLAYER_SEED, number, role))
    state, chance, allowed = game.initial(), [seed_word(seed, CHANCE_SEED, number)], FIRST * seconds
    while not state.is_terminal():
        taken: dict[int, str] = {}
        if state.is_chance():
            outcomes = [outcome for outcome, _ in state.chance_outcomes()]
            state = state.apply_outcome(outcomes[below(chance, len(outcomes))])
        else:
            for role in state.actors():
                legal = [str(action) for action in state.legal(role)]
                taken[role] = agents[role].choose(legal, Budget(time.thread_time, time.thread_time() + allowed))
            state = state.apply({role: state.parse_action(role, text) for role, text in taken.items()})
            allowed = seconds
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


def pairs_of(places: Sequence[str] = MAPS) -> dict[str, tuple[str, tuple[str, str]]]:
    """Return the pairs of players by name, those that the thesis compares first: map, pursuer and evader."""
    found = {}
    thesis = [(pursuer, evader) for evader in EVADERS for pursuer in PURSUERS]
    for pursuer, evader in sorted((*thesis, *OTHERS), key=lambda pair: "MM" in pair):
        for place in places:
            found[f"{place}: {pursuer} after {evader}"] = place, (PLAYERS[pursuer], PLAYERS[evader])
    for simulation in SIMULATIONS if "maze" in places else ():
        players = f"so:states=200,simulation={simulation}", PLAYERS[AGAINST_SIMULATIONS]
        found[f"maze: simulation {simulation}"] = "maze", players
    return found


def parts(names: Sequence[str], games: int) -> list[tuple[str, int]]:
    """Return pair and number of all games: all pairs that the thesis compares play a game before any plays its next."""

    def order(part: tuple[str, int]) -> tuple[bool, int]:
        name, number = part
        others = any(name.endswith(f": {pursuer} after {evader}") for pursuer, evader in OTHERS)
        return "MM" in name or "simulation" in name or others, number

    return sorted(((name, number) for name in names for number in range(games)), key=order)


def _cell(interval: Interval) -> str:
    half = interval.half_width
    return f"{interval.estimate:.1f}" + (f" ± {half:.1f}" if math.isfinite(half) else "")


def _mean(hunts: Hunts, measure: str) -> str:
    return _cell(mean_interval(getattr(one, measure) for one in hunts.values()))


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
                cells = [_cell(one) if one is not None else "" for one in between]
                rows.append([f"{title}: {first}, less {second}", *cells])
    return rows


def page(found: Mapping[str, Hunts], moves: int, seconds: float) -> str:
    """Return the report as Markdown."""
    parts_ = ["# Visibility games, Lisý 2014, chapter 5", str(__doc__).split("\n\n", 1)[1].strip(), READING.strip()]
    parts_.append(
        f"Games of {moves} moves each, {seconds:g} s of processor time a decision, {FIRST * seconds:g} s the first"
        " (thesis: 100 games of 100 moves, 1 s). Means with 95 % intervals; behind the mean size that of figure 5.5."
    )
    for place in MAPS:
        rows = []
        pairs = [
            (f"{pursuer} after {evader}", f"{theirs}")
            for evader in EVADERS
            for pursuer, theirs in zip(PURSUERS, PUBLISHED[place][evader], strict=True)
        ]
        others = [(f"{pursuer} after {evader}", "-") for pursuer, evader in OTHERS]
        if place == "maze":
            others[-1] = (others[-1][0], str(PUBLISHED_WITHOUT_BELIEFS))
        for pair, theirs in [*pairs, *others]:
            hunts = found.get(f"{place}: {pair}")
            if not hunts:
                continue
            means = [_mean(hunts, measure) for measure in MEASURES]
            rows.append([pair, str(len(hunts)), means[0], theirs, *means[1:]])
        if not rows:
            continue
        heads = [f"{place}: pursuer after evader", "games", "mean size", "thesis", "moves in sight", "size in the end"]
        parts_.append(markdown_table(heads, rows))
        if compared := comparisons(found, place):
            heads = [f"{place}: differences from the same places", *MEASURES.values()]
            parts_.append(markdown_table(heads, compared))
    rows = []
    for simulation, published in PUBLISHED_SIMULATIONS.items():
        if hunts := found.get(f"maze: simulation {simulation}"):
            means = [_mean(hunts, measure) for measure in ("mean_size", "seen")]
            rows.append([simulation, str(len(hunts)), means[0], str(published), means[1]])
    heads = ["maze: `so` with a simulation, after MO", "games", "mean size", "thesis, figure 5.7", "moves in sight"]
    if rows:
        parts_.append(markdown_table(heads, rows))
    return "\n\n".join(part for part in parts_ if part) + "\n"


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
    maps = options.maps or (MAPS[:QUICK_MAPS] if options.quick else MAPS)
    pairs = pairs_of(maps)
    wanted = {f"{name}, game {number}": (name, number) for name, number in parts(list(pairs), games)}

    def do(names: Sequence[str]) -> Iterator[tuple[str, Facts]]:
        loaded = {place: ggp.load("visibility_pursuit", map=place, moves=moves) for place in maps}
        agents: dict[tuple[str, int, str], Agent] = {}
        with progress_bar() as progress:
            task = progress.add_task("pursuing", total=len(names))
            for part in names:
                name, number = wanted[part]
                place, players = pairs[name]
                seats = [(place, role, player) for role, player in enumerate(players)]
                for one in seats:
                    if one not in agents:
                        agents[one] = read_player(one[2]).make_agent()
                both = [agents[one] for one in seats]
                yield part, asdict(hunt(loaded[place], both, number, seconds, options.seed))
                progress.advance(task)

    plan = {"moves": moves, "seconds": seconds, "seed": options.seed}
    facts = recorded(options.record, plan, list(wanted), options.so_far, do)
    found: dict[str, Hunts] = {}
    for part, one in facts.items():
        name, number = wanted[part]
        found.setdefault(name, {})[number] = Hunt(**one)
    told = [
        {"map": pairs[name][0], "players": pairs[name][1], "games": [asdict(one) for one in hunts.values()]}
        for name, hunts in found.items()
    ]
    write_results(options, page(found, moves, seconds), told)


if __name__ == "__main__":
    run_experiment(main)
