"""Strategies of a game in a file: written once, read again only for the game that they belong to.

The file is JSON, one information state a line, or one world state where nothing is hidden; its keys are in
docs/measuring.md. Lines are read one after the other: some games have millions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ggp.cache import digest_of
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.rules_compiler.rules_backend import NoRules, rules_of
from ggp.whole_files import replacing

FORMAT = "ggp strategy 2"
INFORMATION_STATES, WORLD_STATES = "information_states", "states"
"""The last key of a file: what its strategies are over."""
LAST_LINE = "]}"


class StrategyFileUnusable(GgpError):
    """A strategy file cannot be read, or belongs to another game."""


class SavedStrategies(Struct, frozen=True):
    """What a file holds.

    Attributes:
        by_states: whether the strategies are over world states, see `state_records.py`; else over information states,
            see `strategy_records.py`.
        records: to be read once.
    """

    by_states: bool
    records: Iterable[Mapping[str, Any]]


def rules_hash(game: Game) -> str | None:
    """Return a hash of a game's rules, and of its tables, which may be read from files; None if it has no rules."""
    try:
        rules = rules_of(game).rules
    except NoRules:
        return None
    tables = [(table.name, table.values) for table in rules.tables]
    return digest_of(rules.source_text.encode(), repr(tables).encode())


def write_strategies(
    path: Path, game: Game, facts: Mapping[str, Any], records: Iterable[Mapping[str, Any]], *, by_states: bool = False
) -> None:
    """Write strategies to a file, with what identifies their game; one that is there is replaced at the end.

    Args:
        path: of the file.
        game: whose strategies they are.
        facts: what else the file's head says, such as how they were found.
        records: of all information states, or world states, that have a strategy.
        by_states: whether they are of world states.

    Raises:
        OSError: it cannot be written.
    """
    head = {"format": FORMAT, "game": game.name, "parameters": game.parameters, "rules_hash": rules_hash(game)}
    encode = msgspec.json.Encoder().encode
    with replacing(path) as file:  # some take minutes to write, and may be interrupted
        # one record a line: readable, and quick to search
        file.write(f"{json.dumps(head | dict(facts))[:-1]}, {_key(by_states)}".encode())
        for place, record in enumerate(records):
            file.write((b",\n" if place else b"\n") + encode(record))
        file.write(f"\n{LAST_LINE}\n".encode())


def _key(by_states: bool) -> str:
    return f'"{WORLD_STATES if by_states else INFORMATION_STATES}": ['


def read_strategies(path: Path, game: Game) -> SavedStrategies:
    """Return what a file that `write_strategies` wrote holds.

    Args:
        path: of the file.
        game: that the strategies are to be used in.

    Raises:
        StrategyFileUnusable: it cannot be read, is not such a file, or is of another game, parameters or rules; while
            records are read, too.
    """
    try:
        with open(path, encoding="utf-8") as file:
            first = file.readline().rstrip()
        by_lines = first.endswith((_key(True), _key(False)))
        saved = json.loads(first + LAST_LINE if by_lines else path.read_text(encoding="utf-8"))
        by_states = WORLD_STATES in saved
        records: Iterable[Mapping[str, Any]] = saved[WORLD_STATES if by_states else INFORMATION_STATES]
        name, parameters, hashed = saved["game"], dict(saved["parameters"]), saved["rules_hash"]
    except OSError as error:
        raise StrategyFileUnusable(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise _not_ours(path) from error
    if name != game.name:
        raise StrategyFileUnusable(f"{path} has strategies for `{name}`, not for `{game.name}`")
    if parameters != game.parameters:
        of_file, asked = _listed(parameters, game.parameters), _listed(game.parameters, parameters)
        raise StrategyFileUnusable(f"{path} has strategies for `{name}` with {of_file}, not with {asked}")
    if hashed != rules_hash(game):
        raise StrategyFileUnusable(f"{path} has strategies for other rules of `{name}`; solve the game again")
    return SavedStrategies(by_states, _records(path) if by_lines else records)


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    decode, ended = msgspec.json.Decoder().decode, False
    try:
        with open(path, encoding="utf-8") as file:
            next(file)
            for line in file:
                text = line.rstrip().removesuffix(",")
                ended = text == LAST_LINE
                if not ended:
                    yield decode(text)
    except (OSError, ValueError, msgspec.DecodeError) as error:
        raise _cut_off(path) from error
    if not ended:
        raise _cut_off(path)


def _not_ours(path: Path) -> StrategyFileUnusable:
    return StrategyFileUnusable(f"{path} was not written by `ggp solve --save`, or by an earlier version")


def _cut_off(path: Path) -> StrategyFileUnusable:
    return StrategyFileUnusable(f"{path} is damaged, or cut off before its end; solve the game again")


def _listed(given: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Return the parameters that differ from others, as text."""
    return " ".join(f"{key}={value}" for key, value in given.items() if other.get(key) != value) or "fewer parameters"
