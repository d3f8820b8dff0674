"""Information states of a tree as text, and histories that lead to them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ggp.game.game import Game, State
from ggp.game.history import History, InformationState, observed_parts
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree

RECENT = 1 << 16
"""Texts that are remembered."""


class InformationStateReader:
    """Reads information states by playing the game to them; neighbours share most of their histories.

    Args:
        game: the game.
        tree: of the same game.
    """

    def __init__(self, game: Game, tree: SequenceFormTree) -> None:
        self._game = game
        self._tree = tree
        self._path: list[int] = []
        self._histories = [game.history()]

    def branches(self, number: int) -> tuple[int, ...]:
        """Return the path to a world state with an information state: the number of the successor at each step."""
        way, state = [], int(self._tree.witness[number])
        while self._tree.parent_state[state] >= 0:
            way.append(int(self._tree.branch[state]))
            state = int(self._tree.parent_state[state])
        return tuple(reversed(way))

    def history(self, number: int) -> History:
        """Return a history in which the player has an information state."""
        if self._tree.by_bundles:
            return self._joined(number)
        branches, shared = self.branches(number), 0
        while shared < min(len(branches), len(self._path)) and branches[shared] == self._path[shared]:
            shared += 1
        del self._path[shared:], self._histories[shared + 1 :]
        for branch in branches[shared:]:
            self._path.append(branch)
            self._histories.append(successor(self._histories[-1], branch))
        return self._histories[-1]

    def _joined(self, number: int) -> History:
        """Return the history in which both players in turn take the actions that lead to the sequences of a witness."""
        player, tree = self._tree.player_of(number), self._tree
        trails = [list[int](), list[int]()]
        for one, last in ((player, int(tree.form.parent[number])), (1 - player, int(tree.witness[number]))):
            while last >= tree.players:
                trails[one].append(last)
                last = int(tree.form.parent[tree.state_of[last]])
        depth, shared = 0, True
        while trails[actor := self._histories[depth].state.actors()[0]]:
            sequence, depth = trails[actor].pop(), depth + 1
            shared = shared and depth <= len(self._path) and self._path[depth - 1] == sequence
            if not shared:
                del self._path[depth - 1 :], self._histories[depth:]
                self._path.append(sequence)
                self._histories.append(self._histories[-1].apply({actor: int(tree.action[sequence])}))
        return self._histories[depth]

    def information_state(self, number: int) -> InformationState:
        """Return the information state of a number."""
        if self._tree.heard is not None:
            return InformationState(self._game, self._tree.player_of(number), self._known(number))
        return self.history(number).information_state(self._game.players[self._tree.player_of(number)])

    def texts(self, number: int) -> tuple[str, ...]:
        """Return what the player knows there: its own actions, and its observations with their labels."""
        if self._tree.heard is not None:
            return self._texts(number)
        return short_texts(self.information_state(number))

    @lru_cache(RECENT)  # noqa: B019 - as long as the reader
    def _known(self, number: int) -> tuple[int | tuple[int, ...], ...]:
        before, part = self._last_part(number)
        return part if before < 0 else (*self._known(before), *part)

    @lru_cache(RECENT)  # noqa: B019
    def _texts(self, number: int) -> tuple[str, ...]:
        before, part = self._last_part(number)
        return self._part_texts(part) if before < 0 else (*self._texts(before), *self._part_texts(part))

    def _last_part(self, number: int) -> tuple[int, tuple[int | tuple[int, ...], ...]]:
        """Return the player's information state before, -1 if there is none, and what it did and was told since."""
        tree, heard = self._tree, self._tree.heard
        assert heard is not None
        told = heard.told[heard.first[number] : heard.first[number + 1]].tolist()
        sequence = int(tree.form.parent[number])
        own = (int(tree.action[sequence]),) if sequence >= tree.players else ()
        return int(tree.state_of[sequence]), (*own, *(heard.words[one] for one in told))

    @lru_cache(RECENT)  # noqa: B019
    def _part_texts(self, part: tuple[int | tuple[int, ...], ...]) -> tuple[str, ...]:
        return short_texts(InformationState(self._game, 0, part))

    def actions(self, number: int) -> tuple[str, ...]:
        """Return the texts of the legal actions at an information state, in ascending order of actions."""
        place = self._tree.sequences_at(number)
        return tuple(self._game.action_text(int(action)) for action in self._tree.action[place])

    def neighbourly(self, numbers: Iterable[int]) -> list[int]:
        """Return information states in the order in which reading them all is fastest."""
        if self._tree.by_bundles:
            return sorted(numbers)
        return sorted(numbers, key=self.branches)


def successor(history: History, branch: int) -> History:
    """Return the successor of a number, see `SequenceFormTree.branch`."""
    if history.state.is_chance():
        return history.apply_outcome(history.state.chance_outcomes()[branch][0])
    return history.apply(dict(joint_action(history.state, branch)))


def joint_action(state: State, branch: int) -> list[tuple[int, int]]:
    """Return the joint action of a number: each player who acts, and its action."""
    chosen = []
    for player in reversed(state.actors()):
        legal = state.legal(player)
        branch, position = divmod(branch, len(legal))
        chosen.append((player, int(legal[position])))
    return chosen[::-1]


@lru_cache(RECENT)
def told_text(game: Game, one: tuple[int, ...]) -> str:
    """Return what an observation says."""
    return ", ".join(observed_parts(game.readable_observation(one)))


def short_texts(known: InformationState) -> tuple[str, ...]:
    """Return a text for each action and observation; one that only repeats the player's own action is left out."""
    found, own = list[str](), ""
    for one in known.known:
        if isinstance(one, int):
            own = known.game.action_text(one)
            found.append(own)
            continue
        text = told_text(known.game, one)
        if not own or text != f"move: {own}":
            found.append(text)
        own = ""
    return tuple(found)
