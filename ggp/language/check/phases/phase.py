"""Checks of phases: who acts, what changes, who sees what, what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid, many
from ggp.language.check.coercion import coerce, described, truth
from ggp.language.check.costs import NOTHING
from ggp.language.check.expressions.arrays import elements_of, index_values, limit_listed, listed_text
from ggp.language.check.expressions.definitions import let
from ggp.language.check.expressions.names import array_indices, indices_of, is_unknown, known, of_vector, selected
from ggp.language.check.expressions.sequences import as_sequence, items
from ggp.language.check.phases.choices import chance, chooser, kind_scope
from ggp.language.check.phases.successive_draws import in_parts, needs_parts
from ggp.language.check.phases.transfers import NextPhases
from ggp.language.check.phases.updates import update, without_conflicts
from ggp.language.check.scope import Selection, Vector
from ggp.language.diagnostics import suggestions
from ggp.language.limits import MAX_STATEMENTS, MAX_WORK
from ggp.language.text.source import Span
from ggp.language.typed import (
    Chance,
    Chooser,
    Constant,
    Expression,
    Function,
    Phase,
    Sees,
    Symbol,
    Table,
    Transfer,
    Update,
    Variable,
)
from ggp.language.typed.types import ArrayType, MoveType, RealType, SetType, codes, scalar_text
from ggp.language.typed.walk import walk


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
    parts = _Parts()
    given_up = False
    with checking.names.inner():
        for statement in node.statements:
            try:
                _statement(checking, statement, parts, names, lines)
            except Invalid:
                given_up = True
                _damage(checking, statement)
    checking.phase, checking.kinds = None, frozenset()
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
    sees = _all_told(checking, parts, node) if not parts.says_something else tuple(parts.sees)
    made = Phase(
        node.name.text,
        parts.chance,
        tuple(parts.choosers),
        tuple(parts.functions),
        updates,
        sees,
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
        case syntax.Chance(_, choices, _):
            for choice in choices:
                checking.names.damage(choice.name.text)
        case syntax.Chooser(_, _, _, _, kinds):
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
            parts.chance = chance(checking, node)
        case syntax.Chooser():
            parts.choosers.append(chooser(checking, node, parts.choosers))
        case syntax.Let():
            parts.functions += let(checking, node)
        case syntax.Update():
            parts.updates += update(checking, node)
        case syntax.Sees():
            _sees(checking, node, parts, lines)
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
    for sees in parts.sees:
        count(sees.audience, sees.condition, *sees.values)
    count(*(transfer.condition for transfer in transfers), *(value for _, value in parts.next_phases.kept))
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
        checking.fail(
            node.kind.span, f"no kind of move is called `{node.kind.text}` here", suggestions(node.kind.text, kinds)
        )
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


def _sees(checking: Checking, node: syntax.Sees, parts: _Parts, lines: Sequence[str]) -> None:
    players = checking.players
    if players is None:
        raise Invalid
    parts.says_something = True
    if node.audience is None:
        return
    everybody, who = SetType(players), node.audience
    if isinstance(who, syntax.Name) and len(who.text) == 1 and is_unknown(checking, who.text):
        hint = f"`sees each {who.text}: ...` tells each player a value of its own"
        checking.fail(who.span, f"unknown name `{who.text}`", hint)
    audience = checking.infer(node.audience, everybody)
    if audience.type != everybody:
        audience = coerce(checking, audience, players, "players are told")
        audience = checking.make(typed.SetLiteral((audience,), everybody, audience.span))
    checking.choosers = tuple(parts.choosers)
    try:
        with checking.names.inner():
            binder = None
            if node.binder is not None:
                binder = Symbol(node.binder.text, players, "bound", node.binder.span)
                checking.names.declare(
                    node.binder, "name", checking.make(typed.Local(binder, players, node.binder.span))
                )
            condition = truth(checking, node.condition) if node.condition is not None else None
            told = checking.each(lambda part: _told(checking, part, lines), node.values)
    finally:
        checking.choosers = ()
    if isinstance(condition, Constant):
        if not condition.value:
            return
        condition = None
    may_fail = any(isinstance(part, typed.Unwrap | typed.Guard) for part in walk(audience))
    if may_fail and condition is not None and binder is None:
        # who is told is not asked where nobody is: `sees winner: prize if winner is some`
        nobody = checking.constant(frozenset(), everybody, audience.span)
        audience = checking.make(typed.If(condition, audience, nobody, everybody, audience.span))
    pairs = [pair for part in told for pair in part]
    if not pairs:  # parts of sequences that cannot have an item
        return
    values, labels = zip(*pairs, strict=True)
    parts.sees.append(Sees(audience, binder, values, labels, condition, checking.kind, node.span))


def _told(checking: Checking, part: syntax.SeenValue, lines: Sequence[str]) -> list[tuple[Expression, str]]:
    """Return what is told, with labels: one value, or each `x[i]` of an `x` chosen or drawn, or of an array's row."""
    node, label = part.value, part.label
    shown = label.text if label is not None else _source_text(lines, node.span)
    row = _row(checking, node) if isinstance(node, syntax.Indexed) else []
    if row:
        head = shown.removesuffix("]") + ", " if label is None else shown + "["
        return [(element, f"{head}{text}]") for text, element in row]
    entry = known(checking, node.text, node.span) if isinstance(node, syntax.Name) else None
    if entry is None or not isinstance(entry.meaning, Vector):
        value = _seen(checking, node)
        sequence = as_sequence(value)
        if sequence is None:
            return [(value, shown)]
        told = items(checking, sequence, "`sees`")
        return [(item, f"{shown}[{place}]") for place, item in enumerate(told, 1)]
    vector = entry.meaning
    return [
        (
            checking.make(typed.Local(symbol, symbol.type, node.span)),
            f"{shown}[{', '.join(map(scalar_text, vector.indices, code))}]",
        )
        for code, symbol in zip(vector.codes, vector.symbols, strict=True)
    ]


def _row(checking: Checking, node: syntax.Indexed) -> list[tuple[str, Expression]]:
    """Return the elements of `a[i]` where `a` has more indices, each with the text of the others; else nothing."""
    entry = known(checking, node.base.text, node.base.span) if isinstance(node.base, syntax.Name) else None
    if entry and isinstance(entry.meaning, Vector):
        return _row_of_vector(checking, node, entry.meaning)
    type_ = entry.meaning.type if entry and isinstance(entry.meaning, Variable | Table) else None
    if not isinstance(type_, ArrayType) or len(node.indices) >= len(type_.indices):
        return []
    array, shown = checking.infer(node.base), cast("syntax.Name", node.base).text
    first = array_indices(checking, shown, type_.indices[: len(node.indices)], node.indices, node.span)
    return elements_of(checking, array, "`sees`", first)


def _row_of_vector(checking: Checking, node: syntax.Indexed, vector: Vector) -> list[tuple[str, Expression]]:
    """Return the same where `a` was chosen or drawn for each value of its indices."""
    shown, types = cast("syntax.Name", node.base).text, indices_of(vector)
    others = types[len(node.indices) :]
    if not others:
        return []
    first = array_indices(checking, shown, types[: len(node.indices)], node.indices, node.span)
    limit_listed(checking, others, "`sees`", node.span)
    return [
        (listed_text(rest), of_vector(checking, shown, vector, (*first, *rest), node.span))
        for rest in index_values(checking, others, node.span)
    ]


def _seen(checking: Checking, node: syntax.Expression) -> Expression:
    value = checking.infer(node)
    if isinstance(value.type, RealType):
        checking.fail(value.span, f"players cannot be told {described(value.type)}", "tell them what it is made from")
    return value


def _source_text(lines: Sequence[str], span: Span) -> str:
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    inner = lines[span.line : span.end_line - 1]
    texts = [lines[span.line - 1][span.column - 1 :], *inner, lines[span.end_line - 1][: span.end_column - 1]]
    return " ".join(text.strip() for text in texts)


def _all_told(checking: Checking, parts: _Parts, node: syntax.Phase) -> tuple[Sees, ...]:
    """Return what players see in a phase without `sees`: everybody sees everything chosen or drawn."""
    players = checking.players
    if players is None:
        raise Invalid
    values: list[Expression] = []
    labels: list[str] = []
    symbols = [part.symbol for part in parts.chance.components] if parts.chance else []
    for made in parts.choosers:
        if made.actor is None:
            symbols += [part.symbol for kind in made.kinds for part in kind.components]
        else:
            actor = made.actor if len(parts.choosers) > 1 else None
            values.append(checking.make(typed.MoveRead(actor, MoveType(node.name.text), made.span)))
            labels.append("move")
    told: set[Symbol] = set()
    for symbol in symbols:
        name, meaning = checking.vectors.get(symbol, ("", None))
        if isinstance(meaning, Selection):
            told |= set(meaning.symbols)
            whose: list[Expression | None] = [None]
            if isinstance(symbol.type, ArrayType):
                whose = [checking.constant(code, players, symbol.span) for code in codes(players)]
            for code, player in enumerate(whose):
                values.append(selected(checking, meaning.symbols, player, symbol.span))
                labels.append(name if player is None else f"{name}[{players.members[code]}]")
        elif symbol not in told:
            values.append(checking.make(typed.Local(symbol, symbol.type, symbol.span)))
            labels.append(symbol.name)
    if not values:
        return ()
    everybody = checking.constant(frozenset(codes(players)), SetType(players), node.span)
    return (Sees(everybody, None, tuple(values), tuple(labels), None, None, node.span),)


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
