"""A game as information states, sequences and payoffs, on which equilibria and best responses are computed.

Dimensions: P players, I information states at which somebody acts, S sequences, E payoff entries.

Sequences of all players are numbered together: the empty sequence of player `p` is number `p`; then follow the
sequences of the first player, of the second, and so on, those of an information state in ascending order of actions.
Information states are numbered in the same way; each has a greater number than the earlier ones of its player.

A *realization plan* maps each sequence to the reach probability of its player alone: 1 for the empty one, otherwise the
product of the probabilities of its actions under a behavioural strategy. Expected utilities are linear in
each player's plan. Source: Koller, Megiddo, von Stengel 1996; Lisý 2014, 2.1.5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, U64
from ggp.native.interface import NativeGame

PAIRS_AT_ONCE = 1 << 20


class Rectangles(NamedTuple):
    """Payoffs of two players of constant sum 0 that whole bundles of sequences share, see `bundle_kernels.py`.

    A pair of bundles, one of each player, stands for all pairs of their sequences; the first player's utility there is
    the product of the bundles' factors.
    """

    first: I64  # [B + 1] first member of each bundle
    member: I32  # sequences
    factor: F64  # [B]
    player: I32  # [B] whose sequences they are
    pair: I32  # [2 * Z] bundle of the first player, bundle of the second
    weight: F64  # [B] scratch memory


class Heard(NamedTuple):
    """What the player of each information state was told after its last own action, of a game unfolded by bundles."""

    first: I64  # [I + 1] of each information state
    told: I32  # numbers of observations
    words: list[tuple[int, ...]]  # of each observation


class SequenceForm(NamedTuple):
    """The arrays of a game in sequence form, for kernels.

    The payoff entries of a sequence of player `p` are the ends of play that `p` reaches by it: each has the utility of
    `p`, weighted by the reach probability of chance, and the last sequences of all other players in their order. Ends
    that agree in all sequences are one entry; entries of utility 0 are left out. Where a game was unfolded by bundles
    there are no entries; it has rectangles.
    """

    parent: I32  # [I] the player's sequence before
    first: I32  # [I + 1] first sequence of each information state
    entry: I64  # [S + 1] first payoff entry of each sequence
    value: F64  # [E]
    others: I32  # [E * (P - 1)]
    range: I64  # [P + 1] first information state of each player
    rectangles: Rectangles


@dataclass(frozen=True)
class SequenceFormTree:
    """A game in sequence form, and the data that names its information states.

    Attributes:
        native: the game.
        form: the arrays.
        action: `[S]` the action that ends each sequence; -1 for empty ones.
        key: `[I, 2]` information-state keys.
        witness: `[I]` number of a world state in which the player has this information state; of a game unfolded by
            bundles, the last sequence of the other player in a history that leads there.
        opening: `[I]` probability that chance leads there before any player has acted.
        parent_state: `[M]` for each world state, counted over all layers, the number of its predecessor; -1 for the
            first.
        branch: `[M]` which successor of its predecessor it is, in the order of chance outcomes or of joint actions, in
            which the last player's action changes fastest. Both are empty where a game was unfolded by bundles.
        states: M, world states that differ in words or in some player's information state, ends of play not counted.
        ends: distinct transitions into terminal states.
        heard: see there; of a game unfolded by bundles.
        utility_sum: what the utilities of all players add up to at every end; None where that differs.
    """

    native: NativeGame
    form: SequenceForm
    action: I64
    key: U64
    witness: I32
    opening: F64
    parent_state: I32
    branch: I32
    states: int
    ends: int
    utility_sum: float | None
    heard: Heard | None = field(default=None, repr=False, compare=False)
    numbers: dict[tuple[int, int, int], int] = field(default_factory=dict, repr=False, compare=False)

    @property
    def players(self) -> int:
        """P."""
        return len(self.form.range) - 1

    @property
    def information_states(self) -> int:
        """I."""
        return len(self.form.parent)

    @property
    def sequences(self) -> int:
        """S."""
        return len(self.action)

    @property
    def by_bundles(self) -> bool:
        """Whether payoffs are rectangles."""
        return len(self.form.rectangles.pair) > 0

    @cached_property
    def entries(self) -> int:
        """E; where payoffs are rectangles, the pairs of sequences in these."""
        sizes = np.diff(self.form.rectangles.first)
        shared = self.form.rectangles.pair.reshape(-1, 2)
        parts = np.array_split(shared, len(shared) // PAIRS_AT_ONCE + 1)
        return len(self.form.value) + sum(int(sizes[part[:, 0]] @ sizes[part[:, 1]]) for part in parts)

    @cached_property
    def utility_range(self) -> float:
        """The widest utility range of a player, or 1 if it is 0; tolerances are relative to it."""
        native = self.native
        widest = max(high - low for low, high in zip(native.utility_low, native.utility_high, strict=True))
        return widest or 1.0

    @cached_property
    def state_of(self) -> I32:
        """The information state at which each sequence ends, `[S]`; -1 for empty ones."""
        numbers = np.arange(self.information_states, dtype=np.int32)
        ends = np.repeat(numbers, np.diff(self.form.first))
        return np.concatenate([np.full(self.players, -1, np.int32), ends])

    def own_sets(self, player: int) -> range:
        """Return the numbers of a player's information states."""
        return range(int(self.form.range[player]), int(self.form.range[player + 1]))

    def own_sequences(self, player: int) -> slice:
        """Return the numbers of a player's sequences, the empty one left out."""
        first, last = self.form.range[player], self.form.range[player + 1]
        return slice(int(self.form.first[first]), int(self.form.first[last]))

    def sequences_at(self, number: int) -> slice:
        """Return the numbers of the sequences that end at an information state."""
        return slice(int(self.form.first[number]), int(self.form.first[number + 1]))

    def player_of(self, number: int) -> int:
        """Return the player who acts at an information state."""
        return int(np.searchsorted(self.form.range, number, "right")) - 1

    def find(self, player: int, key: tuple[int, int]) -> int | None:
        """Return the number of the information state of a player with a key, None where it never acts with that."""
        if not self.numbers:
            for one in range(self.players):
                own = self.own_sets(one)
                for number, (first, second) in zip(own, self.key[own.start : own.stop].tolist(), strict=True):
                    self.numbers[one, first, second] = number
        return self.numbers.get((player, *key))


def no_rectangles() -> Rectangles:
    """Return no payoffs."""
    none = np.zeros(0, np.int32)
    return Rectangles(np.zeros(1, np.int64), none, np.zeros(0), none, none, np.zeros(0))
