"""Checks of updates: what is assigned, and whether two assignments can conflict in one transition."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import at_most, expect, truth
from ggp.language.check.expressions.binders import bind
from ggp.language.check.expressions.cells import cells_named
from ggp.language.check.expressions.indices import array_indices
from ggp.language.check.expressions.names import foreign_name, is_unknown, known, meant_by
from ggp.language.check.expressions.sequences import updates as of_sequence
from ggp.language.check.scope import SequenceVariable
from ggp.language.limits import MAX_COMPARED
from ggp.language.typed import Constant, Expression, Update, Variable
from ggp.language.typed.types import ArrayType, EnumType, IntType, type_text
from ggp.language.typed.walk import nodes_of, same, walk


def update(checking: Checking, node: syntax.Update) -> list[Update]:
    """Return an update checked, two for a sequence; none where the parameters rule it out."""
    with checking.names.inner():
        binders = bind(checking, node.binders)
        condition = truth(checking, node.condition) if node.condition is not None else None
        if condition is not None and _never(condition) and all(map(_cannot_fail, nodes_of(condition))):
            with checking.ruled_out(dead=True):
                _assignment(checking, node)
            return []
        if isinstance(condition, Constant):
            condition = None
        target, indices, value = _assignment(checking, node)
        if isinstance(target, SequenceVariable):
            return of_sequence(checking, target, indices, value, binders, condition, node.span)
    return [Update(target, indices, value, binders, condition, checking.kind, False, node.span)]


def _cannot_fail(node: Expression) -> bool:
    """Return whether a part of a condition is one that never fails by itself: what fails is a fault, used or not."""
    match node:
        case typed.Binary(operator):
            return operator not in ("div", "mod")
        case typed.SetFold(kind):
            return kind == "count"
    return isinstance(node, Constant | typed.Local | typed.StateRead | typed.TableRead | typed.Unary | typed.Call)


def _never(condition: Expression) -> bool:
    """Return whether a condition can be seen to be false always, as `cave < caves` where there is only one cave."""
    match condition:
        case Constant(value):
            return not value
        case typed.Call(function, ()):
            return _never(function.body)
        case typed.Binary("and", left, right):
            return _never(left) or _never(right)
        case typed.Binary("or", left, right):
            return _never(left) and _never(right)
        case typed.Binary(operator, left, right):
            a, b = left.type, right.type
            if isinstance(a, IntType) and isinstance(b, IntType):
                return {
                    "equal": a.high < b.low or b.high < a.low,
                    "unequal": a.low == a.high == b.low == b.high,
                    "less": b.high <= a.low,
                    "less_equal": b.high < a.low,
                    "greater": a.high <= b.low,
                    "greater_equal": a.high < b.low,
                }.get(operator, False)
    return False


def _assignment(
    checking: Checking, node: syntax.Update
) -> tuple[Variable | SequenceVariable, tuple[Expression, ...], Expression]:
    base = node.target.base if isinstance(node.target, syntax.Indexed) else node.target
    if not isinstance(base, syntax.Name):
        checking.fail(node.target.span, "only a variable of the state can be changed", "write `name := value`")
    entry = known(checking, base.text, base.span)
    if entry is None:
        if is_unknown(checking, base.text) and not (foreign_name(base.text) or meant_by(checking, base.text)):
            advice = f"variables are declared below `state`; what is only a name for a value is `let {base.text} = ...`"
            checking.fail(base.span, f"unknown name `{base.text}`", advice)
        checking.infer(base)  # reports the unknown name, or gives a member of an enumeration
        checking.fail(base.span, f"`{base.text}` is not a variable of the state and cannot change")
    target = entry.meaning
    if not isinstance(target, Variable | SequenceVariable):
        checking.fail(
            base.span,
            f"`{base.text}` is not a variable of the state and cannot change",
            "what changes is declared below `state`",
            notes=[(entry.span, f"`{base.text}` was declared here")],
        )
    if not isinstance(target.type, ArrayType):
        if isinstance(node.target, syntax.Indexed):
            checking.fail(node.target.span, f"`{base.text}` is not an array")
        return target, (), _value(checking, node, target)
    if not isinstance(node.target, syntax.Indexed):
        of = dict(zip("ijklmnabcdefghop", target.type.indices, strict=False))
        names, each = ", ".join(of), ", ".join(f"{name} in {type_text(index)}" for name, index in of.items())
        right = f"{node.value.text}[{names}]" if isinstance(node.value, syntax.Name) else "value"
        checking.fail(
            node.target.span,
            f"`{base.text}` is an array, and an update changes its elements",
            f"write `{base.text}[{names}] := {right} for {each}`",
        )
    nodes, types = node.target.indices, target.type.indices
    for part, index in zip(nodes, types, strict=False):
        if isinstance(part, syntax.Name) and not _means_something(checking, part.text):
            checking.fail(
                part.span,
                f"unknown name `{part.text}`",
                foreign_name(part.text)
                or f"to change several elements, add `for {part.text} in {type_text(index)}` behind the update",
            )
    indices, value = checking.several(
        lambda: array_indices(checking, base.text, types, nodes, node.target.span),
        lambda: (_value(checking, node, target),),
    )
    return target, indices, value[0]


def _means_something(checking: Checking, text: str) -> bool:
    names = checking.names
    found = names.lookup(text) or text in names.damaged or text in names.members or text in checking.later
    return bool(found or cells_named(checking, text))


def _value(checking: Checking, node: syntax.Update, target: Variable | SequenceVariable) -> Expression:
    if isinstance(target, SequenceVariable):
        return checking.infer(node.value, target.sequence)
    type_ = target.type.element if isinstance(target.type, ArrayType) else target.type
    value = expect(checking, node.value, type_, f"`{target.name}` takes {type_text(type_)}")
    return at_most(checking, value, target.most, target.name)


def without_conflicts(checking: Checking, updates: tuple[Update, ...]) -> tuple[Update, ...]:
    """Return the updates of a phase, those proven never to conflict marked; report certain conflicts."""
    found = []
    many = {target for target, count in Counter(made.target for made in updates).items() if count > MAX_COMPARED}
    for position, made in enumerate(updates):
        if made.target in many:
            # Comparing each with each takes too long; conflicts are then found in play.
            found.append(made)
            continue
        others = [other for place, other in enumerate(updates) if place != position and other.target is made.target]
        for other in updates[:position]:
            if _certain(made, other):
                checking.found.error(
                    made.span,
                    f"`{made.target.name}` is assigned twice at once",
                    "each variable changes at most once in a phase: join both with `if`",
                    [(other.span, "it is assigned here too")],
                )
        exclusive = _alone(made) and all(_apart(made, other) for other in others)
        found.append(replace(made, exclusive=exclusive))
    return tuple(found)


def _certain(first: Update, second: Update) -> bool:
    return (
        first.target is second.target
        and not (first.binders or second.binders or first.condition or second.condition)
        and (first.kind == second.kind or first.kind is None or second.kind is None)
        and same(first.indices, second.indices)
    )


def _alone(made: Update) -> bool:
    """Return whether different bindings of one update change different elements."""
    direct = {index.symbol for index in made.indices if isinstance(index, typed.Local)}
    return all(binder.symbol in direct for binder in made.binders)


def _apart(first: Update, second: Update) -> bool:
    """Return whether two updates of one variable are proven never to change the same element in one transition."""
    if first.kind is not None and second.kind is not None and first.kind != second.kind:
        return True
    pairs = zip(first.indices, second.indices, strict=True)
    if any(_differ(a, b) for a, b in pairs):
        return True
    if first.binders or second.binders or first.condition is None or second.condition is None:
        return False
    return any(_exclude(a, b) for a in _conjuncts(first.condition) for b in _conjuncts(second.condition))


def _differ(first: Expression, second: Expression) -> bool:
    """Return whether two indices are recognised as never equal: `1` and `2`, `p` and `other(p)`, `i` and `i + 1`."""
    if isinstance(first, Constant) and isinstance(second, Constant):
        return first.value != second.value
    a, b = _unguarded(first), _unguarded(second)
    if isinstance(a, typed.CellStep) and isinstance(b, typed.CellStep) and same(a.cell, b.cell):  # `c + d`, `c + 2*d`
        known = isinstance(a.times, Constant) and isinstance(b.times, Constant) and a.times.value != b.times.value
        return known and same(a.direction, b.direction) and not _is_bound(a) and not _is_bound(b)
    return (same(_moved(a), b) and not _is_bound(b)) or (same(_moved(b), a) and not _is_bound(a))


def _unguarded(index: Expression) -> Expression:
    """Return an index without the check of its range, or for none: where that fails, nothing is assigned."""
    return index.operand if isinstance(index, typed.Guard | typed.Unwrap) else index


def _moved(index: Expression) -> Expression | None:
    """Return an expression that an index is made of and never equal to: `p` of `other(p)`, `i` of `i + 1`."""
    match index:
        case typed.TableRead(table, (inner,)) if isinstance(inner.type, EnumType):
            return inner if all(value != code for code, value in enumerate(table.values)) else None
        case typed.Binary("add" | "subtract", inner, Constant(value=int() as distance)) if distance:
            return inner
        case typed.CellStep(cell=inner, times=Constant(value=int() as distance)) if distance:
            return inner
    return None


def _is_bound(index: Expression) -> bool:
    """Return whether an index depends on a variable that is bound: in another update it has another value."""
    return any(isinstance(part, typed.Local) and part.symbol.kind == "bound" for part in walk(index))


def _conjuncts(condition: Expression) -> list[Expression]:
    """Return the first few conditions that `and` joins: more of them prove little and take long to compare."""
    parts = [condition]
    while isinstance(parts[0], typed.Binary) and parts[0].operator == "and":
        parts[:1] = [parts[0].left, parts[0].right]
    return parts[:_CONJUNCTS]


def _exclude(first: Expression, second: Expression) -> bool:
    """Return whether two conditions are recognised as never true together: `c` and `not c`, `x == 1` and `x == 2`."""
    for a, b in ((first, second), (second, first)):
        if isinstance(a, typed.Unary) and a.operator == "not" and same(a.operand, b):
            return True
        if (
            isinstance(a, typed.Binary)
            and isinstance(b, typed.Binary)
            and (a.operator, b.operator) in _OPPOSITES
            and same(a.left, b.left)
            and same(a.right, b.right)
        ):
            return True
    return (
        isinstance(first, typed.Binary)
        and isinstance(second, typed.Binary)
        and first.operator == second.operator == "equal"
        and same(first.left, second.left)
        and isinstance(first.right, Constant)
        and isinstance(second.right, Constant)
        and first.right.value != second.right.value
    )


_CONJUNCTS = 8
_OPPOSITES = {
    ("equal", "unequal"), ("less", "greater"), ("less", "greater_equal"), ("less", "equal"), ("greater", "equal"),
    ("less_equal", "greater"),
}  # fmt: skip
