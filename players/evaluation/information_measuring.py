"""How far players are from an equilibrium in games with hidden information, or when they search again at every move.

Strategies are read by information state and measured over the whole game, see `ggp.solvers.sequence_form`. They come
from one search at the beginning of the game, from full stitching, or from the aggregate of many matches
(`stitched_strategies.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.rules_compiler.loading import load
from ggp.solvers.sequence_form.best_responses import Response, responses, strategies_of_plans, uniform
from ggp.solvers.sequence_form.bundled_unfolding import sequence_form_of
from ggp.solvers.sequence_form.linear_program import solve_linear_program
from ggp.solvers.sequence_form.regret_minimisation import METHODS, RegretMinimiser, minimise
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from ggp.solvers.sequence_form.unfolding import TreeLimits
from ggp.solvers.worlds.exploitability import Exploitability
from players.evaluation.stitched_strategies import Stitcher, Thought
from players.player_options import NotApplicable

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64
    from ggp.game.game import Game
    from ggp.native.interface import NativeGame
    from players.agents.agent import TellingAgent
    from players.agents.registry import PlayerSpec
    from players.search.information_sets.hidden_search import HiddenSearch

FROM_THE_ROOT, STITCHED, AGGREGATE = "root", "stitched", "matches"
"""The ways to get strategies."""
PROGRAM_SIZE = 50_000
"""Sequences and payoff entries up to which the value of the game comes from the linear program."""
VALUE_S, VALUE_GAP = 20.0, 1e-4
"""Beyond that it comes from this many seconds of predictive CFR+, or until NashConv is this share of the range."""

SLICE_S, FIRST_SLICE = 0.01, 64


class InformationMeter:
    """Measures strategies of all players in one game; everything that depends only on the game is computed once."""

    def __init__(self, tree: SequenceFormTree) -> None:
        self.tree = tree
        self._sum = tree.utility_sum if tree.players == 2 else None
        self._value = 0.0 if self._sum is None else value_of(tree)

    def loss_of_search(self, search: HiddenSearch | None) -> Generator[float, None, Exploitability]:
        """Return how much the strategies of a search lose, of None the uniform ones; see `loss`. Yields nothing."""
        yield from ()
        return self.loss(uniform(self.tree) if search is None else strategies_of_search(self.tree, search))

    def loss(self, strategies: F64) -> Exploitability:
        """Return how much strategies lose to best responses, relative to the value of the game, maybe approximate.

        Where the game has no value, since it is not for two players or not of constant sum: what each player gains.
        """
        found: Response = responses(self.tree, strategies)
        if self._sum is None:
            return Exploitability(found.gains)
        first = self._value - (self._sum - found.best[1])
        return Exploitability((first, found.best[0] - self._value))


class WalkingMeter:
    """Measures strategies in one game that is too large for `InformationMeter`; see `walked_strategies.py`."""

    def __init__(self, native: NativeGame, memory_bytes: int) -> None:
        self._native = native
        self._memory_bytes = memory_bytes

    def loss_of_search(self, search: HiddenSearch | None) -> Generator[float, None, Exploitability]:
        """Return what each player's best response gains over its own strategy, given to the other as its loss.

        Without the value of the game, the losses are relative to the result of the strategies against each other; their
        sum is the same. Yields now and then the share of the work that is done.

        Raises:
            NotApplicable: the search has several trees.
            GgpError: best responses cannot be computed.
        """
        from ggp.native.infoset_table import new_infoset_table
        from players.evaluation.walked_strategies import walked_responses
        from players.search.information_sets.information_search import InformationSearch, frozen_search

        if search is not None and not isinstance(search, InformationSearch):
            raise NotApplicable("in a game so large only a search with one thread can be measured")
        frozen = new_infoset_table(0, 1) if search is None else frozen_search(search)
        first, second = (yield from walked_responses(self._native, frozen, self._memory_bytes)).gains
        return Exploitability((second, first))


def value_of(tree: SequenceFormTree) -> float:
    """Return the value of a game to its first player, exact if that is quick."""
    if tree.sequences + tree.entries <= PROGRAM_SIZE:
        return solve_linear_program(tree).value
    value = 0.0
    for stand in minimise(RegretMinimiser(tree, METHODS["pcfr+"]), VALUE_S, nash_conv=VALUE_GAP * tree.utility_range):
        value = stand.value
    return value


@cache
def measured_tree(
    game: str, parameters: tuple[tuple[str, str], ...], limits: TreeLimits
) -> tuple[Game, InformationMeter]:
    """Return a game and a meter of strategies in it, cached in this process.

    Raises:
        GgpError: the game cannot be measured.
    """
    loaded = load(game, **dict(parameters))
    return loaded, InformationMeter(sequence_form_of(loaded.native(), limits))


def check_measurable(spec: PlayerSpec, way: str) -> None:
    """Refuse a player whose strategies cannot be read in this way.

    Raises:
        NotApplicable: they cannot.
    """
    if way == FROM_THE_ROOT and spec.kind.searches and not (spec.kind.hidden_module and spec.kind.hidden_family.plans):
        raise NotApplicable(
            f"`{spec.kind.name}` keeps no strategies by information state: measure it with --online stitched"
        )
    if way != FROM_THE_ROOT:
        telling_agent(spec)


def telling_agent(spec: PlayerSpec) -> TellingAgent:
    """Return an agent that reports the strategy by which it chooses.

    Raises:
        NotApplicable: it does not.
    """
    agent = spec.make_agent()
    if not (hasattr(agent, "last_strategy") and hasattr(agent, "plan")):
        raise NotApplicable(f"`{spec.kind.name}` does not report the strategy by which it chooses")
    return cast("TellingAgent", agent)


def searched_from_root(
    native: NativeGame, spec: PlayerSpec, points: Sequence[float], by_time: bool, word: int
) -> Iterator[tuple[int, float, HiddenSearch | None]]:
    """Yield iterations, seconds and one search from the beginning of the game, at each point.

    Args:
        native: the game.
        spec: the player; one without a search plays uniformly, which None stands for.
        points: ascending: iterations, or seconds.
        by_time: whether points are seconds.
        word: seeds the search.
    """
    if not spec.kind.hidden_module:
        for point in points:
            yield (0, point, None) if by_time else (int(point), 0.0, None)
        return
    search = spec.kind.hidden_family.make_hidden_search(native, spec.settings)
    search.prepare()
    search.seed(word)
    search.begin()
    spent = 0.0
    for point in points:
        spent = run_to(search.run, search.iterations, point, by_time, spent)
        yield search.iterations, spent, search


def strategies_of_search(tree: SequenceFormTree, search: HiddenSearch) -> F64:
    """Return the final strategies of a search at all information states, uniform if it has none."""
    strategies, keys = uniform(tree), np.zeros(2 * tree.players, np.uint64)
    for player in range(tree.players):
        for number in tree.own_sets(player):
            place = tree.sequences_at(number)
            keys[2 * player : 2 * player + 2] = tree.key[number]
            strategies[place] = search.strategy(keys, player, tree.action[place])
    return strategies


def run_to(run: Callable[[int], None], made: int, point: float, by_time: bool, spent: float) -> float:
    """Search up to a point: so many seconds in all, of which some are spent, or iterations, of which some are made.

    Returns:
        The seconds so far.
    """
    if not by_time:
        began = time.perf_counter()
        run(int(point) - made)
        return spent + time.perf_counter() - began
    batch = FIRST_SLICE
    while spent < point:
        began = time.perf_counter()
        run(batch)
        took = time.perf_counter() - began
        spent += took
        batch = max(1, int(batch * min(4.0, min(SLICE_S, point - spent) / max(took, 1e-9))))
    return spent


def stitched_strategies(
    game: Game, tree: SequenceFormTree, spec: PlayerSpec, thought: Thought, matches: int | None, word: int
) -> tuple[float, F64]:
    """Return the mean seconds of a decision, and the stitched strategies of a player in each role.

    Args:
        game: the game.
        tree: of the same game.
        spec: the player.
        thought: of each move.
        matches: of the aggregate, in each role; None for full stitching.
        word: seeds everything.
    """
    plan, seconds, decisions = np.zeros(tree.sequences), 0.0, 0
    for role in range(tree.players):
        stitcher = Stitcher(game, tree, telling_agent(spec), role, thought)
        if matches is None:
            stitcher.stitch_all(word)
        else:
            for match in range(matches):
                stitcher.add_match(seed_word(word, match))
        plan += stitcher.plan
        seconds += stitcher.seconds
        decisions += stitcher.decisions
    return seconds / max(decisions, 1), strategies_of_plans(tree, plan)
