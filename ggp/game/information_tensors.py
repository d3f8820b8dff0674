"""What a player knows as numbers for learning: its own actions and observations, in rows.

A row holds an own action and the observation that follows it; an observation that follows another one has a row of its
own. So equal information states have equal rows, different ones differ in some entry, and a play of M transitions has M
rows at most. R is the number of entries of a row, n the number of games, P of players, O of words of an observation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from ggp.encoding.features import Feature, SeenFeatures, action_feature
from ggp.game.tensors import F32, I64, Bools, new_array, write_features

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


class RowMemory:
    """The last rows of every player in every game of a batch.

    Args:
        games: n.
        players: P.
        kept: rows that are kept for each.
        observation_words: O.

    Raises:
        LimitExceeded: they take too much memory.
    """

    def __init__(self, games: int, players: int, kept: int, observation_words: int) -> None:
        self.kept = kept
        self.words: I64 = new_array(games, players * kept * observation_words, np.int64).reshape(
            players, games, kept, observation_words
        )
        self.rows: I64 = np.zeros((players, games), np.int64)
        """So far in the game that is going on; row r is kept at place r modulo `kept`."""
        self.final_rows: I64 = np.zeros((players, games), np.int64)
        """The same behind the last transition, of games that ended in it too."""
        self.actions: I64 = np.full((players, games, kept), NO_ACTION, np.int64)
        self.counts: I64 = np.zeros((players, games, kept), np.int64)
        """Words observed; none: 0."""

    def record(
        self, player: int, places: I64, acted: Bools, actions: I64, counts: I64, words: I64, began_anew: Bools
    ) -> None:
        """Take in a transition of some games.

        Args:
            player: who has acted or observed.
            places: `[m]` the games.
            acted: `[m]` whether the player acted.
            actions: `[m]` its actions; anything where it did not act.
            counts: `[m]` how many words it observed.
            words: `[m, O]` these words.
            began_anew: `[m]` whether the game ended and a new one began, of which nothing is known yet.
        """
        rows = self.rows[player]
        last = (rows[places] - 1) % self.kept
        unanswered = (
            (rows[places] > 0)
            & (self.actions[player, places, last] != NO_ACTION)
            & (self.counts[player, places, last] == 0)
        )
        observed = counts > 0
        new = acted | (observed & ~unanswered)
        rows[places] += new
        at = (rows[places] - 1) % self.kept
        self.actions[player, places[new], at[new]] = np.where(acted, actions, NO_ACTION)[new]
        self.counts[player, places[new], at[new]] = 0
        self.counts[player, places[observed], at[observed]] = counts[observed]
        self.words[player, places[observed], at[observed]] = words[observed]
        self.final_rows[player, places] = rows[places]
        rows[places[began_anew]] = 0

    def forget(self, places: I64) -> None:
        """Forget what was known in some games."""
        self.rows[:, places] = self.final_rows[:, places] = 0

    def last(self, player: int, stack: int, final: bool) -> tuple[Bools, I64, I64, I64]:
        """Return the last rows of a player in their order; where there are fewer, nothing stands behind them.

        Args:
            player: whose.
            stack: how many.
            final: whether those behind the last transition are meant, also where it ended the game.

        Returns:
            `[n, stack]` whether there is such a row; the actions; how many words were observed; `[n, stack, O]` which.
        """
        rows = (self.final_rows if final else self.rows)[player][:, None]
        number = np.maximum(rows - stack, 0) + np.arange(stack)
        there = number < rows
        at = number % self.kept
        games = np.arange(len(rows))[:, None]
        return (
            there,
            np.where(there, self.actions[player][games, at], NO_ACTION),
            np.where(there, self.counts[player][games, at], 0),
            self.words[player][games, at],
        )


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
