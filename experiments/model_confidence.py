"""SSS09, tables 2 and 3 and figure 9: exploiting a model of UCT against being exploited, in five-card goofspiel.

Both players bid the cards 1 to 5 for the prizes 1 to 5 in ascending order; a win counts 100, a draw 50. The model is
what a DUCT search computes from the initial state. For each confidence p the first player is made against it by
restricted Nash, and by mixing a best response (with probability p) and an equilibrium. All payoffs are exact: of the
player's average strategy against the model (exploitation) and against a best response (exploitability).

The paper states neither how its UCT breaks ties nor its C; its players searched at every move, and its payoffs against
UCT are means of played games. So its numbers are shown beside ours only for the shape of the curve: exact payoffs of
restricted Nash against the model cannot fall as p grows, as the published ones do from p = 0.25 to 0.5.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from msgspec.structs import replace

import ggp
from experiments.experiment import Experiment
from experiments.options import Option
from experiments.records import recorded_parts
from experiments.tables import markdown_table, new_figure, save_figure
from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import F64
from ggp.competition.statistics import mean_interval
from ggp.solvers.matrix.matrix_games import solve_matrix_game
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.exploitability import ExploitabilityMeter
from ggp.solvers.worlds.exploration import explore_game
from ggp.solvers.worlds.state_graph import ROOT, GameGraph
from ggp.solvers.worlds.strategy_trees import strategy_tree
from players.agents.modelled_opponent import ModelledOpponentSearch
from players.agents.registry import modelled_player
from players.player_options import PlayerText
from players.search.foundation.settings import RnrSettings
from players.search.simultaneous.tree_strategies import NodeStrategies, node_strategies

CONFIDENCES = (1.0, 0.75, 0.5, 0.25, 0.0)
PUBLISHED = {1.0: (84.5, 0.5), 0.75: (70.0, 10.0), 0.5: (52.42, 42.0), 0.25: (56.0, 49.0), 0.0: (50.63, 53.0)}
"""SSS09 table 3, by confidence: payoff against UCT, and against a best response; restricted Nash."""
WORST, BEST = 0.0, 100.0
RESTRICTED, MIX = "restricted", "mix"
MATRIX = ((23.0, 77.0), (73.0, 27.0))
MATRIX_TEXT = """\
The matrix in which the paper shows what a model is worth: rows (23 77), (73 27). An equilibrium gets 50 against
anything; a best response to a player who always plays one action gets more, and loses to one who knows it."""
MODEL = "duct:ties=0"
METHODS = {RESTRICTED: "restricted Nash", MIX: "mix of best response and equilibrium"}


@dataclass(frozen=True, slots=True)
class Payoffs:
    """Payoffs of a strategy of the first player, on the scale from WORST to BEST."""

    against_model: float
    against_best_response: float


@dataclass(frozen=True, slots=True)
class Row:
    """One method with one confidence, over all runs.

    Attributes:
        method: RESTRICTED or MIX.
        p: confidence in the model.
        exploitation: mean payoff against the model.
        exploitation_ci95: half the width of Student's 95 % interval; None with one run.
        worst_case: mean payoff against a best response.
        worst_case_ci95: likewise.
        published: the paper's two numbers, for restricted Nash.
    """

    method: str
    p: float
    exploitation: float
    exploitation_ci95: float | None
    worst_case: float
    worst_case_ci95: float | None
    published: tuple[float, float] | None


class Measuring:
    """Exact payoffs in one game.

    Args:
        game: five-card goofspiel, or another game of two players, constant sum and perfect information.
    """

    def __init__(self, game: GameGraph) -> None:
        components = order_components(game.graph)
        values = optimal_values(game, components)
        self._meter = ExploitabilityMeter(values, components)
        self._value = values.root
        self.game = game

    def payoffs(self, decisions: Sequence[NodeStrategies]) -> Payoffs:
        """Return the payoffs of the first player's strategy; the second player plays the model's."""
        tree = strategy_tree(self.game, decisions)
        worst = self._value - self._meter.of_tree(tree).by_player[0]
        return Payoffs(self._scaled(self._meter.expected(tree)), self._scaled(worst))

    def _scaled(self, utility: float) -> float:
        low, high = self.game.native.utility_low[0], self.game.native.utility_high[0]
        return WORST + (BEST - WORST) * (utility - low) / (high - low)


class _AgainstModel(ModelledOpponentSearch):
    """Gives the modelled opponent's strategies as the opponent's, in place of the free one's."""

    def strategy_at(self, node: int, player: int, actions: int) -> F64:
        if player == self.options.role:
            return super().strategy_at(node, player, actions)
        return self.modelled_strategy_at(node)


def search_against_model(
    game: GameGraph, p: float, model: PlayerText, model_iterations: int, sweeps: int, word: int
) -> list[NodeStrategies]:
    """Search as the first player by restricted Nash, and return the strategies."""
    search = _AgainstModel(game.native, RnrSettings(p=p, model=model, model_iterations=model_iterations))
    search.seed(word)
    search.set_root(game.state_words(ROOT).copy())
    search.run(sweeps)
    return list(node_strategies(search, game.native))


def mixed(p: float, first: Sequence[NodeStrategies], second: Sequence[NodeStrategies]) -> list[NodeStrategies]:
    """Return the mixture of two strategies: the first with probability p, else the second, chosen once per game.

    Args:
        p: in [0, 1].
        first: over the same histories as `second`, each after its ancestors; the model's strategies are the same.
        second: likewise.
    """
    others = {one.path: one for one in second}
    played: dict[tuple[int, ...], F64] = {}
    found = []
    for one in first:
        (actions, strategy), model = one.choices[0], one.choices[1]
        reach = np.array([p, 1.0 - p])
        for length in range(len(one.path)):
            if one.path[:length] in played:
                columns = len(others[one.path[:length]].choices[1][0])
                reach = played[one.path[:length]][:, one.path[length] // columns]
        weights = reach[:, None] * np.stack([strategy, others[one.path].choices[0][1]])
        played[one.path] = weights
        total = float(weights.sum())
        mean = weights.sum(axis=0) / total if total > 0 else np.full(len(actions), 1.0 / len(actions))
        found.append(replace(one, choices={0: (actions, mean), 1: model}))
    return found


@cache
def goofspiel(cards: int) -> Measuring:
    """Return the game with `cards` cards in each hand."""
    return Measuring(explore_game(ggp.load("goofspiel", n=cards, prizes="ascending").native()))


def run_once(
    measuring: Measuring, model: PlayerText, model_iterations: int, sweeps: int, word: int
) -> dict[tuple[str, float], Payoffs]:
    """Return the payoffs of each method and confidence against one search of the model, the same in all of them.

    Args:
        measuring: the game.
        model: the modelled opponent.
        model_iterations: of its search.
        sweeps: of the player's.
        word: seeds both.
    """
    strategies = {
        p: search_against_model(measuring.game, p, model, model_iterations, sweeps, word) for p in CONFIDENCES
    }
    payoffs = {(RESTRICTED, p): measuring.payoffs(strategies[p]) for p in CONFIDENCES}
    return payoffs | {(MIX, p): measuring.payoffs(mixed(p, strategies[1.0], strategies[0.0])) for p in CONFIDENCES}


Run = list[tuple[str, float, Payoffs]]


def recorded_run(
    cards: int, model: PlayerText, model_iterations: int, sweeps: int, seed: int, run: int
) -> Iterator[Run]:
    """Yield the results of `run_once` as a list."""
    payoffs = run_once(goofspiel(cards), PlayerText(model), model_iterations, sweeps, seed_word(seed, run))
    yield [(method, p, payoff) for (method, p), payoff in payoffs.items()]


def summary(runs: Sequence[Mapping[tuple[str, float], Payoffs]]) -> list[Row]:
    """Return the means over the runs, method by method; nothing without a run."""
    rows: list[Row] = []
    for method in METHODS if runs else ():
        for p in CONFIDENCES:
            model = mean_interval(run[method, p].against_model for run in runs)
            worst = mean_interval(run[method, p].against_best_response for run in runs)
            widths = [None if len(runs) == 1 else one.half_width for one in (model, worst)]
            published = PUBLISHED[p] if method == RESTRICTED else None
            rows.append(Row(method, p, model.estimate, widths[0], worst.estimate, widths[1], published))
    return rows


def draw(rows: Sequence[Row], options: argparse.Namespace) -> None:
    """Draw figure 9: payoff against the model over payoff against a best response.

    Raises:
        NotWritable: the figure cannot be written.
    """
    figure = new_figure(7, 4.5)
    axes = figure.add_subplot(
        xlabel="payoff against a best response", ylabel="payoff against the model", title="Goofspiel, five cards"
    )
    for method, label in ((RESTRICTED, "restricted Nash"), (MIX, "mix of best response and equilibrium")):
        chosen = [row for row in rows if row.method == method]
        axes.plot([row.worst_case for row in chosen], [row.exploitation for row in chosen], "o-", label=label)
    published = [PUBLISHED[p] for p in CONFIDENCES]
    axes.plot([worst for _, worst in published], [model for model, _ in published], "x--", label="published (2009)")
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    save_figure(figure, options)


def _texts(row: Row) -> Iterator[str]:
    yield row.method
    yield f"{row.p:g}"
    for mean, half_width in (
        (row.exploitation, row.exploitation_ci95),
        (row.worst_case, row.worst_case_ci95),
    ):
        yield f"{mean:.2f}" if half_width is None else f"{mean:.2f} ± {half_width:.2g}"
    yield from ("", "") if row.published is None else (f"{number:g}" for number in row.published)


def matrix_table() -> str:
    """Return table 2: what the second player gets in a matrix from one who always plays the second action."""
    theirs = 100.0 - np.array(MATRIX)
    column, rows = solve_matrix_game(np.array(MATRIX)).column_strategy, []
    for name, strategy, published in (("equilibrium", column, 50), ("best response", np.array([0.0, 1.0]), 73)):
        got = theirs @ strategy
        rows.append(
            [name, *(f"{share:.2f}" for share in strategy), f"{got.min():.1f}", f"{got[1]:.1f}", str(published)]
        )
    return markdown_table(["second player's", "b_1", "b_2", "worst case", "against a_2", "published"], rows)


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Run what is missing."""
    model = PlayerText(options.model)
    modelled_player(model)
    limits = options.cards, model, options.iterations, options.sweeps, options.seed
    wanted = {f"run {run}": (*limits, run) for run in range(options.runs)}
    runs = recorded_parts(options, wanted, recorded_run, Run, "runs")
    rows = summary([{(method, p): payoff for method, p, payoff in run} for run in runs.values()])
    if options.plot is not None:
        draw(rows, options)
    about = (
        f"Payoffs from {WORST:g} to {BEST:g}, means of {len(runs)} models: `{model}` after {options.iterations:,}"
        " iterations."
    )
    heads = ["method", "p", "against model", "best response", "published (5 cards): model", "best response"]
    table = markdown_table(heads, [[*_texts(row)] for row in rows])
    return ["## Table 3", about, table, "## Table 2", MATRIX_TEXT, matrix_table()], rows


EXPERIMENT = Experiment(
    "model_confidence",
    "Tables 2 and 3 of SSS09",
    __doc__,
    measure,
    options=(
        Option("--model", "the modelled opponent, with `/` between its options", MODEL, MODEL, str, "PLAYER"),
        Option("--iterations", "of the model's search", 100_000, 1000),
        Option("--sweeps", "of the player's search", 4000, 200),
        Option("--cards", "in each hand, 2 to 5", 5, 3),
    ),
    runs=(5, 2),
)

if __name__ == "__main__":
    EXPERIMENT.run()
