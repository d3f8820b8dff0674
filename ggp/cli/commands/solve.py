"""`ggp solve`: the value of a game and an equilibrium, over world states or over information states.

The methods over information states are in `ggp.cli.equilibrium`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, to_builtins

from ggp.cli.arguments import BadArgument, game_argument, json_option, parameter_option, parameters_from
from ggp.cli.equilibrium import check_file, facts_of, lines_of, save, save_records, solve_by_information_states
from ggp.cli.game_size import anyway_option, estimated, limits_from, max_memory_option, max_states_option
from ggp.cli.game_texts import table_lines
from ggp.solvers.methods import BACKWARD_INDUCTION, DEFAULT_SECONDS, ITERATIVE, LINEAR_PROGRAM

if TYPE_CHECKING:
    from ggp.game.game import Game, State
    from ggp.solvers.worlds.backward_induction import StateValues
    from ggp.solvers.worlds.depth_counts import DepthCount
    from ggp.solvers.worlds.exploration import Limits

LEAST_REACH = 1e-12
"""First decisions with a smaller probability than this are left out; drawing them may take any time."""
FIRST_DECISIONS_PRINTED = 12
METHODS = (BACKWARD_INDUCTION, LINEAR_PROGRAM, *ITERATIVE)
LEAST_SHOWN = 1e-12
"""Values nearer to 0 are printed as 0; as a share of the utility range."""


class FirstDecision(Struct, frozen=True):
    """A first decision of the game.

    Attributes:
        chance: texts of the chance outcomes before it; one of several ways.
        probability: that chance leads to it.
        value: of the state, to each player.
        strategy: for each player who acts, the probability of each legal action.
    """

    chance: tuple[str, ...]
    probability: float
    value: tuple[float, ...]
    strategy: dict[str, dict[str, float]]


@click.command()
@game_argument
@parameter_option
@click.option("--method", metavar="M", help=f"{', '.join(METHODS)}.", show_default="by the game")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.001),
    help="Seconds to iterate for (cfr+, dcfr, pcfr+).",
    show_default=f"{DEFAULT_SECONDS:g}",
)
@click.option("--iterations", type=click.IntRange(min=1), help="Iterations (cfr+, dcfr, pcfr+).")
@click.option(
    "--save",
    "save_to",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the strategies to a file, as JSON.",
)
@max_states_option
@max_memory_option
@anyway_option
@json_option
def solve(
    game: str,
    parameters: tuple[str, ...],
    method: str | None,
    seconds: float | None,
    iterations: int | None,
    save_to: Path | None,
    max_states: int | None,
    max_memory: float | None,
    anyway: bool,
    as_json: bool,
) -> None:
    """Compute the value of a game, and optimal strategies.

    One-player and two-player constant-sum games without hidden information are solved by backward induction over world
    states. Two-player constant-sum games with hidden information are solved over information states: by the linear
    program over sequences if that is small, otherwise by predictive CFR+, whose distance from an equilibrium (NashConv)
    is shown as it falls.

    `value` has a number for each player. `strategy` is for the first decision; if chance acts first, for the most
    probable one, and `first_decisions` has them all. `by_depth` counts the histories that end in a decision with an
    equilibrium in pure strategies, and those without. The size of the game is estimated first.
    """
    from ggp.rules_compiler.loading import load

    if method is not None and method not in METHODS:
        raise BadArgument(f"there is no method `{method}`; the methods are {', '.join(METHODS)}")
    if (seconds is not None or iterations is not None) and method not in (None, *ITERATIVE):
        raise BadArgument(f"--seconds and --iterations are for iterative methods, and {method} is not one")
    if save_to is not None:
        check_file(save_to)
    loaded = load(game, **parameters_from(parameters))
    limits = limits_from(max_states, max_memory)
    if method is None:
        iterative = seconds is not None or iterations is not None
        if loaded.perfect_information and not iterative:
            method = BACKWARD_INDUCTION
    if method == BACKWARD_INDUCTION:
        _solve_by_world_states(loaded, limits, anyway, as_json, save_to)
        return
    solution = solve_by_information_states(loaded, method, seconds, iterations, limits, anyway, shown=not as_json)
    if save_to is not None:
        save(loaded, solution, save_to)
    if as_json:
        print(json.dumps(facts_of(loaded, solution), indent=2))
        return
    for line in lines_of(loaded, solution):
        print(line)


def _solve_by_world_states(loaded: Game, limits: Limits, anyway: bool, as_json: bool, save_to: Path | None) -> None:
    values, counts = _solved(loaded, limits, anyway)
    if save_to is not None:
        _save(loaded, values, save_to)
    first = sorted(first_decisions(loaded, values), key=lambda one: -one.probability)
    from ggp.solvers.worlds.backward_induction import utility_range

    least = utility_range(values.game) * LEAST_SHOWN
    facts = {
        # do not show the rounding error of a value of 0
        "value": [value if abs(value) > least else 0.0 for value in values.to_players()],
        "method": values.method,
        "states": values.game.states,
        "error": values.error,
        "strategy": first[0].strategy if first else {},
        "first_decisions": [to_builtins(one) for one in first],
        "by_depth": [to_builtins(one) for one in counts],
    }
    if as_json:
        print(json.dumps(facts, indent=2))
    else:
        _print(loaded, values, first, counts)


def _solved(game: Game, limits: Limits, anyway: bool) -> tuple[StateValues, list[DepthCount]]:
    from ggp.cli.progress import progress_bar
    from ggp.solvers.worlds.backward_induction import optimal_values
    from ggp.solvers.worlds.components import order_components
    from ggp.solvers.worlds.depth_counts import count_by_depth
    from ggp.solvers.worlds.exploration import explore_game

    native = game.native()
    with progress_bar() as bar:
        estimate = estimated(native, limits, anyway, bar)
        task = bar.add_task("finding world states", total=round(estimate.states))
        graph = explore_game(
            native,
            limits,
            # if there are more states than expected, at least those found must be expanded too
            lambda found, expanded: bar.update(task, completed=expanded, total=max(found, round(estimate.states))),
        )
        bar.update(task, completed=graph.states, total=graph.states)
        components = order_components(graph.graph)
        task = bar.add_task("valuing them", total=None)
        values = optimal_values(graph, components, lambda done, total: bar.update(task, completed=done, total=total))
        return values, count_by_depth(values, components)


def _save(game: Game, values: StateValues, path: Path) -> None:
    from ggp.solvers.worlds.backward_induction import equilibrium_profile
    from ggp.solvers.worlds.state_records import decisions, state_records

    facts = {"method": values.method, "value": list(values.to_players())}
    records = state_records(game, values.game, equilibrium_profile(values))
    save_records(game, facts, records, len(decisions(values.game)), path, by_states=True)


def first_decisions(game: Game, values: StateValues) -> Iterator[FirstDecision]:
    """Yield the first decisions, before which only chance acts, each with optimal strategies."""
    from ggp.solvers.worlds.backward_induction import equilibrium_choice

    for state, chance, probability in _after_chance(game):
        number = values.game.find(state.words)
        strategies = equilibrium_choice(values, number)
        yield FirstDecision(
            chance=chance,
            probability=probability,
            value=values.to_players(number),
            strategy={
                game.players[player]: {
                    str(action): float(share)
                    for action, share in zip(state.legal(player), strategies[player], strict=True)
                }
                for player in state.actors()
            },
        )


def _after_chance(game: Game) -> Iterator[tuple[State, tuple[str, ...], float]]:
    """Yield the first states in which players act, the outcomes that lead there, and their probability."""
    waiting: dict[State, tuple[tuple[str, ...], float]] = {game.initial(): ((), 1.0)}
    found: dict[State, tuple[tuple[str, ...], float]] = {}
    while waiting:
        following: dict[State, tuple[tuple[str, ...], float]] = {}
        for state, (path, reach) in waiting.items():
            if state.is_terminal() or reach < LEAST_REACH:
                continue
            if not state.is_chance():
                found[state] = (found[state][0] if state in found else path, reach + found.get(state, ((), 0.0))[1])
                continue
            for outcome, probability in state.chance_outcomes():
                after = state.apply_outcome(outcome)
                before = following.get(after, ((*path, state.outcome_text(outcome)), 0.0))
                following[after] = before[0], before[1] + reach * probability
        waiting = following
    for state, (path, reach) in found.items():
        yield state, path, reach


def _print(game: Game, values: StateValues, first: list[FirstDecision], counts: list[DepthCount]) -> None:
    from ggp.solvers.worlds.backward_induction import utility_range

    def shown(value: float, digits: int) -> str:
        # do not show the rounding error of a value of 0
        return f"{value if abs(value) > utility_range(values.game) * LEAST_SHOWN else 0:.{digits}g}"

    for name, value in zip(game.players, values.to_players(), strict=True):
        print(f"value to {name}: {shown(value, 9)}")
    within = f", each value within {values.error:.2g}" if values.error else ""
    print(f"by {values.method} over {values.game.states:,} world states{within}")
    for one in first[:FIRST_DECISIONS_PRINTED]:
        print()
        if one.chance:
            print(f"after {', '.join(one.chance)} (probability {one.probability:.4g}), value {shown(one.value[0], 6)}:")
        for name, strategy in one.strategy.items():
            played = [f"{action} {share:.6g}" for action, share in strategy.items() if share > 0]
            print(f"{name} plays {', '.join(played)}")
    if len(first) > FIRST_DECISIONS_PRINTED:
        print(f"\nand {len(first) - FIRST_DECISIONS_PRINTED} further first decisions; `--json` has them all")
    print("\nhistories that end in a decision with a pure equilibrium, and without one")
    if values.recurring:
        print("(states instead, each at its least depth: play can return to them)")
    rows = [(str(one.depth), f"{one.pure:,}", f"{one.mixed:,}") for one in counts]
    print("\n".join(table_lines(("depth", "pure", "mixed"), rows)))
