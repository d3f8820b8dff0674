"""The beginning and end of a transition: names for the choices or draws, and the next phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression, Name
from ggp.language import typed
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import (
    Choice,
    absent_code,
    actor_of,
    acts,
    choices_of,
    component_names,
    kind_name,
    take_apart,
)
from ggp.rules_compiler.emit.dispatch import condition
from ggp.rules_compiler.emit.draws import take_outcome_apart
from ggp.rules_compiler.emit.value_names import symbol_names


def settle_draws(b: Builder, phase: typed.Phase, outcome: Expression) -> None:
    """Write the values of a chance outcome into the names of the phase's draws."""
    assert phase.chance is not None
    if phase.chance.components:
        take_outcome_apart(b, phase, b.assign(outcome, "outcome"))
    name_draws(b, phase)


def name_draws(b: Builder, phase: typed.Phase) -> None:
    """Bind the phase's draws to their names."""
    assert phase.chance is not None
    for component in phase.chance.components:
        b.environment[component.symbol] = symbol_names(component.symbol)


def settle_choices(b: Builder, phase: typed.Phase, joint: Name, moves: bool = False) -> dict[str, Expression]:
    """Write the kinds and components of a joint action into their names.

    Returns:
        For each name of an action kind the condition under which it was chosen.
    """
    tests = KindTests()
    players = range(len(b.module.game.players.members))
    moves_of: dict[int, Expression] = {}
    for choice in choices_of(b, phase):
        if choice.chooser.actors is None:
            actor = actor_of(b, choice)
            action = b.assign(ir.entry(joint, actor), "action")
            take_apart(b, choice.blocks, action, component_names(choice, None), kind_name(choice, None))
            tests.add(choice, None, ir.TRUE)
            if moves and len(phase.choosers) == 1:
                b.moves = (action,)
            for player in players:
                moves_of[player] = ir.chosen(ir.equal(actor, player), action, moves_of.get(player, ir.integer(-1)))
            continue
        for player in players:
            acting = acts(b, choice, player)
            action = ir.entry(joint, player)
            _settle_player(b, choice, player, acting, action)
            moves_of[player] = ir.chosen(acting, action, moves_of.get(player, ir.integer(-1)))
            tests.add(choice, player, acting)
    if moves and not b.moves:
        b.moves = tuple(moves_of[player] for player in players)
    name_choices(b, phase)
    return tests.conditions


def _settle_player(b: Builder, choice: Choice, player: int, acting: Expression, action: Expression) -> None:
    names = component_names(choice, player)
    if acting.constant != 1:
        write_absence(b, choice, player)
    if acting.constant != 0:
        with b.when(acting):
            take_apart(b, choice.blocks, b.assign(action, "action"), names, kind_name(choice, player))


def write_absence(b: Builder, choice: Choice, player: int) -> None:
    """Write the values that components have for a player who does not act."""
    for kind, names in zip(choice.chooser.kinds, component_names(choice, player), strict=True):
        for component, name in zip(kind.components, names, strict=True):
            b.set(name, absent_code(component))
    if len(choice.blocks) > 1:
        b.set(kind_name(choice, player), -1)


class KindTests:
    """Conditions under which kinds were chosen, collected over choosers and players."""

    def __init__(self) -> None:
        self.conditions: dict[str, Expression] = {}

    def add(self, choice: Choice, player: int | None, acting: Expression) -> None:
        """Add that this chooser (for this player, who acts under a condition) can have chosen its kinds."""
        for number, kind in enumerate(choice.chooser.kinds):
            if kind.name is None or acting.constant == 0:
                continue
            several = len(choice.chooser.kinds) > 1
            test = ir.equal(kind_name(choice, player), number) if several else acting
            before = self.conditions.get(kind.name)
            self.conditions[kind.name] = test if before is None else ir.disjunction([before, test])


def name_choices(b: Builder, phase: typed.Phase) -> None:
    """Bind the phase's choices to their names."""
    for chooser in phase.choosers:
        for kind in chooser.kinds:
            for component in kind.components:
                b.environment[component.symbol] = symbol_names(component.symbol)


def transfer(b: Builder, phase: typed.Phase, kind_tests: Mapping[str, Expression], goto: Callable[[int], None]) -> None:
    """Write the choice of the next phase; conditions read the new state.

    Args:
        b: the function being written.
        phase: the phase that play leaves.
        kind_tests: the condition under which each kind of action was chosen.
        goto: writes the continuation at a phase, given its number.
    """
    layout = b.module.layout

    def write(transfers: Sequence[typed.Transfer]) -> None:
        first, *rest = transfers
        test = condition(b, first.condition)
        if test.constant == 0:
            write(rest)
            return
        with b.when(test):
            goto(layout.end if first.target is None else layout.phase_index[first.target])
        if test.constant is None:
            with b.otherwise():
                write(rest)

    def write_kinds(groups: Sequence[tuple[str | None, Sequence[typed.Transfer]]]) -> None:
        (kind, transfers), *rest = groups
        # the last group covers all remaining cases
        test = ir.TRUE if kind is None or not rest else kind_tests.get(kind, ir.FALSE)
        with b.when(test):
            write(transfers)
        if test.constant is None:
            with b.otherwise():
                write_kinds(rest)
        elif not test.constant:
            write_kinds(rest)

    write_kinds([(kind, list(some)) for kind, some in groupby(phase.transfers, lambda one: one.kind)])
