"""Checks of what players see: `sees`, and what they are told where a phase has none."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import coerce, described, truth
from ggp.language.check.expressions.indices import selected
from ggp.language.check.expressions.names import is_unknown, known, row
from ggp.language.check.expressions.sequences import as_sequence, items
from ggp.language.check.scope import Selection, Vector
from ggp.language.text.source import Span
from ggp.language.typed import Constant, Expression, Sees, Symbol
from ggp.language.typed.types import ArrayType, MoveType, RealType, SetType, codes, scalar_text
from ggp.language.typed.walk import walk


def sees(checking: Checking, node: syntax.Sees, choosers: Sequence[typed.Chooser], lines: Sequence[str]) -> Sees | None:
    """Return what a `sees` tells; None if it tells nothing.

    Args:
        checking: the check under way.
        node: the statement.
        choosers: above it, whose moves it may tell.
        lines: of the file, for labels.
    """
    players = checking.players
    if players is None:
        raise Invalid
    if node.audience is None:
        return None
    everybody, who = SetType(players), node.audience
    short = isinstance(who, syntax.Name) and (len(who.text) == 1 or who.text in ("everyone", "everybody", "players"))
    if isinstance(who, syntax.Name) and short and is_unknown(checking, who.text):
        each = f"`sees each {who.text}: ...` tells each player a value of its own"
        hint = each if len(who.text) == 1 else "write `sees all: ...`"
        checking.fail(who.span, f"unknown name `{who.text}`", hint)
    audience = checking.infer(node.audience, everybody)
    if audience.type != everybody:
        audience = coerce(checking, audience, players, "players are told")
        audience = checking.make(typed.SetLiteral((audience,), everybody, audience.span))
    checking.choosers = tuple(choosers)
    try:
        with checking.names.inner():
            binder = None
            if node.binder is not None:
                binder = Symbol(node.binder.text, players, "bound", node.binder.span)
                checking.names.declare(node.binder, "name", checking.local(binder, node.binder.span))
            condition = truth(checking, node.condition) if node.condition is not None else None
            told = checking.each(lambda part: _told(checking, part, lines), node.values)
    finally:
        checking.choosers = ()
    if isinstance(condition, Constant):
        if not condition.value:
            return None
        condition = None
    may_fail = any(isinstance(part, typed.Unwrap | typed.Guard) for part in walk(audience))
    if may_fail and condition is not None and binder is None:
        # who is told is not asked where nobody is: `sees winner: prize if winner is some`
        nobody = checking.constant(frozenset(), everybody, audience.span)
        audience = checking.make(typed.If(condition, audience, nobody, everybody, audience.span))
    pairs = [pair for part in told for pair in part]
    if not pairs:  # parts of sequences that cannot have an item
        return None
    values, labels = zip(*pairs, strict=True)
    return Sees(audience, binder, values, labels, condition, checking.kind, node.span)


def _told(checking: Checking, part: syntax.SeenValue, lines: Sequence[str]) -> list[tuple[Expression, str]]:
    """Return what is told, with labels: one value, or each `x[i]` of an `x` chosen, drawn or named, or of a row."""
    node, label = part.value, part.label
    shown = label.text if label is not None else _source_text(lines, node.span)
    _, elements = row(checking, node, "`sees`")
    if elements:
        closed = label is None and isinstance(node, syntax.Indexed)  # `a[i]`, of which each is `a[i, j]`
        head = shown.removesuffix("]") + ", " if closed else shown + "["
        return [(_tellable(checking, element), f"{head}{text}]") for text, element in elements]
    entry = known(checking, node.text, node.span) if isinstance(node, syntax.Name) else None
    if entry is None or not isinstance(entry.meaning, Vector):
        value = _tellable(checking, checking.infer(node))
        sequence = as_sequence(value)
        if sequence is None:
            return [(value, shown)]
        told = items(checking, sequence, "`sees`")
        return [(item, f"{shown}[{place}]") for place, item in enumerate(told, 1)]
    vector = entry.meaning
    return [
        (
            checking.local(symbol, node.span),
            f"{shown}[{', '.join(map(scalar_text, vector.indices, code))}]",
        )
        for code, symbol in zip(vector.codes, vector.symbols, strict=True)
    ]


def _tellable(checking: Checking, value: Expression) -> Expression:
    if isinstance(value.type, RealType):
        checking.fail(value.span, f"players cannot be told {described(value.type)}", "tell them what it is made from")
    return value


def _source_text(lines: Sequence[str], span: Span) -> str:
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    inner = lines[span.line : span.end_line - 1]
    texts = [lines[span.line - 1][span.column - 1 :], *inner, lines[span.end_line - 1][: span.end_column - 1]]
    return " ".join(text.strip() for text in texts)


def all_told(
    checking: Checking, drawn: typed.Chance | None, choosers: Sequence[typed.Chooser], node: syntax.Phase
) -> tuple[Sees, ...]:
    """Return what players see in a phase without `sees`: everybody sees everything chosen or drawn."""
    players = checking.players
    if players is None:
        raise Invalid
    values: list[Expression] = []
    labels: list[str] = []
    symbols = [part.symbol for part in drawn.components] if drawn else []
    for made in choosers:
        if made.actor is None:
            symbols += [part.symbol for kind in made.kinds for part in kind.components]
        else:
            actor = made.actor if len(choosers) > 1 else None
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
            values.append(checking.local(symbol, symbol.span))
            labels.append(symbol.name)
    if not values:
        return ()
    everybody = checking.constant(frozenset(codes(players)), SetType(players), node.span)
    return (Sees(everybody, None, tuple(values), tuple(labels), None, None, node.span),)
