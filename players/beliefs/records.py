"""A player's observations in a match, as records that kernels can compare with transitions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from ggp.beliefs.observation_record import ACTED, DECIDING, FIELDS, IDLE, ObservationRecords
from ggp.native.information_states import key_of
from players.beliefs.tracker import check_told

MAX_LISTED = 1 << 18
"""Texts of actions that are kept."""
SOON_LISTED, MANY_LEGAL = 1 << 15, 1 << 12
"""Up to so many are put down before a match, or more where a question may list many legal actions."""

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game


class ActionTexts:
    """The numbers of the actions that a text names, looked up once: a question can list thousands of actions.

    Args:
        game: the game.
    """

    _known: ClassVar[WeakKeyDictionary[Game, ActionTexts]] = WeakKeyDictionary()

    def __init__(self, game: Game) -> None:
        self._codec = game.codec
        self._numbers: dict[str, tuple[int, ...]] = {}
        asked = game.native().shape.max_actions
        if self._codec.action_count <= (MAX_LISTED if asked > MANY_LEGAL else SOON_LISTED):
            for action in range(self._codec.action_count):
                with suppress(KeyError):  # numbers that no phase uses
                    text = self._codec.action_text(action)
                    self._numbers[text] = (*self._numbers.get(text, ()), action)

    @classmethod
    def of(cls, game: Game) -> ActionTexts:
        """Return those of a game, made once a process."""
        known = cls._known.get(game)
        if known is None:
            known = cls._known[game] = cls(game)
        return known

    def called(self, text: str) -> tuple[int, ...]:
        """Return the numbers of all actions with a text."""
        numbers = self._numbers.get(text)
        if numbers is None:
            numbers = tuple(self._codec.actions_called(text))
            if len(self._numbers) < MAX_LISTED:
                self._numbers[text] = numbers
        return numbers


class Records:
    """Collects what one player was told.

    Args:
        game: the game.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._called = ActionTexts.of(game).called
        self._rows: list[tuple[int, ...]] = []
        self._numbers: list[int] = []
        self._arrays: ObservationRecords | None = None
        self._known: list[int | tuple[int, ...]] | None = []
        self._asked: tuple[list[str], list[int]] = ([], [])

    def __len__(self) -> int:
        return len(self._rows)

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Add a transition: the text of the player's own action, None if it had none, and what it saw.

        Raises:
            NothingTold: it neither acted nor saw anything.
        """
        check_told(action, observation)
        actions = [] if action is None else self._actions([action])
        sights = self._game.codec.observation_words(observation) if observation else [()]
        self._know([actions] if action is not None else [], sights if observation else [])
        self._add(IDLE if action is None else ACTED, actions, 0, sights)

    def decide(self, legal: Sequence[str]) -> None:
        """Add a decision of the player, with its legal actions."""
        self._add(DECIDING, self._legal(legal), len(legal), [])

    def key(self) -> tuple[int, int] | None:
        """Return the key of the player's information state; None where what it was told can be read in several ways."""
        return None if self._known is None else key_of(self._known)

    def numbers(self, legal: Sequence[str]) -> list[int] | None:
        """Return the numbers of legal actions, ascending; None where a text stands for several."""
        numbers = self._legal(legal)
        return numbers if len(numbers) == len(legal) else None

    def _know(self, actions: Sequence[Sequence[int]], sights: Sequence[Sequence[int]]) -> None:
        if any(len(readings) != 1 for readings in actions) or len(sights) > 1:
            self._known = None
        if self._known is not None:
            self._known += [readings[0] for readings in actions]
            self._known += [tuple(words) for words in sights]

    def in_arrays(self) -> ObservationRecords:
        """Return all records."""
        if self._arrays is None:
            rows = np.array(self._rows, np.int64).reshape(-1, FIELDS)
            self._arrays = ObservationRecords(rows, np.array([*self._numbers, 0], np.int64))
        return self._arrays

    def _add(self, kind: int, actions: Sequence[int], legal: int, sights: Sequence[Sequence[int]]) -> None:
        actions_at = len(self._numbers)
        self._numbers += actions
        sights_at = len(self._numbers)
        for words in sights:
            self._numbers += [len(words), *words]
        self._rows.append((kind, actions_at, len(actions), legal, sights_at, len(sights), 0))
        self._arrays = None

    def _legal(self, texts: Sequence[str]) -> list[int]:
        """Return the numbers of all legal actions, which are often those of the last question, and may be many."""
        if self._asked[0] != texts:
            self._asked = list(texts), self._actions(texts)
        return self._asked[1]

    def _actions(self, texts: Sequence[str]) -> list[int]:
        """Return the numbers of all actions with one of these texts, ascending."""
        called = self._called
        return sorted({action for text in texts for action in called(text)})
