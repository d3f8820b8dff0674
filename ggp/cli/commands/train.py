"""`ggp train`: an evaluation learned by self-play, a policy for playouts, or a blueprint for hidden games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from ggp.cli.arguments import BadArgument, game_argument, json_option, parameter_option, parameters_from

if TYPE_CHECKING:
    from ggp.game.game import Game
    from players.learning.files import Learned
    from players.learning.training import Training

DEFAULT_MINUTES = 5.0
BLUEPRINT, POLICY = ".blueprint", ".policy"
SAVE_MINUTES = 1.0
"""Of training, between two saves."""
MEASURING = "playing against the player without it"
STRENGTH_SHARE = 0.2
"""Of the training time, for games against the player without the evaluation, unless it is given."""


@click.command()
@game_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The file; continued if it exists. NAME.blueprint, NAME.policy: see below.",
)
@parameter_option
@click.option("--minutes", type=click.FloatRange(min=0.001), default=DEFAULT_MINUTES, help="Of processor time.")
@click.option("--games", type=click.IntRange(min=1), help="End after so many games, if that is sooner.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of all chance; a file that exists keeps its own.")
@click.option(
    "--hidden",
    type=click.IntRange(min=0, max=1000),
    metavar="N",
    help="Hidden units; a file that exists keeps its own.",
)
@click.option(
    "--search",
    type=click.IntRange(min=1),
    metavar="STATES",
    help="Play by `star1` of so many states a decision, not one action ahead; a file that exists keeps its own.",
)
@click.option(
    "--strength/--no-strength",
    default=True,
    help="Play against the player without the evaluation at the end, at equal clocks.",
)
@click.option(
    "--strength-minutes",
    type=click.FloatRange(min=0.001),
    metavar="M",
    help="Of processor time for that; a fifth of --minutes where it is left out.",
)
@click.option("--small", is_flag=True, help="Round weights, and leave out what only further training needs.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the checks as SVG.")
@json_option
def train(
    game: str,
    output: Path,
    parameters: tuple[str, ...],
    minutes: float,
    games: int | None,
    seed: int,
    hidden: int | None,
    search: int | None,
    strength: bool,
    strength_minutes: float | None,
    small: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Learn to value the states of a game by self-play, for every player with an option `estimate`.

    The same seed and number of games give the same weights. Ctrl-C saves what was learned. Each check plays against the
    evaluation with which the run began.

    A FILE that ends in `.blueprint` gets strategies for a game with hidden information, for the player `blueprint`; it
    is made anew, and --games counts iterations. One that ends in `.policy` gets weights of patterns for the option
    `policy` of `mcts`; it is made anew, too.
    """
    from ggp.cli.progress import progress_bar
    from ggp.rules_compiler.loading import load
    from players.evaluation.learned_strength import strength_of
    from players.learning.files import write_learned
    from players.learning.training import continued, new_training

    loaded = load(game, **parameters_from(parameters))
    strength_s = 60 * (strength_minutes or minutes * STRENGTH_SHARE) if strength else 0.0
    if not output.absolute().parent.is_dir():
        raise BadArgument(f"there is no folder {output.absolute().parent}")
    if "," in str(output):
        raise BadArgument("the name of the file must have no comma, since players are written with commas")
    _check_options(loaded, output, hidden, search)
    if output.suffix == BLUEPRINT:
        _train_blueprint(loaded, output, minutes, games, seed, strength_s, as_json)
        return
    if output.suffix == POLICY:
        _train_policy(loaded, output, minutes, games, seed, strength_s, as_json)
        return
    with progress_bar() as progress:
        task = progress.add_task("finding symmetries and drawing features", total=1.0)
        training = (
            continued(loaded, output) if output.exists() else new_training(loaded, seed, hidden or 0, search or 0)
        )
        if hidden is not None and hidden != (units := training.evaluation.hidden_units):
            raise BadArgument(f"{output} has {units} hidden units: leave out --hidden, or name another file")
        if search is not None and search != (states := training.rates.search):
            raise BadArgument(f"{output} was trained with --search {states}: leave it out, or name another file")
        first_minutes, saved = training.minutes, training.minutes

        def watch(now: Training) -> None:
            nonlocal saved
            progress.update(task, completed=(now.minutes - first_minutes) / minutes, description=f"{now.games:,} games")
            if now.minutes - saved >= SAVE_MINUTES:
                write_learned(output, loaded, now.learned())
                saved = now.minutes

        try:
            for check in training.run(minutes, games, watch):
                if not as_json:
                    low, high = check.ci95
                    progress.console.print(
                        f"{check.minutes:7.2f} min  {training.games:>9,} games  {100 * check.win_rate:5.1f} %"
                        f" ({100 * low:.1f} to {100 * high:.1f}) against where it began",
                        highlight=False,
                    )
        finally:  # an interrupt, too, leaves a file
            learned = training.learned()
            write_learned(output, loaded, learned)
        if strength_s:
            progress.update(task, description=MEASURING)
            found = strength_of(loaded, str(output), strength_s, training.seed)
            if found is not None:
                learned.about["strength"] = to_builtins(found)
        if strength_s or small:
            write_learned(output, loaded, learned, small)
    if plot is not None:
        _draw(learned, loaded.name, plot)
    about = {key: value for key, value in learned.about.items() if key not in ("rates", "seed", "method")}
    _tell(about, f"{about['games']:,} games, {about['positions']:,} positions", output, as_json)


def _check_options(game: Game, output: Path, hidden: int | None, search: int | None) -> None:
    """Refuse options that the kind of file does not have, or the game."""
    from players.agents.registry import PLAYERS

    kind = {BLUEPRINT: "a blueprint", POLICY: "a policy"}.get(output.suffix)
    if kind and hidden is not None:
        raise BadArgument(f"{kind} has no hidden units: leave out --hidden")
    if kind and search is not None:
        raise BadArgument(f"{kind} is not learned from a search: leave out --search")
    if search is not None:
        PLAYERS["star1"].check(game, open_cards=True)


def _train_blueprint(
    game: Game, output: Path, minutes: float, iterations: int | None, seed: int, strength_s: float, as_json: bool
) -> None:
    from ggp.cli.progress import progress_bar
    from players.agents.registry import read_player
    from players.evaluation.learned_strength import strength_of
    from players.learning.blueprints import learned_blueprint
    from players.search.blueprint.blueprint_search import Blueprint
    from players.search.foundation.archives import head_of

    read_player("blueprint").check(game)
    with progress_bar() as progress:
        task = progress.add_task("putting hands into buckets", total=1.0)

        def watch(share: float, now: Blueprint) -> None:
            told = f"{now.iterations:,} iterations, {now.nodes:,} information states"
            progress.update(task, completed=share, description=told)

        made, about = learned_blueprint(game, minutes, iterations, seed, watch)
        made.save(output, head_of(game) | about)
        if strength_s:
            progress.update(task, description=MEASURING)
            about["strength"] = to_builtins(strength_of(game, str(output), strength_s, seed, blueprint=True))
            made.save(output, head_of(game) | about)
    _tell(about, f"{made.iterations:,} iterations, {made.nodes:,} information states", output, as_json)
    if strength_s and not as_json:
        low, high = about["strength"]["gain95"]
        print(f"its payoff is {low:+.2f} to {high:+.2f} a game above the other's")


def _train_policy(
    game: Game, output: Path, minutes: float, games: int | None, seed: int, strength_s: float, as_json: bool
) -> None:
    from ggp.cli.progress import progress_bar
    from players.agents.candidates import WITH_LATER_PLAYS
    from players.agents.registry import read_player
    from players.evaluation.learned_strength import policy_strength
    from players.learning.policy_files import write_policy
    from players.learning.policy_training import PolicyTraining, new_policy_training

    read_player(WITH_LATER_PLAYS).check(game)
    with progress_bar() as progress:
        task = progress.add_task("finding symmetries", total=1.0)
        training = new_policy_training(game, seed)

        def watch(now: PolicyTraining) -> None:
            progress.update(task, completed=now.minutes / minutes, description=f"{now.games:,} playouts")

        training.run(minutes, games, watch)
        about = training.about()
        write_policy(output, game, training.patterns.policy, about)
        if strength_s:
            progress.update(task, description=MEASURING)
            about["strength"] = to_builtins(policy_strength(game, str(output), strength_s, seed))
            write_policy(output, game, training.patterns.policy, about)
    _tell(about, f"{about['games']:,} playouts", output, as_json)


def _tell(about: dict[str, Any], made: str, output: Path, as_json: bool) -> None:
    """Print what is told of a file: all as JSON, or what was made, and how strong the player is with it."""
    if as_json:
        print(json.dumps(about, indent=2))
        return
    print(f"{made}, {about['minutes']:.2f} minutes: {output}")
    if "strength" in about:
        met = about["strength"]
        low, high = met["ci95"]
        print(
            f"{met['player']} with it wins {100 * met['win_rate']:.0f} % ({100 * low:.0f} to {100 * high:.0f}) of"
            f" {met['games']} games against {met['against']}, {met['move_s']:g} s a move"
        )


def _draw(learned: Learned, name: str, path: Path) -> None:
    from matplotlib.figure import Figure

    checks = learned.about["checks"]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    minutes, rates = [check["minutes"] for check in checks], [100 * check["win_rate"] for check in checks]
    spread = [[100 * abs(check["win_rate"] - check["ci95"][side]) for check in checks] for side in (0, 1)]
    axes.errorbar(minutes, rates, yerr=spread, marker="o", capsize=3)
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(title=f"{name}: against where the run began", xlabel="minutes of training", ylabel="games won, %")
    figure.savefig(path, format="svg", metadata={"Date": None})
