"""`auto` against programs made for one game, at equal clocks: `python -m experiments.outside_engines`.

Engines of other people over their own protocols, where they are installed, and small programs of
`experiments.small_programs`. Roles are swapped, each pair of games with the same chance. Our clock is processor time.
An engine that keeps to a clock gets as many nodes as it has lately made in that time; the others take what their level
takes, which for GNU Go, GNU Chess and gnubg is far less.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import ggp
from experiments.duels import Duel, Ours, Side, agent_of, duel
from experiments.experiment import Experiment
from experiments.options import Option, seconds, some
from experiments.outside_opponents import GnuBackgammon, GnuGo, UciEngine, program
from experiments.records import recorded_parts
from experiments.small_programs import EquityBot, GomokuPatterns, ReversiAlphaBeta
from experiments.tables import around, markdown_table, percent
from ggp.competition.statistics import Interval, mean_interval

MILLI = 2000.0
"""Thousandths of a point of money in a chance to win: a game is worth -1 or 1."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A game and an opponent in it.

    Attributes:
        game: of the library.
        opponent: makes it.
        needs: the program that it needs; empty: none.
    """

    game: str
    opponent: Callable[[], Side]
    needs: str = ""


def _stockfish(elo: int) -> Callable[[], Side]:
    options = {"Threads": "1", "UCI_LimitStrength": "true", "UCI_Elo": str(elo)}
    return lambda: UciEngine(("stockfish",), options)


def _fairy(variant: str) -> Callable[[], Side]:
    options = {"UCI_Variant": variant, "Threads": "1", "UCI_LimitStrength": "true", "UCI_Elo": "1350"}
    return lambda: UciEngine(("fairy-stockfish",), options)


CONTESTS = {
    "chess/stockfish-1350": Contest("chess", _stockfish(1350), "stockfish"),
    "chess/stockfish-1600": Contest("chess", _stockfish(1600), "stockfish"),
    "chess/gnuchess-depth-2": Contest(
        "chess", lambda: UciEngine(("gnuchess", "--uci"), {"OwnBook": "false"}, 2), "gnuchess"
    ),
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
        duel: None where a program is missing.
        missing: the program that is not installed.
        lost: in backgammon, what a turn of ours lost by gnubg's evaluation, in thousandths of a point.
    """

    duel: Duel | None
    missing: str = ""
    lost: Interval | None = None


def play(name: str, player: str, games: int, move_s: float, game_s: float, seed: int) -> Iterator[Result]:
    """Let a player of ours and an opponent meet, and yield the result once."""
    contest = CONTESTS[name]
    if contest.needs and program(contest.needs) is None:
        yield Result(None, contest.needs)
        return
    game, opponent = ggp.load(contest.game), contest.opponent()
    try:
        found = duel(game, (Ours(game, agent_of(player)), opponent), games, move_s, seed, game_s)
    finally:
        opponent.close()
    lost = opponent.lost if isinstance(opponent, GnuBackgammon) else []
    yield Result(found, lost=mean_interval(MILLI * one for one in lost) if len(lost) > 1 else None)


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    limits = options.player, options.games, options.move_seconds, options.game_seconds, options.seed
    wanted = {name: (name, *limits) for name in options.only or CONTESTS}
    found = recorded_parts(options, wanted, play, Result, "duels")
    rows = []
    for name, one in found.items():
        game, _, opponent = name.partition("/")
        results = [f"`{one.missing}` is not installed", "", "", ""]
        if (met := one.duel) is not None:
            results = [percent(met.rate), around(met.payoff, 2), str(met.games), f"{met.seconds[1]:.3f}"]
        rows.append([game, opponent, *results, around(one.lost, 1) if one.lost else ""])
    headings = (
        *("game", "opponent", f"`{options.player}` wins, % (95 %)", "its payoff", "games"),
        *("the opponent's seconds a move", "lost a turn, thousandths of a point"),
    )
    again = (
        "`python -m experiments.outside_engines --markdown docs/experiments/outside_engines.md` plays what is missing."
    )
    return [f"{options.move_seconds:g} s of processor time a move. {again}", markdown_table(headings, rows)], found


EXPERIMENT = Experiment(
    "outside_engines",
    "Against programs made for one game",
    __doc__,
    measure,
    options=(
        Option("--games", "of each duel, an even number", 20, 2),
        Option("--player", "of ours, as for `ggp match`", "auto", "auto", str, "PLAYER"),
        seconds("--move-seconds", "for a move", 0.2, 0.01),
        seconds("--game-seconds", "for a duel, at most", 1200.0),
        some("--only", CONTESTS, ("reversi/depth-2", "royal_holdem/equity"), "DUEL"),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
