"""What a player knows as numbers for learning: its own actions and observations, in rows.

A row holds an own action and the observation that follows it; an observation that follows another one has a row of its
own. So equal information states have equal rows, different ones differ in some entry, and a play of M transitions has M
rows at most. R is the number of entries of a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from ggp.encoding.features import Feature, SeenFeatures, action_feature
from ggp.game.tensors import F32, I64, write_features

if TYPE_CHECKING:
    from ggp.game.game import Game
    from ggp.game.history import InformationState

NO_ACTION = -1


@dataclass(frozen=True, slots=True)
class RowFeatures:
    """What the entries of a row mean. Entry 0 is 1 in a row that is there, and 0 behind the last one.

    Attributes:
        action: the own action, none first.
        observation: each value that may be told.
        width: R.
    """

    action: Feature
    observation: tuple[SeenFeatures, ...]
    width: int


def row_features(game: Game) -> RowFeatures:
    """Return what the entries of a row mean in a game: `Game.information_features`."""
    action = replace(action_feature("action", game.num_actions), at=1)
    behind = 1 + action.width
    observation = tuple(
        replace(
            seen,
            at=seen.at + behind,
            features=tuple(replace(feature, at=feature.at + behind) for feature in seen.features),
        )
        for seen in game.observation_features
    )
    told = (1 + seen.at + sum(feature.width for feature in seen.features) for seen in observation)
    return RowFeatures(action, observation, max(told, default=behind))


def information_tensor(known: InformationState, length: int | None) -> F32:
    """Return an information state as rows: `History.information_tensor`."""
    game = known.game
    length = game.max_length if length is None else length
    if length is None:
        raise ValueError(f"the plays of {game.name} have no known bound: give a length")
    if length < 0:
        raise ValueError(f"a tensor of {length} rows")
    layout = game.information_features
    seen = {value.heading: value for value in layout.observation}
    out = np.zeros((length, layout.width), np.float32)
    rows = list(rows_of(known))
    for row, (action, words) in zip(out, rows[max(0, len(rows) - length) :], strict=False):
        row[0] = 1.0
        write_features([layout.action], [action], row)
        at = 0
        while at < len(words):
            value = seen[words[at]]
            row[value.at] = 1.0
            write_features(value.features, words[at + 1 :], row)
            at += 1 + value.words
    return out


def rows_of(known: InformationState) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the rows of an information state: the action, NO_ACTION where there is none, and the words observed."""
    action = NO_ACTION
    for one in known.known:
        if not isinstance(one, int):
            yield action, one
            action = NO_ACTION
            continue
        if action != NO_ACTION:
            yield action, ()
        action = one
    if action != NO_ACTION:
        yield action, ()


def write_actions(feature: Feature, actions: I64, out: F32) -> None:
    """Write the actions of many rows over zeros.

    Args:
        feature: `RowFeatures.action`.
        actions: `[m]`, NO_ACTION for none.
        out: `[m, R]` changed.
    """
    value = actions - feature.low
    if feature.kind == "one_hot":
        out[np.arange(len(actions)), feature.at + value] = 1.0
    else:
        out[:, feature.at : feature.at + feature.size] = value[:, None] >> np.arange(feature.size) & 1
