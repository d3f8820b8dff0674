"""`obscuro` against our other players for hidden information, and what its parts are worth.

Six games; its opponents are what `auto` plays there, or would play without its file or without what came of later plays
(RAVE), and another one. Evaluations learned by `ggp train` are read by both sides where the library has one. Clocks are
of processor time; seats are swapped, and each pair of games has the same chance. Then `obscuro` as it is meets itself
with one part different.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import ggp
from benchmarks.machine import machine_line
from experiments.duels import Duel, Ours, agent_of, duel
from experiments.experiment import Experiment
from experiments.options import Option, seconds, some
from experiments.records import recorded_parts
from experiments.tables import around, markdown_table, percent
from ggp.game.game import Game
from players.agents.candidates import reading
from players.learning.files import found_file

GAMES: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    "phantom tic-tac-toe": ("phantom_tic_tac_toe", {}, ("ismcts", "oos")),
    "dark hex 5x5": ("dark_hex", {"width": "5", "height": "5"}, ("pimc", "ismcts")),
    "battleship": ("battleship", {}, ("pimc", "ismcts")),
    "royal hold'em": ("royal_holdem", {}, ("ismcts", "auto")),
    "stratego": ("stratego", {}, ("pimc", "ismcts:final=max")),
    "dark chess": ("dark_chess", {}, ("pimc", "ismcts:final=max")),
}
QUICK_GAMES = ("phantom tic-tac-toe",)
PARTS = {
    "the opponent's right to decline counts in full": "obscuro:resolve=1",
    "the opponent cannot decline": "obscuro:resolve=0",
    "any number of actions": "obscuro:actions=100",
    "one action": "obscuro:actions=1",
    "at most 10 positions": "obscuro:positions=10",
}
"""What is different, and the player."""
OWN, OTHERS = "others", "parts"
HEADINGS = {OWN: "Against other players", OTHERS: "What its parts are worth"}
NOT_READ = ("oos", "auto")
"""Players without leaves, and one that finds files by itself."""


def informed(player: str, game: Game) -> str:
    """Return a player with the library's learned evaluation, if there is one."""
    file = found_file(game)
    return reading(player, file) if file and player not in NOT_READ else player


def meet(title: str, players: tuple[str, str], games: int, play_clock_s: float, seed: int) -> Iterator[Duel]:
    """Let two players meet in a game, and yield the result once."""
    name, parameters, _ = GAMES[title]
    game = ggp.load(name, **parameters)
    sides = [Ours(game, agent_of(informed(player, game))) for player in players]
    yield duel(game, sides, games, play_clock_s, seed)


def planned(options: argparse.Namespace) -> dict[str, tuple[str, str, str]]:
    """Return the section, game and opponent of each part of the record, by its name."""
    opponents = {
        OWN: {title: others for title, (_, _, others) in GAMES.items()},
        OTHERS: dict.fromkeys(GAMES, tuple(PARTS.values())),
    }
    return {
        f"{title}: {other}": (section, title, other)
        for section, by_game in opponents.items()
        if section in (options.sections or opponents)
        for title in options.games or GAMES
        for other in by_game[title]
    }


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    plan = planned(options)
    wanted = {
        name: (title, ("obscuro", other), options.number, options.play_clock, options.seed)
        for name, (_, title, other) in plan.items()
    }
    found = recorded_parts(options, wanted, meet, Duel, "pairs of players")
    told = {player: words for words, player in PARTS.items()}
    parts = []
    for section in (OWN, OTHERS):
        rows: list[Sequence[str]] = []
        for name, one in found.items():
            kind, title, other = plan[name]
            if kind == section:
                words = told.get(other, f"`{other}`")
                rows.append([title, words, str(one.games), percent(one.rate, 1), around(one.payoff, 3)])
        heads = ["game", "opponent", "games", "`obscuro` wins, % (95 %)", "its mean payoff"]
        parts += [f"## {HEADINGS[section]}, {options.play_clock:g} s", markdown_table(heads, rows)] if rows else []
    facts = [
        {"section": plan[name][0], "game": plan[name][1], "name": name, "result": one} for name, one in found.items()
    ]
    return [*parts, machine_line()], facts


EXPERIMENT = Experiment(
    "obscuro_duels",
    "Obscuro: duels in six games",
    __doc__,
    measure,
    (
        some("games", GAMES, QUICK_GAMES, "GAME"),
        some("--sections", HEADINGS, tuple(HEADINGS), "SECTION"),
        Option("--number", "games of each pair, an even number", 40, 2),
        seconds("--play-clock", "for a decision", 0.2, 0.002),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
