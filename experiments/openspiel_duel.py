"""`rm` against OpenSpiel's MCTS bot, over the network, at equal play clocks: `python -m experiments.openspiel_duel`.

`rm` and OpenSpiel's C++ `MCTSBot` ([the player](../examples/openspiel_mcts.py): UCT with random playouts on the game
made into turns), each a process of one thread that joins a game manager over a websocket. They meet with seats swapped,
each pair of matches with the same chance. Win rates have Wilson's interval, payoffs Student's, of the means of such
pairs. Games are played one after another, since two would compete for processor time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import openspiel  # noqa: F401, it is what the bot's process needs
from benchmarks.machine import machine_line
from experiments import duels
from experiments.experiment import Experiment
from experiments.hosted_tournament import GGP, hosted_tournament, running
from experiments.options import Option, seconds
from experiments.records import recorded_parts
from experiments.tables import around, markdown_table, percent
from ggp.cli.progress import progress_bar
from ggp.codegen.kernels import F64
from ggp.solvers.matrix.matrix_games import solve_matrix_game
from players.agents.registry import read_player
from players.agents.warmup import warm_up
from server.referee.journal import Transition
from server.store import records
from server.store.store import read_store

BOT = Path(__file__).parent.parent / "docs" / "examples" / "openspiel_mcts.py"
RPS = "rock_paper_scissors"
OURS, THEIRS = "rm", "openspiel-mcts"
START_CLOCK_S = 20.0
BIASED = np.array([[50, 25, 100], [75, 50, 45], [0, 55, 50]], float)
"""Points of the first role in biased rock-paper-scissors; the second has the rest of 100."""
THROWS = ("rock", "paper", "scissors")

MATRIX_TEXT = """\
One decision, worth 50 points. `rm` plays close to the equilibrium (0.0625, 0.625, 0.3125), which gets 50 on average
against *anything*, since all three throws are in it: neither means nor wins can show who is better. What they could
lose does. The bot believes that its throw will be known (as the first role), or that it knows the other's (as the
second), and always plays the same one. The last column is what the frequencies below lose to a best response, in points
of 100; for `rm` most of that is chance, as the games are few.
"""


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
class Meeting:
    """The results in one game.

    Attributes:
        duel: our side's.
        errors: late or illegal moves, ours and theirs.
        plays: for each player and role, as `first_plays` names them, how often it played each action in its first
            decision.
    """

    duel: duels.Duel
    errors: tuple[int, int]
    plays: dict[str, dict[str, int]]


def first_plays(name: str, role: int) -> str:
    """Return the key of a player's first decisions in a role."""
    return f"{name} as player {role + 1}"


def play(contest: Contest, player: str, games: int, play_clock_s: float, seed: int) -> Iterator[Meeting]:
    """Play matches between a player of ours and the bot, and yield the result once.

    Raises:
        ProcessEnded: a process ended before its time.
    """
    with progress_bar() as progress:
        task = progress.add_task("compiling", total=None)
        warm_up([read_player(player)], lambda done, total, _: progress.update(task, completed=done, total=total))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        place, store = Path(folder), Path(folder) / "store.sqlite"
        clocks, rounds = (START_CLOCK_S, play_clock_s), contest.times * max(1, games // 2)
        host = stack.enter_context(
            hosted_tournament(store, contest.game, contest.parameters, 2, rounds, clocks, str(seed))
        )
        ours = [*GGP, "join", host.url, player, "--name", OURS, "--seed", str(seed)]
        theirs = [sys.executable, str(BOT), host.url, "--name", THEIRS, "--seed", str(seed)]
        stack.enter_context(running(ours, place / f"{OURS}.log"))
        stack.enter_context(running(theirs, place / f"{THEIRS}.log"))
        host.results()
        yield meeting(store)


def meeting(store: Path) -> Meeting:
    """Return the results of the matches in a store, from our point of view."""
    utilities, errors, plays = list[tuple[float, float]](), [0, 0], dict[str, Counter[str]]()
    with read_store(store) as connection:
        rows = sorted(records.matches(connection), key=lambda row: row.chance_group)
        for row in rows:
            assert row.outcome is not None
            assert row.outcome.utilities is not None
            seats = row.names.index(OURS), row.names.index(THEIRS)
            utilities.append((row.outcome.utilities[seats[0]], row.outcome.utilities[seats[1]]))
            for who, seat in enumerate(seats):
                errors[who] += row.errors[seat]
            journal = records.journal_of(connection, row.id)
            actions = next(event.actions for event in journal if isinstance(event, Transition) and event.actions)
            for seat, name in enumerate(row.names):
                plays.setdefault(first_plays(name, seat), Counter())[actions[row.roles[seat]]] += 1
    counts = {who: dict(one) for who, one in plays.items()}
    return Meeting(duels.summary(utilities), (errors[0], errors[1]), counts)


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


def matrix_table(plays: Mapping[str, Mapping[str, int]]) -> str:
    """Return what the two played in biased rock-paper-scissors, and what that would lose."""
    rows = []
    for name in (OURS, THEIRS):
        for role, loss in enumerate(losses_in_matrix(plays, name)):
            shares = [f"{share:.3f}" for share in shares_of(plays, name, role)]
            rows.append([f"`{name}`", ("first", "second")[role], *shares, f"{loss:.1f}"])
    return markdown_table(["player", "role", *THROWS, "loss to a best response"], rows)


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    limits = options.games, options.play_clock, options.seed
    contests = {
        f"{contest.title}: {player}": (contest, player)
        for contest in (CONTESTS[-1:] if options.quick else CONTESTS)
        for player in contest.players
    }
    found = recorded_parts(options, {name: (*one, *limits) for name, one in contests.items()}, play, Meeting, "games")
    rows, matrix = [], []
    for name, one in found.items():
        contest, player = contests[name]
        results = (percent(one.duel.rate, 1), around(one.duel.payoff, 3), f"{one.errors[0]} / {one.errors[1]}")
        rows.append([contest.title, f"`{player}`", str(one.duel.games), *results])
        if contest.game == RPS:
            matrix = ["## Biased rock-paper-scissors", MATRIX_TEXT, matrix_table(one.plays)]
    heads = ["game", "our player", "games", "it wins, % (95 %)", "its mean payoff", "late or illegal, it / bot"]
    again = f"python -m experiments.openspiel_duel --games {limits[0]} --play-clock {limits[1]:g} --seed {limits[2]}"
    return [
        f"Play clocks of {options.play_clock:g} s. A draw counts as half a win. Payoffs are 1, 0, -1, and 0 to 100 in"
        " rock-paper-scissors.",
        *([markdown_table(heads, rows), *matrix] if rows else []),
        *("## Again", f"```sh\n{again}\n```", machine_line()),
    ], found


EXPERIMENT = Experiment(
    "openspiel_duel",
    "Against OpenSpiel's MCTS bot",
    __doc__,
    measure,
    (
        Option("--games", "of each game, an even number; of rock-paper-scissors four times as many", 100, 2),
        seconds("--play-clock", "for a decision", 0.2, 0.05),
    ),
    without=("jobs", "plot"),
)

if __name__ == "__main__":
    EXPERIMENT.run()
