"""`ggp show`: a game's parameters, phases, what each player sees, and one sample play, drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated

import typer

from ggp.cli.arguments import GameArgument, ParameterOption, SeedOption, parameters_from
from ggp.cli.game_texts import drawing_text, phase_lines, table_lines
from ggp.cli.rules_input import checked_game
from ggp.language import typed
from ggp.language.typed.types import scalar_text, type_text
from ggp.model.drawing import draw
from ggp.model.native.rng import seed_word
from ggp.model.reference.interpreter import Interpreter
from ggp.model.reference.random_play import play_randomly, transition_text
from ggp.model.state_layout import Layout


def show(
    game: GameArgument,
    parameters: ParameterOption = [],  # noqa: B006 - read only; typer wants a list
    seed: SeedOption = 0,
    transitions: Annotated[int, typer.Option("--transitions", min=0, help="How much of the sample play to show.")] = 40,
) -> None:
    """Show a game: its parameters, its phases, what each player sees, and a sample play with random actions."""
    from rich.console import Console

    checked = checked_game(game, parameters_from(parameters))
    console = Console(highlight=False)
    console.print(f"{checked.name}: {checked.title}" if checked.title else checked.name, style="bold", markup=False)
    console.print(f"players: {', '.join(checked.players.members)}", markup=False)
    for line in _parameter_lines(checked):
        console.print(line, markup=False)
    console.print()
    for line in phase_lines(checked):
        console.print(line, markup=False, soft_wrap=True)
    if not transitions:
        return
    interpreter, layout = Interpreter(checked), Layout(checked)
    state = interpreter.initial()
    console.print(f"\na play with random actions, seed {seed}\n", style="bold", markup=False)
    console.print(drawing_text(draw(interpreter, state)), soft_wrap=True)
    for step in islice(play_randomly(interpreter, [seed_word(seed)], transitions), transitions):
        assert step.old.phase is not None
        console.print(f"\n{transition_text(layout, step.old.phase, step.chosen)}", style="bold", markup=False)
        console.print(drawing_text(draw(interpreter, step.new)), soft_wrap=True)
        state = step.new
    if interpreter.is_terminal(state):
        utilities = zip(checked.players.members, interpreter.utilities(state), strict=True)
        results = ", ".join(f"{name} {utility:g}" for name, utility in utilities)
        console.print(f"\nutilities: {results}", style="bold", markup=False)
    else:
        console.print(f"\nthe first {transitions} transitions; --transitions shows more", markup=False)


def _parameter_lines(game: typed.Game) -> Iterator[str]:
    """Yield a table of the parameters: value, default, type, and the rules' comment on each."""
    rows = [
        (
            parameter.name,
            scalar_text(parameter.type, parameter.value),
            scalar_text(parameter.type, parameter.default),
            type_text(parameter.type),
        )
        for parameter in game.parameters
    ]
    if not rows:
        return
    yield ""
    comments = [parameter.comment for parameter in game.parameters]
    head, *lines = table_lines(("parameter", "value", "default", "takes"), rows)
    yield head
    yield from (f"{line}   {comment}".rstrip() for line, comment in zip(lines, comments, strict=True))
