"""`ggp perft`: counts plays by their length."""

from __future__ import annotations

import json
import sys
import time

import click

from ggp.cli.arguments import game_argument, json_option, parameter_option, parameters_from
from ggp.cli.game_texts import table_lines


@click.command()
@game_argument
@click.option(
    "--depth", type=click.IntRange(min=1, max=100), required=True, help="Transitions of the longest plays counted."
)
@parameter_option
@json_option
def perft(game: str, depth: int, parameters: tuple[str, ...], as_json: bool) -> None:
    """Count the plays of 1, 2, ... transitions: joint actions and chance outcomes, whatever their probability.

    The counts test rules against published numbers, and against other programs.
    """
    from ggp.cli.progress import progress_bar
    from ggp.rules_compiler.loading import load
    from ggp.solvers.worlds.play_counts import PlayCount, count_plays

    loaded = load(game, **parameters_from(parameters))
    start = time.monotonic()
    counted = PlayCount((), 0, 0.0)
    with progress_bar() as progress:
        task = progress.add_task("counting", total=1000)
        for counted in count_plays(loaded, depth):
            progress.update(task, completed=round(1000 * counted.share))
    if as_json:
        print(json.dumps({"nodes": list(counted.nodes), "faults": counted.faults}))
    else:
        rows = [(str(place), f"{count:,}") for place, count in enumerate(counted.nodes, 1)]
        print("\n".join(table_lines(("transitions", "plays"), rows)))
        print(f"{sum(counted.nodes):,} in {time.monotonic() - start:.1f} s")
    if counted.faults:
        print(f"ggp: warning: the rules fail in {counted.faults:,} of these plays; see `ggp check`", file=sys.stderr)
