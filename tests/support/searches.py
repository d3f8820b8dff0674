"""Searches of known states, made from the texts of players and set to a state, for the tests that look into them."""

from __future__ import annotations

from collections.abc import Sequence
from types import UnionType
from typing import TypeVar

import numpy as np

from ggp.game.game import Game, State
from ggp.native.calls import call_init, call_step
from ggp.native.interface import NativeGame
from players.agents.belief_agent import BeliefAgent
from players.agents.registry import read_player
from players.search.foundation.searches import Search
from players.search.information_sets.information_search import InformationSearch
from players.search.star.star_search import StarSearch

Kind = TypeVar("Kind", bound=Search)
SEED = 0x9E3779B97F4A7C15


def made_search(kind: type[Kind] | UnionType, native: NativeGame, player: str) -> Kind:
    """Return the search of a player, which has to be of a kind."""
    spec = read_player(player)
    search = spec.kind.family.make_search(native, spec.settings)
    assert isinstance(search, kind)
    return search


def search_at(
    kind: type[Kind] | UnionType,
    native: NativeGame,
    player: str,
    state: Sequence[int] | np.ndarray,
    seed: int = SEED,
) -> Kind:
    """Return the search of a player, which has to be of a kind, with a seed and a root."""
    search = made_search(kind, native, player)
    search.seed(seed)
    search.set_root(np.array(state, np.int64))
    return search


def star_search(game: Game, player: str, state: State) -> StarSearch:
    """Return a depth-limited search that has run to its depth, or to the end."""
    search = search_at(StarSearch, game.native(), player, state.words, seed=7)
    search.run(1 << 40)
    assert search.settled
    return search


def information_search(player: str, native: NativeGame, seed: int, iterations: int = 0) -> InformationSearch:
    """Return the search of a player for hidden information, after so many iterations from the beginning of a game."""
    spec = read_player(player)
    search = spec.kind.hidden_family.make_information_search(native, spec.settings)
    search.seed(seed)
    search.begin()
    search.run(iterations)
    return search


def belief_agent(player: str, game: Game, role: int, seed: int) -> BeliefAgent:
    """Return a player that keeps a belief, at the start of a game."""
    agent = read_player(player).make_agent()
    assert isinstance(agent, BeliefAgent)
    agent.start(game, role, seed)
    return agent


def after(game: Game, *moves: str) -> State:
    """Return the state after some actions, by their texts, of players who take turns."""
    state = game.initial()
    for move in moves:
        (role,) = state.actors()
        state = state.apply({role: state.parse_action(role, move)})
    return state


def state_after(native: NativeGame, *joints: tuple[int, int, int]) -> np.ndarray:
    """Return the state after some transitions from the initial one."""
    state = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, state, 0)
    for joint in joints:
        new = np.zeros_like(state)
        call_step(native.functions.step, state, 0, new, 0, np.array(joint), 0)
        state = new
    return state
