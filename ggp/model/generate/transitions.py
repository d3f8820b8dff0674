"""What a transition begins and ends with: what was chosen or drawn, by name, and where play goes on."""

from __future__ import annotations

from collections.abc import Callable

from ggp.language import typed
from ggp.model.generate.builder import Builder, symbol_names
from ggp.model.generate.choices import (
    Choice,
    absent_code,
    actor_of,
    acts,
    choices_of,
    component_names,
    take_apart,
)
from ggp.model.generate.dispatch import condition
from ggp.model.generate.draws import take_outcome_apart
from ggp.model.generate.operands import Code, truth


def settle_draws(b: Builder, phase: typed.Phase, outcome: str) -> None:
    """Write the values of a chance outcome into the names of the phase's draws."""
    assert phase.chance is not None
    if phase.chance.components:
        take_outcome_apart(b, phase, b.assign(outcome, "outcome"))
    name_draws(b, phase)


def name_draws(b: Builder, phase: typed.Phase) -> None:
    """Let the phase's draws be read under their names."""
    assert phase.chance is not None
    for component in phase.chance.components:
        b.environment[component.symbol] = symbol_names(component.symbol)


def settle_choices(b: Builder, phase: typed.Phase, joint: str, moves: bool = False) -> dict[str, Code]:
    """Write the kinds and components of a joint action into their names.

    Returns:
        For each name of an action kind the condition under which it was chosen.
    """
    tests = KindTests()
    players = range(len(b.module.game.players.members))
    moves_of: dict[int, Code] = {}
    for choice in choices_of(b, phase):
        if choice.chooser.actors is None:
            actor = actor_of(b, choice)
            action = b.assign(f"{joint}[{actor}]", "action")
            take_apart(b, choice.blocks, action, component_names(choice, None), kind_name(choice, None))
            tests.add(choice, None, truth(True))
            if moves and len(phase.choosers) == 1:
                b.moves = (Code(action),)
            for player in players:
                moves_of[player] = _move(_is_player(actor, player), action, moves_of.get(player))
            continue
        for player in players:
            acting = acts(b, choice, str(player))
            _settle_player(b, choice, player, acting, f"{joint}[{player}]")
            tests.add(choice, player, acting)
            moves_of[player] = _move(acting, f"{joint}[{player}]", moves_of.get(player))
    if moves and not b.moves:
        b.moves = tuple(moves_of[player] for player in players)
    name_choices(b, phase)
    return tests.conditions


def _is_player(actor: str, player: int) -> Code:
    return truth(int(actor) == player) if actor.isdigit() else Code(f"{actor} == {player}", truth=True)


def _move(acting: Code, text: str, before: Code | None) -> Code:
    """Return the number of a player's action where the player acts; else what it was before, or -1 for none."""
    if acting.constant is not None:
        return Code(text) if acting.constant else before or Code("-1", -1)
    return Code(f"({text} if {acting.text} else {before.text if before else -1})")


def _settle_player(b: Builder, choice: Choice, player: int, acting: Code, joint: str) -> None:
    names = component_names(choice, player)
    if acting.constant == 1:
        take_apart(b, choice.blocks, b.assign(joint, "action"), names, kind_name(choice, player))
        return
    write_absence(b, choice, player)
    if acting.constant is None:
        with b.block(f"if {acting.text}:"):
            take_apart(b, choice.blocks, b.assign(joint, "action"), names, kind_name(choice, player))


def write_absence(b: Builder, choice: Choice, player: int) -> None:
    """Write the values that components have for a player who does not act."""
    for kind, names in zip(choice.chooser.kinds, component_names(choice, player), strict=True):
        for component, name in zip(kind.components, names, strict=True):
            b.emit(f"{name} = {absent_code(component)}")
    if len(choice.blocks) > 1:
        b.emit(f"{kind_name(choice, player)} = -1")


def kind_name(choice: Choice, player: int | None) -> str:
    """Return the name that takes the number of the kind that was chosen."""
    return f"kind_{choice.place}" + ("" if player is None else f"_{player}")


class KindTests:
    """Conditions under which kinds were chosen, collected over choosers and players."""

    def __init__(self) -> None:
        self.conditions: dict[str, Code] = {}

    def add(self, choice: Choice, player: int | None, acting: Code) -> None:
        """Add that this chooser (for this player, who acts under a condition) can have chosen its kinds."""
        for number, kind in enumerate(choice.chooser.kinds):
            if kind.name is None or acting.constant == 0:
                continue
            test = truth(True)
            if len(choice.chooser.kinds) > 1:
                test = Code(f"{kind_name(choice, player)} == {number}", truth=True)
            elif acting.constant is None:
                test = acting
            before = self.conditions.get(kind.name)
            if before is not None and before.constant != 1 and test.constant != 1:
                test = Code(f"({before.text} or {test.text})", truth=True)
            elif before is not None and before.constant == 1:
                test = before
            self.conditions[kind.name] = test


def name_choices(b: Builder, phase: typed.Phase) -> None:
    """Let the phase's choices be read under their names."""
    for chooser in phase.choosers:
        for kind in chooser.kinds:
            for component in kind.components:
                b.environment[component.symbol] = symbol_names(component.symbol)


def transfer(b: Builder, phase: typed.Phase, goto: Callable[[int], str]) -> None:
    """Write where play goes on; conditions read the new state. `goto` is the line that goes to a phase's number."""
    layout = b.module.layout

    def number(entry: typed.Transfer) -> int:
        return layout.end if entry.target is None else layout.phase_index[entry.target]

    _transfer(b, list(phase.transfers), lambda entry: goto(number(entry)))


def _transfer(b: Builder, transfers: list[typed.Transfer], goto: Callable[[typed.Transfer], str]) -> None:
    first, *rest = transfers
    test = condition(b, first.condition)
    if test.constant is not None:
        if test.constant:
            b.emit(goto(first))
        else:
            _transfer(b, rest, goto)
        return
    with b.block(f"if {test.text}:"):
        b.emit(goto(first))
    with b.block("else:"):
        _transfer(b, rest, goto)
