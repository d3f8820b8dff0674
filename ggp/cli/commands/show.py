"""`ggp show`: a game's parameters, phases, what each player sees, and a sample play, also from one player's view."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ggp.arithmetic.rng import seed_word
from ggp.cli.arguments import (
    BadArgument,
    game_argument,
    json_option,
    parameter_option,
    parameters_from,
    role_number,
    seed_option,
)
from ggp.cli.game_texts import drawing_text, phase_lines, sees_facts, table_lines, traits_of
from ggp.cli.rules_input import checked_game
from ggp.display.samples import sampled_svg
from ggp.drawing import draw
from ggp.encoding.state_layout import Layout
from ggp.interpreter.interpreter import Interpreter, WorldState
from ggp.interpreter.random_play import (
    Transition,
    action_text,
    chosen_texts,
    life_texts,
    play_randomly,
    transition_text,
)
from ggp.language import typed
from ggp.language.typed.types import scalar_text, type_text
from ggp.static_analysis.traits import is_of_perfect_information, source_of

if TYPE_CHECKING:
    from rich.console import Console

SHOWN_ACTIONS = 20
"""How many of a player's legal actions are listed."""


@click.command()
@game_argument
@parameter_option
@seed_option
@click.option("--transitions", type=click.IntRange(min=0), default=40, help="Transitions of the sample play to show.")
@click.option("--as", "role", metavar="ROLE", help="Show the play as this player sees it.")
@click.option(
    "--svg", type=click.Path(path_type=Path), metavar="FILE", help="Write only a picture: where the sample play ends."
)
@json_option
def show(
    game: str,
    parameters: tuple[str, ...],
    seed: int,
    transitions: int,
    role: str | None,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Show a game: its parameters, its phases, what each player sees, and a sample play with random actions."""
    from rich.console import Console

    checked = checked_game(game, parameters_from(parameters))
    player = None if role is None else role_number(checked.players.members, role, checked.name)
    if svg is not None:
        try:
            svg.write_text(sampled_svg(checked, seed, transitions, player), encoding="utf-8")
        except OSError as error:
            raise BadArgument(f"`{svg}` cannot be written: {error.strerror}") from error
        return
    console = Console(highlight=False)
    play = _Sample(checked, seed, transitions, console)
    if as_json:
        print(json.dumps(_facts(checked) | play.facts(player), indent=2))
        return
    console.print(f"{checked.name}: {checked.title}" if checked.title else checked.name, style="bold", markup=False)
    console.print(f"players: {', '.join(checked.players.members)}", markup=False)
    for line in _parameter_lines(checked):
        console.print(line, markup=False)
    console.print()
    for line in phase_lines(checked):
        console.print(line, markup=False, soft_wrap=True)
    if not transitions:
        return
    if player is None:
        play.show()
    else:
        play.show_as(player)


class _Sample:
    """A play with random actions, written out."""

    def __init__(self, game: typed.Game, seed: int, transitions: int, console: Console) -> None:
        self.game = game
        self.seed = seed
        self.transitions = transitions
        self.console = console
        self.interpreter, self.layout = Interpreter(game), Layout(game)

    def show(self) -> None:
        """Write every transition and the state after it."""
        state = self.interpreter.initial()
        self._bold(f"\na play with random actions, seed {self.seed}\n")
        self._draw(state)
        for step in self._steps():
            assert step.old.phase is not None
            self._bold(f"\n{transition_text(self.layout, step.old.phase, step.chosen)}")
            self._draw(step.new)
            state = step.new
        self._result(state)

    def show_as(self, player: int) -> None:
        """Write what one player knows of the play: its legal actions, its actions and its observations."""
        state = self.interpreter.initial()
        name = self.game.players.members[player]
        self._bold(f"\na play with random actions as {name} sees it, seed {self.seed}\n")
        open_ = is_of_perfect_information(self.game)
        if open_ or self.game.views:
            self._draw(state, player)
        for step in self._steps():
            assert step.old.phase is not None
            if player in step.legal:
                texts = [action_text(self.layout, step.old.phase, action) for action in step.legal[player]]
                more = f" and {len(texts) - SHOWN_ACTIONS} more" if len(texts) > SHOWN_ACTIONS else ""
                self.console.print(f"may choose: {', '.join(texts[:SHOWN_ACTIONS])}{more}", style="dim", markup=False)
            lived = life_texts(self.interpreter, self.layout, step.old, step.chosen, player)
            for text in lived:
                self._bold(text)
            if lived and (open_ or self.game.views):
                self._draw(step.new, player)
            state = step.new
        self._result(state)

    def facts(self, player: int | None) -> dict[str, Any]:
        """Return the play as `--json` prints it; with a player, what it knows of it."""
        state, names = self.interpreter.initial(), self.game.players.members
        is_drawn = player is None or is_of_perfect_information(self.game) or bool(self.game.views)
        begins = self._lines(state, player) if is_drawn else None
        play: list[dict[str, Any]] = []
        for step in self._steps():
            state, phase = step.new, step.old.phase
            assert phase is not None
            if player is None:
                one: dict[str, Any] = {"phase": phase, "chosen": chosen_texts(self.layout, phase, step.chosen)}
            else:
                legal = [action_text(self.layout, phase, action) for action in step.legal.get(player, [])]
                lived = life_texts(self.interpreter, self.layout, step.old, step.chosen, player)
                if not legal and not lived:
                    continue  # the player does not notice it
                one = {"legal": legal, "lived": lived}
            play.append(one | {"drawing": self._lines(state, player) if is_drawn else None})
        ended = self.interpreter.is_terminal(state)
        return {
            "seed": self.seed,
            "as": None if player is None else names[player],
            "drawing": begins,
            "play": play,
            "utilities": dict(zip(names, self.interpreter.utilities(state), strict=True)) if ended else None,
        }

    def _lines(self, state: WorldState, player: int | None) -> list[str]:
        return drawing_text(draw(self.interpreter, state, player)).plain.splitlines()

    def _steps(self) -> Iterator[Transition]:
        return islice(play_randomly(self.interpreter, [seed_word(self.seed)], self.transitions), self.transitions)

    def _bold(self, text: str) -> None:
        self.console.print(text, style="bold", markup=False, soft_wrap=True)

    def _draw(self, state: WorldState, player: int | None = None) -> None:
        self.console.print(drawing_text(draw(self.interpreter, state, player)), soft_wrap=True)

    def _result(self, state: WorldState) -> None:
        if self.interpreter.is_terminal(state):
            utilities = zip(self.game.players.members, self.interpreter.utilities(state), strict=True)
            self._bold("\nutilities: " + ", ".join(f"{name} {utility:g}" for name, utility in utilities))
        else:
            self.console.print(f"\nthe first {self.transitions} transitions; --transitions shows more", markup=False)


def _facts(game: typed.Game) -> dict[str, Any]:
    """Return what `--json` prints of a game, without a play."""
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players.members),
        "traits": traits_of(game),
        "parameters": _parameters(game),
        "phases": [
            {
                "phase": phase.name,
                "chance": None if phase.chance is None else source_of(game, phase.chance.span),
                "choices": [
                    {
                        "who": source_of(game, chooser.span),
                        "kinds": [source_of(game, kind.span) for kind in chooser.kinds],
                    }
                    for chooser in phase.choosers
                ],
            }
            for phase in game.phases
        ],
        "sees": sees_facts(game),
    }


def _parameters(game: typed.Game) -> list[dict[str, str]]:
    return [
        {
            "name": parameter.name,
            "value": scalar_text(parameter.type, parameter.value),
            "default": scalar_text(parameter.type, parameter.default),
            "takes": type_text(parameter.type),
            "comment": parameter.comment,
        }
        for parameter in game.parameters
    ]


def _parameter_lines(game: typed.Game) -> Iterator[str]:
    """Yield a table of the parameters: value, default, type, and the rules' comment on each."""
    parameters = _parameters(game)
    if not parameters:
        return
    yield ""
    rows = [tuple(one.values())[:-1] for one in parameters]
    head, *lines = table_lines(("parameter", "value", "default", "takes"), rows)
    yield head
    yield from (f"{line}   {one['comment']}".rstrip() for line, one in zip(lines, parameters, strict=True))
