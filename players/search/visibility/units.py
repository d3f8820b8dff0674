"""Finds units that move on a graph in the native functions of a game: their words, their players, and their moves.

A *visibility game* has two players who move at the same time, hidden from each other, each with units of its own. A
unit's place is a word of the world state that only its player's actions change. The values of that word are the *cells*
of a graph, the same for all units, in which every move can be reversed. All this is found by trying transitions, and
not by names in the rules.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import I64, U64
from ggp.native.calls import call_actors, call_init, call_legal, call_sample_chance, call_step
from ggp.native.interface import CHANCE, FAULT_WORD, PHASE_WORD, NativeGame

MAX_CELLS = 4096
MAX_UNITS, MAX_CANDIDATES = 3, 16
"""Of one player; candidates are words that its actions change, which need not be units."""
BOTH = 3
"""As a mask of the players who act."""
SAMPLES, SAMPLE_MOVES = 4, 3
MAX_TRANSITIONS = 64
"""Of chance, before the first moves."""
FIRST_SEED = 0x9E3779B97F4A7C15


class Units(Struct, frozen=True, eq=False):
    """The units of a visibility game, and their graph. N cells, D moves from a cell at most.

    Attributes:
        words: for each player, the words of its units in a state.
        codes: `[N]` the value of a word for each cell, ascending.
        moves: `[N]` the number of cells that a unit can step to.
        near: `[N, D]` these cells, ascending; the same for every unit.
        sample: `[W]` a state in which both players move.
    """

    words: tuple[tuple[int, ...], tuple[int, ...]]
    codes: I64
    moves: I64
    near: I64
    sample: I64

    @property
    def evader(self) -> int:
        """The player with a single unit; the second, where both have one."""
        return 1 if len(self.words[1]) == 1 else 0


class _NoVisibilityGame(Exception):
    """The game is of another kind."""


class _Trying:
    """Makes transitions of a game, one at a time."""

    def __init__(self, native: NativeGame) -> None:
        self._functions, self._shape = native.functions, native.shape
        self._joint: I64 = np.zeros(native.shape.players + 1, np.int64)
        self._legal: I64 = np.zeros(native.shape.max_actions, np.int64)
        self._rng: U64 = np.array([FIRST_SEED], np.uint64)

    def start(self) -> I64:
        """Return the first state in which both players move, with random chance outcomes."""
        state: I64 = np.zeros(self._shape.state_words, np.int64)
        call_init(self._functions.init, state, 0)
        for _ in range(MAX_TRANSITIONS):
            actors = self.actors(state)
            if actors == BOTH:
                return state
            if actors != CHANCE:
                break
            self._joint[-1] = call_sample_chance(self._functions.sample_chance, state, 0, self._rng, 0)
            if self._joint[-1] < 0:
                break
            state = self._step(state)
        raise _NoVisibilityGame

    def actors(self, state: I64) -> int:
        """Return the players who act, as described in `interface.py`."""
        return int(call_actors(self._functions.actors, state, 0))

    def legal(self, state: I64, player: int) -> I64:
        """Return a player's legal actions."""
        count = int(call_legal(self._functions.legal, state, 0, player, self._legal, 0))
        if count < 1:
            raise _NoVisibilityGame
        return self._legal[:count].copy()

    def after(self, state: I64, actions: tuple[int, int]) -> I64:
        """Return the state after a joint action."""
        self._joint[:2] = actions
        return self._step(state)

    def _step(self, state: I64) -> I64:
        new = np.zeros_like(state)
        call_step(self._functions.step, state, 0, new, 0, self._joint, 0)
        if new[FAULT_WORD]:
            raise _NoVisibilityGame
        return new


@lru_cache(maxsize=4)
def units_of(native: NativeGame) -> Units | None:
    """Return the units of a game; None if it is not a visibility game."""
    if native.shape.players != 2 or native.perfect_information:
        return None
    try:
        return _found(_Trying(native))
    except _NoVisibilityGame:
        return None


def _found(trying: _Trying) -> Units:
    states = _samples(trying)
    candidates = _moved_words(trying, states)
    if any(len(own) > MAX_CANDIDATES for own in candidates):
        raise _NoVisibilityGame
    graphs = {word: _graph(trying, states[0], player, word) for player, own in enumerate(candidates) for word in own}
    words = tuple(tuple(word for word in own if graphs[word]) for own in candidates)
    if not all(0 < len(own) <= MAX_UNITS for own in words):
        raise _NoVisibilityGame
    graph = graphs[words[0][0]]
    if any(graphs[word] != graph for own in words for word in own):
        raise _NoVisibilityGame
    for state in states[1:]:
        _check_moves(trying, state, words, graph)
    codes = np.array(sorted(graph), np.int64)
    number = {code: cell for cell, code in enumerate(codes.tolist())}
    near = np.zeros((codes.size, max(len(others) for others in graph.values())), np.int64)
    moves = np.zeros(codes.size, np.int64)
    for cell, code in enumerate(codes.tolist()):
        others = sorted(number[other] for other in graph[code])
        near[cell, : len(others)], moves[cell] = others, len(others)
    return Units((words[0], words[1]), codes, moves, near, states[0])


def _samples(trying: _Trying) -> list[I64]:
    """Return states in which both players move, a few moves apart."""
    states = []
    for sample in range(SAMPLES):
        state = trying.start()
        for move in range(SAMPLE_MOVES * sample):
            actions = [trying.legal(state, player) for player in range(2)]
            turn = 7 * move + 3 * sample
            first, second = (int(own[(turn + player) % own.size]) for player, own in enumerate(actions))
            new = trying.after(state, (first, second))
            if trying.actors(new) != BOTH:
                break
            state = new
        states.append(state)
    return states


def _moved_words(trying: _Trying, states: list[I64]) -> tuple[tuple[int, ...], ...]:
    """Return for each player the words that its actions change and the other's do not."""
    changed = np.zeros((2, states[0].size), np.bool_)
    for state in states:
        legal = [trying.legal(state, player) for player in range(2)]
        middle = [int(actions[actions.size // 2]) for actions in legal]
        plain = trying.after(state, (middle[0], middle[1]))
        for player in range(2):
            for action in legal[player].tolist():
                joint = (action, middle[1]) if player == 0 else (middle[0], action)
                changed[player] |= trying.after(state, joint) != plain
    changed[:, [PHASE_WORD, FAULT_WORD]] = False
    return tuple(tuple(np.flatnonzero(changed[player] & ~changed[1 - player]).tolist()) for player in range(2))


def _graph(trying: _Trying, state: I64, player: int, word: int) -> dict[int, frozenset[int]]:
    """Return the successors of each value that a word can reach, found by writing the value into a state.

    Empty if a move cannot be reversed, or if there are too many values: then the word is not a unit.
    """
    graph: dict[int, frozenset[int]] = {}
    waiting = [int(state[word])]
    put = state.copy()
    while waiting:
        code = waiting.pop()
        if code in graph:
            continue
        if len(graph) == MAX_CELLS:
            return {}
        put[word] = code
        try:
            graph[code] = frozenset(new for (new,) in _next_places(trying, put, player, (word,)))
        except _NoVisibilityGame:
            return {}
        waiting += graph[code]
    both_ways = all(code in graph[other] for code, others in graph.items() for other in others)
    return graph if both_ways and len(graph) > 1 else {}


def _next_places(trying: _Trying, state: I64, player: int, words: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return the places of all units of a player after each of its moves; the other player makes any move."""
    if trying.actors(state) != BOTH:
        raise _NoVisibilityGame
    other = int(trying.legal(state, 1 - player)[0])
    found = set()
    for action in trying.legal(state, player).tolist():
        new = trying.after(state, (action, other) if player == 0 else (other, action))
        found.add(tuple(new[list(words)].tolist()))
    return found


def _check_moves(
    trying: _Trying, state: I64, words: tuple[tuple[int, ...], ...], graph: dict[int, frozenset[int]]
) -> None:
    """Check that units move by the graph in another state too, independently of each other."""
    for player, own in enumerate(words):
        try:
            expected = set(product(*(graph[int(state[word])] for word in own)))
        except KeyError:
            raise _NoVisibilityGame from None
        if _next_places(trying, state, player, own) != expected:
            raise _NoVisibilityGame
