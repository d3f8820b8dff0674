"""Checks of phases: who acts, what changes, who sees what, what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid, many
from ggp.language.check.costs import NOTHING
from ggp.language.check.expressions.definitions import let
from ggp.language.check.phases.choices import chance, chooser, kind_scope
from ggp.language.check.phases.sees import all_told, sees
from ggp.language.check.phases.successive_draws import in_parts, needs_parts
from ggp.language.check.phases.transfers import NextPhases
from ggp.language.check.phases.updates import update, without_conflicts
from ggp.language.diagnostics import suggestions
from ggp.language.limits import MAX_STATEMENTS, MAX_WORK
from ggp.language.text.source import Span
from ggp.language.typed import Chance, Chooser, Constant, Expression, Function, Phase, Sees, Transfer, Update


@dataclass(slots=True)
class _Parts:
    """What was found in one phase so far."""

    chance: Chance | None = None
    choosers: list[Chooser] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    sees: list[Sees] = field(default_factory=list)
    next_phases: NextPhases = field(default_factory=NextPhases)
    says_something: bool = False


def phase(checking: Checking, node: syntax.Phase, names: Mapping[str, Span], lines: Sequence[str]) -> list[Phase]:
    """Return a phase checked; as several, in order of play, where it draws too much for one transition.

    Args:
        checking: the check under way.
        node: the phase.
        names: the names of all phases of the game, with their places.
        lines: the lines of the file, for labels of what is seen.
    """
    count = sum(1 + len(part.statements) if isinstance(part, syntax.On) else 1 for part in node.statements)
    if count > MAX_STATEMENTS:
        checking.fail(node.name.span, f"a phase of {count} statements is too long; the limit is {MAX_STATEMENTS}")
    checking.phase = node.name.text
    checking.kinds = frozenset(
        kind.name.text
        for part in node.statements
        if isinstance(part, syntax.Chooser)
        for kind in part.kinds
        if kind.name is not None
    )
    choosing: list[syntax.Chance | syntax.Kind] = []
    for part in node.statements:
        if isinstance(part, syntax.Chooser):
            choosing += [kind for kind in part.kinds if kind.name is None]
        elif isinstance(part, syntax.Chance):
            choosing.append(part)
    checking.chosen = frozenset(choice.name.text for one in choosing for choice in one.choices)
    parts = _Parts()
    given_up = False
    with checking.names.inner():
        for statement in node.statements:
            try:
                _statement(checking, statement, parts, names, lines)
            except Invalid:
                given_up = True
                _damage(checking, statement)
    checking.phase, checking.kinds, checking.chosen = None, frozenset(), frozenset()
    checking.choice_indices.clear()
    if given_up or checking.found.has_errors:
        raise Invalid
    transfers = parts.next_phases.in_order(checking, node, parts.choosers)
    if not parts.choosers and parts.chance is None:
        parts.chance = Chance((), None, True, node.span)
    _check_together(checking, parts)
    _check_work(checking, node, parts, transfers)
    updates = without_conflicts(checking, tuple(parts.updates))
    if parts.choosers:
        updates += tuple(update for recorded in checking.recording for update in recorded.updates)
    told = tuple(parts.sees) if parts.says_something else all_told(checking, parts.chance, parts.choosers, node)
    made = Phase(
        node.name.text,
        parts.chance,
        tuple(parts.choosers),
        tuple(parts.functions),
        updates,
        told,
        transfers,
        node.span,
        tuple(parts.next_phases.kept),
    )
    chance = made.chance
    return in_parts(checking, made) if chance and chance.successive and needs_parts(chance.components) else [made]


def _damage(checking: Checking, statement: syntax.PhaseStatement) -> None:
    """Remember the names that a wrong statement would have declared."""
    match statement:
        case syntax.Let():
            checking.names.damage(statement.name.text)
        case syntax.Chance(choices=choices):
            for choice in choices:
                checking.names.damage(choice.name.text)
        case syntax.Chooser(_, _, _, _, kinds):
            checking.names.damage("move")
            for kind in kinds:
                if kind.name is not None:
                    checking.names.damage(kind.name.text)
                for choice in kind.choices:
                    checking.names.damage(choice.name.text)


def _statement(
    checking: Checking, node: syntax.PhaseStatement, parts: _Parts, names: Mapping[str, Span], lines: Sequence[str]
) -> None:
    match node:
        case syntax.Chance():
            if parts.chance is not None:
                checking.fail(
                    node.span, "chance draws twice in this phase", "write all draws behind one `chance draws`"
                )
            parts.chance, hands = chance(checking, node)
            parts.functions += hands
        case syntax.Chooser():
            parts.choosers.append(chooser(checking, node, parts.choosers))
        case syntax.Let():
            parts.functions += let(checking, node)
        case syntax.Update():
            parts.updates += update(checking, node)
        case syntax.Sees():
            parts.says_something = True
            told = sees(checking, node, parts.choosers, lines)
            parts.sees += [told] if told is not None else []
        case syntax.On():
            _on(checking, node, parts, names, lines)
        case syntax.Next():
            parts.next_phases.add(checking, node, names)


def _check_together(checking: Checking, parts: _Parts) -> None:
    """Report players and chance, or a player twice, acting in one phase."""
    if parts.chance is not None and parts.choosers:
        checking.fail(
            parts.choosers[0].span,
            "players and chance cannot act in the same phase",
            "let chance draw in a phase of its own",
            [(parts.chance.span, "chance draws here")],
        )
    fixed: dict[object, Span] = {}
    for made in parts.choosers:
        if made.actor is None and len(parts.choosers) > 1:
            checking.fail(
                made.span, "`each` cannot stand beside another `chooses`", "write one `chooses` for each player"
            )
        if isinstance(made.actor, Constant):
            if made.actor.value in fixed:
                checking.fail(
                    made.span, "this player chooses twice", "write all choices behind one `chooses`",
                    [(fixed[made.actor.value], "first here")],
                )  # fmt: skip
            fixed[made.actor.value] = made.span


def _check_work(checking: Checking, node: syntax.Phase, parts: _Parts, transfers: Sequence[Transfer]) -> None:
    """Report a phase in which one transition may take too long, by the sizes of all types that it runs through."""
    total = NOTHING

    def count(*evaluated: Expression | None) -> None:
        nonlocal total
        total = sum(map(checking.cost, evaluated), total)

    for made in parts.choosers:
        count(made.actors, made.actor)
        for kind in made.kinds:
            listed = checking.cost_of_bindings(_binders(kind.components), (kind.where,))
            total += listed.times(len(checking.players.members) if made.actors is not None and checking.players else 1)
    if parts.chance is not None and parts.chance.successive:
        # each drawn by itself
        for drawn in parts.chance.components:
            total += checking.cost_of_bindings(_binders((drawn,)), ())
    elif parts.chance is not None:
        total += checking.cost_of_bindings(_binders(parts.chance.components), (parts.chance.weight,))
    for made_update in parts.updates:
        evaluated = (made_update.condition, made_update.value, *made_update.indices)
        total += checking.cost_of_bindings(made_update.binders, evaluated)
    for told in parts.sees:
        count(told.audience, told.condition, *told.values)
    count(*(transfer.condition for transfer in transfers), *(kept.value for kept in parts.next_phases.kept))
    work = checking.combinations(total)
    if work > MAX_WORK:
        checking.fail(
            node.name.span,
            f"one step of this phase may run through {many(work)} combinations of values; "
            f"the limit is {many(MAX_WORK)}",
            "choose from, draw from and loop over smaller sets",
        )
    checking.work = max(checking.work, work)


def _binders(components: Sequence[typed.Component]) -> list[typed.Binder]:
    return [typed.Binder(component.local, component.domain) for component in components]


def _on(checking: Checking, node: syntax.On, parts: _Parts, names: Mapping[str, Span], lines: Sequence[str]) -> None:
    scope = kind_scope(parts.choosers, node.kind.text, checking)
    if scope is None:
        kinds = [kind.name for made in parts.choosers for kind in made.kinds if kind.name is not None]
        if node.kind.text in checking.names.damaged:
            raise Invalid
        hint = suggestions(node.kind.text, kinds) if kinds else "without kinds of moves it stands in the phase itself"
        checking.fail(node.kind.span, f"no kind of move is called `{node.kind.text}` here", hint)
    place = next(kind.span for made in parts.choosers for kind in made.kinds if kind.name == node.kind.text)
    end = place.column + len(node.kind.text)
    checking.names.uses[node.kind.span] = Span(place.line, place.column, place.line, end)
    with checking.names.inner() as inner:
        inner.update(scope)
        checking.kind = node.kind.text
        for statement in node.statements:
            try:
                _statement(checking, statement, parts, names, lines)
            except Invalid:
                _damage(checking, statement)
        checking.kind = None


def kinds_in_one_order(phases: Sequence[Phase]) -> tuple[Phase, ...]:
    """Return the phases with the kinds of moves of each chooser in the order in which the file first names them.

    Actions with the same text have the same number in all phases, and legal actions are listed in ascending order.
    """
    kinds = [kind for made in phases for chooser in made.choosers for kind in chooser.kinds]
    order = {key: place for place, key in enumerate(dict.fromkeys((kind.name, len(kind.components)) for kind in kinds))}

    def ordered(chooser: typed.Chooser) -> typed.Chooser:
        return replace(
            chooser, kinds=tuple(sorted(chooser.kinds, key=lambda kind: order[kind.name, len(kind.components)]))
        )

    return tuple(replace(made, choosers=tuple(map(ordered, made.choosers))) for made in phases)
