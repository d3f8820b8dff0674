"""Histories that fit what a player knows, drawn by their probability where the others act uniformly at random.

States are found forwards, one transition at a time, together with how much of the information state has happened;
histories are drawn backwards. That is exact as long as there is room for all states; then a sample of them is carried
on. Where nothing of a sample fits what comes next, as when cards are shown that were dealt unseen long before, hidden
choices are changed one at a time until it does. Players in matches track what is possible by native code instead
(`players.beliefs`), within the time of a move.
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
MENDED, MAX_LOOKED_AT = 20, 1_000_000
"""Histories wanted where nothing fitted any more, and choices that are looked at to find them, in about a second."""
RESTARTED = 500
"""One in so many changes begins with another history, since some cannot be mended by one change after the other."""
ALL_WRONG = 1_000
"""More bits than an observation differs in that has as many words as it should."""
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
        self._sampled = False
        while not found and front:
            last = self._carry_on(front, found, rng)
            front = [] if found or not self._sampled else self._mended(last, rng)
        acting = [node for node in found if known.player in node.state.actors()]
        self._ends = acting or found
        if not self._ends:
            raise NothingFits(known)
        self._cumulative = list(itertools.accumulate(node.weight for node in self._ends))

    def _carry_on(self, front: list[Node], found: list[Node], rng: Random) -> list[Node]:
        """Go on from some nodes as far as anything fits, adding to what was found; return the last ones that did."""
        known, silent, last = self._known, 0, front
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
            last, front = front, list(following.values())
            width = sum(_choices(node.state, known.player) for node in front)
            if width > MAX_TRANSITIONS:
                self._sampled = True
                front = _drawn(front, max(MIN_STATES, len(front) * MAX_TRANSITIONS // width), rng)
            silent = silent + 1 if front and max(node.done for node in front) == done else 0
        return last

    def _mended(self, last: list[Node], rng: Random) -> list[Node]:
        """Return nodes that fit one entry more than those given, the last to fit, at the end of changed histories."""
        goal = 1 + max(node.done for node in last)
        starts = [node for node in last if node.done == goal - 1]
        found: dict[tuple[State, int], Node] = {}
        (nodes, joints), off, left = _way_to(rng.choice(starts), rng), math.inf, MAX_LOOKED_AT
        while joints and left > 0 and len(found) < MENDED:
            place = rng.randrange(len(joints))
            options = self._joints(nodes[place])
            left -= len(options)
            joint = rng.choice(options)[0]
            if joint == joints[place]:
                continue
            if rng.random() * RESTARTED < 1:
                (nodes, joints), off = _way_to(rng.choice(starts), rng), math.inf
                continue
            again, made, still_off, looked_at = self._again(nodes, joints, place, joint, goal, rng)
            left -= looked_at
            if again[-1].done >= goal:
                found.setdefault((again[-1].state, again[-1].done), again[-1])
                (nodes, joints), off = _way_to(rng.choice(starts), rng), math.inf
            elif still_off <= off and len(made) >= len(joints):
                nodes, joints, off = again, made, still_off
        return list(found.values())

    def _again(
        self, nodes: list[Node], joints: list[Joint], place: int, joint: Joint, goal: int, rng: Random
    ) -> tuple[list[Node], list[Joint], float, int]:
        """Play a history again with another transition at some place, as long as it fits, and on to the goal.

        Where chance cannot draw what it drew, it draws what was displaced: the card that another one was changed for.

        Returns:
            The states and transitions; in how many bits what comes next differs from what the player was told, infinite
            where the history fits less far than before; and how many choices were looked at.
        """
        again, made, looked_at, displaced = nodes[: place + 1], joints[:place], 0, joints[place]
        while (after := self._follow(again[-1], joint)) is not None:
            after.add(again[-1], joint, 1.0)
            again.append(after)
            made.append(joint)
            if after.done >= goal or len(made) > len(joints) + MAX_SILENT:
                break
            options = [one for one, _ in self._joints(after)]
            looked_at += len(options)
            wanted = joints[len(made)] if len(made) < len(joints) else None
            if wanted is None:
                offs = [self._off(after, one) for one in options]
                if min(offs, default=math.inf) > 0:
                    return again, made, min(offs, default=math.inf), looked_at
                options = [one for one, off in zip(options, offs, strict=True) if off == 0]
            if not options:
                break
            joint = wanted if wanted in options else displaced if displaced in options else rng.choice(options)
        return again, made, math.inf, looked_at

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
        return _way_to(self._ends[_place(self._cumulative, rng)], rng)[1]

    def _transitions(self, node: Node) -> Iterator[tuple[Joint, float, Node]]:
        """Yield the transitions that fit, with the share of each, and where they lead."""
        for joint, share in self._joints(node):
            if (after := self._follow(node, joint)) is not None:
                yield joint, share, after

    def _joints(self, node: Node) -> list[tuple[Joint, float]]:
        """Return what can happen at a node as far as the player knows its own action, with the share of each."""
        known, player = self._known.known, self._known.player
        own = player in node.state.actors()
        if node.state.is_terminal() or (own and node.done == len(known)):
            return []
        return list(_joints(node.state, player, known[node.done] if own else None))

    def _off(self, node: Node, joint: Joint) -> float:
        """Return in how many bits what a transition tells the player differs from what it was told; 0: it fits."""
        if self._follow(node, joint) is not None:
            return 0
        known, player = self._known.known, self._known.player
        told, place = node.state.successor(joint).observation(player), node.done + (player in node.state.actors())
        wanted = known[place] if place < len(known) else ()
        if isinstance(wanted, int) or len(wanted) != len(told):
            return ALL_WRONG
        return sum((one ^ other).bit_count() for one, other in zip(told, wanted, strict=True))

    def _follow(self, node: Node, joint: Joint) -> Node | None:
        """Return where a transition leads, None if it tells the player what it was not told."""
        known, player = self._known.known, self._known.player
        after, done = node.state.successor(joint), node.done + (player in node.state.actors())
        told = after.observation(player)
        if told and known[done : done + 1] != (told,):
            return None
        return Node(after, done + bool(told))


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


def _way_to(node: Node, rng: Random) -> tuple[list[Node], list[Joint]]:
    """Return a way to a node, drawn: the nodes on it, itself the last, and the transitions between them."""
    nodes: list[Node] = [node]
    joints: list[Joint] = []
    while node.ways:
        node, joint = node.ways[_place(node.cumulative, rng)]
        nodes.append(node)
        joints.append(joint)
    return nodes[::-1], joints[::-1]


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
