"""Strategies by information state as plain data, to save, read and load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypedDict

import numpy as np

from ggp.codegen.kernels import F64
from ggp.game.game import Game
from ggp.solvers.sequence_form.best_responses import BadProbabilities, distribution, realization_plans, uniform
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree


class StrategyRecord(TypedDict):
    """A player's strategy at one information state.

    `key` is the information-state key in hexadecimal digits, `sees` the player's own actions and observations in order,
    `own_reach` the probability with which its own strategy goes there.
    """

    player: str
    key: str
    sees: list[str]
    own_reach: float
    strategy: dict[str, float]


def strategy_records(
    game: Game, tree: SequenceFormTree, strategies: F64, numbers: Iterable[int] | None = None
) -> Iterator[StrategyRecord]:
    """Yield the records of strategies, one per information state.

    Args:
        game: the game.
        tree: of the same game.
        strategies: `[S]`, see `best_responses.py`.
        numbers: the information states, in this order; by default all, in the order in which reading them is fastest.
    """
    reader, plans = InformationStateReader(game, tree), realization_plans(tree, strategies)
    for number in reader.neighbourly(range(tree.information_states)) if numbers is None else numbers:
        probabilities = strategies[tree.sequences_at(number)].tolist()
        yield StrategyRecord(
            player=game.players[tree.player_of(number)],
            key=key_text(tree, number),
            sees=list(reader.texts(number)),
            own_reach=float(plans[tree.form.parent[number]]),
            strategy=dict(zip(reader.actions(number), probabilities, strict=True)),
        )


def key_text(tree: SequenceFormTree, number: int) -> str:
    """Return the key of an information state as text."""
    first, second = tree.key[number].tolist()
    return f"{first:016x}{second:016x}"


def strategies_of_records(game: Game, tree: SequenceFormTree, records: Iterable[Mapping[str, Any]]) -> F64:
    """Return the strategies given by records, uniform at information states without a record.

    Raises:
        BadProbabilities: a record names no information state of the game, or is not a strategy there.
    """
    strategies = uniform(tree)
    for record in records:
        try:
            player, key = game.players.index(record["player"]), str(record["key"])
            number = tree.find(player, (int(key[:16], 16), int(key[16:], 16)))
            played = dict(record["strategy"])
        except (KeyError, ValueError, TypeError) as error:
            raise BadProbabilities(f"not the strategy of an information state: {record}") from error
        if number is None:
            raise BadProbabilities(f"{game.name} has no information state {key} of {record['player']}")
        place = tree.sequences_at(number)
        actions = [game.action_text(int(action)) for action in tree.action[place]]
        if set(played) - set(actions):
            raise BadProbabilities(f"not legal at information state {key}: {', '.join(set(played) - set(actions))}")
        strategies[place] = distribution(np.array([float(played.get(one, 0.0)) for one in actions]), len(actions))
    return strategies


def first_decisions(tree: SequenceFormTree) -> list[int]:
    """Return the information states of first decisions, most probable first."""
    return [int(number) for number in np.argsort(-tree.opening, kind="stable") if tree.opening[number] > 0]
