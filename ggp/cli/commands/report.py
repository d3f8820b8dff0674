"""`ggp report`: what a game is like to play, in figures and plots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ggp.cli.arguments import game_argument, json_option, parameter_option, parameters_from, seed_option
from ggp.cli.game_texts import table_lines
from ggp.cli.rules_input import checked_game

if TYPE_CHECKING:
    from players.evaluation.game_report import GameReport

DEFAULT_SECONDS = 20.0


@click.command()
@game_argument
@parameter_option
@click.option("--seconds", type=click.FloatRange(min=0.5), default=DEFAULT_SECONDS, help="Time for all of it, at most.")
@click.option(
    "--plot", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", help="Write plots there, as SVG."
)
@seed_option
@json_option
def report(game: str, parameters: tuple[str, ...], seconds: float, plot: Path | None, seed: int, as_json: bool) -> None:
    """Report what a game is like: length, choices, the first player's advantage, draws, chance, lead, skill.

    Random games tell of length, choices and what is never used, games of `auto` of the rest; these are few, so that
    shares are rough. Games of strong players are timed: they differ from run to run.
    """
    from ggp.cli.auto_choices import tell_no_repairs
    from ggp.cli.progress import progress_bar
    from players.evaluation.game_report import report as made

    tell_no_repairs()
    checked = checked_game(game, parameters_from(parameters))
    with progress_bar() as progress:
        task = progress.add_task("playing", total=1.0)
        found = made(checked, seconds, seed, lambda share: progress.update(task, completed=share))
    if plot is not None:
        from ggp.cli.report_plots import write_plots

        written = write_plots(found, checked.name, plot)
    if as_json:
        print(json.dumps(found.facts(), indent=2))
        return
    print("\n".join(table_lines(("", checked.name), _rows(found, checked.players.members))))
    if found.unused:
        print(f"never used in random games: {', '.join(found.unused)}")
    if plot is not None:
        print(f"plots: {', '.join(str(path) for path in written)}")


def _rows(found: GameReport, players: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return what is known as rows of a table; rows of what is not known are left out."""
    first, even = found.first_role or players[0], f" (all alike: {_percent(found.even)})"
    rows = [
        ("random games", f"{found.games:,}"),
        ("transitions of a game, mean", f"{found.mean_length:.1f}"),
        ("choices at a decision, mean", f"{found.branching:.1f}"),
        ("transitions drawn by chance", _percent(found.chance_share)),
        ("games by auto", f"{found.auto_games}" if found.auto_games else ""),
        *_results(found, first),
        ("changes of lead in a game by auto", "" if found.lead_changes is None else f"{found.lead_changes:.1f}"),
        ("auto wins against auto with half the time", _percent(found.double_time, even)),
        ("auto wins against random", _percent(found.auto_random, even)),
        ("exact value", "" if found.value is None else ", ".join(f"{value:.6g}" for value in found.value)),
    ]
    return [row for row in rows if row[1]]


def _results(found: GameReport, first: str) -> list[tuple[str, str]]:
    """Return who wins how often; where all players have one payoff, what they get."""
    if found.shared_random is not None:
        by_auto = "" if found.shared_auto is None else f"{found.shared_auto:.3g}"
        return [("result of all, at random", f"{found.shared_random:.3g}"), ("result of all, by auto", by_auto)]
    return [
        (f"{first} wins, at random", _percent(found.first_random)),
        (f"{first} wins, by auto", _percent(found.first_auto)),
        ("draws, at random", _percent(found.draws_random)),
        ("draws, by auto", _percent(found.draws_auto)),
    ]


def _percent(share: float | None, note: str = "") -> str:
    return "" if share is None else f"{100 * share:.0f} %{note}"
