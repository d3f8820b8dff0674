"""Players against each other on every game of the library: `python -m experiments.strength NEW OLD`.

Tells whether a change to a search makes it stronger, and how strong players are over all games. In each round every
pair meets in every game that both accept: one match with one seed of chance, in which each plays each role, and which
goes to whoever got more in all. In games of more than two players one of the first meets copies of the second; where
all players get the same, or there is only one, both play alone with the same chance. So every game weighs the same.

The first player meets all others. A sequential probability ratio test ends a pair: the difference is `--bounds`'
second number of Elo points or more, or its first or less, each with an error of 5 % (Wald 1945; the likelihood ratio
of a mean, from its normal approximation). The clock counts the processor time of the deciding player, so other work on
the machine does not matter. With more than one opponent, one fit of Bradley and Terry's model rates all players.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

import ggp
from experiments.duels import agent_of
from experiments.experiment import Experiment
from experiments.options import Option, seconds
from experiments.tables import markdown_table, percent
from ggp.arithmetic.rng import seed_word
from ggp.cli.progress import progress_bar
from ggp.competition.ratings import ELO_UNITS, ratings_of
from ggp.competition.run_store import RunStore
from ggp.competition.statistics import Interval, decided, mean_interval
from ggp.game.game import Game
from ggp.language import library_names
from players.agents.agent import Agent
from players.agents.candidate_trial import random_play
from players.agents.processes import workers_kept, yielded
from players.agents.registry import read_player
from players.evaluation.matches import TimeControl, play_game
from players.player_options import NotApplicable

FIELD = ("auto", "mcts", "star1", "dpw", "duct", "rm", "ismcts", "pimc", "oos", "random")
"""Who meets whom if nobody is named: `auto`, and one player a family."""
BOUNDS = (0.0, 30.0)
VERDICTS = {True: "stronger", False: "not stronger", None: "open"}
VARIANTS: dict[str, dict[str, str]] = {"go": {"size": "9"}}
"""Parameters that differ from the defaults."""
SAMPLE_PLAYS = 30
"""Random plays that show whether all players get the same."""


@dataclass(frozen=True, slots=True)
class Match:
    """What one match of a round came to.

    Attributes:
        game: of the library.
        opponent: of the first player.
        score: of the first player: 1 for more payoff than the opponent in all, 0.5 for as much, 0 for less.
        games: that were played.
        errors: late or illegal moves, of the first player and of the opponent.
    """

    game: str
    opponent: str
    score: float
    games: int
    errors: tuple[int, int]


@cache
def loaded(name: str) -> Game:
    """Return a game of the library, the same object each time, since `auto` remembers its choice for it."""
    return ggp.load(name, **VARIANTS.get(name, {}))


@cache
def together(name: str) -> bool:
    """Return whether all players of a game always get the same, or there is only one, according to random plays."""
    game = loaded(name)
    if len(game.players) == 1 or game.constant_sum:
        return len(game.players) == 1
    ends = [list(random_play(game, seed_word(1, 9, number)))[-1] for number in range(SAMPLE_PLAYS)]
    return all(len(set(end.utilities())) == 1 for end in ends)


def accepts(player: str, name: str) -> bool:
    """Return whether a player can play a game of the library."""
    try:
        read_player(player).check(loaded(name))
    except NotApplicable:
        return False
    return True


def play_match(name: str, first: str, opponent: str, number: int, move_s: float, seed: int) -> Iterator[dict[str, Any]]:
    """Play one match and yield it, as a mapping.

    Args:
        name: of the game.
        first: as players are written.
        opponent: the same.
        number: of the round; the chance of its matches depends on nothing else.
        move_s: seconds of processor time for a move.
        seed: of chance and of the players.
    """
    game, control = loaded(name), TimeControl(play_clock_s=move_s)
    roles = len(game.players)

    def agents_of(player: str, many: int) -> list[Agent]:
        return [agent_of(player) for _ in range(many)]

    if together(name):
        sides = [agents_of(player, roles) for player in (first, opponent)]
        ends = [play_game(game, side, number, seed, False, control, time.process_time) for side in sides]
        ahead = ends[0].utilities[0] - ends[1].utilities[0]
        errors = sum(ends[0].errors), sum(ends[1].errors)
    else:
        agents = agents_of(first, 1) + agents_of(opponent, roles - 1)
        places = range(number * roles, (number + 1) * roles)
        ends = [play_game(game, agents, place, seed, True, control, time.process_time) for place in places]
        own = [end.utilities[end.seats.index(0)] for end in ends]
        ahead = math.fsum(mine - (sum(end.utilities) - mine) / (roles - 1) for mine, end in zip(own, ends, strict=True))
        errors = sum(end.errors[0] for end in ends), sum(sum(end.errors[1:]) for end in ends)
    score = 0.5 if abs(ahead) < 1e-9 else float(ahead > 0)
    yield msgspec.to_builtins(Match(name, opponent, score, len(ends), errors))


def expected(elo: float) -> float:
    """Return the share of points of a player that is ahead by so many Elo points."""
    return 1 / (1 + math.exp(-elo / ELO_UNITS))


def elo_of(share: float) -> float:
    """Return by how many Elo points a player is ahead that gets a share of the points; infinite for all or none."""
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return ELO_UNITS * math.log(share / (1 - share))


@dataclass(frozen=True, slots=True)
class Pair:
    """What is known of the first player and an opponent.

    Attributes:
        opponent: as it is written.
        matches: won, drawn, lost by the first player.
        games: played in them.
        share: of the points, with its 95 % interval.
        verdict: `stronger`, `not stronger`, or `open`.
        errors: late or illegal moves, of the first player and of the opponent.
    """

    opponent: str
    matches: tuple[int, int, int]
    games: int
    share: Interval
    verdict: str
    errors: tuple[int, int]


def against(opponent: str, matches: Sequence[Match]) -> list[Match]:
    """Return the matches with an opponent."""
    return [match for match in matches if match.opponent == opponent]


def pair_of(opponent: str, matches: Sequence[Match], bounds: tuple[float, float]) -> Pair:
    """Return what matches against an opponent tell."""
    scores = [match.score for match in matches]
    points = Counter(scores)
    mean = mean_interval(scores or [0.5])
    share = Interval(mean.estimate, max(mean.low, 0.0), min(mean.high, 1.0))
    verdict = VERDICTS[decided(scores, (expected(bounds[0]), expected(bounds[1])))]
    ours, theirs = (sum(match.errors[side] for match in matches) for side in (0, 1))
    games = sum(match.games for match in matches)
    return Pair(opponent, (points[1.0], points[0.5], points[0.0]), games, share, verdict, (ours, theirs))


def ratings(players: Sequence[str], matches: Sequence[Match]) -> dict[str, Interval]:
    """Return the rating of each player over all games; all matches of a pair in a game together weigh the same."""
    cells: dict[tuple[str, str], list[float]] = defaultdict(list)
    for match in matches:
        cells[match.game, match.opponent].append(match.score)
    weight, points = len(matches) / len(cells), defaultdict[tuple[int, int], float](float)
    for (_, opponent), scores in cells.items():
        share, place = sum(scores) / len(scores), players.index(opponent)
        points[0, place] += weight * share
        points[place, 0] += weight * (1 - share)
    found = ratings_of(range(len(players)), points)
    return {player: found[place] for place, player in enumerate(players)}


def tables(players: Sequence[str], pairs: Sequence[Pair], matches: Sequence[Match]) -> list[str]:
    """Return what follows the text."""
    by_game: dict[str, dict[str, Counter[float]]] = defaultdict(lambda: defaultdict(Counter))
    for match in matches:
        by_game[match.game][match.opponent][match.score] += 1
    met = [pair.opponent for pair in pairs]

    def cell(points: Mapping[float, int]) -> str:
        return f"{points.get(1.0, 0)}-{points.get(0.5, 0)}-{points.get(0.0, 0)}" if points else ""

    headings = ["against", "matches: won-drawn-lost", "share, %", "Elo", "test", "late or illegal, own / other's"]
    rows = [
        [
            f"`{pair.opponent}`",
            "-".join(map(str, pair.matches)),
            percent(pair.share, 1),
            "{:+.0f} ({:+.0f} to {:+.0f})".format(*map(elo_of, (pair.share.estimate, pair.share.low, pair.share.high))),
            pair.verdict,
            f"{pair.errors[0]} / {pair.errors[1]}",
        ]
        for pair in pairs
    ]
    parts = [markdown_table(headings, rows)]
    if len(met) > 1:
        rated = sorted(ratings(players, matches).items(), key=lambda one: -one[1].estimate)
        told = [[f"`{player}`", f"{rating.estimate:+.0f} ± {rating.half_width:.0f}"] for player, rating in rated]
        parts += ["## Ratings over all games", markdown_table(["player", "Elo"], told)]
    told = [[name, *(cell(by_game[name][one]) for one in met)] for name in sorted(by_game)]
    parts += ["## By game", f"Matches of `{players[0]}`: won-drawn-lost."]
    return [*parts, markdown_table(["game", *(f"`{one}`" for one in met)], told)]


def play_rounds(
    options: argparse.Namespace, players: Sequence[str], names: Sequence[str], rounds: int, move_s: float
) -> list[Match]:
    """Return the recorded matches, after further ones until each pair is decided or has played all rounds."""
    first, *others = players
    plan = {"first": first, "move_s": move_s, "seed": options.seed}
    options.record.parent.mkdir(parents=True, exist_ok=True)
    with RunStore(options.record, "experiment", plan) as store, progress_bar() as progress, workers_kept():
        found = {name: msgspec.convert(one, Match) for name, one in ((r["name"], r["match"]) for _, r in store.records)}
        able = [(name, other) for other in others for name in names if accepts(other, name) and accepts(first, name)]
        task = progress.add_task("matches", total=rounds * len(able))
        open_pairs, played = set(others), list[Match]()
        for number in range(rounds):
            wanted = {f"{name} {other} {number}": (name, other) for name, other in able if other in open_pairs}
            missing = [] if options.so_far else [one for one in wanted if one not in found]
            parts = [(wanted[one][0], first, wanted[one][1], number, move_s, options.seed) for one in missing]
            progress.advance(task, len(wanted) - len(missing))
            for place, facts in yielded(play_match, parts, options.jobs) if parts else ():
                store.append({"name": missing[place], "match": facts})
                found[missing[place]] = msgspec.convert(facts, Match)
                progress.advance(task)
            played += [found[one] for one in wanted if one in found]
            open_pairs = {
                other
                for other in open_pairs
                if pair_of(other, against(other, played), options.bounds).verdict == "open"
            }
            left = sum(other in open_pairs for _, other in able) * (rounds - number - 1)
            progress.update(task, total=len(played) + left)
        return played


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    options.bounds = (options.bounds[0], options.bounds[1])
    players = options.players
    matches = play_rounds(options, players, options.only or library_names(), options.rounds, options.move_seconds)
    met = {match.opponent for match in matches}
    pairs = [pair_of(one, against(one, matches), options.bounds) for one in players[1:] if one in met]
    clock = f"`{players[0]}` against the others, {options.move_seconds:g} s a move."
    return [clock, *tables(players, pairs, matches)], {"pairs": pairs, "matches": matches}


EXPERIMENT = Experiment(
    "strength",
    "Strength over all games",
    __doc__,
    measure,
    options=(
        Option("players", "the first meets the others", FIELD, ("duct", "random"), str, "PLAYER", "*"),
        Option("--only", "games of the library", None, ("rock_paper_scissors", "twenty_one"), str, "GAME", "+"),
        Option("--rounds", "at most", 100, 2),
        seconds("--move-seconds", "for a move", 0.2, 0.01),
        Option("--bounds", "Elo points between which the test decides", BOUNDS, BOUNDS, float, "ELO", 2),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
