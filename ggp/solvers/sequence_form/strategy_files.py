"""Strategies of a game in a file: written once, read again only for the game that they belong to.

The file is JSON, one information state a line; its keys are in docs/measuring.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ggp.cache import digest_of
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.rules_compiler.rules_backend import NoRules, rules_of
from ggp.solvers.sequence_form.strategy_records import StrategyRecord

FORMAT = "ggp strategy 2"


class StrategyFileUnusable(GgpError):
    """A strategy file cannot be read, or belongs to another game."""


def rules_hash(game: Game) -> str | None:
    """Return a hash of a game's rules, and of its tables, which may be read from files; None if it has no rules."""
    try:
        rules = rules_of(game).rules
    except NoRules:
        return None
    tables = [(table.name, table.values) for table in rules.tables]
    return digest_of(rules.source_text.encode(), repr(tables).encode())


def write_strategies(path: Path, game: Game, facts: Mapping[str, Any], records: Iterable[StrategyRecord]) -> None:
    """Write strategies to a file, with what identifies their game.

    Args:
        path: of the file.
        game: whose strategies they are.
        facts: what else the file's head says, such as how they were found.
        records: of all information states that have a strategy.

    Raises:
        OSError: it cannot be written.
    """
    head = {"format": FORMAT, "game": game.name, "parameters": game.parameters, "rules_hash": rules_hash(game)}
    with open(path, "w", encoding="utf-8") as file:
        # one information state a line: readable, and quick to search
        file.write(json.dumps(head | dict(facts))[:-1] + ', "information_states": [')
        for place, record in enumerate(records):
            file.write((",\n" if place else "\n") + json.dumps(record))
        file.write("\n]}\n")


def read_strategies(path: Path, game: Game) -> list[Mapping[str, Any]]:
    """Return the records of a file that `write_strategies` wrote, for `strategies_of_records`.

    Args:
        path: of the file.
        game: that the strategies are to be used in.

    Raises:
        StrategyFileUnusable: it cannot be read, is not such a file, or is of another game, parameters or rules.
    """
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        records: list[Mapping[str, Any]] = saved["information_states"]
        name, parameters, hashed = saved["game"], dict(saved["parameters"]), saved["rules_hash"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StrategyFileUnusable(f"{path} was not written by `ggp solve --save`, or by an earlier version") from error
    if name != game.name:
        raise StrategyFileUnusable(f"{path} has strategies for `{name}`, not for `{game.name}`")
    if parameters != game.parameters:
        of_file, asked = _listed(parameters, game.parameters), _listed(game.parameters, parameters)
        raise StrategyFileUnusable(f"{path} has strategies for `{name}` with {of_file}, not with {asked}")
    if hashed != rules_hash(game):
        raise StrategyFileUnusable(f"{path} has strategies for other rules of `{name}`; solve the game again")
    return records


def _listed(given: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Return the parameters that differ from others, as text."""
    return " ".join(f"{key}={value}" for key, value in given.items() if other.get(key) != value) or "fewer parameters"
