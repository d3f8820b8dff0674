"""Histories that fit what a player knows, drawn by their probability where the others act uniformly at random.

States are found forwards, one transition at a time, together with how much of the information state has happened;
histories are drawn backwards. That is exact as long as there is room for all states; then a sample of them is carried
on. Players in matches track what is possible by native code instead (`players.beliefs`), within the time of a move.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import TypeAlias

from ggp.faults import GameError
from ggp.game.history import History, InformationState
from ggp.game.state import State

MAX_TRANSITIONS, MIN_STATES = 6_000, 100
"""Transitions tried from the world states after the same number of transitions; of more states, so many are drawn that
it is about as many, but at least MIN_STATES."""
MAX_SILENT = 200
"""Transitions in a row of which the player notices nothing."""

Joint: TypeAlias = "tuple[int, ...]"


class NothingFits(GameError):
    """No history was found that fits an information state: none does, or they are too few to be met at random."""

    def __init__(self, known: InformationState) -> None:
        super().__init__(known)
        self.known = known

    def __str__(self) -> str:
        return f"no history of {self.known.game.name} was found that fits: {self.known}"


@dataclass(slots=True)
class Node:
    """A world state after some transitions and some entries of the information state.

    Attributes:
        state: the world state.
        done: entries of the information state so far.
        weight: its probability by chance and uniform others; in proportion.
        ways: the nodes before, the transitions from each, and the cumulative weights of coming that way.
    """

    state: State
    done: int
    weight: float = 0.0
    ways: list[tuple[Node, Joint]] = field(default_factory=list)
    cumulative: list[float] = field(default_factory=list)

    def add(self, before: Node, joint: Joint, weight: float) -> None:
        """Add a way that leads here."""
        self.weight += weight
        self.ways.append((before, joint))
        self.cumulative.append(self.weight)


class FittingHistories:
    """The histories that fit an information state; where its player acts in some of them, those.

    Raises:
        NothingFits: none was found.
    """

    def __init__(self, known: InformationState) -> None:
        self._known = known
        rng = Random(0)
        front = [Node(known.game.initial(), 0, 1.0)]
        found: list[Node] = []
        silent = 0
        while front and silent < MAX_SILENT:
            following: dict[tuple[State, int], Node] = {}
            done = max(node.done for node in front)
            for node in front:
                if node.done == len(known.known):
                    found.append(node)
                for joint, share, after in self._transitions(node):
                    at = following.get((after.state, after.done))
                    if at is None:
                        at = following[after.state, after.done] = after
                    at.add(node, joint, node.weight * share)
            front = list(following.values())
            width = sum(_choices(node.state, known.player) for node in front)
            if width > MAX_TRANSITIONS:
                front = _drawn(front, max(MIN_STATES, len(front) * MAX_TRANSITIONS // width), rng)
            silent = silent + 1 if front and max(node.done for node in front) == done else 0
        acting = [node for node in found if known.player in node.state.actors()]
        self._ends = acting or found
        if not self._ends:
            raise NothingFits(known)
        self._cumulative = list(itertools.accumulate(node.weight for node in self._ends))

    def draw(self, rng: Random) -> History:
        """Return one of them."""
        history = self._known.game.history()
        for joint in self.draw_joints(rng):
            state = history.state
            history = (
                history.apply_outcome(joint[-1])
                if state.is_chance()
                else history.apply({player: joint[player] for player in state.actors()})
            )
        return history

    def draw_joints(self, rng: Random) -> list[Joint]:
        """Return the transitions of one: the action of each player, 0 where it does not act; last chance's outcome."""
        node = self._ends[_place(self._cumulative, rng)]
        path: list[Joint] = []
        while node.ways:
            node, joint = node.ways[_place(node.cumulative, rng)]
            path.append(joint)
        return path[::-1]

    def _transitions(self, node: Node) -> Iterator[tuple[Joint, float, Node]]:
        """Yield the transitions that fit, with the share of each, and where they lead."""
        known, player, state = self._known.known, self._known.player, node.state
        actors = state.actors()
        own = player in actors
        if state.is_terminal() or (own and node.done == len(known)):
            return
        for joint, share in _joints(state, player, known[node.done] if own else None):
            after, done = state.successor(joint), node.done + own
            told = after.observation(player)
            if told:
                if done == len(known) or known[done] != told:
                    continue
                done += 1
            yield joint, share, Node(after, done)


def _joints(state: State, player: int, own: object) -> Iterator[tuple[Joint, float]]:
    """Yield joint actions, or chance outcomes, with their probabilities; of the player its known action alone."""
    nobody = (0,) * len(state.game.players)
    if state.is_chance():
        yield from (((*nobody, outcome), probability) for outcome, probability in state.chance_outcomes())
        return
    choices = []
    share = 1.0
    for other in range(len(nobody)):
        legal = [int(action) for action in state.legal(other)] if other in state.actors() else [0]
        if other == player and own is not None:
            legal = [action for action in legal if action == own and type(own) is int]
        else:
            share /= len(legal)
        choices.append(legal)
    for chosen in itertools.product(*choices):
        yield (*chosen, 0), share


def _choices(state: State, player: int) -> int:
    """Return how many transitions there are from a state, if the player's own action is known."""
    if state.is_chance():
        return len(state.chance_outcomes())
    return math.prod(len(state.legal(other)) for other in state.actors() if other != player)


def _drawn(nodes: list[Node], count: int, rng: Random) -> list[Node]:
    """Return about `count` of some nodes, drawn by their weights at equal distances; those drawn several times once."""
    step = sum(node.weight for node in nodes) / count
    kept, at, wanted = [], 0.0, rng.random() * step
    for node in nodes:
        at += node.weight
        times = 0
        while wanted < at:
            wanted += step
            times += 1
        if times:
            scale = times * step / node.weight
            node.weight *= scale
            node.cumulative = [weight * scale for weight in node.cumulative]
            kept.append(node)
    return kept


def _place(cumulative: list[float], rng: Random) -> int:
    return min(bisect(cumulative, rng.random() * cumulative[-1]), len(cumulative) - 1)


@lru_cache(16)
def fitting_histories(known: InformationState) -> FittingHistories:
    """Return the histories that fit an information state; found once where many are drawn."""
    return FittingHistories(known)
