"""Histories: everything that led to a world state, and what each player knows of it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import add
from random import Random
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ggp.game.actions import JointGiven, PlayerName
    from ggp.game.game import Game, State
    from ggp.game.tensors import F32

ENCLOSED = re.compile(r"\[[^][(){}]*\]|\([^][(){}]*\)|\{[^][(){}]*\}|\"[^\"]*\"")
"""Arguments of a definition, indices, sets and texts in a label."""
ELEMENT = re.compile(r"\w+\[[^][]*\]")
"""An element of an array, as a label."""
OTHER_VALUE = re.compile(r"yes|no|none|-?\d+(\.\d+)?")
"""How values that are not texts are written."""

OwnAction: TypeAlias = int
Observation: TypeAlias = "tuple[int, ...]"


@dataclass(frozen=True)
class InformationState:
    """What one player knows: its own actions and its observations that were not empty, in order.

    Equal to another of the same game and player with the same actions and observations; so are their keys. `str` writes
    it as the player reads it, and writes two that differ, of one game and player, differently.
    """

    game: Game
    player: int
    known: tuple[OwnAction | Observation, ...]
    """An action by its number; an observation by its words, at least one."""

    @cached_property
    def key(self) -> tuple[int, int]:
        """The key by which native code knows this information state, see `ggp.native.information_states`."""
        # numpy takes a tenth of a second to import
        from ggp.native.information_states import key_of

        return key_of(self.known)

    def sample(self, rng: Random) -> History:
        """Return a history that fits, drawn by its probability where the others act uniformly at random.

        In large games it is about as probable. If the player acts in histories that fit, it does so in this one. See
        `ggp.game.fitting_histories`.

        Raises:
            NothingFits: none was found.
            TypeError: there is nothing to draw with.
        """
        if not isinstance(rng, Random):
            raise TypeError(f"{rng!r} is no `random.Random`")
        from ggp.game.fitting_histories import fitting_histories

        return fitting_histories(self).draw(rng)

    def lines(self) -> tuple[str, ...]:
        """Return a text for each action and observation."""
        return tuple(event_text(self.game, one) for one in self.known)

    def __deepcopy__(self, _: object) -> InformationState:
        return self

    def __hash__(self) -> int:
        return hash((self.player, self.known))

    def __str__(self) -> str:
        return "; ".join(self.lines()) or "nothing yet"

    def __repr__(self) -> str:
        return f"<information state of {self.game.players[self.player]}: {self}>"


@dataclass(frozen=True)
class History:
    """A play up to some point; never changes.

    history = ggp.load("kuhn_poker").history()
    history = history.apply_outcome(history.state.chance_outcomes()[0][0])
    print(history.information_state("first"))
    """

    state: State
    """The world state that it has come to."""
    known: tuple[tuple[OwnAction | Observation, ...], ...]
    """For each player what it knows, see `InformationState`."""

    def __deepcopy__(self, _: object) -> History:
        return self

    def __repr__(self) -> str:
        return f"<history that leads to {self.state!r}>"

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    def apply(self, joint: JointGiven) -> History:
        """Return the history that goes on with a joint action: see `State.apply` for its forms and for errors."""
        return self._after(self.state.apply(joint))

    def apply_outcome(self, outcome: int) -> History:
        """Return the history that goes on with a chance outcome: see `State.apply_outcome` for errors."""
        return self._after(self.state.apply_outcome(outcome))

    def after_joint(self, joint: Sequence[int]) -> History:
        """Return the history that goes on with a transition that is not checked: see `State.successor`."""
        return self._after(self.state.successor(joint))

    def after_forced(self) -> History:
        """Return the history that goes on through all transitions of chance that have a single outcome."""
        history = self
        while (outcome := history.state.forced_outcome()) is not None:
            history = history.apply_outcome(outcome)
        return history

    def information_state(self, player: PlayerName) -> InformationState:
        """Return what a player knows here.

        Raises:
            UnknownPlayer: there is no such player.
        """
        number = self.game.player(player)
        return InformationState(self.game, number, self.known[number])

    def information_tensor(self, player: PlayerName, length: int | None = None) -> F32:
        """Return what a player knows as numbers: `[length, R]` float32, see `ggp.game.information_tensors`.

        Args:
            player: whose.
            length: rows. Of more, the last ones are given; where there are fewer, zeros stand behind them. None:
                `Game.max_length`, which is always enough: different information states have different tensors.

        Raises:
            UnknownPlayer: there is no such player.
            ValueError: no length was given, and the game has no known bound; or it is negative.
        """
        # numpy takes a tenth of a second to import
        from ggp.game.information_tensors import information_tensor

        return information_tensor(self.information_state(player), length)

    def _after(self, new: State) -> History:
        return History(new, tuple(map(add, self.known, new.lived())))


@lru_cache(100_000)
def event_text(game: Game, one: OwnAction | Observation) -> str:
    """Return an action or an observation as its player reads it."""
    if isinstance(one, int):
        return f"chose {game.action_text(one)}"
    told = game.readable_observation(one)
    return "saw " + (", ".join(observed_parts(told)) if is_unmistakable(told) else json.dumps(told))


def observed_parts(observation: Sequence[tuple[str, object]]) -> list[str]:
    """Return what an observation says, each value behind its label; a text of the rules speaks for itself."""
    return [
        value if isinstance(value, str) and label == f'"{value}"' else f"{label}: {observed_text(value)}"
        for label, value in observation
    ]


def plain_parts(
    observation: Sequence[tuple[str, object]],
    elements: Mapping[str, Sequence[str]] | None = None,
    indices: Collection[str] = (),
) -> list[str]:
    """Return what an observation says to people, with labels as they read them.

    Elements of one array are told apart by their last index, `worth apple: 3, worth pear: 1`, and one that
    is told alone is, too, where that index is a value.

    Args:
        observation: labels and values.
        elements: the names of the elements of arrays with several indices, by label.
        indices: values of arrays' indices, see `plain_label`.
    """
    labels = [plain_label(label, indices, is_truth=isinstance(value, bool)) for label, value in observation]
    apart = [
        f"{plain} {last_index(label)}".rstrip() if plain and labels.count(plain) > 1 else plain
        for plain, (label, _) in zip(labels, observation, strict=True)
    ]
    values = [
        dict(zip(elements[label], value, strict=True))
        if elements and label in elements and isinstance(value, list)
        else value
        for label, value in observation
    ]
    return [part.removeprefix(": ") for part in observed_parts(list(zip(apart, values, strict=True)))]


def last_index(label: str) -> str:
    """Return the last index in the label of an element; empty: it is not one."""
    return label[label.index("[") + 1 : -1].split(",")[-1].strip() if ELEMENT.fullmatch(label) else ""


def plain_label(label: str, indices: Collection[str] = (), *, is_truth: bool = False) -> str:
    """Return a label as people read it: of an element its array; other expressions of the rules are left out.

    Where the value is only yes or no, they stay: they say what is answered.

    Args:
        label: as the rules have it.
        indices: values of arrays' indices, beside numbers: of `word_at[b2]` these stay, of `hand[turn]` nothing.
        is_truth: whether the value is yes or no.
    """
    name, index = (label.partition("[")[0], last_index(label)) if ELEMENT.fullmatch(label) else (label, "")
    if index in indices or index.isdecimal():
        return f"{name} {index}"
    return name if name.isidentifier() or '"' in name or is_truth else ""


def is_unmistakable(observation: Sequence[tuple[str, object]]) -> bool:
    """Return whether no other observation has the same text by `observed_parts`; JSON tells all apart."""
    raw = [label == f'"{value}"' for label, value in observation]
    return all(
        _reads_as_one(value)
        if spoken
        else _reads_as_one(_without_enclosed(label))
        and (_reads_as_one(value) if label == "move" else _is_plain(value, any(raw)))
        for spoken, (label, value) in zip(raw, observation, strict=True)
    )


def _without_enclosed(label: str) -> str:
    while (shorter := ENCLOSED.sub("", label)) != label:
        label = shorter
    return label or "set"


def _is_plain(value: object, beside_texts: bool) -> bool:
    match value:
        case dict():
            # "bids: row 4, col 1": with a text behind it, it would not be clear where the list ends
            return not beside_texts and all(
                _reads_as_one(name) and " " not in name and not isinstance(item, dict) and _is_plain(item, False)
                for name, item in value.items()
            )
        case list():
            return all(not isinstance(item, dict | list) and _is_plain(item, False) for item in value)
        case str():
            return _reads_as_one(value) and OTHER_VALUE.fullmatch(value) is None
        case _:
            return True


def _reads_as_one(text: object) -> bool:
    """Return whether a text has nothing that separates values."""
    return re.fullmatch(r"[^,;:\[\]{}()\"\n]+", str(text)) is not None


def observed_text(value: object) -> str:
    """Return an observed value for people: arrays by index, sets in braces, none as `none`."""
    match value:
        case dict():
            return ", ".join(f"{name} {observed_text(item)}" for name, item in value.items())
        case list():
            return "{" + ", ".join(observed_text(item) for item in value) + "}"
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
