"""Our players for hidden information against OpenSpiel's: `python -m experiments.openspiel_hidden_duel`.

Both play the same game side by side, ours in our model and theirs in OpenSpiel's. Each decision has the same clock, in
processor time, so other work of the machine takes nothing from either. OpenSpiel's ISMCTS in Python ends when the clock
has run out; the one in C++ is given the simulations that fit at the speed of its searches at the same depth. The last
column shows what both took. Seats are swapped, and each pair of games has the same chance. Our own players meet one
another under the same clock.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field

import ggp
from benchmarks.machine import machine_facts
from benchmarks.openspiel import pyspiel
from experiments.openspiel_bots import MEETINGS, Meeting, OpenSpielBot, OpenSpielIsmcts, OpenSpielOos
from experiments.options import count, read_options, run_experiment
from experiments.records import Facts, recorded
from experiments.tables import markdown_table, write_results
from ggp.arithmetic.rng import seed_word
from ggp.cli.progress import progress_bar
from ggp.competition.statistics import Interval, mean_interval, win_rate
from ggp.game.game import Game
from ggp.game.history import History
from players.agents.agent import Agent, Budget
from players.agents.registry import read_player

PLAY_CLOCK_S, QUICK_PLAY_CLOCK_S = 0.02, 0.002
GAMES = {"kuhn_poker": 300, "poker": 500, "liars_dice": 100, "phantom_tic_tac_toe": 80, "goofspiel": 200}
QUICK_GAMES, QUICK_MEETINGS = 2, ("kuhn_poker",)
OURS = ("auto", "ismcts", "oos")
THEIRS = ("openspiel-ismcts", "openspiel-oos")
AMONG_OURSELVES = (("ismcts", "oos"), ("ismcts", "mmcts"), ("oos", "mmcts"))
AGAINST_THEIRS = tuple((ours, theirs) for theirs in THEIRS for ours in OURS)
CHANCE_SEED, PLAYER_SEED = 1, 2

READING = """\
By payoffs, which say more in poker than won games, `ismcts` is ahead of both bots with an interval that excludes 0 in
every game but Kuhn poker, which both sides solve: results are about even there. So is `auto`, but for outcome sampling
in Leduc poker, where it plays an equilibrium: after more than a thousand games its gain is just short of certainty.
`oos` is ahead in liar's dice and phantom tic-tac-toe, and of outcome sampling in goofspiel(13). In Leduc poker it gains
a quarter of a chip a game, and in goofspiel(13) it wins 56.8 % against ISMCTS, both just short of certainty.

In the last three games OpenSpiel's ISMCTS runs in Python with our samples, so it makes few simulations. OpenSpiel's
targeted OOS is not part of its Python package; what is met here is its outcome sampling from the beginning of the game,
which is not aimed at the present information state.

Rows of goofspiel(13) and that of `auto` against outcome sampling in Leduc poker were played with the beliefs and the
exploration of today, the others before both were last changed, the pairs among our own players before `ismcts` was
changed; pairs that are not in the tables were not played since.
"""
"""What the table has shown so far; to be read again after every run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of the games of two players.

    Attributes:
        games: how many were played.
        rate: the first player's share of wins, draws counted as halves.
        payoff: its mean payoff.
        seconds: mean thinking time of a decision, of the first and of the second.
    """

    games: int
    rate: Interval
    payoff: Interval
    seconds: tuple[float, float]

    def facts(self) -> Facts:
        """Return it as plain data."""
        return {
            "games": self.games,
            "rate": astuple(self.rate),
            "payoff": astuple(self.payoff),
            "seconds": self.seconds,
        }

    @classmethod
    def from_facts(cls, facts: Facts) -> Outcome:
        """Return what `facts` gave."""
        first, second = facts["seconds"]
        return cls(facts["games"], Interval(*facts["rate"]), Interval(*facts["payoff"]), (first, second))


@dataclass
class SideBySide:
    """Plays games of one meeting between two players.

    Attributes:
        meeting: the game.
        names: of the players; those that begin with `openspiel-` are OpenSpiel's.
        play_clock_s: for each decision.
        seed: of everything.
    """

    meeting: Meeting
    names: tuple[str, str]
    play_clock_s: float
    seed: int
    _seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    _decisions: list[int] = field(default_factory=lambda: [0, 0])

    def __post_init__(self) -> None:
        self._game: Game = ggp.load(self.meeting.name, **self.meeting.parameters)
        self._theirs: pyspiel.Game = self.meeting.theirs()
        # one for all games: it remembers nothing but how fast it is
        self._ismcts = OpenSpielIsmcts(self._theirs, seed_word(self.seed, PLAYER_SEED) % 2**31, self.meeting.resample)
        self._agents: list[Agent | None] = [
            None if name in THEIRS else read_player(name).make_agent() for name in self.names
        ]

    def play(self, number: int) -> tuple[float, float]:
        """Play a game and return the utilities of the two players; in odd games they have changed seats."""
        seats = (0, 1) if number % 2 == 0 else (1, 0)
        players = [self._started(seats[role], role, number) for role in range(2)]
        history, state = self._game.history(), self._theirs.new_initial_state()
        rng = [seed_word(self.seed, CHANCE_SEED, number // 2)]
        while not history.state.is_terminal():
            taken: dict[int, str] = {}
            if history.state.is_chance():
                outcome = history.state.sample_outcome(rng)
                for value in history.state.outcome_text(outcome).split():
                    if state.is_chance_node():
                        state.apply_action(int(value) - 1)
                history = history.apply_outcome(outcome)
            else:
                for role in history.state.actors():
                    taken[role] = self._chosen(players[role], seats[role], history, role, state)
                    if not state.is_terminal():  # OpenSpiel makes the last, forced choices of goofspiel by itself
                        state.apply_action(self.meeting.number(state, taken[role]))
                chosen = {role: history.state.parse_action(role, text) for role, text in taken.items()}
                history = history.apply(chosen)
            self._tell(players, history, taken)
        utilities = history.state.utilities()
        return utilities[seats.index(0)], utilities[seats.index(1)]

    def _started(self, player: int, role: int, number: int) -> Agent | OpenSpielBot:
        word = seed_word(self.seed, PLAYER_SEED, number, player)
        agent = self._agents[player]
        if agent is not None:
            agent.start(self._game, role, word)
            return agent
        if self.names[player] == "openspiel-oos":
            return OpenSpielOos(self._theirs, word % 2**31)
        return self._ismcts

    def _chosen(
        self, player: Agent | OpenSpielBot, seat: int, history: History, role: int, state: pyspiel.State
    ) -> str:
        legal = [str(action) for action in history.state.legal(role)]
        began = time.thread_time()
        if isinstance(player, OpenSpielIsmcts | OpenSpielOos):
            if len(legal) == 1:
                return legal[0]
            wanted = player.choose(state, self.play_clock_s)
            text = next(text for text in legal if self.meeting.number(state, text) == wanted)
        else:
            text = player.choose(legal, Budget(time.thread_time, began + self.play_clock_s))
        if len(legal) > 1:
            self._seconds[seat] += time.thread_time() - began
            self._decisions[seat] += 1
        return text

    def _tell(self, players: Sequence[Agent | OpenSpielBot], history: History, taken: dict[int, str]) -> None:
        for role, player in enumerate(players):
            if not isinstance(player, OpenSpielIsmcts | OpenSpielOos):
                observation = history.state.readable_observation(role)
                if observation or role in taken:
                    player.observe(taken.get(role), observation)

    def seconds(self) -> tuple[float, float]:
        """Return how long each player has thought about a decision, in the mean."""
        first, second = (spent / max(1, made) for spent, made in zip(self._seconds, self._decisions, strict=True))
        return first, second


def summary(utilities: Sequence[tuple[float, float]], seconds: tuple[float, float]) -> Outcome:
    """Return what games say; each two of them have the same chance."""
    wins = sum(first > second for first, second in utilities)
    draws = sum(first == second for first, second in utilities)
    own = [first for first, _ in utilities]
    pairs = [sum(own[place : place + 2]) / len(own[place : place + 2]) for place in range(0, len(own), 2)]
    rate = win_rate(wins, draws, len(own) - wins - draws)
    return Outcome(len(own), rate, mean_interval(pairs), seconds)


def _interval(interval: Interval, digits: int, scale: float = 1.0) -> str:
    low, estimate, high = (f"{scale * one:.{digits}f}" for one in (interval.low, interval.estimate, interval.high))
    return f"{estimate} ({low} to {high})"


def page(found: dict[str, Outcome], names: dict[str, tuple[str, tuple[str, str]]], words: str) -> str:
    """Return the report as Markdown; of at least one outcome."""
    machine = ", ".join(f"{key} {fact}" for key, fact in machine_facts().items())
    text = str(__doc__).split("\n\n", 1)[1]
    parts = ["# Hidden information: against OpenSpiel's bots", text.strip(), READING.strip()]
    for titles, those in (("Against OpenSpiel", True), ("Among ourselves", False)):
        rows = []
        for name, outcome in found.items():
            game, (first, second) = names[name]
            if (second in THEIRS) != those:
                continue
            rows.append(
                [
                    MEETINGS[game].title,
                    f"`{first}`",
                    f"`{second}`",
                    str(outcome.games),
                    _interval(outcome.rate, 1, 100),
                    _interval(outcome.payoff, 3),
                    " / ".join(f"{1000 * one:.0f}" for one in outcome.seconds),
                ]
            )
        heads = ["game", "first", "second", "games", "the first wins, % (95 %)", "its mean payoff", "ms a decision"]
        if rows:
            parts += [f"## {titles}", markdown_table(heads, rows)]
    parts += [
        "## Again",
        f"```sh\npython -m experiments.openspiel_hidden_duel{words}\n```",
        f"Clocks make every run another one. This one: {machine}.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def own_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this experiment."""
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(MEETINGS)}; default: all")
    parser.add_argument("--number", type=count, metavar="N", help="games of each pair; default: 80 to 500")
    clock = f"seconds for a decision; default: {PLAY_CLOCK_S:g}"
    parser.add_argument("--play-clock", type=float, metavar="SECONDS", help=clock)


def main(words: Sequence[str]) -> None:
    """Run the experiment."""
    nothing_for = ("runs", "jobs", "plot")
    options = read_options("openspiel_hidden_duel", str(__doc__), words, without=nothing_for, add=own_options)
    play_clock_s = options.play_clock or (QUICK_PLAY_CLOCK_S if options.quick else PLAY_CLOCK_S)
    wanted = {
        f"{game}: {first} against {second}": (game, (first, second))
        for pairs in (AGAINST_THEIRS, AMONG_OURSELVES)
        for game in options.games or (QUICK_MEETINGS if options.quick else MEETINGS)
        for first, second in pairs
    }

    def games_of(game: str) -> int:
        return options.number or (QUICK_GAMES if options.quick else GAMES[game])

    def do(names: Sequence[str]) -> Iterator[tuple[str, Facts]]:
        with progress_bar() as progress:
            task = progress.add_task("playing", total=sum(games_of(wanted[name][0]) for name in names))
            for name in names:
                game, players = wanted[name]
                table = SideBySide(MEETINGS[game], players, play_clock_s, options.seed)
                utilities = []
                for number in range(games_of(game)):
                    utilities.append(table.play(number))
                    progress.advance(task)
                yield name, summary(utilities, table.seconds()).facts()

    plan = {"number": options.number, "play_clock_s": play_clock_s, "seed": options.seed}
    facts = recorded(options.record, plan, list(wanted), options.so_far, do)
    found = {name: Outcome.from_facts(one) for name, one in facts.items()}
    given = f" --play-clock {play_clock_s:g} --seed {options.seed}"
    told = [{"game": wanted[name][0], "players": wanted[name][1], **outcome.facts()} for name, outcome in found.items()]
    write_results(options, page(found, wanted, given) if found else "", told)


if __name__ == "__main__":
    run_experiment(main)
