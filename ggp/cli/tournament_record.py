"""The record file of a tournament: what is played, and the result of each game, a line of JSON each.

An interrupted tournament is continued from it. Nothing here plays.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ggp.errors import GgpError
from players.matches import GameResult

FORMAT = "ggp tournament 1"


class RecordUnusable(GgpError):
    """A record file of another tournament, or one that cannot be read or written."""


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
        self._path = path
        heading = {"format": FORMAT, **plan}
        try:
            whole = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise RecordUnusable(f"cannot read {path}: {error.strerror}") from error
        # a line without its end was being written when the last run stopped: it counts as not played
        complete = whole[: whole.rfind(b"\n") + 1]
        lines = complete.splitlines()
        self.found: list[Record] = []
        if lines:
            self._check(self._parsed(lines[0], 1), heading)
            self.found = [self._record(self._parsed(line, at), at) for at, line in enumerate(lines[1:], 2)]
        try:
            self._file = open(path, "r+b" if path.exists() else "w+b")  # noqa: SIM115 - open as long as this object
            self._file.truncate(len(complete))
            self._file.seek(len(complete))
        except OSError as error:
            raise RecordUnusable(f"cannot write {path}: {error.strerror}") from error
        if not lines:
            self._write(heading)

    def _parsed(self, line: bytes, at: int) -> Any:
        try:
            return json.loads(line)
        except ValueError as error:
            raise RecordUnusable(f"{self._path}:{at} is damaged: {error}") from error

    def _check(self, found: Any, heading: dict[str, Any]) -> None:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise RecordUnusable(f"{self._path} is not the record of a tournament")
        other = [key for key in heading if found.get(key) != heading[key]]
        if other:
            raise RecordUnusable(
                f"{self._path} is the record of another tournament: {', '.join(other)} differ"
                f" ({other[0]} there: {found.get(other[0])}); continue it with the same arguments, or name another file"
            )

    def _record(self, line: Any, at: int) -> Record:
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
            raise RecordUnusable(f"{self._path}:{at} is not the result of a game: {error!r}") from error

    def append(self, record: Record) -> None:
        """Write the results of some games; they are on the disk when this returns."""
        results = [asdict(result) for result in record.results]
        self._write({"game": record.meeting.game, "players": record.meeting.players, "results": results})

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()
