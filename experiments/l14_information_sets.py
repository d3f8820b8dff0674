"""How large information sets and supports are at each depth: figures 4.1 and 4.3 of Lisý 2014.

Goofspiel with six cards and hidden bids, played in turns, and generic poker with two sizes of bets, two raises and
three cards of each of three ranks. The size of an information set is its number of histories. The support of an
information state is the number of actions that an equilibrium of the linear program plays there; states that the
equilibrium does not reach have none, and are left out.

The figures are pictures without numbers; the text says that the sets of the second player in goofspiel are larger, that
in most of them all remaining cards are played, and that all sets in poker have three histories. Figure 4.2, of phantom
tic-tac-toe, is not repeated: it has 280 million histories, which this program would hold in memory.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from statistics import fmean, median
from typing import Any

import ggp
from experiments.experiment import Experiment
from experiments.options import PRINTED
from experiments.rules_files import rules_file
from experiments.tables import markdown_table
from ggp.cli.progress import progress_bar
from ggp.game.history import History
from ggp.solvers.sequence_form.linear_program import solve_linear_program
from ggp.solvers.sequence_form.unfolding import information_tree

GAMES: dict[str, tuple[str, dict[str, str]]] = {
    "hidden goofspiel(6), figure 4.1": (rules_file("goofspiel_in_turns"), {}),
    "generic poker, figure 4.3": ("poker", {"bet_sizes": "2", "max_raises": "2", "copies": "3"}),
}
QUICK_GAMES: dict[str, tuple[str, dict[str, str]]] = {
    "hidden goofspiel(3)": (rules_file("goofspiel_in_turns"), {"n": "3"}),
}
PLAYED = 1e-6
"""Probability from which an action counts as played, and a state as reached."""


def sizes_by_depth(game: ggp.Game) -> dict[int, list[int]]:
    """Return the sizes of all information sets, by the number of transitions before them."""
    sizes, depths = Counter[object](), dict[object, int]()
    waiting: list[tuple[History, int]] = [(game.history(), 0)]
    while waiting:
        history, depth = waiting.pop()
        state = history.state
        if state.is_chance():
            waiting += [(history.apply_outcome(outcome), depth + 1) for outcome, _ in state.chance_outcomes()]
        elif not state.is_terminal():
            (role,) = state.actors()
            own = role, history.information_state(role)
            sizes[own] += 1
            depths.setdefault(own, depth)
            waiting += [(history.apply({role: action}), depth + 1) for action in state.legal(role)]
    return by_depth(depths, sizes)


def by_depth(depths: Mapping[object, int], values: Mapping[object, int]) -> dict[int, list[int]]:
    """Return the values of things by their depth."""
    found: dict[int, list[int]] = {}
    for key, value in values.items():
        found.setdefault(depths[key], []).append(value)
    return dict(sorted(found.items()))


def supports_by_depth(game: ggp.Game) -> dict[int, list[tuple[int, int]]]:
    """Return, for each information state that an equilibrium reaches, how many actions it plays, and of how many."""
    tree = information_tree(game.native())
    strategies, found = solve_linear_program(tree).strategies, dict[int, list[tuple[int, int]]]()
    plan = strategies.copy()
    plan[: tree.players] = 1.0
    for number in range(tree.information_states):
        before = float(plan[tree.form.parent[number]])
        own = strategies[tree.sequences_at(number)]
        plan[tree.sequences_at(number)] = before * own
        if before > PLAYED:
            depth, state = 0, int(tree.witness[number])
            while (state := int(tree.parent_state[state])) >= 0:
                depth += 1
            found.setdefault(depth, []).append((int((own > PLAYED).sum()), len(own)))
    return found


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Count in each game."""
    parts, facts = [], {}
    games = QUICK_GAMES if options.quick else GAMES
    heads = ["depth", "sets", "least", "median", "mean", "greatest", "actions played / legal", "all played"]
    with progress_bar() as progress:
        for title, (name, parameters) in progress.track(games.items(), description="counting"):
            game = ggp.load(name, **parameters)
            sizes, supports = sizes_by_depth(game), supports_by_depth(game)
            rows = []
            for depth, own in sizes.items():
                played = supports.get(depth, [])
                told = ["", ""]
                if played:
                    told = [f"{fmean(one for one, _ in played):.2f} / {fmean(legal for _, legal in played):.2f}"]
                    told.append(f"{100 * fmean(one == legal for one, legal in played):.0f} %")
                rows.append([f"{depth}", f"{len(own):,}", f"{min(own)}", f"{median(own):g}", f"{fmean(own):.1f}"])
                rows[-1] += [f"{max(own)}", *told]
            parts += [f"## {title}", markdown_table(heads, rows)]
            facts[title] = {"sizes": sizes, "supports": supports}
    return parts, facts


EXPERIMENT = Experiment(
    "l14_information_sets", "Sizes of information sets, Lisý 2014", __doc__, measure, without=PRINTED
)

if __name__ == "__main__":
    EXPERIMENT.run()
