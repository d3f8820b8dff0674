"""How far a player's strategies are from an equilibrium after more and more search: the points of a curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ggp.arithmetic.rng import seed_word
from ggp.rules_compiler.loading import load
from ggp.solvers.sequence_form.unfolding import TreeLimits
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.exploitability import Exploitability, ExploitabilityMeter
from ggp.solvers.worlds.exploration import GameTooLarge, Limits, NotSolvable, explore_game
from ggp.solvers.worlds.state_graph import ROOT, GameGraph
from ggp.solvers.worlds.strategy_trees import strategy_tree
from players.agents.registry import PlayerSpec, read_player
from players.evaluation.information_measuring import (
    AGGREGATE,
    FROM_THE_ROOT,
    InformationMeter,
    WalkingMeter,
    check_measurable,
    measured_tree,
    run_to,
    searched_from_root,
    stitched_strategies,
)
from players.evaluation.stitched_strategies import Thought
from players.player_options import NotApplicable

if TYPE_CHECKING:
    from ggp.game.game import Game
    from players.search.foundation.searches import ReadableSearch

DEFAULT_LIMITS = Limits()


class Measurement(Struct, frozen=True):
    """The strategies of one run at one point.

    Attributes:
        iterations: so far; if each role has its own search, of the one with fewer.
        seconds: of search so far, without measuring; with two searches their mean.
        loss: to best responses.
        walked: whether these were found by a walk through the game, so that losses by player are relative to the
            result of the strategies against each other.
    """

    iterations: int
    seconds: float
    loss: Exploitability
    walked: bool = False


class Course(Struct, frozen=True):
    """A measurement of a player in a game, as plain data that can be sent to another process.

    Attributes:
        game: a rules file, or the name of a library game.
        parameters: of the game, each a name and a value.
        player: such as `rm:gamma=0.1`.
        points: ascending: where to measure, in iterations, or in seconds of search.
        by_time: whether points are seconds.
        depth: None for full best responses, else the d of Ex_d.
        way: where strategies come from: FROM_THE_ROOT, STITCHED or AGGREGATE of `information_measuring.py`. Except from
            the root, points are the player's limits for each move.
        matches: of the aggregate, in each role.
        walked: whether best responses are found by a walk through the game, which is then not held in memory.
    """

    game: str
    parameters: tuple[tuple[str, str], ...]
    player: str
    points: tuple[float, ...]
    by_time: bool = False
    depth: int | None = None
    way: str = FROM_THE_ROOT
    matches: int = 500
    walked: bool = False

    @property
    def by_information_states(self) -> bool:
        """Whether strategies are read by information state, and not by world state."""
        game = load(self.game, **dict(self.parameters))
        return self.way != FROM_THE_ROOT or not (game.perfect_information and has_value(game))


def has_value(game: Game) -> bool:
    """Return whether all equilibria of a game are worth the same to a player: two share a constant sum."""
    return len(game.players) == 2 and game.constant_sum


def checked_player(course: Course) -> PlayerSpec:
    """Return the player of a course; its game is compiled.

    Raises:
        NotApplicable: it cannot play the game, or its strategies cannot be read.
        NotSolvable: Ex_d is not defined for the game.
        GgpError: the game or the player is unknown or has errors.
    """
    spec = read_player(course.player)
    game = load(course.game, **dict(course.parameters))
    spec.check(game)
    if getattr(spec.settings, "estimate", ""):
        raise NotApplicable("exploitability is measured by the estimate of the rules: leave out `estimate`")
    if course.by_information_states:
        if course.depth is not None:
            raise NotSolvable(
                "Ex_d is defined over world states, for two players of constant sum; here there are full responses only"
            )
        check_measurable(spec, course.way)
        return spec
    if not spec.kind.module and spec.kind.searches:
        raise NotApplicable(f"`{spec.kind.name}` can only be measured by its moves: use --online stitched")
    if spec.kind.module:
        spec.kind.family.make_readable(spec.native(game), spec.settings)
    return spec


def compile_measuring(course: Course) -> None:
    """Compile or load all kernels that a course needs, by measuring its player in a tiny game.

    Call it in one process before several measure, since each of them would compile the kernels.
    """
    game = load(course.game, **dict(course.parameters))
    shown = game.perfect_information and (has_value(game) or course.way != FROM_THE_ROOT)
    tiny = (("n", "2"), ("bids", "shown" if shown else "hidden"))
    tried = replace(course, game="goofspiel", parameters=tiny, points=(1.0,), by_time=False, depth=None, matches=1)
    for _ in measured_run(tried, 0, 0):
        pass


def measured_run(course: Course, seed: int, run: int) -> Iterator[Measurement]:
    """Yield a measurement at each point of one run; see `measured_parts`."""
    return (found for found in measured_parts(course, seed, run) if isinstance(found, Measurement))


def measured_parts(
    course: Course, seed: int, run: int, limits: Limits = DEFAULT_LIMITS
) -> Iterator[Measurement | float]:
    """Yield a measurement at each point of one run, and before it, if it takes long, the shares of it that are done.

    Args:
        course: what to measure.
        seed: of all runs.
        run: number of this one, from 0; with the seed it fixes the player's draws.
        limits: how large the game may be.

    Raises:
        GgpError: the game cannot be solved, or the player cannot play it.
    """
    if course.by_information_states:
        yield from _by_information_states(course, seed_word(seed, run), limits)
        return
    graph, meter = measured_game(course.game, course.parameters, course.depth, limits)
    word = seed_word(seed, run)
    yield from search_and_measure(graph, meter, checked_player(course), course.points, course.by_time, word)


def _by_information_states(course: Course, word: int, limits: Limits) -> Iterator[Measurement | float]:
    """Yield a measurement at each point, of strategies by information state, and the shares of it that are done."""
    spec = checked_player(course)
    if course.way == FROM_THE_ROOT:
        game = load(course.game, **dict(course.parameters))
        root_meter = _meter_of_searches(course, game, limits)
        for iterations, seconds, search in searched_from_root(game.native(), spec, course.points, course.by_time, word):
            loss = yield from root_meter.loss_of_search(search)
            yield Measurement(iterations, seconds, loss, isinstance(root_meter, WalkingMeter))
        return
    game, meter = measured_tree(course.game, course.parameters, TreeLimits(limits.states, limits.memory_bytes))
    matches = course.matches if course.way == AGGREGATE else None
    for place, point in enumerate(course.points):
        thought = Thought(seconds=point) if course.by_time else Thought(iterations=int(point))
        seconds, strategies = stitched_strategies(game, meter.tree, spec, thought, matches, seed_word(word, place))
        yield Measurement(0 if course.by_time else int(point), seconds, meter.loss(strategies))


def _meter_of_searches(course: Course, game: Game, limits: Limits) -> InformationMeter | WalkingMeter:
    """Return what measures a course: a walk if it asks for that, or if the game turns out not to fit into memory."""
    if not course.walked:
        try:
            return measured_tree(course.game, course.parameters, TreeLimits(limits.states, limits.memory_bytes))[1]
        except GameTooLarge:
            if limits.states < DEFAULT_LIMITS.states or not has_value(game):
                raise
    return WalkingMeter(game.native(), limits.memory_bytes)


@cache
def measured_game(
    game: str, parameters: tuple[tuple[str, str], ...], depth: int | None, limits: Limits = DEFAULT_LIMITS
) -> tuple[GameGraph, ExploitabilityMeter]:
    """Return a solved game and a meter of strategies in it, cached in this process."""
    return solved(game, dict(parameters), depth, limits)


def solved(
    game: str, parameters: Mapping[str, str], depth: int | None = None, limits: Limits = DEFAULT_LIMITS
) -> tuple[GameGraph, ExploitabilityMeter]:
    """Return a game with all its states, solved, and a meter of strategies in it.

    Raises:
        GgpError: the game cannot be solved.
    """
    graph = explore_game(load(game, **parameters).native(), limits)
    components = order_components(graph.graph)
    return graph, ExploitabilityMeter(optimal_values(graph, components), components, depth)


def search_and_measure(
    graph: GameGraph, meter: ExploitabilityMeter, spec: PlayerSpec, points: Sequence[float], by_time: bool, word: int
) -> Iterator[Measurement]:
    """Search from the initial state and yield a measurement at each point.

    Args:
        graph: the game.
        meter: of the same game.
        spec: the player; one without a search plays uniformly, one that searches for one role does so for each.
        points: ascending: iterations, or seconds.
        by_time: whether points are seconds.
        word: seeds the search.
    """
    if not spec.kind.module:
        for point in points:
            nothing = 0 if by_time else int(point)
            yield Measurement(nothing, point if by_time else 0.0, meter.of_tree(strategy_tree(graph, ())))
        return
    family = spec.kind.family
    searches = [
        _ready(family.make_readable(graph.native, spec.settings), graph, role, word)
        for role in range(2 if family.for_one_role else 1)
    ]
    spent = [0.0] * len(searches)
    for point in points:
        for number, search in enumerate(searches):
            run = search.run_units if by_time else search.run
            spent[number] = run_to(run, search.iterations, point, by_time, spent[number])
        iterations = min(search.iterations for search in searches)
        yield Measurement(iterations, sum(spent) / len(spent), _loss(meter, graph, searches))


def _ready(search: ReadableSearch, graph: GameGraph, role: int, word: int) -> ReadableSearch:
    """Return a search for a role at the initial state, its kernels compiled or loaded before a clock runs."""
    root = graph.state_words(ROOT).copy()
    search.take_role(role)
    search.seed(word)
    search.set_root(root)
    search.run(1)
    search.seed(word)
    search.set_root(root)
    return search


def _loss(meter: ExploitabilityMeter, graph: GameGraph, searches: Sequence[ReadableSearch]) -> Exploitability:
    """Return how much the strategies of one search lose in both roles, or those of two searches each in its own."""
    losses = [meter.of_tree(search.strategies_in(graph)) for search in searches]
    return Exploitability((losses[0].by_player[0], losses[-1].by_player[1]))
