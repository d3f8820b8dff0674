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
    """Return the results of games that a record has, as `result_facts` wrote them.

    Raises:
        KeyError, TypeError, ValueError: it has none.
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
    """Print on the standard error how many games are on record, if any are."""
    if games:
        print(f"ggp: going on from {path}, which has {games:,} games", file=sys.stderr)
