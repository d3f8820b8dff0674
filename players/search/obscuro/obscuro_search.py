"""`obscuro` as a player's search: a subgame at each decision, from what the player considers possible.

Each decision: positions that fit are drawn; what the last subgame has of them, and of what the opponent cannot tell
from them, stays; the opponent's alternatives are what its information states were worth there. Information states that
are new are worth to it at least what the game was, for it would not have gone there else. Then the subgame grows while
predictive CFR+ solves it (`growth.py`, `sweeps.py`), and the strategy is purified to few actions.

Source: Zhang, Sandholm (arXiv 2506.01242). Beliefs, leaf values and games are those of all players; simultaneous moves
have a node of joint actions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from ggp.beliefs.history_tree import HistoryTree
from ggp.codegen.kernels import F64, I64, I64_2D, U64, U64_2D
from ggp.native.information_states import KEY_WORDS
from ggp.native.infoset_table import (
    NO_NODE,
    WORDS,
    InfosetTable,
    action_numbers,
    clear,
    find_node,
    new_infoset_table,
    next_epoch,
)
from ggp.native.interface import NativeGame
from players.search.foundation.kernel_arguments import leaf_options, new_model
from players.search.foundation.memory import TOUCHED_WORDS, calls, memory_bytes, touch
from players.search.foundation.settings import ObscuroSettings
from players.search.information_sets.hidden_search import HiddenSearches
from players.search.information_sets.information_search import initial_roots
from players.search.information_sets.information_walk import Roots
from players.search.obscuro.gadget import new_gadget, open_gadget
from players.search.obscuro.growth import plant
from players.search.obscuro.knowledge import find_roots, keep
from players.search.obscuro.new_nodes import WalkOptions, new_growth
from players.search.obscuro.subgame import CURRENT, DECISIONS, FIELDS, LINKS, NONE, SUM, forget_nodes, new_subgame
from players.search.obscuro.sweeps import evaluate, search

UNITS_A_CALL = 1 << 12
SHARE_FULL = 0.7
"""Of the memory: what takes more is forgotten at the next decision."""
ROOTS_ROOM = 8
"""Largest number of roots, as a multiple of the positions drawn: of the last subgame more may stay."""
WALKS_A_POSITION, FIRST_POSITIONS, FEWEST_POSITIONS = 128, 32, 8
"""So many positions are drawn that each gets so many walks, if the last decision says how many there will be; before
the first one; and at least."""
EVEN_SHARE = 0.5
"""Share of the even distribution in the prior of the opponent's information states."""
LEAST_PROBABILITY = 0.05
"""Of an action, in the last strategy and on average: others are not stable, and purified away."""
TINY = 1e-300
_NONE: I64 = np.zeros(0, np.int64)


class ObscuroSearch:
    """Searches one game from what one player considers possible; call `seed` and `begin` first.

    Args:
        native: a game of two players and constant sum.
        settings: of the player.
    """

    def __init__(self, native: NativeGame, settings: ObscuroSettings) -> None:
        self._native = native
        self._settings = settings
        self._model = new_model(native)
        memory = memory_bytes(settings.memory)
        self.table: InfosetTable = new_infoset_table(memory // 2, FIELDS)
        self.subgame = new_subgame(memory // 2, native.shape)
        self.gadget = new_gadget(ROOTS_ROOM * settings.positions, settings.resolve)
        self._work = new_growth(native.shape)
        self._leaf = leaf_options(settings)
        self._options = WalkOptions(settings.c, settings.playouts, settings.amaf)
        self._place: I64 = np.zeros(self.subgame.value.size, np.int64)
        self._rng = np.random.default_rng(1)
        self._walked_before = 0
        self._positions = 1

    @property
    def trees(self) -> Sequence[InfosetTable]:
        """Its table of information states."""
        return (self.table,)

    @property
    def iterations(self) -> int:
        """Units of work since `seed`: walks, and parts of passes that take about as long."""
        return int(self.subgame.units[0])

    @property
    def settled(self) -> bool:
        """Whether more iterations would change nothing: never."""
        return False

    def seed(self, word: int) -> None:
        """Seed the generators with a 64-bit word that is not 0."""
        self._rng = np.random.default_rng(word)
        self._work.base.rng[0] = word
        self.subgame.units[0] = 0

    def prepare(self) -> None:
        """Load every kernel, and touch the first memory, before a clock runs."""
        touch(self.table.words, TOUCHED_WORDS)
        for array in (self.subgame.states, self.subgame.keys, self.subgame.value, self._place):
            touch(array, TOUCHED_WORDS)
        self.begin()
        self.run(1)
        roots = initial_roots(self._native)
        self._set_roots(roots.states, roots.keys, np.ones(1), 0)
        self.strategy(roots.keys[0], 0, np.zeros(1, np.int64))
        self.begin()

    def begin(self) -> None:
        """Forget everything, and search from the beginning of the game."""
        clear(self.table)
        self._role = 0
        roots = initial_roots(self._native)
        next_epoch(self.table)
        forget_nodes(self.subgame)
        self.subgame.walked[0] = 0
        self._walked_before = 0
        self._positions = min(FIRST_POSITIONS, self._settings.positions)
        self._set_roots(roots.states, roots.keys, np.ones(1), 0)

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:  # noqa: ARG002
        """Search the subgame of some positions; what was learned of them and below them is kept.

        Args:
            roots: the world states that a player considers possible.
            histories: their histories.
            role: the player.
        """
        self._role = role
        probability = np.diff(roots.cumulative, prepend=0.0)
        self._set_roots(roots.states, roots.keys, probability / probability.sum(), role)

    def _set_roots(self, states: I64_2D, keys: U64_2D, probability: F64, role: int) -> None:
        """Make the subgame of some positions, `[R]` of them."""
        game, gadget, opponent = self.subgame, self.gadget, 1 - role
        if walks := int(game.walked[0]) - self._walked_before:
            wished = max(walks // WALKS_A_POSITION, FEWEST_POSITIONS)
            self._positions = min(wished, self._settings.positions)
        self._walked_before = int(game.walked[0])
        wanted, group = np.unique(keys[:, KEY_WORDS * opponent :][:, :KEY_WORDS], axis=0, return_inverse=True)
        group = group.reshape(-1)
        last, kept, kept_group = self._keep(role, keys[0, KEY_WORDS * role :][:KEY_WORDS].copy(), wanted)
        place = self._places(states, keys, kept)
        drawn = self._drawn(probability, place)
        played = int(game.links[LINKS * kept[0] + DECISIONS + role]) if kept.size else 0
        first = plant(self._model, game, self._work, self._leaf, self._options, states[drawn], keys[drawn], played)
        assert first != NONE, "there is room for roots: what takes more than a share of the memory is forgotten"
        nodes = np.concatenate((kept, first + np.arange(drawn.size)))
        groups, inverse = np.unique(np.concatenate((kept_group, group[drawn])), return_inverse=True)
        fits = np.concatenate((np.where(place >= 0, probability[place], 0.0), probability[drawn]))
        weight = fits.copy()
        weight[: kept.size] = _calibrated(fits[: kept.size], game.others[kept], inverse[: kept.size], groups.size)
        gadget.roots[0], gadget.groups[0] = nodes.size, groups.size
        gadget.opponent[0], gadget.forced[0] = opponent, last is None
        gadget.root[: nodes.size] = nodes
        gadget.group[: nodes.size] = inverse
        gadget.weight[: nodes.size] = weight / np.maximum(_sums(inverse, weight, groups.size), TINY)[inverse]
        prior = _sums(inverse, fits, groups.size)
        prior /= prior.sum()
        if last is not None:
            prior = EVEN_SHARE / groups.size + (1.0 - EVEN_SHARE) * prior
            worth = _sums(inverse, gadget.weight[: nodes.size] * share_of_all(game.value[nodes], opponent), groups.size)
            gadget.alternative[: groups.size] = last.alternatives(groups, worth)
        gadget.prior[: groups.size] = prior
        open_gadget(gadget)
        game.stage[0] = game.position[0] = game.walks[0] = game.sweeps[0] = 0

    def _keep(self, role: int, key: U64, wanted: U64_2D) -> tuple[LastSubgame | None, I64, I64]:
        """Keep what belongs to the next subgame of the present one.

        Returns:
            What the present one says of the opponent's information states, None if there is none; the roots that stay;
            the opponent's information states there, as places in `wanted`.
        """
        game, table, gadget = self.subgame, self.table, self.gadget
        if game.expansions[0] == 0:
            return None, _NONE, _NONE
        evaluate(game, table, gadget, 1 - role)
        before = slice(0, int(gadget.roots[0]))
        shares = gadget.weight[before] * gadget.prior[gadget.group[before]]
        roots: I64 = np.zeros((ROOTS_ROOM - 1) * self._settings.positions, np.int64)
        groups = np.zeros_like(roots)
        count = find_roots(game, table, role, key, wanted.reshape(-1), roots, groups)
        most = (ROOTS_ROOM - 1) * self._positions
        chosen = np.sort(np.argsort(-game.others[roots[:count]], kind="stable")[:most])
        roots, groups, count = roots[chosen], groups[chosen], int(chosen.size)
        values = share_of_all(game.value[roots], 1 - role)
        last = LastSubgame(
            _sums(groups, game.others[roots], wanted.shape[0]),
            _sums(groups, game.others[roots] * values, wanted.shape[0]),
            float(shares @ share_of_all(game.value[gadget.root[before]], 1 - role)),
        )
        full = table.counters[WORDS] > SHARE_FULL * table.words.size
        if full:
            clear(table)
        next_epoch(table)
        if count == 0 or full or game.nodes[0] > SHARE_FULL * game.value.size:
            forget_nodes(game)
            return last, _NONE, _NONE
        keep(game, table, self._native.shape.state_words, roots, count, self._place)
        return last, roots, groups

    def _places(self, states: I64_2D, keys: U64_2D, kept: I64) -> I64:
        """Return which of some positions each kept root is, -1 for one that does not fit."""
        if kept.size == 0:
            return _NONE
        words = self._native.shape.state_words
        known = {states[place].tobytes() + keys[place].tobytes(): place for place in range(states.shape[0])}
        rows = zip(
            self.subgame.states[: (kept[-1] + 1) * words].reshape(-1, words)[kept],
            self.subgame.keys[: (kept[-1] + 1) * 2 * KEY_WORDS].reshape(-1, 2 * KEY_WORDS)[kept],
            strict=True,
        )
        return np.array([known.get(state.tobytes() + key.tobytes(), -1) for state, key in rows], np.int64)

    def _drawn(self, probability: F64, place: I64) -> I64:
        """Draw positions that are no roots yet, without replacement, as many as are wanted."""
        fresh: I64 = np.setdiff1d(np.arange(probability.size), place)
        most = max(self._positions - int((place >= 0).sum()), int(fresh.size == probability.size))
        if fresh.size <= most:
            return fresh
        # the greatest sums of a logarithm and a Gumbel variable are such a draw
        scores = np.log(np.maximum(probability[fresh], TINY)) + self._rng.gumbel(size=fresh.size)
        return np.sort(fresh[np.argpartition(-scores, most)[:most]])

    def run(self, iterations: int) -> None:
        """Run units of work without the GIL; interrupts are noticed between calls of the kernel."""
        for part in calls(iterations, UNITS_A_CALL):
            search(
                self._model,
                self.subgame,
                self.table,
                self.gadget,
                self._work,
                self._leaf,
                self._options,
                part,
            )

    def weight(self, keys: U64, player: int, legal: I64) -> float:
        """Return the weight of all strategies that were averaged at an information state."""
        infoset = int(find_node(self.table, keys, KEY_WORDS * player, player, legal, legal.size))
        return float(action_numbers(self.table, infoset, SUM, legal.size).sum()) if infoset != NO_NODE else 0.0

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:
        """Return the final strategy of a player in an information state, over its legal actions in ascending order."""
        infoset = int(find_node(self.table, keys, KEY_WORDS * player, player, legal, legal.size))
        if infoset == NO_NODE:
            return np.full(legal.size, 1.0 / legal.size)
        last, average = (action_numbers(self.table, infoset, field, legal.size).copy() for field in (CURRENT, SUM))
        total = float(average.sum())
        if total <= 0.0:
            return last
        average /= total
        if self._settings.final == "average":
            return average
        return last if self._settings.final == "last" else purified(last, average, self._settings.actions)


class LastSubgame(Struct, frozen=True):
    """What the opponent's information states were worth in the last subgame.

    Attributes:
        reach: `[G]` how probable chance and the searching player made those of their histories that stay; 0: none does.
        value: `[G]` what these were worth to the opponent, times `reach`.
        worth: what the whole subgame was worth to the opponent.
    """

    reach: F64
    value: F64
    worth: float

    def alternatives(self, groups: I64, valued: F64) -> F64:
        """Return what some information states are worth elsewhere.

        Args:
            groups: `[H]` which.
            valued: `[H]` what their positions are worth as leaves: what is new counts as no less than that, and no
                less than the whole subgame.
        """
        reach = self.reach[groups]
        return np.where(reach > 0.0, self.value[groups] / np.maximum(reach, TINY), np.maximum(valued, self.worth))


def purified(last: F64, average: F64, most: int) -> F64:
    """Return a strategy of few actions: the most probable ones of the last, if they were played on average, too.

    Args:
        last: `[k]` the last strategy.
        average: `[k]` of all passes.
        most: actions at most.
    """
    stable = (last >= LEAST_PROBABILITY) & (average >= LEAST_PROBABILITY)
    if not stable.any():
        stable = average == average.max()
    scores = np.where(stable, average, 0.0)
    scores[np.argsort(-scores, kind="stable")[most:]] = 0.0
    return np.asarray(scores / scores.sum())


def share_of_all(values: F64, player: int) -> F64:
    """Return a player's scaled utilities where the first player's are `values`."""
    return 1.0 - values if player else values


def _sums(group: I64, numbers: F64, groups: int) -> F64:
    """Return the sum of the numbers of each group."""
    return np.asarray(np.bincount(group, numbers, groups), np.float64)


def _calibrated(fits: F64, reach: F64, group: I64, groups: int) -> F64:
    """Return the weights of kept roots: a belief's probability, or in proportion to it where the player knows better.

    Args:
        fits: `[R]` the probability of those that fit, 0 of others.
        reach: `[R]` by chance and the player, in the last subgame.
        group: `[R]` of the opponent's information states.
        groups: their number.
    """
    fitting = fits > 0.0
    scale = _sums(group, fits, groups) / np.maximum(_sums(group, np.where(fitting, reach, 0.0), groups), TINY)
    return np.where(fitting, fits, reach * np.minimum(scale, 1.0 / TINY)[group])


KERNELS = search, evaluate, plant, open_gadget, find_roots, keep, find_node
FAMILY = HiddenSearches(ObscuroSearch, KERNELS, frequencies=SUM, plans=True)
