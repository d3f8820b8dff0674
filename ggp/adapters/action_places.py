"""The actions of other people's tools: the places of ours in `Game.possible_actions`, so that masks are short.

In most games these are the numbers themselves; chess has 11,700 places for 24,576 numbers, checkers 170 for 4,096.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from operator import index
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ggp.errors import GgpError
from ggp.faults import IllegalAction
from ggp.game.game import Game
from ggp.game.tensors import I64, Bools, integers

PASS = 0
"""The action of a player who has none to choose, where an interface asks for one all the same."""

Bytes: TypeAlias = "np.ndarray[Any, np.dtype[np.int8]]"

WhenIllegal: TypeAlias = Literal["error", "random"]
"""What an environment does with an action that is not legal: it raises `IllegalAction`, or draws a legal one."""


def draws_legal(illegal: WhenIllegal) -> bool:
    """Return whether a legal action is drawn where one was not.

    Raises:
        GgpError: it is none of `WhenIllegal`.
    """
    if illegal not in get_args(WhenIllegal):
        raise GgpError(f"`illegal={illegal}`: it is `error` or `random`")
    return illegal == "random"


class ActionPlaces:
    """Turns places into our numbers and back.

    Attributes:
        count: how many places there are, C.
    """

    def __init__(self, game: Game) -> None:
        self._numbers = game.possible_actions
        self.count = len(self._numbers)
        self._all = self.count == game.num_actions

    def __deepcopy__(self, _: object) -> ActionPlaces:
        return self  # as it never changes, and every state of OpenSpiel has it

    def number(self, place: int) -> int:
        """Return the number at a place.

        Raises:
            IllegalAction: there is no such place.
            TypeError: it is no integer.
        """
        if not 0 <= index(place) < self.count:
            raise IllegalAction(f"there is no action {place}: they are numbered from 0 to {self.count - 1}")
        return self._numbers[place]

    def place(self, number: int) -> int:
        """Return the place of a number."""
        return int(number) if self._all else self._places[number]

    def numbers(self, places: I64) -> I64:
        """Return the numbers at some places.

        Raises:
            IllegalAction: there is no such place.
            ValueError: they are no integers.
        """
        places = integers(places, "actions")
        for wrong in places[(places < 0) | (places >= self.count)].tolist()[:1]:
            self.number(wrong)
        return places if self._all else self._array[places]

    def mask(self, mask: Bools) -> Bytes:
        """Return a mask over numbers, `[..., N]` bool, as one over places, `[..., C]` int8."""
        ones = mask.view(np.int8)
        # five times as fast as an index, and `mode` takes the test of bounds away
        return ones.copy() if self._all else np.take(ones, self._array, axis=-1, mode="clip")

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {number: place for place, number in enumerate(self._numbers)}

    @cached_property
    def _array(self) -> I64:
        return np.array(self._numbers, np.int64)
