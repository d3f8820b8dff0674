"""Record files: what was asked for, then a line of JSON for each thing that was played, so that a run can be continued.

Nothing here plays, and nothing here knows what the lines mean but for the results of games.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from ggp.errors import GgpError
from players.matches import GameResult


class RecordUnusable(GgpError):
    """A record file of something else, or one that cannot be read or written."""


class RecordFile:
    """A record file, open for reading what there is and for appending, by one process at a time.

    Args:
        path: of the file; made if there is none.
        kind: what is recorded: `match`, `tournament`.
        plan: what makes this run what it is; plain data as JSON has it. A file with another plan is refused.

    Attributes:
        lines: what was recorded before, each with its line number in the file.
        cut_off: whether the last line had no end, because the run that wrote it was stopped; it is cut off.

    Raises:
        RecordUnusable: the file records something else, is damaged before its last line, is in use, cannot be
            opened, or is no file, such as a device.
    """

    def __init__(self, path: Path, kind: str, plan: Mapping[str, Any]) -> None:
        self._path = path
        self._kind = kind
        heading = {"format": f"ggp {kind} 1", **plan}
        if path.exists() and not path.is_file():
            raise RecordUnusable(f"{path} is no file that results could be kept in")
        try:
            # unbuffered: a line that does not fit on the disk must not wait for another try when the file is closed
            self._file = open(path, "a+b", buffering=0)  # noqa: SIM115 - open as long as this object
        except OSError as error:
            raise RecordUnusable(f"cannot open {path}: {error.strerror}") from error
        with ExitStack() as unless_read:
            unless_read.callback(self._file.close)
            self._lock()
            complete = self._complete_lines()
            self.lines: list[tuple[int, Any]] = []
            if complete:
                self._check(complete[0], heading)
                self.lines = [(at, self._parsed(line, at)) for at, line in enumerate(complete[1:], 2)]
            self._file.truncate(sum(len(line) + 1 for line in complete))
            if not complete:
                self.append(heading)
            unless_read.pop_all()

    def _lock(self) -> None:
        if sys.platform == "win32":
            return  # locks there would keep the holder itself from reading
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RecordUnusable(f"{self._path} is in use by another run") from error

    def _complete_lines(self) -> list[bytes]:
        try:
            self._file.seek(0)
            whole = self._file.read()
        except OSError as error:
            raise RecordUnusable(f"cannot read {self._path}: {error.strerror}") from error
        *complete, rest = whole.split(b"\n")
        # a file that is no record must not be emptied because it has no complete line
        if rest and not complete and not b'{"format": "ggp '.startswith(rest[:16]):
            self._refuse()
        self.cut_off = bool(rest)
        return complete

    def _parsed(self, line: bytes, at: int) -> Any:
        try:
            return json.loads(line)
        except ValueError as error:
            raise RecordUnusable(f"{self._path}:{at} is damaged: {error}") from error

    def _refuse(self) -> NoReturn:
        raise RecordUnusable(f"{self._path} is not the record of a {self._kind}")

    def _check(self, line: bytes, heading: dict[str, Any]) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            self._refuse()
        if not isinstance(found, dict) or found.get("format") != heading["format"]:
            self._refuse()
        other = [key for key in heading if found.get(key) != heading[key]]
        if other:
            raise RecordUnusable(
                f"{self._path} is the record of another {self._kind}, with"
                f" {', '.join(_told_difference(key, found.get(key), heading[key]) for key in other)};"
                " continue it with the same arguments, or name another file"
            )

    def append(self, *lines: Mapping[str, Any]) -> None:
        """Write lines; they are on the disk when this returns.

        Raises:
            RecordUnusable: they cannot be written, as on a full disk. What was written before is kept.
        """
        waiting = memoryview(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        try:
            while waiting:
                waiting = waiting[self._file.write(waiting) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise RecordUnusable(
                f"cannot write {self._path}: {error.strerror}; what it had recorded before is kept, and the same"
                " command goes on from there"
            ) from error

    def results(self, found: Any, at: int) -> list[GameResult]:
        """Return the results of games that a line has, as `result_facts` wrote them.

        Raises:
            RecordUnusable: it has none.
        """
        try:
            return [
                GameResult(
                    number=int(one["number"]),
                    seats=tuple(one["seats"]),
                    utilities=tuple(one["utilities"]),
                    errors=tuple(one["errors"]),
                    transitions=int(one["transitions"]),
                    fault=one.get("fault"),
                )
                for one in found
            ]
        except (KeyError, TypeError, ValueError) as error:
            raise self.damaged(at, error) from error

    def damaged(self, at: int, error: Exception) -> RecordUnusable:
        """Return the error that line `at` does not hold what it should."""
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        return RecordUnusable(f"{self._path}:{at} is not the result of a game: {reason}")

    def tell_found(self, games: int) -> None:
        """Print on the standard error what was found, if anything."""
        if self.cut_off:
            print(f"ggp: the last line of {self._path} was cut off; it is played again", file=sys.stderr)
        if games:
            print(f"ggp: going on from {self._path}, which has {games:,} games", file=sys.stderr)

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _told_difference(name: str, there: Any, here: Any) -> str:
    """Return how a part of the plan differs; parts too long for a line are only named."""
    if name == "digest":
        return "other rules"
    texts = [json.dumps(value, ensure_ascii=False) for value in (there, here)]
    return f"{name} {texts[0]} instead of {texts[1]}" if max(map(len, texts)) <= 100 else f"other {name}"


def result_facts(result: GameResult) -> dict[str, Any]:
    """Return the result of a game as plain data."""
    return asdict(result)
