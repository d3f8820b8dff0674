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
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import msgspec

import ggp
from experiments.options import count, read_options, run_experiment
from experiments.records import Facts, continued_parts
from experiments.tables import write_results
from ggp.competition.statistics import Interval, mean_interval, win_rate
from ggp.errors import GgpError
from ggp.language import library_names
from ggp.model.game import Game
from ggp.model.native.rng import seed_word
from players.agents import Agent
from players.auto import AutoAgent
from players.matches import GameResult, TimeControl, play_game
from players.player_options import NotApplicable
from players.registry import read_player
from players.self_test import random_play

MOVE_S, QUICK_MOVE_S = 0.2, 0.01
GAMES, QUICK_GAMES = 40, 4
SOLVED = "the solution"
GAME_S = 3600.0
MIN_GAMES = 6
"""Games before a pair may stop: six wins of six exclude a draw. Where the game is solved no more are played."""
MIN_PAYOFFS = 12
"""The same where payoffs of different size are compared."""
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

READING = """\
The clock is a tenth of the intended 0.2 s, a pair has at most 20 games and 8 s of processor time, and long games were
played against a part of the field. So only large differences show, and some of the intervals that exclude an even
result do so by chance: with 95 % intervals that is one pair in twenty or forty.

What the runs have found, and `auto` does better now:

- Hidden information: `ismcts`, which `auto` played everywhere, lost clearly to `pimc` in battleship, stratego, phantom
  Go and visibility pursuit, which are long. In a second test at 0.05 s `pimc` wins 96 ± 8 % of 24 games of phantom Go.
  `auto` now plays `pimc` where random play takes more than 18 decisions. In short games (liar's dice, phantom
  tic-tac-toe, dark hex, love letter) the two are even, or `ismcts` ahead.
- In Diplomacy `duct` lost to `drm` and `so`: it draws its action by visits among hundreds. With `final=max` it gets
  11.1 ± 0.7 points more than `duct` does; `auto` plays that where joint actions are many.
- In the sealed auction `ismcts` with UCT lost to `selection=rm`, which mixes; `auto` plays the latter where choices are
  simultaneous and hidden.
- In yacht `dpw` won all six games against `mcts`: where a chance event has more than a thousand outcomes, `auto` now
  plays `dpw`.
- Earlier: in Ra and Oshi-Zumo the test in the start clock chose losing settings (a challenger now has to lead by more,
  and games with simultaneous moves are tested from the beginning).

That `auto` is behind `cfr` in the random game was not confirmed: 74 more games gave -0.2 ± 0.6.

Games of chance in which a pair stood at 40 % or less were played again. At 0.01 s a move `mcts:leaf=estimate` wins 59.8
± 10.2 % of 92 games against `mcts` in Pig, and `star1ss:samples=8` 60 ± 15 % of 50 in can't stop, so the choices stand.
In EinStein it is wrong to draw 8 times from six outcomes: `star1ss:samples=8` wins 45.3 ± 5.7 % of 236 games against
`mcts`.

Pairs in which `auto` was not ahead were [played again at 0.2 s](strength_200ms.md).

The rows of twenty-one, liar's dice, poker, Oshi-Zumo, EinStein, goofspiel and Tron are of a later run, beside much
other work. By then `auto` solved the first four before the match, where only 6 or 12 games are played to find faults,
and the ends of the others during it; it left out improbable actions (`least=0.1`), and played `mcts:leaf=estimate` in
EinStein, where it had been behind `rm:leaf=estimate` with `star2`. In the rows of battleship, Diplomacy, phantom Go,
stratego, dark chess, visibility pursuit, the sealed auction and yacht `auto` plays what it does now, but solves no
ends; in can't stop one pair does, the others have the older choice. In Hanabi nobody scores at this clock, so nothing
is told apart.
"""
"""What the table has shown so far; revise after every run."""
READING_AFTER = """\
Only pairs that 0.02 s a move [did not tell apart](strength.md), and in which `auto` was behind. At 0.2 s a game takes
up to 30 s of processor time, so with 70 s a pair (30 s in games below the random game, and for `star2` in EinStein)
there are few games, and only large differences would show. Twenty-one, the sealed auction and reversi, in a later run,
had 200 s a pair; twenty-one is solved.
No pair is told apart: what looked like a weakness at 0.02 s is not confirmed, and not excluded either.

- In EinStein `auto` played what its test in the start clock chose, `mcts` in the first two pairs and `star2` in the
  last two. It got 41 % of all 66 games against searches with the estimate. At 0.02 s `star2` gets 45.3 ± 6.1 % of 192
  games against `mcts:leaf=estimate`, and 48.4 ± 5.8 % of 192 against `rm:leaf=estimate`. So `auto` now plays
  `mcts:leaf=estimate` where chance events have few outcomes, unless its test shows that the estimate is bad.
- Ra, where `dpw` won both games: at 0.01 s `mcts` gets 47.0 ± 14.7 % of 50 games against it.
- Goofspiel is played with `least=0.1`: ahead in all three pairs, but not by enough.
"""


class NotReadable(GgpError):
    """The file of an earlier run cannot be read."""


@dataclass(frozen=True, slots=True)
class Group:
    """Games of a pair with one seed of chance.

    Attributes:
        player: who met `auto`; empty for the record of what `auto` plays.
        choice: what `auto` played.
        differences: of the payoffs, in each game.
        errors: late or illegal moves, of `auto` and of the others.
        cpu_s: seconds of processor time.
    """

    player: str
    choice: str
    differences: tuple[float, ...] = ()
    errors: tuple[int, int] = (0, 0)
    cpu_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Meeting:
    """The result of one pair.

    Attributes:
        game: of the library.
        player: who met `auto`.
        games: played.
        by_wins: whether `result` is a share of wins, 0.5 for equals, or a difference of mean payoffs, 0 for equals.
        result: of `auto`, with its 95 % interval.
        errors: late or illegal moves, of `auto` and of the others.
        choice: what `auto` played.
    """

    game: str
    player: str
    games: int
    by_wins: bool
    result: Interval
    errors: tuple[int, int]
    choice: str

    @property
    def verdict(self) -> int:
        """1 if `auto` is stronger by an interval that excludes a draw, -1 if it is weaker, else 0."""
        even = 0.5 if self.by_wins else 0.0
        return int(self.result.low > even) - int(self.result.high < even)

    @property
    def over(self) -> bool:
        """Whether `auto` has been shown to be stronger."""
        return self.games >= (MIN_GAMES if self.by_wins else MIN_PAYOFFS) and self.verdict == 1


def meeting_of(name: str, player: str, groups: Sequence[Group]) -> Meeting:
    """Return the result of a pair in a game from its groups."""
    by_wins = scoring_of(loaded(name)).by_wins
    differences = [difference for group in groups for difference in group.differences]
    if by_wins:
        wins, losses = (sum(sign * one > 0 for one in differences) for sign in (1, -1))
        result = win_rate(wins, len(differences) - wins - losses, losses)
    elif groups:
        result = mean_interval(sum(group.differences) / len(group.differences) for group in groups)
    else:
        result = Interval(0.0, -math.inf, math.inf)
    ours, theirs = (sum(group.errors[side] for group in groups) for side in (0, 1))
    choice = ", ".join(dict.fromkeys(group.choice for group in groups))
    return Meeting(name, player, len(differences), by_wins, result, (ours, theirs), choice)


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
    began = time.process_time()
    contest = Contest(name, move_s, seed)
    if not found:
        yield asdict(Group("", contest.choice, cpu_s=time.process_time() - began))
    if contest.choice == SOLVED:
        games = min(games, solved_games)
    while used < game_s:
        meetings = [meeting_of(name, one, played[one]) for one in rivals if str(read_player(one)) != contest.choice]
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


def text_of(meeting: Meeting) -> str:
    """Return a player with the result of `auto` against it."""
    unit, scale = (" %", 100) if meeting.by_wins else ("", 1)
    result = meeting.result
    interval = f"{scale * result.low:.3g} to {scale * result.high:.3g}"
    return f"`{meeting.player}` {scale * result.estimate:.3g}{unit} ({interval}; {meeting.games})"


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of `auto` in a game.

    Attributes:
        game: of the library.
        choices: what it plays.
        meetings: with each player it has met.
        ahead_before: rivals left out, since `auto` was ahead of them with a shorter clock.
        no_time: rivals not met.
    """

    game: str
    choices: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    ahead_before: tuple[str, ...] = ()
    no_time: tuple[str, ...] = ()


def standing_of(name: str, rivals: Sequence[str], ahead: Sequence[str], found: Sequence[Facts]) -> Standing:
    """Return what the recorded groups of a game tell; `ahead` are rivals that were left out."""
    groups = [msgspec.convert(facts, Group) for facts in found]
    choices = tuple(dict.fromkeys(group.choice for group in groups))
    met = {one: [group for group in groups if group.player == one] for one in rivals}
    meetings = tuple(meeting_of(name, one, own) for one, own in met.items() if own)
    never = () if SOLVED in choices else (one for one, own in met.items() if not own)
    return Standing(name, choices, meetings, tuple(ahead), tuple(one for one in never if one not in choices))


def page(standings: Sequence[Standing], move_s: float, reading: str) -> str:
    """Return the report as Markdown; `reading` says what it shows."""
    meetings = [meeting for one in standings for meeting in one.meetings]
    counts = [sum(one.verdict == verdict for one in meetings) for verdict in (1, 0, -1)]
    errors = [sum(one.errors[side] for one in meetings) for side in (0, 1)]
    games = sum(one.games for one in meetings)
    solved = [one.game for one in standings if one.choices == (SOLVED,) and not one.meetings]
    lines = [
        f"# How strong `auto` is at {move_s:g} s a move",
        "",
        *reading.strip().splitlines(),
        "",
        f"Of {len(meetings)} pairs, `auto` is ahead in {counts[0]}, behind in {counts[2]}, and {counts[1]} are not told"
        f" apart, in {games:,} games. Late or illegal moves: {errors[0]} of `auto`, {errors[1]} of the others.",
        "",
        *str(__doc__).split("\n\n", 1)[1].strip().splitlines(),
        "",
        "Beside each player what `auto` got: its share of wins (a draw counts half) or, where payoffs differ in size,",
        "the difference of the mean payoffs; in brackets the 95 % interval, and how many games were played.",
    ]
    if solved:
        lines += ["", f"Solved before the match, so nobody can beat `auto`, and not played: {', '.join(solved)}."]
    lines += [
        "",
        "| game | `auto` plays | ahead of | not told apart | behind | not played |",
        "|---|---|---|---|---|---|",
    ]
    for one in standings:
        if one.game not in solved:
            columns = [
                ", ".join(text_of(meeting) for meeting in one.meetings if meeting.verdict == verdict) or "-"
                for verdict in (1, 0, -1)
            ]
            choices = ", ".join(f"`{choice}`" for choice in one.choices)
            before = f"{len(one.ahead_before)} it was ahead of before" if one.ahead_before else ""
            late = f"no time for {len(one.no_time)}" if one.no_time else ""
            columns.append("; ".join(filter(None, (before, late))) or "-")
            lines.append(f"| {one.game} | {choices} | {' | '.join(columns)} |")
    return "\n".join(lines) + "\n"


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
    names, field = options.only or library_names(), options.against or FIELD
    rivals = {name: rivals_in(name, field, before) for name in names}
    solved_games = 0 if options.after else MIN_GAMES
    wanted = {
        name: (name, rivals[name][0], games, solved_games, options.game_seconds, move_s, options.seed) for name in names
    }
    plan = {"move_s": move_s, "seed": options.seed}
    found = continued_parts(options, plan, wanted, play_contest, options.game_seconds)
    standings = [standing_of(name, *rivals[name], groups) for name, groups in found.items() if groups]
    reading = READING_AFTER if options.after else READING
    write_results(options, page(standings, move_s, reading), [asdict(one) for one in standings])


if __name__ == "__main__":
    run_experiment(main)
