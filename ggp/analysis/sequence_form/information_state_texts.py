"""What a player knows in an information state, as text: its own actions and what it observed, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.analysis.sequence_form.information_tree import InformationTree
from ggp.model.game import Game, State
from ggp.model.readable import Readable

OWN_MOVE = "move"
"""Label under which players are told what was chosen; it repeats what the player who chose knows."""

Events = tuple[str, ...]
"""Texts of a player's own actions and observations."""


class InformationStateReader:
    """Tells information states by playing the game to them; neighbours share most of the way.

    Args:
        game: the game.
        tree: of the same game.
    """

    def __init__(self, game: Game, tree: InformationTree) -> None:
        self._game = game
        self._tree = tree
        nothing: Events = ()
        self._path: list[int] = []
        self._states = [game.initial()]
        self._events = [[nothing] * len(game.players)]

    def branches(self, number: int) -> tuple[int, ...]:
        """Return the way to a world state in which the player has an information state: which successor each time."""
        way, state = [], int(self._tree.witness[number])
        while self._tree.parent_state[state] >= 0:
            way.append(int(self._tree.branch[state]))
            state = int(self._tree.parent_state[state])
        return tuple(reversed(way))

    def state(self, number: int) -> State:
        """Return a world state in which the player has an information state."""
        self._go(self.branches(number))
        return self._states[-1]

    def events(self, number: int) -> Events:
        """Return what the player of an information state knows there."""
        self._go(self.branches(number))
        return self._events[-1][self._tree.player_of(number)]

    def actions(self, number: int) -> tuple[str, ...]:
        """Return the texts of the legal actions at an information state, in ascending order of actions."""
        place = self._tree.sequences_at(number)
        return tuple(self._game.action_text(int(action)) for action in self._tree.action[place])

    def neighbourly(self, numbers: Iterable[int]) -> list[int]:
        """Return information states in the order in which reading all their texts takes least time."""
        return sorted(numbers, key=self.branches)

    def _go(self, branches: tuple[int, ...]) -> None:
        shared = 0
        while shared < min(len(branches), len(self._path)) and branches[shared] == self._path[shared]:
            shared += 1
        del self._path[shared:], self._states[shared + 1 :], self._events[shared + 1 :]
        for branch in branches[shared:]:
            state, chosen = successor(self._states[-1], branch)
            self._path.append(branch)
            self._events.append(
                [
                    (*events, *_new_events(state, player, chosen.get(player)))
                    for player, events in enumerate(self._events[-1])
                ]
            )
            self._states.append(state)


def successor(state: State, branch: int) -> tuple[State, dict[int, str]]:
    """Return the successor of a number, see `InformationTree.branch`, and the actions that lead there."""
    if state.is_chance():
        return state.apply_outcome(state.chance_outcomes()[branch][0]), {}
    actors = state.actors()
    legal = [state.legal(player) for player in actors]
    place = []
    for actions in reversed(legal):
        branch, position = divmod(branch, len(actions))
        place.append(actions[position])
    joint = dict(zip(actors, reversed(place), strict=True))
    return state.apply(joint), {player: str(action) for player, action in joint.items()}


def _new_events(state: State, player: int, own: str | None) -> Iterator[str]:
    if own is not None:
        yield own
    for label, value in state.readable_observation(player):
        if label != OWN_MOVE or value != own:
            yield observation_text(label, value)


def observation_text(label: str, value: Readable) -> str:
    """Return an observation as text: label and value, or the value alone where the rules tell a fixed text."""
    return str(value) if label.startswith('"') else f"{label} {value_text(value)}"


def value_text(value: Readable) -> str:
    """Return an observed value as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, list):
        return "{" + ", ".join(value_text(part) for part in value) + "}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {value_text(part)}" for key, part in value.items()) + "}"
    return str(value)
