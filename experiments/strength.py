"""`auto` against every other player, on every game of the library: `python -m experiments.strength`.

The clock counts the processor time of the deciding player, so other work on the machine does not matter. In each game
the next games are played against the player that may still be the strongest, by the lower end of the interval of what
`auto` got. A pair is over when `auto` is ahead by an interval that excludes a draw: only results in favour of `auto`
end a pair early, so repeated testing cannot hide a weakness. `auto` wins a game if its payoff exceeds the mean payoff
of the others. In games of more than two players one `auto` meets copies of the other player, in each role in turn;
where all players win together, teams play with the same chance. The player that `auto` chooses for a game is not its
opponent.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import msgspec

import ggp
from experiments.options import count, read_options, run_experiment
from experiments.records import Facts, continued_parts
from experiments.strength_page import (
    MIN_GAMES,
    READING,
    READING_AFTER,
    SOLVED,
    Group,
    Meeting,
    Standing,
    meeting_of,
    page,
    standing_of,
)
from experiments.tables import write_results
from ggp.arithmetic.rng import seed_word
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.language import library_names
from players.agents.agent import Agent
from players.agents.auto import AutoAgent
from players.agents.candidate_trial import random_play
from players.agents.registry import read_player
from players.evaluation.matches import GameResult, TimeControl, play_game
from players.player_options import NotApplicable

MOVE_S, QUICK_MOVE_S = 0.2, 0.01
GAMES, QUICK_GAMES = 40, 4
QUICK_ONLY, QUICK_FIELD = ("rock_paper_scissors", "twenty_one"), ("duct", "random")
GAME_S = 3600.0
SAMPLE_PLAYS = 30
"""Random plays that show how a game is scored."""

FIELD = (
    "mcts:leaf=estimate",
    "mcts",
    "dpw:leaf=estimate",
    "dpw",
    "star2",
    "star1",
    "star1ss:samples=8",
    "star2ss:samples=8",
    "expss:samples=8",
    "expectimax",
    "rm:plus=on,average=linear",
    "rm:leaf=estimate",
    "rm:expansion=none,final=max",
    "rm",
    "duct:leaf=estimate",
    "duct",
    "drm",
    "exp3",
    "cfr",
    "oos",
    "oos+",
    "pimc",
    "ismcts",
    "ismcts:selection=rm",
    "so",
    "belief-sampler",
    "random",
)
"""All players with sensible settings, except `rnr`, which needs a known opponent, and `mmcts`, which learns before a
match. Likely rivals come first, since there may not be time for all."""
VARIANTS: dict[str, dict[str, str]] = {"go": {"size": "9"}}
"""Parameters that differ from the defaults."""


class NotReadable(GgpError):
    """The file of an earlier run cannot be read."""


def opponents(game: Game, field: Sequence[str] = FIELD) -> Iterator[str]:
    """Yield the players of a field that can play a game, as they are written."""
    for text in field:
        spec = read_player(text)
        try:
            spec.check(game)
        except NotApplicable:
            continue
        yield text


class Contest:
    """`auto` in a game, and whom it meets.

    Args:
        name: of the game.
        move_s: seconds of processor time for a move.
        seed: of chance and of the players.
    """

    def __init__(self, name: str, move_s: float, seed: int) -> None:
        self.game = loaded(name)
        self._together = scoring_of(self.game).together
        roles = len(self.game.players)
        self._autos = [AutoAgent() for _ in range(roles if self._together else 1)]
        self._other, self._others = "", list[Agent]()
        for agent in self._autos:
            agent.clock = time.process_time
        self._autos[0].start(self.game, 0, seed)
        assert self._autos[0].choice is not None
        self.choice = self._autos[0].choice.player or SOLVED
        self._control, self._seed = TimeControl(play_clock_s=move_s), seed

    def play_group(self, player: str, group: int) -> Group:
        """Play the games of a pair with one seed of chance: `auto` in each role, or one game of each team."""
        began, roles = time.process_time(), len(self.game.players)
        if player != self._other:
            spec = read_player(player)
            self._other = player
            self._others = [spec.make_agent() for _ in range(roles if self._together else roles - 1)]
        if self._together:
            results = [self._play(team, group * roles, swap=False) for team in (self._autos, self._others)]
            differences = [results[0].utilities[0] - results[1].utilities[0]]
            errors = sum(results[0].errors), sum(results[1].errors)
        else:
            agents = [*self._autos, *self._others]
            results = [self._play(agents, group * roles + place, swap=True) for place in range(roles)]
            own = [result.utilities[result.seats.index(0)] for result in results]
            pairs = zip(own, results, strict=True)
            differences = [mine - (sum(result.utilities) - mine) / (roles - 1) for mine, result in pairs]
            errors = sum(result.errors[0] for result in results), sum(sum(result.errors[1:]) for result in results)
        return Group(player, self.choice, tuple(differences), errors, time.process_time() - began)

    def _play(self, agents: Sequence[Agent], number: int, swap: bool) -> GameResult:
        return play_game(self.game, agents, number, self._seed, swap, self._control, time.process_time)


def play_contest(
    name: str,
    rivals: Sequence[str],
    games: int,
    solved_games: int,
    game_s: float,
    move_s: float,
    seed: int,
    found: Sequence[Facts],
) -> Iterator[Facts]:
    """Let `auto` meet its rivals in a game, and yield the groups of games.

    Args:
        name: of the game.
        rivals: as they are written.
        games: of a pair, at most.
        solved_games: the same where `auto` has solved the game.
        game_s: seconds of processor time for all games together, at most; a group that has begun is finished.
        move_s: seconds of processor time for a move.
        seed: of chance and of the players.
        found: the groups recorded so far.
    """
    played: dict[str, list[Group]] = {rival: [] for rival in rivals}
    used = 0.0
    for group in (msgspec.convert(facts, Group) for facts in found):
        played.setdefault(group.player, []).append(group)
        used += group.cpu_s if group.player else 0.0
    if found and used >= game_s:
        return
    began, by_wins = time.process_time(), scoring_of(loaded(name)).by_wins
    contest = Contest(name, move_s, seed)
    if not found:
        yield asdict(Group("", contest.choice, cpu_s=time.process_time() - began))
    if contest.choice == SOLVED:
        games = min(games, solved_games)
    while used < game_s:
        meetings = [
            meeting_of(name, one, played[one], by_wins) for one in rivals if str(read_player(one)) != contest.choice
        ]
        left = [one for one in meetings if one.games < games and not one.over]
        if not left:
            return
        rival = min(left, key=lambda one: (one.result.low, one.games)).player
        group = contest.play_group(rival, len(played[rival]))
        played[rival].append(group)
        used += group.cpu_s
        yield asdict(group)


@lru_cache(4)
def loaded(name: str) -> Game:
    """Return a game of the library, the same object each time, since `auto` remembers its choice for it."""
    return ggp.load(name, **VARIANTS.get(name, {}))


@dataclass(frozen=True, slots=True)
class Scoring:
    """How the results of a game are read.

    Attributes:
        together: all players always get the same, or there is only one.
        by_wins: games are won, lost or drawn, and no payoff is greater than another.
    """

    together: bool
    by_wins: bool


@lru_cache(4)
def scoring_of(game: Game) -> Scoring:
    """Return how to read the results of a game, according to random plays."""
    alone, together, sizes = len(game.players) == 1, True, set()
    for number in range(SAMPLE_PLAYS):
        *_, last = random_play(game, seed_word(1, 9, number))
        utilities = last.utilities()
        together = together and len(set(utilities)) == 1
        sizes |= {max(utilities) - min(utilities)} - {0.0}
    together = alone or (together and not game.constant_sum)
    return Scoring(together, not together and len(sizes) <= 1 and len(game.players) == 2)


def earlier_meetings(path: Path) -> dict[tuple[str, str], Meeting]:
    """Return the meetings of an earlier run by game and player, from what `--json` printed.

    Raises:
        NotReadable: the file cannot be read, or is something else.
    """
    try:
        standings = msgspec.convert(json.loads(path.read_text()), list[Standing])
    except (OSError, ValueError) as error:
        raise NotReadable(f"cannot read {path}: {error}") from error
    return {(one.game, one.player): one for standing in standings for one in standing.meetings}


def rivals_in(
    name: str, field: Sequence[str], before: Mapping[tuple[str, str], Meeting]
) -> tuple[list[str], list[str]]:
    """Return the players to meet in a game, and those that `auto` was ahead of before.

    First come the players that were met before and not told apart, the closest first, then those of the field.
    """
    able = list(opponents(loaded(name), field))
    known = {one: before[name, one] for one in able if (name, one) in before}
    ahead = [one for one, meeting in known.items() if meeting.verdict == 1]
    close = sorted((one for one in known if one not in ahead), key=lambda one: known[one].result.low)
    return close + [one for one in able if one not in known], ahead


def main(words: Sequence[str]) -> None:
    """Run the experiment.

    Raises:
        NotReadable: the file of `--after` cannot be read.
    """

    def own_options(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=count, metavar="N", help=f"of a pair, at most; default {GAMES}")
        parser.add_argument("--move-seconds", type=float, metavar="S", help=f"for a move; default {MOVE_S:g}")
        parser.add_argument("--game-seconds", type=float, metavar="S", default=GAME_S, help="for a game, at most")
        parser.add_argument("--only", nargs="+", metavar="GAME", help="games of the library; default: all")
        parser.add_argument("--against", nargs="+", metavar="PLAYER", help="as written in the table; default: all")
        after = "what --json printed for a shorter clock: leave out solved games and pairs in which auto was ahead"
        parser.add_argument("--after", type=Path, metavar="FILE", help=after)

    options = read_options("strength", str(__doc__), words, without=("runs", "plot"), add=own_options)
    games = options.games or (QUICK_GAMES if options.quick else GAMES)
    move_s = options.move_seconds or (QUICK_MOVE_S if options.quick else MOVE_S)
    before = earlier_meetings(options.after) if options.after else {}
    names = options.only or (QUICK_ONLY if options.quick else library_names())
    field = options.against or (QUICK_FIELD if options.quick else FIELD)
    rivals = {name: rivals_in(name, field, before) for name in names}
    solved_games = 0 if options.after else MIN_GAMES
    wanted = {
        name: (name, rivals[name][0], games, solved_games, options.game_seconds, move_s, options.seed) for name in names
    }
    plan = {"move_s": move_s, "seed": options.seed}
    found = continued_parts(options, plan, wanted, play_contest, options.game_seconds)
    standings = []
    for name, facts in found.items():
        if groups := msgspec.convert(facts, list[Group]):
            standings.append(standing_of(name, *rivals[name], groups, scoring_of(loaded(name)).by_wins))
    reading, way = READING_AFTER if options.after else READING, str(__doc__).split("\n\n", 1)[1]
    write_results(options, page(standings, move_s, reading, way), [asdict(one) for one in standings])


if __name__ == "__main__":
    run_experiment(main)
