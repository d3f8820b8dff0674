"""The record file of a tournament: what is played, and the result of each game, a line of JSON each.

An interrupted tournament is continued from it. Nothing here plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ggp.cli.json_lines import JsonLines, RecordUnusable, read_lines
from players.matches import GameResult

FORMAT = "ggp tournament 1"


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game and those who play it, as numbers in the lists of the tournament; each sits in every role in turn."""

    game: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """Results of one meeting."""

    meeting: Meeting
    results: Sequence[GameResult]


class RecordFile:
    """A record file, open for reading what there is and for appending.

    Args:
        path: of the file; made if there is none.
        plan: what makes this tournament what it is; plain data as JSON has it. A file with another plan is refused.

    Raises:
        RecordUnusable: the file holds another tournament, is damaged before its last line, or cannot be opened.
    """

    def __init__(self, path: Path, plan: dict[str, Any]) -> None:
        self._lines = JsonLines(path, "tournament", {"format": FORMAT, **plan})
        try:
            self.found = [_record(path, line, at) for at, line in enumerate(self._lines.found, 2)]
        except RecordUnusable:
            self.close()
            raise

    def append(self, record: Record) -> None:
        """Write the results of some games; they are on the disk when this returns."""
        results = [asdict(result) for result in record.results]
        self._lines.append({"game": record.meeting.game, "players": record.meeting.players, "results": results})

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def recorded(path: Path) -> list[Record]:
    """Return what a record file holds so far, whichever tournament it is of; nothing where there is no file.

    Raises:
        RecordUnusable: it is damaged before its last line, or cannot be read.
    """
    return [_record(path, line, at) for at, line in enumerate(read_lines(path)[1:], 2)]


def _record(path: Path, line: Any, at: int) -> Record:
    try:
        results = [
            GameResult(
                number=int(one["number"]),
                seats=tuple(one["seats"]),
                utilities=tuple(one["utilities"]),
                errors=tuple(one["errors"]),
                transitions=int(one["transitions"]),
            )
            for one in line["results"]
        ]
        return Record(Meeting(int(line["game"]), tuple(line["players"])), results)
    except (KeyError, TypeError, ValueError) as error:
        raise RecordUnusable(f"{path}:{at} is not the result of a game: {error!r}") from error
