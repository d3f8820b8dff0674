"""Results of games as records of a run, and back."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from players.matches import GameResult


def result_facts(result: GameResult) -> dict[str, Any]:
    """Return the result of a game as plain data."""
    return asdict(result)


def results_of(found: Any) -> list[GameResult]:
    """Return the results of games in a record written by `result_facts`.

    Raises:
        KeyError, TypeError, ValueError: the record is damaged.
    """
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


def tell_found(path: Path, games: int) -> None:
    """Print on standard error how many games are recorded, if any are."""
    if games:
        print(f"ggp: continuing {path}, which has {games:,} games", file=sys.stderr)
