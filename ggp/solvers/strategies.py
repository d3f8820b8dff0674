"""Solving games and measuring strategies, for people who write Python: `ggp.solve`, `ggp.exploitability` and the rest.

S is the number of sequences of a game: for each information state its legal actions, and an empty one for each player.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from inspect import signature
from pathlib import Path
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import F64
from ggp.errors import GgpError
from ggp.game.actions import Action, PlayerName, integer
from ggp.game.game import Game, check_is_game
from ggp.game.history import History, InformationState
from ggp.solvers.methods import (
    BACKWARD_INDUCTION,
    BEST_RESPONSE,
    LINEAR_PROGRAM,
    SMALL_ENOUGH,
    default_method,
)
from ggp.solvers.sequence_form import best_responses
from ggp.solvers.sequence_form.best_responses import BadProbabilities, Response, distribution, responses, uniform
from ggp.solvers.sequence_form.bundled_unfolding import sequence_form_of
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader
from ggp.solvers.sequence_form.linear_program import Equilibrium, optimum_of_one, solve_linear_program
from ggp.solvers.sequence_form.regret_minimisation import METHODS, RegretMinimiser, minimise
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from ggp.solvers.sequence_form.strategy_files import read_strategies, write_strategies
from ggp.solvers.sequence_form.strategy_records import strategies_of_records, strategy_records
from ggp.solvers.sequence_form.unfolding import TreeLimits
from ggp.solvers.state_strategies import (
    StateStrategy,
    best_state_response,
    is_solved_by_states,
    saved_states,
    solve_states,
    state_responses,
    uniform_responses,
)

Choice: TypeAlias = "Mapping[int, float] | Mapping[str, float] | Sequence[float]"
"""Probabilities: by action, as number or text, those left out being 0; or of all legal actions in ascending order."""

StrategyGiven: TypeAlias = (
    "Strategy | StateStrategy | str | Path | Mapping[str, Choice] | Mapping[InformationState, Choice]"
    " | Callable[[History, int], Choice | None] | Callable[[InformationState], Choice | None] | None"
)
"""A strategy of all players: one, over information states or over states; the file of one; a table by information
state, or by `name of the player: text of the information state`, uniform where it has no entry; a function, which is
asked once for each information state with several legal actions, of it, or of a history and a player, where it must
depend on nothing else; None: uniform. A function of one argument takes information states, in a fraction of the time
that histories need."""


class Strategy(Struct, frozen=True):
    """Behavioural strategies of all players.

    Attributes:
        game: the game.
        tree: its information states.
        probabilities: `[S]` float64, of each sequence's last action; 1 of empty ones.
    """

    game: Game
    tree: SequenceFormTree
    probabilities: F64

    def __repr__(self) -> str:
        return f"<strategy of {self.game!r}: {self.tree.information_states:,} information states>"

    def __reduce__(self) -> tuple[object, ...]:
        # the information states are found again, in the same order
        return _strategy_again, (self.game, self.probabilities)

    def at(self, known: InformationState) -> dict[Action, float]:
        """Return what the player of an information state plays there: each legal action's probability.

        Raises:
            GgpError: the player never acts with this information state, or it is one of another game.
            TypeError: it is no information state.
        """
        if not isinstance(known, InformationState):
            raise TypeError(f"{known!r} is no information state")
        if known.game != self.game:
            raise GgpError(f"an information state of {known.game!r} is none of {self.game!r}")
        number = self.tree.find(known.player, known.key)
        if number is None:
            raise GgpError(f"{self.game.players[known.player]} never acts knowing this: {known}")
        place = self.tree.sequences_at(number)
        shares = self.probabilities[place].tolist()
        return {
            self.game.action(int(action)): share for action, share in zip(self.tree.action[place], shares, strict=True)
        }

    def table(self) -> dict[str, dict[int, float]]:
        """Return it as a table: by `name of the player: text of the information state`, then by action."""
        reader = InformationStateReader(self.game, self.tree)
        found = {}
        for number in reader.neighbourly(range(self.tree.information_states)):
            place = self.tree.sequences_at(number)
            shares = zip(self.tree.action[place].tolist(), self.probabilities[place].tolist(), strict=True)
            found[name_of(reader.information_state(number))] = dict(shares)
        return found

    def save(self, path: str | Path) -> None:
        """Write it to a file, which plays (`ggp match GAME FILE PLAYER`) and is measured (`ggp exploit GAME FILE`).

        Raises:
            OSError: it cannot be written.
        """
        write_strategies(Path(path), self.game, {}, strategy_records(self.game, self.tree, self.probabilities))


class Solution(Struct, frozen=True):
    """An equilibrium, as exact as the method could find it.

    Attributes:
        strategy: of all players: over world states if it was found by these, otherwise over information states.
        value: of the game to each player: the middle of what the strategies guarantee.
        nash_conv: the sum of what players gain by best responses; 0 exactly in an equilibrium.
        method: by which it was found.
    """

    strategy: Strategy | StateStrategy
    value: tuple[float, ...]
    nash_conv: float
    method: str


def _strategy_again(game: Game, probabilities: F64) -> Strategy:
    """Return a strategy that was pickled."""
    return Strategy(game, tree_of(game), probabilities)


class OutOfTime(GgpError):
    """A game was not solved in the time that was given."""


class Clock:
    """The time for solving a game; it is called for progress, and raises `OutOfTime` when time is up.

    It starts with the first call: what was compiled before then, once on a machine, does not count.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = math.inf if seconds is None else seconds
        if not self.seconds >= 0:
            raise GgpError(f"{seconds} s are no time to solve a game in")
        self.began: float | None = None

    def __call__(self, found: int, done: int) -> None:
        """Raise `OutOfTime` if time is up."""
        if self.left() <= 0:
            raise OutOfTime(
                f"the game was not solved in {self.seconds:g} s: {done:,} of {found:,} states that are"
                " known were looked at, and nothing can be said of its value before all were"
            )

    def left(self) -> float:
        """Return the seconds that are left."""
        now = time.monotonic()
        self.began = now if self.began is None else self.began
        return self.seconds - (now - self.began)


def name_of(known: InformationState) -> str:
    """Return the text that stands for an information state among those of all players."""
    return f"{known.game.players[known.player]}: {known}"


@lru_cache(4)
def tree_of(game: Game, limits: TreeLimits | None = None) -> SequenceFormTree:
    """Return the information states of a game, found once."""
    return sequence_form_of(game.native(), limits)


def strategy_of(game: Game, given: StrategyGiven = None) -> Strategy:
    """Return a strategy from any of the forms of `StrategyGiven`.

    Raises:
        BadProbabilities: a choice is not a distribution over the legal actions, or a table has unknown entries.
        StrategyFileUnusable: a file cannot be read, or belongs to another game.
        GameTooLarge: the game has too many histories for memory.
    """
    check_is_game(game)
    if isinstance(given, Strategy | StateStrategy) and given.game != game:
        raise BadProbabilities(f"a strategy of {given.game!r} is none of {game!r}")
    if isinstance(given, Strategy):
        return given
    if isinstance(given, str | Path):
        saved = read_strategies(Path(given), game)
        if not saved.by_states:
            tree = tree_of(game)
            return Strategy(game, tree, strategies_of_records(game, tree, saved.records))
        given = saved_states(game, saved.records)
    tree = tree_of(game)
    if given is None:
        return Strategy(game, tree, uniform(tree))
    probabilities, reader = uniform(tree), InformationStateReader(game, tree)
    table: dict[str, Choice] = {}
    if isinstance(given, Mapping):
        table = {name_of(key) if isinstance(key, InformationState) else key: given[key] for key in given}  # type: ignore[index]
    by_knowledge = not isinstance(given, Mapping) and len(signature(given).parameters) == 1
    for number in reader.neighbourly(range(tree.information_states)):
        if isinstance(given, Mapping):
            choice = table.pop(name_of(reader.information_state(number)), None)
        elif tree.form.first[number + 1] - tree.form.first[number] == 1:
            continue
        elif by_knowledge:
            choice = given(reader.information_state(number))  # type: ignore[call-arg, arg-type]
        else:
            choice = given(reader.history(number), tree.player_of(number))  # type: ignore[call-arg, arg-type]
        if choice is None:
            continue
        legal = tree.action[tree.sequences_at(number)].tolist()
        try:
            probabilities[tree.sequences_at(number)] = shares_of(game, legal, choice)
        except BadProbabilities as error:
            raise BadProbabilities(f"{error} (`{name_of(reader.information_state(number))}`)") from error
    if table:
        raise BadProbabilities(f"{game.name} has no decision at the information state `{next(iter(table))}`")
    return Strategy(game, tree, probabilities)


def shares_of(game: Game, legal: Sequence[int], choice: Choice) -> F64:
    """Return the probabilities of the legal actions at an information state.

    Raises:
        BadProbabilities: an action is not legal there, or they are no distribution.
    """
    if isinstance(choice, Mapping):
        texts = {game.action_text(action): action for action in legal}
        shares = {(texts.get(action) if isinstance(action, str) else action): choice[action] for action in choice}  # type: ignore[index]
        if not set(shares) <= set(legal):
            wrong = next(action for action, number in zip(choice, shares, strict=False) if number not in legal)
            raise BadProbabilities(f"`{wrong}` is not legal at an information state for which it was given")
        choice = [shares.get(action, 0.0) for action in legal]
    try:
        return distribution(np.asarray(choice, np.float64), len(legal))
    except (TypeError, ValueError) as error:
        raise BadProbabilities(f"{choice!r} are no probabilities of {len(legal)} legal actions") from error


def solve(
    game: Game, method: str | None = None, *, seconds: float | None = None, iterations: int | None = None
) -> Solution:
    """Find an equilibrium of a game of one player, or of two with constant sum.

    Args:
        game: small enough; `ggp solve` estimates first.
        method: `backward-induction`, over world states; over information states `sequence-form`, a linear program, or
            `cfr+`, `dcfr`, `pcfr+`. None: by states if nothing is hidden, otherwise chosen by the size of the game.
        seconds: limit on the time of all of it. Iterative methods, the default if information is hidden, return what
            they have by then; others can say nothing before they are done.
        iterations: limit of the iterative methods, at least 1.

    Raises:
        NotSolvable: there are more players, payoffs have no constant sum, or information is hidden from the method.
        GameTooLarge: the game has too many states, or histories, for memory.
        EndlessPlay: play can go on for ever, and the rules give endless play no payoff.
        OutOfTime, ProgramUnsolved: time was up, and nothing can be said yet.
        GgpError: there is no such method, or no iteration is left to it.
    """
    check_is_game(game)
    if iterations is not None and integer(iterations, "iterations") < 1:
        raise GgpError(f"{iterations} iterations solve nothing: give at least 1, or none for no limit")
    clock = Clock(seconds)
    limited = seconds is not None or iterations is not None
    if method is None and game.perfect_information and iterations is None:
        method = BACKWARD_INDUCTION
    if method == BACKWARD_INDUCTION:
        by_states = solve_states(game, clock)
        nash_conv = max(0.0, state_responses(by_states, clock).nash_conv)
        return Solution(by_states, by_states.values.to_players(), nash_conv, by_states.values.method)
    tree = tree_of(game) if seconds is None else sequence_form_of(game.native(), progress=clock)
    if tree.players == 1:
        return _solution(game, tree, optimum_of_one(tree), BEST_RESPONSE)
    method = method or default_method(tree.sequences + tree.entries, limited=limited)
    if method == LINEAR_PROGRAM:
        return _solution(game, tree, solve_linear_program(tree, clock.left()), method)
    if method not in METHODS:
        raise GgpError(
            f"there is no method `{method}`: it is {BACKWARD_INDUCTION}, {LINEAR_PROGRAM}, {', '.join(METHODS)}"
        )
    minimiser = RegretMinimiser(tree, METHODS[method])
    left = None if seconds is None else clock.left()
    for _ in minimise(minimiser, left, iterations, SMALL_ENOUGH * tree.utility_range):
        if clock.left() <= 0:
            break
    return _solution(game, tree, minimiser.average(), method)


def _solution(game: Game, tree: SequenceFormTree, found: Equilibrium, method: str) -> Solution:
    value = (found.value,) if tree.players == 1 else (found.value, (tree.utility_sum or 0.0) - found.value)
    return Solution(Strategy(game, tree, found.strategies), value, found.nash_conv, method)


def exploitability(game: Game, strategy: StrategyGiven) -> Response:
    """Return what players get by a strategy, and by best responses to it; any number of players, any payoffs.

    `Response.gains` is what each gains by a best response, `Response.nash_conv` the sum of these. Where two players'
    payoffs add up to a constant, a player's *exploitability* is what the other gains.

    Raises:
        BadProbabilities: see `strategy_of`, which raises others, too.
        GameTooLarge: the game has too many histories for memory.
    """
    check_is_game(game)
    strategy = _read_by_states(game, strategy)
    if isinstance(strategy, StateStrategy) and strategy.game == game:
        return state_responses(strategy)
    if strategy is None and is_solved_by_states(game):
        return uniform_responses(game)
    given = strategy_of(game, strategy)
    return responses(given.tree, given.probabilities)


def _read_by_states(game: Game, given: StrategyGiven) -> StrategyGiven:
    """Return a strategy, one of a file over world states read: it need not be unfolded."""
    if isinstance(given, str | Path):
        saved = read_strategies(Path(given), game)
        if saved.by_states:
            return saved_states(game, saved.records)
    return given


def best_response(
    game: Game, strategy: StrategyGiven, player: PlayerName
) -> tuple[float, Strategy] | tuple[float, StateStrategy]:
    """Return the value of a player's best response to the others' strategies, and the strategy with it in their midst.

    By states where `exploitability` measures by them: then all actions of the best value are equally probable, else the
    first of them is played. Errors are those of `exploitability`.
    """
    check_is_game(game)
    number = game.player(player)
    strategy = _read_by_states(game, strategy)
    if isinstance(strategy, StateStrategy) and strategy.game == game:
        return best_state_response(game, strategy, number)
    if strategy is None and is_solved_by_states(game):
        return best_state_response(game, None, number)
    given = strategy_of(game, strategy)
    value, answer = best_responses.best_response(given.tree, given.probabilities, number)
    return value, Strategy(game, given.tree, answer)
