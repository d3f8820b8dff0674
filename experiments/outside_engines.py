"""`auto` against programs made for one game, at equal clocks: `python -m experiments.outside_engines`.

Engines of other people over their own protocols, found on this machine or said to be missing, and small programs of
`experiments.small_programs`. Roles are swapped, each pair of games with the same chance. Our clock is processor time.
An engine that keeps to a clock gets as many nodes as it has lately made in that time; the others take what their level
takes, which for GNU Go, GNU Chess and gnubg is far less.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import msgspec

import ggp
from experiments.options import count, read_options, run_experiment
from experiments.outside_opponents import GnuBackgammon, GnuGo, Outside, UciEngine, program
from experiments.records import Facts, recorded_parts
from experiments.small_programs import EquityBot, GomokuPatterns, ReversiAlphaBeta
from experiments.tables import markdown_table, write_results
from ggp.arithmetic.rng import seed_word
from ggp.competition.statistics import Interval, mean_interval, win_rate
from ggp.errors import GgpError
from ggp.game.game import Game
from players.agents.agent import Agent, Budget
from players.agents.registry import read_player

MOVE_S, QUICK_MOVE_S = 0.2, 0.01
GAMES, QUICK_GAMES, QUICK_ONLY = 20, 2, ("reversi/depth-2", "royal_holdem/equity")
GAME_S = 1200.0
MILLI = 2000.0
"""Thousandths of a point of money in a chance to win: a game is worth -1 or 1."""


class UnknownDuel(GgpError):
    """No duel has this name."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A game and an opponent in it.

    Attributes:
        game: of the library.
        opponent: makes it.
        needs: the program that it needs; empty: none.
        parameters: of the game.
    """

    game: str
    opponent: Callable[[], Outside]
    needs: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


def _stockfish() -> Outside:
    return UciEngine(("stockfish",), {"Threads": "1", "UCI_LimitStrength": "true", "UCI_Elo": "1350"})


def _fairy(variant: str) -> Callable[[], Outside]:
    options = {"UCI_Variant": variant, "Threads": "1", "UCI_LimitStrength": "true", "UCI_Elo": "1350"}
    return lambda: UciEngine(("fairy-stockfish",), options)


CONTESTS = {
    "chess/stockfish-1350": Contest("chess", _stockfish, "stockfish"),
    "chess/gnuchess-depth-2": Contest("chess", lambda: UciEngine(("gnuchessu",), {"OwnBook": "false"}, 2), "gnuchessu"),
    "los_alamos/fairy-1350": Contest("los_alamos", _fairy("losalamos"), "fairy-stockfish"),
    "breakthrough/fairy-1350": Contest("breakthrough", _fairy("breakthrough"), "fairy-stockfish"),
    "go/gnugo-level-1": Contest("go", lambda: GnuGo(9, 7.5, 1), "gnugo"),
    "backgammon/gnubg-0-ply": Contest("backgammon", GnuBackgammon, "gnubg"),
    "gomoku/patterns": Contest("gomoku", GomokuPatterns),
    "reversi/depth-2": Contest("reversi", lambda: ReversiAlphaBeta(2)),
    "reversi/depth-4": Contest("reversi", ReversiAlphaBeta),
    "royal_holdem/equity": Contest("royal_holdem", EquityBot),
}


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of a contest.

    Attributes:
        games: played; 0 where a program is missing.
        rate: share of games that our player won, a draw half.
        payoff: its mean payoff, over pairs of games with the same chance.
        their_s: seconds of processor time that the opponent took for a move, in our process or its own.
        lost: in backgammon, what a turn of ours lost by gnubg's evaluation, in thousandths of a point.
        missing: the program that is not installed.
    """

    games: int
    rate: Interval | None = None
    payoff: Interval | None = None
    their_s: float = 0.0
    lost: Interval | None = None
    missing: str = ""


@dataclass(slots=True)
class Table:
    """A game between an agent of ours, in one role, and an opponent."""

    game: Game
    agent: Agent
    opponent: Outside
    role: int
    move_s: float
    seed: int
    their_s: float = 0.0
    their_moves: int = 0

    def play(self) -> float:
        """Return what our agent gets."""
        rng, state = [seed_word(self.seed, 1)], self.game.initial()
        self.opponent.begin(1 - self.role, self.seed)
        self.agent.start(self.game, self.role, seed_word(self.seed, 2, self.role))
        while not state.is_terminal():
            taken: dict[int, str] = {}
            if state.is_chance():
                new = state.apply_outcome(state.sample_outcome(rng))
            else:
                (actor,) = state.actors()
                began = time.process_time()
                if actor == self.role:
                    legal = [str(action) for action in state.legal(actor)]
                    taken[actor] = self.agent.choose(legal, Budget(time.process_time, began + self.move_s))
                else:
                    taken[actor] = self.opponent.choose(state, actor, self.move_s)
                    self.their_s += time.process_time() - began
                    self.their_moves += 1
                new = state.apply({actor: state.parse_action(actor, taken[actor])})
                self.opponent.follow(state, actor, taken[actor])
            observation = new.readable_observation(self.role)
            if observation or self.role in taken:
                self.agent.observe(taken.get(self.role), observation)
            state = new
        return state.utilities()[self.role]


def play(name: str, player: str, games: int, move_s: float, game_s: float, seed: int) -> Iterator[Facts]:
    """Let a player of ours and an opponent meet, and yield the result once."""
    contest = CONTESTS[name]
    if contest.needs and program(contest.needs) is None:
        yield asdict(Result(0, missing=contest.needs))
        return
    game = ggp.load(contest.game, **contest.parameters)
    agent, opponent = read_player(player).make_agent(), contest.opponent()
    payoffs: list[float] = []
    began, their_s, their_moves = time.process_time(), 0.0, 0
    try:
        while len(payoffs) < games and time.process_time() - began < game_s:
            pair = seed_word(seed, len(payoffs) // 2)
            for role in (0, 1):
                table = Table(game, agent, opponent, role, move_s, pair)
                payoffs.append(table.play())
                their_s, their_moves = their_s + table.their_s, their_moves + table.their_moves
    finally:
        opponent.close()
    wins, draws = sum(one > 0 for one in payoffs), sum(one == 0 for one in payoffs)
    lost = getattr(opponent, "lost", [])
    yield asdict(
        Result(
            len(payoffs),
            win_rate(wins, draws, len(payoffs) - wins - draws),
            mean_interval((first + second) / 2 for first, second in zip(payoffs[::2], payoffs[1::2], strict=True)),
            (their_s + opponent.cpu_s()) / max(their_moves, 1),
            mean_interval(MILLI * one for one in lost) if len(lost) > 1 else None,
        )
    )


def page(results: Mapping[str, Result], player: str, move_s: float) -> str:
    """Return the results as Markdown."""
    rows = []
    for name, one in results.items():
        game, _, opponent = name.partition("/")
        if one.rate is None or one.payoff is None:
            rows.append([game, opponent, f"`{one.missing}` is not installed", "", "", "", ""])
            continue
        rows.append(
            [
                game,
                opponent,
                f"{100 * one.rate.estimate:.1f} ({100 * one.rate.low:.0f} to {100 * one.rate.high:.0f})",
                f"{one.payoff.estimate:.2f} ± {one.payoff.half_width:.2g}",
                str(one.games),
                f"{one.their_s:.3f}",
                f"{one.lost.estimate:.1f} ± {one.lost.half_width:.2g}" if one.lost else "",
            ]
        )
    headings = (
        *("game", "opponent", f"`{player}` wins, % (95 %)", "its payoff", "games", "the opponent's seconds a move"),
        "lost a turn, thousandths of a point",
    )
    text = str(__doc__).split("\n\n", 1)[1].strip()
    again = (
        "`python -m experiments.outside_engines --markdown docs/experiments/outside_engines.md` plays what is missing."
    )
    title = "# Against programs made for one game"
    return f"{title}\n\n{text}\n\n{move_s:g} s of processor time a move. {again}\n\n{markdown_table(headings, rows)}\n"


def main(words: Sequence[str]) -> None:
    """Run the experiment.

    Raises:
        UnknownDuel: a name of `--only` is none of the duels.
    """

    def own_options(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=count, metavar="N", help=f"of each duel; default {GAMES}")
        parser.add_argument("--player", default="auto", help="of ours, as for `ggp match`; default: auto")
        parser.add_argument("--move-seconds", type=float, metavar="S", help=f"for a move; default {MOVE_S:g}")
        parser.add_argument("--game-seconds", type=float, metavar="S", default=GAME_S, help="for a duel, at most")
        parser.add_argument("--only", nargs="+", metavar="DUEL", help=f"of {', '.join(CONTESTS)}; default: all")

    options = read_options("outside_engines", str(__doc__), words, without=("runs", "plot"), add=own_options)
    games = options.games or (QUICK_GAMES if options.quick else GAMES)
    move_s = options.move_seconds or (QUICK_MOVE_S if options.quick else MOVE_S)
    names = options.only or (QUICK_ONLY if options.quick else list(CONTESTS))
    for name in names:
        if name not in CONTESTS:
            raise UnknownDuel(f"`{name}` is not a duel: {', '.join(CONTESTS)}")
    wanted = {name: (name, options.player, games, move_s, options.game_seconds, options.seed) for name in names}
    plan = {
        "player": options.player,
        "games": games,
        "move_s": move_s,
        "game_s": options.game_seconds,
        "seed": options.seed,
    }
    found = recorded_parts(options, plan, wanted, play, "duels")
    results = {name: msgspec.convert(facts, Result) for name, facts in found.items()}
    write_results(options, page(results, options.player, move_s), {name: asdict(one) for name, one in results.items()})


if __name__ == "__main__":
    run_experiment(main)
