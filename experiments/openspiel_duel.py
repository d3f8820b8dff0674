"""`rm` against OpenSpiel's MCTS bot, over the network, at equal play clocks: `python -m experiments.openspiel_duel`.

A game manager is started for each game, both join it as processes, and they meet with seats swapped, each pair of
matches with the same chance. Win rates have Wilson's interval, payoffs Student's, of the means of such pairs. Games are
played one after another, since two would compete for processor time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import numpy as np

from benchmarks import openspiel  # noqa: F401, it is what the bot's process needs
from benchmarks.machine import machine_facts
from experiments.hosted_tournament import GGP, hosted_tournament, running
from experiments.options import count, read_options, run_experiment
from experiments.records import Facts, recorded
from experiments.tables import write_results
from ggp.cli.progress import progress_bar
from ggp.codegen.kernels import F64
from ggp.competition.statistics import Interval, mean_interval, win_rate
from ggp.solvers.matrix.matrix_games import solve_matrix_game
from players.agents.registry import read_player
from players.agents.warmup import warm_up
from server.referee.journal import Transition
from server.store import records
from server.store.records import MatchRow
from server.store.store import read_store

ROOT = Path(__file__).parent.parent
BOT = ROOT / "docs" / "examples" / "openspiel_mcts.py"
RPS = "rock_paper_scissors"
OURS, THEIRS = "rm", "openspiel-mcts"
START_CLOCK_S = 20.0
GAMES, QUICK_GAMES, QUICK_CONTESTS = 100, 2, 1
PLAY_CLOCK_S, QUICK_PLAY_CLOCK_S = 0.2, 0.05
BIASED = np.array([[50, 25, 100], [75, 50, 45], [0, 55, 50]], float)
"""Points of the first role in biased rock-paper-scissors; the second has the rest of 100."""
THROWS = ("rock", "paper", "scissors")

READING = """\
In goofspiel plain `rm` wins: 63 % (56 to 69) of the 190 games of three runs, this one the least of them.

In Oshi-Zumo, plain `rm` does not win: OpenSpiel's own Oshi-Zumo is fast (some 350,000 playouts a second, nearly half as
many as `rm` makes iterations), and where the bot tries 50 actions of one player after the other, `rm` has 2,500 joint
actions, and tries each once in a new node. After so few iterations an average strategy over 50 actions is noisy too:
with `expansion=none`, which tries none for its own sake, and `final=max`, which plays the most probable action alone,
`rm` is ahead with the same playouts. With the estimate of the rules, which the bot has not got, it is far ahead.

The same with counted work, 150,000 iterations against 60,000 playouts a decision, 60 games each: `rm` 33 %,
`expansion=none` 49 %, playing nearly always its most probable action 70 % (57 to 80); `expansion=none` with
`backup=mean` 42 %, with `gamma=0.2` 37 %; `duct` 27 %, `exp3` 25 %.
"""
"""What the table has shown so far; revise after every run."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A game of the duel, and which of our players meet the bot in it.

    Attributes:
        title: in the report.
        game: of the library.
        parameters: of the game.
        players: as for `ggp join`.
        times: multiplies the number of games, for games of a single decision.
    """

    title: str
    game: str
    parameters: dict[str, str]
    players: tuple[str, ...] = ("rm",)
    times: int = 1


CONTESTS = (
    Contest("goofspiel(13), shuffled prizes", "goofspiel", {}, ("rm", "rm:expansion=none,final=max")),
    Contest("Oshi-Zumo(50,3,1)", "oshi_zumo", {}, ("rm", "rm:expansion=none,final=max", "rm:leaf=estimate")),
    Contest("biased rock-paper-scissors", RPS, {"payoffs": "biased"}, times=4),
)


@dataclass(frozen=True, slots=True)
class Duel:
    """The results in one game.

    Attributes:
        contest: the game.
        player: which of ours played it.
        games: how many were played.
        rate: our share of wins, draws counted as halves.
        payoff: our mean payoff.
        errors: late or illegal moves, ours and theirs.
        plays: for each player and role, as `first_plays` names them, how often it played each action in its first
            decision.
    """

    contest: Contest
    player: str
    games: int
    rate: Interval
    payoff: Interval
    errors: tuple[int, int]
    plays: dict[str, dict[str, int]]


def first_plays(name: str, role: int) -> str:
    """Return the key of a player's first decisions in a role."""
    return f"{name} as player {role + 1}"


def play(contest: Contest, player: str, rounds: int, play_clock_s: float, seed: int, folder: Path) -> Duel:
    """Play `2 * rounds` matches between a player of ours and the bot.

    Raises:
        ProcessEnded: a process ended before its time.
    """
    place = folder / f"{contest.game}-{contest.players.index(player)}"
    place.mkdir()
    store = place / "store.sqlite"
    with ExitStack() as stack:
        clocks = START_CLOCK_S, play_clock_s
        host = stack.enter_context(
            hosted_tournament(store, contest.game, contest.parameters, 2, rounds, clocks, str(seed))
        )
        ours = [*GGP, "join", host.url, player, "--name", OURS, "--seed", str(seed)]
        theirs = [sys.executable, str(BOT), host.url, "--name", THEIRS, "--seed", str(seed)]
        stack.enter_context(running(ours, place / f"{OURS}.log"))
        stack.enter_context(running(theirs, place / f"{THEIRS}.log"))
        host.results()
    with read_store(store) as connection:
        rows = records.matches(connection)
        plays: dict[str, Counter[str]] = {}
        for row in rows:
            journal = records.journal_of(connection, row.id)
            actions = next(event.actions for event in journal if isinstance(event, Transition) and event.actions)
            for seat, name in enumerate(row.names):
                plays.setdefault(first_plays(name, seat), Counter())[actions[row.roles[seat]]] += 1
    return summary(contest, player, rows, plays)


def summary(contest: Contest, player: str, rows: Sequence[MatchRow], plays: Mapping[str, Mapping[str, int]]) -> Duel:
    """Return the results of the matches, from our point of view."""
    wins = draws = 0
    pairs: dict[str, list[float]] = {}
    errors = [0, 0]
    for row in rows:
        assert row.outcome is not None
        assert row.outcome.utilities is not None
        own = row.names.index(OURS)
        utility, theirs = row.outcome.utilities[own], row.outcome.utilities[1 - own]
        wins += utility > theirs
        draws += utility == theirs
        pairs.setdefault(row.chance_group, []).append(utility)
        for who, seat in enumerate((own, 1 - own)):
            errors[who] += row.errors[seat]
    return Duel(
        contest,
        player,
        len(rows),
        win_rate(wins, draws, len(rows) - wins - draws),
        mean_interval(sum(pair) / len(pair) for pair in pairs.values()),
        (errors[0], errors[1]),
        {who: dict(counts) for who, counts in plays.items()},
    )


def shares_of(plays: Mapping[str, Mapping[str, int]], name: str, role: int) -> F64:
    """Return how often a player made each of the throws in a role."""
    counts = np.array([plays[first_plays(name, role)].get(throw, 0) for throw in THROWS], float)
    shares: F64 = counts / counts.sum()
    return shares


def losses_in_matrix(plays: Mapping[str, Mapping[str, int]], name: str) -> tuple[float, float]:
    """Return the loss of a player's frequencies in biased rock-paper-scissors to a best response, by role."""
    value = solve_matrix_game(BIASED).value
    row, column = (shares_of(plays, name, role) for role in (0, 1))
    return value - float((row @ BIASED).min()), float((BIASED @ column).max()) - value


def page(duels: Sequence[Duel], play_clock_s: float, seed: int) -> str:
    """Return the report as Markdown; of at least one duel."""
    games = duels[0].games // duels[0].contest.times
    machine = ", ".join(f"{key} {fact}" for key, fact in machine_facts().items())
    lines = [
        "# Against OpenSpiel's MCTS bot",
        "",
        "`rm` and OpenSpiel's C++ `MCTSBot` ([the player](../examples/openspiel_mcts.py): UCT with random playouts on",
        "the game made into turns), each a process of one thread that joins a game manager over a websocket. Both",
        f"have the same play clock, {play_clock_s:g} s a decision. Seats are swapped, chance is the same for both.",
        "",
        "| game | our player | games | it wins, % (95 %) | its mean payoff | late or illegal, it / bot |",
        "|---|---|---|---|---|---|",
    ]
    for duel in duels:
        rate = f"{100 * duel.rate.estimate:.1f} ({100 * duel.rate.low:.1f} to {100 * duel.rate.high:.1f})"
        payoff = f"{duel.payoff.estimate:.3f} ± {duel.payoff.half_width:.2g}"
        errors = f"{duel.errors[0]} / {duel.errors[1]}"
        lines.append(f"| {duel.contest.title} | `{duel.player}` | {duel.games} | {rate} | {payoff} | {errors} |")
    lines += ["", "A draw counts as half a win. Payoffs are 1, 0, -1, and 0 to 100 in rock-paper-scissors.", ""]
    lines += [*READING.splitlines(), ""]
    for duel in duels:
        if duel.contest.game == RPS:
            lines += matrix_section(duel)
    lines += [
        "## Again",
        "",
        "```sh",
        f"python -m experiments.openspiel_duel --games {games} --play-clock {play_clock_s:g} --seed {seed}",
        "```",
        "",
        f"Clocks make every run another one. This one: {machine}.",
    ]
    return "\n".join(lines) + "\n"


def matrix_section(duel: Duel) -> list[str]:
    """Return what the two played in biased rock-paper-scissors, and what that would lose."""
    lines = [
        "## Biased rock-paper-scissors",
        "",
        "One decision, worth 50 points. `rm` plays close to the equilibrium (0.0625, 0.625, 0.3125), which gets 50 on",
        "average against *anything*, since all three throws are in it: neither means nor wins can show who is better.",
        "What they could lose does. The bot believes that its throw will be known (as the first role), or that it",
        "knows the other's (as the second), and always plays the same one. The last column is what the frequencies",
        "below lose to a best response, in points of 100; for `rm` most of that is chance, as the games are few.",
        "",
        "| player | role | rock | paper | scissors | loss to a best response |",
        "|---|---|---|---|---|---|",
    ]
    for name in (OURS, THEIRS):
        for role, loss in enumerate(losses_in_matrix(duel.plays, name)):
            shares = " | ".join(f"{share:.3f}" for share in shares_of(duel.plays, name, role))
            lines.append(f"| `{name}` | {('first', 'second')[role]} | {shares} | {loss:.1f} |")
    return [*lines, ""]


def own_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this experiment."""
    games = f"of each game, an even number; of rock-paper-scissors four times as many; default: {GAMES}"
    parser.add_argument("--games", type=count, metavar="N", help=games)
    clock = f"time for a decision; default: {PLAY_CLOCK_S:g}"
    parser.add_argument("--play-clock", type=float, metavar="SECONDS", help=clock)


def main(words: Sequence[str]) -> None:
    """Run the experiment."""
    options = read_options("openspiel_duel", str(__doc__), words, without=("runs", "jobs", "plot"), add=own_options)
    games = options.games or (QUICK_GAMES if options.quick else GAMES)
    play_clock_s = options.play_clock or (QUICK_PLAY_CLOCK_S if options.quick else PLAY_CLOCK_S)
    contests = CONTESTS[-QUICK_CONTESTS:] if options.quick else CONTESTS
    wanted = {f"{contest.title}: {player}": (contest, player) for contest in contests for player in contest.players}

    def do(names: Sequence[str]) -> Iterator[tuple[str, Facts]]:
        with progress_bar() as progress:
            task = progress.add_task("compiling", total=None)
            warm_up([read_player("rm")], lambda done, total, _: progress.update(task, completed=done, total=total))
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                contest, player = wanted[name]
                rounds = contest.times * max(1, games // 2)
                yield name, asdict(play(contest, player, rounds, play_clock_s, options.seed, Path(folder)))

    plan = {"games": games, "play_clock_s": play_clock_s, "seed": options.seed}
    found = recorded(options.record, plan, list(wanted), options.so_far, do)
    duels = [msgspec.convert(facts, Duel) for facts in found.values()]
    write_results(options, page(duels, play_clock_s, options.seed) if duels else "", list(found.values()))


if __name__ == "__main__":
    run_experiment(main)
