"""`ggp solve` over information states: a linear program or regret minimisation, printed, and saved to a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from ggp.cli.arguments import BadArgument
from ggp.solvers.methods import (
    BEST_RESPONSE,
    DEFAULT_SECONDS,
    LINEAR_PROGRAM,
    SMALL_ENOUGH,
    default_method,
)

if TYPE_CHECKING:
    from ggp.game.game import Game
    from ggp.solvers.sequence_form.linear_program import Equilibrium
    from ggp.solvers.sequence_form.regret_minimisation import Progress as Course
    from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
    from ggp.solvers.sequence_form.strategy_records import StrategyRecord
    from ggp.solvers.worlds.exploration import Limits

STATES_PRINTED = 60
"""Information states whose strategies are printed; those nearest to the start of the game."""
LEAST_SHOWN = 1e-12
COURSE_GROWTH = 2.0
"""The factor in iterations from one printed line of the course to the next."""


class Solution(Struct, frozen=True):
    """A game, solved as well as the method could.

    Attributes:
        tree: the game.
        method: its name.
        equilibrium: the result.
        course: the progress of iterative methods; empty for the linear program.
        iterations_per_s: of iterative methods.
    """

    tree: SequenceFormTree
    method: str
    equilibrium: Equilibrium
    course: tuple[Course, ...] = ()
    iterations_per_s: float = 0.0


def check_file(path: Path) -> None:
    """Refuse a file that cannot be written, before its content is computed.

    Raises:
        BadArgument: its folder does not exist, or it is a folder.
    """
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise BadArgument(f"cannot save to {path}: it is a folder, or its folder does not exist")


def solve_by_information_states(
    game: Game,
    method: str | None,
    seconds: float | None,
    iterations: int | None,
    limits: Limits,
    anyway: bool,
    shown: bool,
) -> Solution:
    """Return a game solved by a method over information states.

    Args:
        game: of two players and constant sum.
        method: LINEAR_PROGRAM or one of ITERATIVE; None: chosen by the size of the game.
        seconds: limit on the time of iterations.
        iterations: limit on iterations.
        limits: of the size of the game.
        anyway: whether to begin even if the estimate says that it will not fit.
        shown: whether to print the progress of iterations.

    Raises:
        NotSolvable: there are not two players, or payoffs have no constant sum.
        GgpError: the game is too large, or its rules fail.
    """
    from ggp.cli.progress import progress_bar
    from ggp.cli.tree_size import unfolded
    from ggp.solvers.sequence_form.linear_program import check_kind, optimum_of_one, solve_linear_program

    native = game.native()
    check_kind(native)
    with progress_bar() as bar:
        tree = unfolded(native, limits, anyway, bar)
        if tree.players == 1:
            return Solution(tree, BEST_RESPONSE, optimum_of_one(tree))
        limited = seconds is not None or iterations is not None
        method = method or default_method(tree.sequences + tree.entries, limited=limited)
        if method == LINEAR_PROGRAM:
            bar.add_task("solving the linear program", total=None)
            return Solution(tree, method, solve_linear_program(tree))
        return _iterated(tree, method, seconds, iterations, bar if not shown else None)


def _iterated(tree: SequenceFormTree, method: str, seconds: float | None, iterations: int | None, bar: Any) -> Solution:
    from ggp.solvers.sequence_form.regret_minimisation import METHODS, RegretMinimiser, minimise

    course: list[Course] = []
    minimiser, printed = RegretMinimiser(tree, METHODS[method]), 0
    task = bar.add_task("iterating", total=iterations or seconds or DEFAULT_SECONDS) if bar else None
    runs = minimise(minimiser, seconds, iterations, SMALL_ENOUGH * tree.utility_range)
    try:
        for stand in runs:
            course.append(stand)
            if bar:
                done = stand.iterations if iterations else stand.seconds
                bar.update(task, completed=done, description=f"NashConv {stand.nash_conv:.3g}")
            elif stand.iterations >= COURSE_GROWTH * printed:
                printed = stand.iterations
                print(_course_line(stand), flush=True)
    except KeyboardInterrupt:
        # the result so far is still useful
        if not course:
            raise
    return Solution(tree, method, minimiser.average(), tuple(course), minimiser.iterations_per_s)


def _course_line(stand: Course) -> str:
    return (
        f"{stand.iterations:,} iterations, {stand.seconds:.3g} s: NashConv {stand.nash_conv:.3g},"
        f" value {stand.value:.9g} to the first player"
    )


def value_of(solution: Solution) -> tuple[float, ...]:
    """Return the value of the game to each player: the midpoint of its bounds."""
    first = solution.equilibrium.value
    if solution.tree.players == 1:
        return (first,)
    assert solution.tree.utility_sum is not None
    return first, solution.tree.utility_sum - first


def facts_of(game: Game, solution: Solution) -> dict[str, Any]:
    """Return what `--json` prints."""
    from ggp.solvers.sequence_form.strategy_records import first_decisions, strategy_records

    tree, found = solution.tree, solution.equilibrium
    numbers = first_decisions(tree)
    records = list(strategy_records(game, tree, found.strategies, numbers))
    first = [
        {**record, "probability": float(tree.opening[number])} for number, record in zip(numbers, records, strict=True)
    ]
    facts: dict[str, Any] = {
        "value": list(value_of(solution)),
        "method": solution.method,
        "information_states": tree.information_states,
        "sequences": tree.sequences,
        "payoff_entries": tree.entries,
        "nash_conv": found.nash_conv,
        "bounds": [found.low, found.high],
        "strategy": _first_strategy(records),
        "first_decisions": first,
    }
    if solution.course:
        facts |= {
            "iterations": solution.course[-1].iterations,
            "iterations_per_s": solution.iterations_per_s,
            "course": [to_builtins(stand) for stand in solution.course],
        }
    return facts


def _first_strategy(records: Sequence[StrategyRecord]) -> dict[str, dict[str, float]]:
    """Return each player's strategy at the most probable of its first decisions."""
    strategy: dict[str, dict[str, float]] = {}
    for record in records:
        strategy.setdefault(record["player"], record["strategy"])
    return strategy


def save(game: Game, solution: Solution, path: Path) -> None:
    """Write all strategies to a file as JSON, see docs/measuring.md.

    Raises:
        BadArgument: it cannot be written.
    """
    from ggp.solvers.sequence_form.strategy_records import strategy_records

    tree, found = solution.tree, solution.equilibrium
    facts = {"method": solution.method, "value": list(value_of(solution)), "nash_conv": found.nash_conv}
    save_records(game, facts, strategy_records(game, tree, found.strategies), tree.information_states, path)


def save_records(
    game: Game,
    facts: Mapping[str, Any],
    records: Iterable[Mapping[str, Any]],
    count: int,
    path: Path,
    *,
    by_states: bool = False,
) -> None:
    """Write records of strategies to a file, see `write_strategies`; `count` is how many there are.

    Raises:
        BadArgument: it cannot be written.
    """
    from ggp.cli.progress import progress_bar
    from ggp.solvers.sequence_form.strategy_files import write_strategies

    try:
        with progress_bar() as bar:
            counted = bar.track(records, total=count, description=f"saving to {path}")
            write_strategies(path, game, facts, counted, by_states=by_states)
    except OSError as error:
        raise BadArgument(f"cannot save to {path}: {error.strerror}") from error


def lines_of(game: Game, solution: Solution) -> Iterator[str]:
    """Yield the lines of a solution: value, method and strategies by information state."""
    tree, found = solution.tree, solution.equilibrium
    least = tree.utility_range * LEAST_SHOWN
    for name, value in zip(game.players, value_of(solution), strict=True):
        yield f"value to {name}: {value if abs(value) > least else 0:.9g}"
    counts = f"{tree.information_states:,} information states, {tree.sequences:,} sequences"
    if tree.players == 1:
        yield f"by a best response over {counts}"
        yield ""
        yield from _strategy_lines(game, solution, 0)
        return
    by = "the sequence-form linear program" if solution.method == LINEAR_PROGRAM else solution.method
    if solution.course:
        last = solution.course[-1]
        by += f", {last.iterations:,} iterations ({solution.iterations_per_s:,.0f}/s),"
    yield f"by {by} over {counts}"
    yield f"NashConv {found.nash_conv:.2g}: the value lies between {found.low:.9g} and {found.high:.9g}"
    for player in range(tree.players):
        yield ""
        yield from _strategy_lines(game, solution, player)


def _strategy_lines(game: Game, solution: Solution, player: int) -> Iterator[str]:
    from ggp.solvers.sequence_form.strategy_records import strategy_records

    own = solution.tree.own_sets(player)
    shown = own[: STATES_PRINTED // 2 if len(own) > STATES_PRINTED else STATES_PRINTED]
    records = strategy_records(game, solution.tree, solution.equilibrium.strategies, shown)
    rows = []
    for record in sorted(records, key=lambda one: (len(one["sees"]), one["sees"])):
        plays = ", ".join(f"{action} {share:.4g}" for action, share in record["strategy"].items() if share >= 5e-5)
        seen = " | ".join(record["sees"]) or "nothing yet"
        rows.append((seen, plays if record["own_reach"] > 0 else f"{plays}  (its strategy never gets here)"))
    width = max((len(seen) for seen, _ in rows), default=0)
    name = game.players[player]
    yield f"{name} knows".ljust(width) + "  plays"
    yield from (f"{seen.ljust(width)}  {plays}" for seen, plays in rows)
    if len(own) > len(shown):
        yield f"and {len(own) - len(shown):,} further information states of {name}; --save FILE has them all"
