"""What games of `auto` against other players tell, and the pages about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ggp.competition.statistics import Interval, mean_interval, win_rate

SOLVED = "the solution"
MIN_GAMES = 6
"""Games before a pair may stop: six wins of six exclude a draw. Where the game is solved no more are played."""
MIN_PAYOFFS = 12
"""The same where payoffs of different size are compared."""

READING = """\
Only large differences show: a pair has at most 20 games and 8 s of processor time, and in long games `auto` met a part
of the field. With 95 % intervals, one pair in forty seems behind by chance. Only `cfr` in the random game does, and 74
more games gave -0.2 ± 0.6. Pairs that are not told apart were [played at 0.2 s](strength_200ms.md).

What `auto` plays by these measurements:

- `pimc` in games with hidden information where random play takes more than 18 decisions: `ismcts` lost clearly to it
  in battleship, stratego, phantom Go (96 ± 8 % at 0.05 s, 24 games) and visibility pursuit. In shorter ones the two are
  even, or `ismcts` is ahead.
- `duct:final=max` where joint actions are many. In Diplomacy it gets 11.1 ± 0.7 points more than `duct`, which draws
  its action by visits among hundreds, and lost to `drm` and `so`.
- `ismcts:selection=rm`, which mixes, where choices are simultaneous and hidden: UCT lost to it in the sealed auction.
- `dpw` where a chance event has more than a thousand outcomes: it won all six games against `mcts` in yacht.
- All outcomes where there are few: in EinStein, which has six, `star1ss:samples=8` wins 45.3 ± 5.7 % of 236 games
  against `mcts`, and `star2` 45.3 ± 6.1 % of 192 against `mcts:leaf=estimate`.
- What a test in the start clock says of the estimate. With the luck of the dice subtracted (`experiments/luck.py`),
  `mcts:leaf=estimate` wins 81 ± 15 % against `mcts` in backgammon, 76 ± 12 % in can't stop and 0.3 ± 3.9 % in Ra, at
  8 ms, 16 matches each. In can't stop `mcts:leaf=estimate` wins 45 ± 10 % against `dpw:leaf=estimate`,
  `star1ss:samples=8` 43 ± 10 % and `star2ss:samples=15` 49 ± 12 %. In Pig, by exact values, 10 matches at 0.02 s tell:
  against `mcts:leaf=estimate` `dpw:leaf=estimate` wins 49.6 ± 0.8 %, `star2` 49.4 ± 0.5 %, `dpw` 49.1 ± 1.0 %, `mcts`
  48.5 ± 1.6 % and `star1ss:samples=8` 45.5 ± 2.2 %. Where the test is not sure, `auto` plays without the estimate,
  which costs 1 or 2 % in Pig.

Where `auto` has solved the game, few games are played, to find faults. In can't stop it plays `dpw` today, and in many
games it also solves the end of the game, which some rows of this table are without. In Hanabi nobody scored at this
clock; `auto` has used the estimate of the rules since, which has changed, too: it scored 10 and 11 points of 25 in two
games at 0.2 s a move.
"""
"""What the table has shown so far; revise after every run."""
READING_AFTER = """\
Every game of the library was played. In none is `auto` behind another player by an interval that excludes an even
result, but few pairs are told apart: each game had 12 to 45 s of processor time, at least two games against the closest
rival. 40 games of every pair would take 65 hours. Players that `auto` was ahead of [at 0.02 s](strength.md) were not
met again. In games of chance, pairs are told apart far better where luck is subtracted: see there.
"""
"""The same for a run with `--after`."""


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


def meeting_of(name: str, player: str, groups: Sequence[Group], by_wins: bool) -> Meeting:
    """Return the result of a pair in a game from its groups; `by_wins` as in `Meeting`."""
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


def text_of(meeting: Meeting) -> str:
    """Return a player with the result of `auto` against it."""
    unit, scale = (" %", 100) if meeting.by_wins else ("", 1)
    result = meeting.result
    interval = f"{scale * result.low:.3g} to {scale * result.high:.3g}; " if math.isfinite(result.low) else ""
    return f"`{meeting.player}` {scale * result.estimate:.3g}{unit} ({interval}{meeting.games})"


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


def standing_of(
    name: str, rivals: Sequence[str], ahead: Sequence[str], groups: Sequence[Group], by_wins: bool
) -> Standing:
    """Return what the groups played in a game tell; `ahead` are rivals that were left out."""
    choices = tuple(dict.fromkeys(group.choice for group in groups))
    met = {one: [group for group in groups if group.player == one] for one in rivals}
    meetings = tuple(meeting_of(name, one, own, by_wins) for one, own in met.items() if own)
    never = () if SOLVED in choices else (one for one, own in met.items() if not own)
    return Standing(name, choices, meetings, tuple(ahead), tuple(one for one in never if one not in choices))


def page(standings: Sequence[Standing], move_s: float, reading: str, way: str) -> str:
    """Return the report as Markdown; `reading` says what it shows, `way` how it was measured."""
    solved = [one for one in standings if one.choices == (SOLVED,)]
    standings = [one for one in standings if one not in solved]
    meetings = [meeting for one in standings for meeting in one.meetings]
    counts = [sum(one.verdict == verdict for one in meetings) for verdict in (1, 0, -1)]
    errors = [sum(one.errors[side] for one in meetings) for side in (0, 1)]
    games = sum(one.games for one in meetings)
    points = [(one.result.estimate * one.games, one.games) for one in meetings if one.by_wins]
    share = sum(won for won, _ in points) / max(1, sum(played for _, played in points))
    lines = [
        f"# How strong `auto` is at {move_s:g} s a move",
        "",
        *reading.strip().splitlines(),
        "",
        f"Of {len(meetings)} pairs, `auto` is ahead in {counts[0]}, behind in {counts[2]}, and {counts[1]} are not told"
        f" apart, in {games:,} games. Of those that are won, lost or drawn it got {100 * share:.1f} %. Late or illegal"
        f" moves: {errors[0]} of `auto`, {errors[1]} of the others.",
        "",
        *way.strip().splitlines(),
        "",
        "Beside each player what `auto` got: its share of wins (a draw counts half) or, where payoffs differ in size,",
        "the difference of the mean payoffs; in brackets the 95 % interval, and how many games were played.",
    ]
    if solved:
        games = sum(meeting.games for one in solved for meeting in one.meetings)
        told = f"Solved before the match, so nobody can beat `auto`, and left out ({games:,} games were played):"
        lines += ["", told, f"{', '.join(one.game for one in solved)}."]
    lines += [
        "",
        "| game | `auto` plays | ahead of | not told apart | behind | not played |",
        "|---|---|---|---|---|---|",
    ]
    for one in standings:
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
