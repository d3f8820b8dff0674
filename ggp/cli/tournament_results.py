"""The results of `ggp tournament`: games, meetings, the table and the ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ggp.cli.game_texts import table_lines
from ggp.cli.playing import table_facts

if TYPE_CHECKING:
    from players.evaluation.matches import GameResult


class Entry(Struct, frozen=True):
    """A game of the tournament: name, parameters, number of roles, a hash of its rules, and the team of each role."""

    name: str
    parameters: dict[str, str]
    roles: int
    digest: str
    teams: tuple[int, ...] = ()


class Meeting(Struct, frozen=True):
    """A game and its players, as numbers in the lists of the tournament; the players take the roles in turn."""

    game: int
    players: tuple[int, ...]


Results = dict[Meeting, dict[int, "GameResult"]]
"""The results of each meeting, by the numbers of the games."""


def meetings_of(entries: Sequence[Entry], players: int) -> Iterator[Meeting]:
    """Yield all meetings: every group of players in every game."""
    from ggp.competition.pairing import all_groups

    for number, entry in enumerate(entries):
        for together in sorted(all_groups(range(players), entry.roles)):
            yield Meeting(number, together)


def games_of_meeting(count: int, roles: int) -> int:
    """Return `count` rounded up to a whole number of rotations, in which every player has every role once."""
    return -(-count // roles) * roles


def stored_facts(path: Path) -> dict[str, Any]:
    """Return the table and the ratings of the games in a store.

    Raises:
        RecordUnusable: it cannot be read, or is not a store of a tournament.
    """
    from ggp.competition.run_store import RecordUnusable, read_run

    plan, records = read_run(path, "tournament")
    try:
        entries = [Entry(**entry) for entry in plan["games"]]
        results: Results = {meeting: {} for meeting in meetings_of(entries, len(plan["players"]))}
        for _, found in records:
            add_record(results, found)
    except (KeyError, TypeError, ValueError) as error:
        raise RecordUnusable(f"{path} is damaged: {error}") from error
    return facts_of(entries, plan["players"], {meeting: played for meeting, played in results.items() if played})


def add_record(results: Results, found: Any) -> None:
    """Add the results of a record: games of one meeting.

    Raises:
        KeyError, TypeError, ValueError: it has not the form of a record, or is of another tournament.
    """
    from msgspec import convert

    from players.evaluation.matches import GameResult

    meeting = Meeting(int(found["game"]), tuple(found["players"]))
    results[meeting].update({one.number: one for one in convert(found["results"], list[GameResult])})


def facts_of(entries: Sequence[Entry], players: Sequence[str], results: Results) -> dict[str, Any]:
    """Return the table, one row for each meeting with results, and the ratings, best player first."""
    from ggp.competition.ratings import ratings_of
    from ggp.competition.results import MatchOutcome, MatchResult, add_pair_points
    from players.evaluation.matches import faults_told, standings

    pairs: defaultdict[tuple[int, int], float] = defaultdict(float)
    table = []
    for meeting, by_number in results.items():
        roles, teams = entries[meeting.game].roles, entries[meeting.game].teams
        played = [result for _, result in sorted(by_number.items())]
        for result in played:
            seated = tuple(meeting.players[seat] for seat in result.seats)
            outcome = MatchOutcome("finished", utilities=result.utilities)
            add_pair_points(pairs, MatchResult(seated, outcome, result.errors, teams=teams))
        rows = standings(played, teams)
        table.append(
            {
                "game": entries[meeting.game].name,
                "players": [players[player] for player in meeting.players],
                "games": len(played),
                **table_facts(rows),
                "payoff_ci95": [_payoff_ci95(played, player, roles) for player in range(roles)],
                **faults_told(played),
            }
        )
    rated = ratings_of(range(len(players)), pairs)
    ratings = [
        {"player": player, "rating": rated[at].estimate, "low": rated[at].low, "high": rated[at].high}
        for at, player in enumerate(players)
    ]
    return {"table": table, "ratings": sorted(ratings, key=lambda row: -float(row["rating"]))}


def _payoff_ci95(played: Sequence[GameResult], player: int, roles: int) -> float | None:
    """Return half the 95 % interval of a player's mean payoff, from the means of rotations with one chance seed.

    These are independent of each other, the games of one rotation are not. None with a single rotation.
    """
    from ggp.competition.statistics import mean_interval

    payoffs = [result.utilities[result.seats.index(player)] for result in played]
    means = [sum(payoffs[at : at + roles]) / roles for at in range(0, len(payoffs), roles)]
    return mean_interval(means).half_width if len(means) > 1 else None


def print_facts(facts: dict[str, Any]) -> None:
    """Print the table and the ratings."""
    from players.evaluation.matches import faults_line

    rows = []
    for row in facts["table"]:
        for place, player in enumerate(row["players"]):
            interval = row["payoff_ci95"][place]
            rows.append(
                (
                    row["game"] if place == 0 else "",
                    player,
                    str(row["wins"][place]),
                    str(row["draws"][place]),
                    f"{100 * row['win_rate'][place]:.1f} ± {100 * row['ci95'][place]:.1f} %",
                    f"{row['mean_payoff'][place]:.3f}" + ("" if interval is None else f" ± {interval:.2g}"),
                    str(row["errors"][place]),
                )
            )
    print("\n".join(table_lines(("game", "player", "wins", "draws", "win rate", "mean payoff", "errors"), rows)))
    for row in facts["table"]:
        told = faults_line(row, row["games"])
        if told is not None:
            print(f"{row['game']}, {' against '.join(row['players'])}: {told}")
    print()
    ratings = [
        # whole numbers have no sign at 0
        (row["player"], f"{round(row['rating'])}", f"{round(row['low'])} to {round(row['high'])}")
        for row in facts["ratings"]
    ]
    print("\n".join(table_lines(("player", "rating", "95 % interval"), ratings)))
