"""Play of games that hide nothing, where what a player does depends on the world state alone, however it was reached.

Optimal play is found by backward induction over world states, so histories that lead to the same one are solved once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from ggp.errors import GgpError
from ggp.game.actions import Action, PlayerName
from ggp.game.game import Game
from ggp.game.history import History, InformationState
from ggp.game.state import State
from ggp.solvers.sequence_form.best_responses import Response
from ggp.solvers.sequence_form.strategy_files import write_strategies
from ggp.solvers.worlds.backward_induction import (
    StateValues,
    equilibrium_profile,
    optimal_values,
    value_states,
    with_response,
)
from ggp.solvers.worlds.components import Components, order_components
from ggp.solvers.worlds.exploration import Limits, Progress, explore_game
from ggp.solvers.worlds.profiles import StrategyProfile, uniform_profile
from ggp.solvers.worlds.state_graph import NO_STATE, GameGraph
from ggp.solvers.worlds.state_records import profile_of_records, state_records
from ggp.solvers.worlds.valuation import BOTH_FIXED, FIRST_RESPONDS, SECOND_RESPONDS


class StateStrategy(Struct, frozen=True):
    """Strategies of all players in every world state, optimal ones or best responses, reached by such play or not.

    It is a function of a history and a player, so it may stand wherever a strategy is asked for; `strategy_of` makes a
    `Strategy` of it, with a table, if the game is small enough to be unfolded. Pickled, it is the game, of which
    optimal play is found again.

    Attributes:
        game: the game.
        values: of all its states under such play.
        profile: what the players do in them; where one player acts, all optimal actions are equally probable.
        components: of the graph of states.
        is_optimal: whether all play optimally.
    """

    game: Game
    values: StateValues
    profile: StrategyProfile
    components: Components
    is_optimal: bool = True

    def __repr__(self) -> str:
        return f"<strategy of {self.game!r}: {self.values.game.states:,} states>"

    def __reduce__(self) -> tuple[object, ...]:
        return (solve_states, (self.game,)) if self.is_optimal else (_with_profile, (self.game, *self.profile))

    def __call__(self, history: History, player: int) -> list[float]:
        """Return the probability of each legal action of a player after a history."""
        return list(self.at_state(history.state, player).values())

    def at(self, known: InformationState) -> dict[Action, float]:
        """Return what the player of an information state plays there: each legal action's probability.

        Raises:
            GgpError: the player does not act with this information state.
        """
        return self.at_state(known.sample(Random(0)).state, known.player)

    def at_state(self, state: State, player: PlayerName) -> dict[Action, float]:
        """Return what a player plays in a state: each legal action's probability.

        Raises:
            GgpError: the player does not act there, or play cannot reach it.
        """
        number, who = self._number(state), self.game.player(player)
        if who not in state.actors():
            raise GgpError(f"{self.game.players[who]} does not act in this state: {state}")
        shares = self.profile.of(who, number).tolist()
        return dict(zip(state.legal(who), shares, strict=True))

    def value(self, state: State) -> tuple[float, ...]:
        """Return what a state is worth to each player under such play.

        Raises:
            GgpError: play cannot reach it.
        """
        return self.values.to_players(self._number(state))

    def save(self, path: str | Path, facts: Mapping[str, Any] | None = None) -> None:
        """Write it to a file, which plays (`ggp match GAME FILE PLAYER`) and is measured (`ggp exploit GAME FILE`).

        Args:
            path: of the file.
            facts: what else it says, such as how the strategy was found.

        Raises:
            OSError: it cannot be written.
        """
        records = state_records(self.game, self.values.game, self.profile)
        write_strategies(Path(path), self.game, facts or {}, records, by_states=True)

    def _number(self, state: State) -> int:
        if not isinstance(state, State):
            raise TypeError(f"{state!r} is no state; a history has one, `history.state`")
        number = self.values.game.find(state.words) if state.game == self.game else NO_STATE
        if number == NO_STATE:
            raise GgpError(f"play of {self.game.name} does not reach this state: {state}")
        return number


def solve_states(game: Game, progress: Progress | None = None) -> StateStrategy:
    """Solve a game of one player, or of two with constant sum, that hides nothing; `progress` is called now and then.

    Raises:
        NotSolvable: it is another game.
        GameTooLarge: it has too many states.
        EndlessPlay: play can go on for ever, and the rules give endless play no payoff.
    """
    graph = explore_game(game.native(), progress=progress)
    components = order_components(graph.graph)
    values = optimal_values(graph, components, progress)
    return StateStrategy(game, values, equilibrium_profile(values, progress), components)


def saved_states(
    game: Game,
    records: Iterable[Mapping[str, Any]],
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> StateStrategy:
    """Return the strategy of a file over world states, given its records; `progress` is called now and then.

    Raises:
        BadProbabilities: they are no strategy of the game.
        NotSolvable: the game is none that `solve_states` takes.
        GameTooLarge: it has too many states.
        EndlessPlay: play can go on for ever, and the rules give endless play no payoff.
    """
    graph = explore_game(game.native(), limits, progress)
    return _of_profile(game, graph, profile_of_records(game, graph, records))


def _with_profile(game: Game, *profile: Any) -> StateStrategy:
    """Return a strategy that was pickled; the states are found again, in the same order."""
    return _of_profile(game, explore_game(game.native()), StrategyProfile(*profile))


def _of_profile(game: Game, graph: GameGraph, profile: StrategyProfile) -> StateStrategy:
    components = order_components(graph.graph)
    return StateStrategy(game, value_states(graph, BOTH_FIXED, profile, components), profile, components, False)


def best_state_response(game: Game, strategy: StateStrategy | None, player: int) -> tuple[float, StateStrategy]:
    """Return the value of a player's best response to a strategy, and the strategy with it in the player's place.

    All best actions are equally probable.

    Args:
        game: that `solve_states` takes.
        strategy: of it; None: the uniform one.
        player: who responds.

    Raises:
        GameTooLarge: it has too many states.
        EndlessPlay: play can go on for ever, and the rules give endless play no payoff.
    """
    if strategy is None:
        graph = explore_game(game.native())
        profile, components = uniform_profile(graph), order_components(graph.graph)
    else:
        graph, profile, components = strategy.values.game, strategy.profile, strategy.components
    values = value_states(graph, (FIRST_RESPONDS, SECOND_RESPONDS)[player], profile, components)
    answer = with_response(values, profile, player)
    return values.to_players()[player], StateStrategy(game, values, answer, components, False)


def state_responses(strategy: StateStrategy, progress: Progress | None = None) -> Response:
    """Return the utilities of the strategies against each other, and of best responses to them."""
    return responses_to(strategy.values.game, strategy.profile, strategy.components, progress)


def uniform_responses(game: Game) -> Response:
    """Return the utilities of uniform play, and of best responses to it, in a game that `solve_states` takes.

    Raises:
        GameTooLarge: it has too many states.
        EndlessPlay: play can go on for ever, and the rules give endless play no payoff.
    """
    graph = explore_game(game.native())
    return responses_to(graph, uniform_profile(graph), order_components(graph.graph))


def is_solved_by_states(game: Game) -> bool:
    """Return whether `solve_states` takes a game, if it is small enough."""
    native = game.native()
    return game.perfect_information and native.shape.players <= 2 and (native.shape.players == 1 or native.constant_sum)


def responses_to(
    graph: GameGraph, profile: StrategyProfile, components: Components, progress: Progress | None = None
) -> Response:
    """Return the utilities of the strategies of a profile against each other, and of best responses to them."""

    def worth(mode: int) -> StateValues:
        return value_states(graph, mode, profile, components, progress)

    modes = (FIRST_RESPONDS, SECOND_RESPONDS)[: graph.players]
    best = [worth(mode).to_players()[player] for player, mode in enumerate(modes)]
    return Response(worth(BOTH_FIXED).to_players(), tuple(best))
