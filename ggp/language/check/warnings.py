"""Warnings about a game without errors: unused names, unreachable phases, what is told by mistake."""

from __future__ import annotations

from typing import cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.scope import Meant
from ggp.language.typed import Game, Phase
from ggp.language.typed.walk import nodes_of, same, walk, walk_through


def warn(game: Game, checking: Checking, tree: syntax.File) -> None:
    """Report what is probably a mistake in a game without errors."""
    _unused(checking)
    _unused_members(game, checking)
    _unreachable(game, tree, checking)
    for phase in game.phases:
        _read_in_both_states(phase, checking)
        _counted_twice(phase, checking)
    if len(game.players.members) > 1:
        for node in tree.declarations:
            if isinstance(node, syntax.Phase):
                _untold(node, checking)
                _told_too_early(node, checking)


def _unused(checking: Checking) -> None:
    words = {
        "parameter": "parameter", "type": "type", "board": "board", "table": "table", "variable": "variable",
        "definition": "definition", "let": "name", "named": "name", "history": "history",
    }  # fmt: skip
    visible = {id(entry) for entry in checking.names.visible()}
    for entry in checking.names.declared:
        if isinstance(entry.meaning, Meant) and entry.meaning.type in checking.names.types_of_used_members:
            continue
        if not entry.used and entry.kind in words and (id(entry) in visible or entry.kind in ("let", "named")):
            checking.found.warning(entry.span, f"the {words[entry.kind]} `{entry.name}` is not used")


def _unused_members(game: Game, checking: Checking) -> None:
    """Report members of enumerations that no value can be: never named, and their type never used as a whole."""
    names = checking.names
    given = {parameter.type for parameter in game.parameters}
    for text, owners in names.members.items():
        for type_, code in owners:
            known = type_ in names.whole_types or type_ in given or type_.role != "enumeration"
            if not known and type_ in names.types_of_used_members and (type_, code) not in names.used_members:
                shown = f"`{type_.name}`" if type_.name else "its type"
                checking.found.warning(names.declared_members[text], f"the member `{text}` of {shown} is not used")


def _unreachable(game: Game, tree: syntax.File, checking: Checking) -> None:
    following = {phase.name: [transfer.target for transfer in phase.transfers] for phase in game.phases}
    reached: set[str | None] = set()
    waiting: list[str | None] = [game.phases[0].name]
    while waiting:
        name = waiting.pop()
        if name is not None and name not in reached:
            waiting += following[name]
        reached.add(name)
    if None not in reached:
        checking.found.warning(game.phases[0].span, "the game never ends: no phase that can be reached has `next end`")
    mentioned = {
        transfer.target.phase.text
        for node in tree.declarations
        if isinstance(node, syntax.Phase)
        for outer in node.statements
        for statement in (outer.statements if isinstance(outer, syntax.On) else (outer,))
        if isinstance(statement, syntax.Next)
        for transfer in statement.transfers
        if transfer.target.phase is not None
    }
    for phase in game.phases:
        # A phase that only the parameters rule out is left out on purpose.
        if not phase.follows and phase.name not in reached and phase.name not in mentioned:
            checking.found.warning(phase.span, f"phase `{phase.name}` is never reached")


def _read_in_both_states(phase: Phase, checking: Checking) -> None:
    """Report a `let` that updates or `sees` read in the old state, and `next` in the new one, where it may differ."""
    before = {node.function for node in nodes_of(phase.updates, phase.sees) if isinstance(node, typed.Call)}
    for transfer in phase.transfers:
        kinds = (None, transfer.kind)
        changed = {update.target for update in phase.updates if transfer.kind is None or update.kind in kinds}
        for node in walk(transfer.condition) if transfer.condition is not None else ():
            called = node.function if isinstance(node, typed.Call) and node.function in phase.functions else None
            inner = [part.function for part in walk_through(node) if isinstance(part, typed.Call)] if called else []
            for function in [one for one in inner if one in before and one in phase.functions][:1]:
                inside = [part.variable for part in nodes_of(function.body) if isinstance(part, typed.StateRead)]
                read = sorted(
                    changed.intersection(inside), key=lambda variable: (variable.part == "size", variable.name)
                )
                if read and called is not None:
                    name = function.name
                    of = "" if function == called else f" has a `{name}` that"
                    message = (
                        f"`next` reads the new `{read[0].name}`, so this{of} is not the `{name}` of the lines above"
                    )
                    hint = f"that is `old {called.name}`; if the new one is meant, give it a `let` of its own"
                    checking.found.warning(node.span, message, hint)


def _counted_twice(phase: Phase, checking: Checking) -> None:
    """Report `next end if round + 1 == rounds` below `round := round + 1`: `next` reads what updates leave."""
    counted = [
        part
        for update in phase.updates
        for part in walk(update.value)
        if not update.indices and isinstance(part, typed.Binary) and part.operator in ("add", "subtract")
        if isinstance(part.left, typed.StateRead) and part.left.variable == update.target
    ]
    for transfer in phase.transfers:
        for node in walk(transfer.condition) if transfer.condition is not None else ():
            if isinstance(node, typed.Binary) and any(same(node, one) for one in counted):
                name = cast("typed.StateRead", node.left).variable.name
                message = f"`next` reads the new `{name}`, so this adds or subtracts once more what the update did"
                checking.found.warning(node.span, message, f"what the update has made of it is `{name}`")


def _untold(phase: syntax.Phase, checking: Checking) -> None:
    """Report kinds of moves that nobody is told of only because another kind says who is told of it."""
    parts = [part for part in phase.statements if isinstance(part, syntax.On)]
    told = [part.kind.text for part in parts if any(isinstance(each, syntax.Sees) for each in part.statements)]
    if not told or any(isinstance(part, syntax.Sees) for part in phase.statements):
        return
    for chooser in phase.statements:
        for kind in chooser.kinds if isinstance(chooser, syntax.Chooser) else ():
            if kind.name is not None and kind.name.text not in told:
                name = kind.name.text
                hint = f"say who is told: `on {name}: sees all: move`, or `on {name}: sees nothing`"
                message = f"the others are not told of `{name}`, since `{told[0]}` has a `sees`"
                checking.found.warning(kind.name.span, message, hint)


def _told_too_early(phase: syntax.Phase, checking: Checking) -> None:
    """Report what a chance phase changes and tells as it was before: `sees` reads the old state, as updates do."""
    if not any(isinstance(part, syntax.Chance) for part in phase.statements):
        return
    changed = {_variable(part.target) for part in phase.statements if isinstance(part, syntax.Update)}
    for part in phase.statements:
        for told in part.values if isinstance(part, syntax.Sees) else ():
            name = _variable(told.value)
            if told.label is None and name is not None and name in changed:
                message = f"`{name}` is told as it was before the draw"
                hint = "tell what is drawn, or the new value in an automatic phase that follows"
                checking.found.warning(told.span, message, f"{hint}; if this is meant, label it: `before = ...`")


def _variable(target: syntax.Expression) -> str | None:
    """Return the name of the variable that `x` or `x[i]` is, or is an element of."""
    while isinstance(target, syntax.Indexed):
        target = target.base
    return target.text if isinstance(target, syntax.Name) else None
