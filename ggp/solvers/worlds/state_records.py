"""Strategies by world state as plain data, to save, read and load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypedDict

import numpy as np

from ggp.game.game import Game
from ggp.solvers.sequence_form.best_responses import BadProbabilities, distribution
from ggp.solvers.worlds.profiles import StrategyProfile, legal_actions, uniform_profile
from ggp.solvers.worlds.state_graph import NO_STATE, GameGraph


class StateRecord(TypedDict):
    """A player's strategy in one world state, `state` being its words, see `State.words`."""

    player: str
    state: list[int]
    strategy: dict[str, float]


def decisions(graph: GameGraph) -> list[tuple[int, int]]:
    """Return the states in which a player has several legal actions, each with the player."""
    several = (graph.graph.rows, graph.graph.columns)[: graph.players]
    acts = graph.graph.actors[: graph.states] > 0
    found = [
        (int(state), player)
        for player, counts in enumerate(several)
        for state in np.flatnonzero(acts & (counts[: graph.states] > 1))
    ]
    return sorted(found)


def state_records(game: Game, graph: GameGraph, profile: StrategyProfile) -> Iterator[StateRecord]:
    """Yield the records of a profile, one for each of `decisions`, in their order."""
    for state, player in decisions(graph):
        actions = map(game.action_text, legal_actions(graph, state, player))
        yield StateRecord(
            player=game.players[player],
            state=graph.state_words(state).tolist(),
            strategy=dict(zip(actions, profile.of(player, state).tolist(), strict=True)),
        )


def profile_of_records(game: Game, graph: GameGraph, records: Iterable[Mapping[str, Any]]) -> StrategyProfile:
    """Return the profile given by records, uniform in states without a record.

    Raises:
        BadProbabilities: a record names no decision of the game, or is not a strategy there.
    """
    profile = uniform_profile(graph)
    for record in records:
        try:
            player, words = game.players.index(record["player"]), np.array(record["state"], np.int64)
            played = dict(record["strategy"])
        except (KeyError, ValueError, TypeError, OverflowError) as error:
            raise BadProbabilities(f"not the strategy of a state: {record}") from error
        state = graph.find(words) if words.shape == (graph.native.shape.state_words,) else NO_STATE
        shares = profile.of(player, state) if state != NO_STATE else np.zeros(0)
        if len(shares) < 2:
            raise BadProbabilities(f"{game.name} has no decision of {record['player']} in the state {record['state']}")
        actions = [game.action_text(action) for action in legal_actions(graph, state, player)]
        if set(played) - set(actions):
            raise BadProbabilities(f"not legal in the state {record['state']}: {', '.join(set(played) - set(actions))}")
        shares[:] = distribution(np.array([float(played.get(one, 0.0)) for one in actions]), len(actions))
    return profile
