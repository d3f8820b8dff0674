"""Rules rewritten for the generator where arrays are kept as sets (`ggp.encoding.arrays_as_sets`).

`owner[c] == p` becomes `c in owner[p]`, where `owner[p]` is the set of the places of `p`; what other code makes of
memberships then holds for arrays, too. For that, memberships must be visible: short loops over integers are written
out, small definitions take the place of their calls, and checks for none go where a condition before them proves that
they hold, as in `c + 4*d is some and all i in 0..4: owner[c + i*d] == p`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias, cast

from msgspec.structs import replace

from ggp.encoding.arrays_as_sets import kept_as_sets, places_of, values_of
from ggp.language import typed
from ggp.language.typed.types import (
    BOOL,
    DIRECTION,
    DIRECTIONS,
    ArrayType,
    BoolType,
    CellType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    codes,
    lowest,
)
from ggp.language.typed.walk import EXPRESSIONS, STATEMENTS, nodes_of
from ggp.rules_compiler.rewrite import integer_loops
from ggp.rules_compiler.rewrite.conditions import (
    added,
    depend,
    joined,
    number,
    without_distances,
    written_out,
)
from ggp.rules_compiler.rewrite.memberships import negated, split
from ggp.rules_compiler.rewrite.opened import opened, taken_apart
from ggp.rules_compiler.rewrite.proven import without_proven_checks
from ggp.rules_compiler.size import can_fail, mentions

NORTH, EAST = (number for number, (name, _, _) in enumerate(DIRECTIONS) if name in ("north", "east"))


Swept: TypeAlias = frozenset[typed.Symbol]
"""What a condition runs over."""
NOTHING: Swept = frozenset()


def _within(swept: Swept, binders: Sequence[typed.Binder]) -> Swept:
    return swept.union(binder.symbol for binder in binders)


def lowered(game: typed.Game) -> typed.Game:
    """Return a game in which arrays that are kept as sets are arrays of sets.

    An update of one still assigns single elements: its indices give a place, its value is that of the array's element.
    """
    stored = kept_as_sets(game)
    game = without_proven_checks(game)
    return _Lowering(stored).game(game) if stored else game


class _Lowering:
    """The state of one rewriting."""

    def __init__(self, stored: Mapping[typed.Variable, typed.Variable]) -> None:
        self._stored = stored
        self._functions: dict[typed.Function, typed.Function] = {}
        self._readers: dict[typed.Variable, typed.Function] = {}
        self._reading: dict[typed.Function, bool] = {}

    def game(self, game: typed.Game) -> typed.Game:
        # functions that nothing calls stay as they are: whether an array can be kept as sets does not depend on them
        phases, payoff = self._changed(game.phases), self._changed(game.payoff)
        estimate = self._changed(game.estimate)
        return replace(
            game, variables=tuple(self._stored.get(one, one) for one in game.variables), phases=phases, payoff=payoff,
            estimate=estimate, display=self._changed(game.display), views=self._changed(game.views),
        )  # fmt: skip

    def _changed(self, node: Any, swept: Swept = NOTHING) -> Any:
        """Return an expression, a statement, or a tuple of them, rewritten."""
        match node:
            case tuple():
                return tuple(self._changed(part, swept) for part in node)
            case typed.Function():
                return self._function(node)
            case typed.Update():
                place = self._place(node.target, node.indices, swept) if node.target in self._stored else None
                indices = self._changed(node.indices) if place is None else (place,)
                target = self._stored.get(node.target, node.target)
                rest = {name: self._changed(getattr(node, name)) for name in ("value", "binders", "condition")}
                return replace(node, target=target, indices=indices, **rest)
            case typed.ActionKind(where=where) if where is not None:
                alone = len(node.components) == 1
                cells = (one.local for one in node.components if alone or not isinstance(one.type, IntType))
                where = self._changed(self._inlined(where), frozenset(cells))
                return _narrowed(replace(node, components=self._changed(node.components), where=where))
            case typed.Symbol() | typed.Variable() | str() | int() | float() | None:
                return node
            case _ if isinstance(node, EXPRESSIONS):
                return self._expression(cast("typed.Expression", node), swept)
            case _ if type(node) in STATEMENTS:
                names = [name for name in node.__struct_fields__ if name not in ("type", "span")]
                return replace(node, **{name: self._changed(getattr(node, name), swept) for name in names})
        return node

    def _function(self, function: typed.Function) -> typed.Function:
        if not self._reads(function):
            return function
        if function not in self._functions:
            self._functions[function] = replace(function, body=self._changed(function.body))
        return self._functions[function]

    def _reads(self, part: Any) -> bool:
        """Return whether an expression or a function reads an array that is kept as sets."""
        if not isinstance(part, typed.Function):
            return any(isinstance(node, typed.StateRead) and node.variable in self._stored for node in nodes_of(part))
        if part not in self._reading:
            self._reading[part] = self._reads(part.body)
        return self._reading[part]

    # --- expressions --------------------------------------------------------------------------------------------------

    def _expression(self, node: typed.Expression, swept: Swept) -> typed.Expression:
        match node:
            case typed.StateRead(variable=variable, indices=indices) if variable in self._stored:
                place = self._place(variable, indices, swept)
                if isinstance(node.type, BoolType):
                    return typed.Member(place, self._set(variable, 1), BOOL, node.span)
                return self._element(node, place)
            case typed.Binary(operator="equal" | "unequal" as operator) | typed.Unary(operator="is_none" as operator):
                if (found := self._comparison(node, swept)) is not None:
                    return typed.Unary("not", found, BOOL, node.span) if operator == "unequal" else found
            case typed.Member(element=element, set=members):
                array = self._array_read(element)
                if array is not None and not can_fail(members) and not isinstance(element.type, BoolType):
                    return self._among(array, self._changed(members, swept), swept)
            case typed.Quantifier():
                return self._quantifier(node, swept)
            case typed.Comprehension(condition=condition) | typed.Aggregate(condition=condition) if condition:
                condition = self._inlined(condition)
                binders = self._changed(node.binders, swept)
                condition = self._changed(condition, _within(swept, node.binders))
                if isinstance(node, typed.Aggregate):
                    return replace(node, binders=binders, condition=condition, body=self._changed(node.body, swept))
                return replace(node, binders=binders, condition=condition, element=self._changed(node.element, swept))
            case typed.Aggregate(kind="count"):
                node = replace(node, body=self._inlined(node.body))
                body = self._changed(node.body, _within(swept, node.binders))
                if len(node.binders) == 2 and (one := joined(node.binders, body)) is not None:
                    return replace(node, binders=one[0], body=one[1])
            case typed.Call():
                node = replace(node, function=self._function(node.function))
        names = [name for name in node.__struct_fields__ if name not in ("type", "span", "function")]
        return replace(node, **{name: self._changed(getattr(node, name), swept) for name in names})

    def _element(self, read: typed.StateRead, place: typed.Expression) -> typed.Expression:
        """Return the value of an element, which a function finds by looking into one set after the other."""
        variable = read.variable
        if variable not in self._readers:
            type_, span = _array(variable), variable.span
            place_symbol = typed.Symbol("place", places_of(type_), "bound", span)
            here = typed.Local(place_symbol, places_of(type_), span)
            values, absent = list(codes(values_of(type_))), typed.Constant(None, type_.element, span)
            if not isinstance(type_.element, OptionType):
                absent = typed.Constant(values.pop(), type_.element, span)
            body: typed.Expression = absent
            for value in values:
                found = typed.Constant(value, type_.element, span)
                test = typed.Member(here, self._set(variable, value), BOOL, span)
                body = typed.If(test, found, body, type_.element, span)
            name = f"{variable.name} at"
            self._readers[variable] = typed.Function(name, (place_symbol,), body, type_.element, False, None, span)
        return typed.Call(self._readers[variable], (place,), read.type, read.span)

    def _place(self, variable: typed.Variable, indices: tuple[typed.Expression, ...], swept: Swept) -> typed.Expression:
        """Return where an element of an array stands, as a value of the type of places."""
        places = places_of(_array(variable))
        if len(indices) == 1:
            (index,) = indices
            if isinstance(index, typed.Unwrap) and isinstance(index.operand, typed.CellStep):
                step = index.operand
                if step.times == typed.Constant(0, step.times.type, step.times.span) and not can_fail(step.cell):
                    return self._expression(step.cell, swept)
                if not index.reason:
                    return self._expression(step, swept)
            return self._expression(index, swept)
        assert isinstance(places, CellType)
        rows, columns = _array(variable).indices
        (row, up), (column, right) = (
            _from_within(self._expression(index, swept), type_)
            for index, type_ in zip(indices, (rows, columns), strict=True)
        )
        span = row.span
        at = (added(column, 1 - lowest(columns)), added(row, 1 - lowest(rows)))
        cell: typed.Expression = typed.CellAt(*at, places, span)
        for direction, times in ((NORTH, up), (EAST, right)):
            if times:
                way, length = typed.Constant(direction, DIRECTION, span), number(times, span)
                cell = typed.CellStep(cell, way, length, OptionType(places), span)
        return cell

    # --- comparisons as memberships -----------------------------------------------------------------------------------

    def _array_read(self, node: typed.Expression) -> typed.StateRead | None:
        node = node.operand if isinstance(node, typed.Wrap) else node
        return node if isinstance(node, typed.StateRead) and node.variable in self._stored else None

    def _set(self, variable: typed.Variable, value: typed.Expression | int) -> typed.Expression:
        """Return the set of the places of a value."""
        stored = self._stored[variable]
        values = values_of(_array(variable))
        if isinstance(value, int):
            value = typed.Constant(value, values, variable.span)
        return typed.StateRead(stored, (value,), SetType(places_of(_array(variable))), variable.span)

    def _none(self, variable: typed.Variable) -> typed.Expression:
        """Return the set of the places without any of the values that have a set."""
        places = places_of(_array(variable))
        result: typed.Expression = typed.Constant(frozenset(codes(places)), SetType(places), variable.span)
        for value in codes(values_of(_array(variable))):
            result = typed.SetOperation("difference", result, self._set(variable, value), result.type, result.span)
        return result

    def _comparison(self, node: typed.Binary | typed.Unary, swept: Swept) -> typed.Expression | None:
        """Return an equality with an element, or whether it is none, as a membership; None for others."""
        if isinstance(node, typed.Unary):
            read, other = self._array_read(node.operand), None
        else:
            read, value = self._array_read(node.left), node.right
            if read is None:
                read, value = self._array_read(node.right), node.left
            other = value.operand if isinstance(value, typed.Wrap) else value
        if read is None or (other is not None and can_fail(other)):
            return None
        members = self._places_of(read.variable, other, swept)
        if members is None:
            return None
        return typed.Member(self._place(read.variable, read.indices, swept), members, BOOL, node.span)

    def _places_of(
        self, variable: typed.Variable, value: typed.Expression | None, swept: Swept
    ) -> typed.Expression | None:
        """Return the places of a value (None: of none), as a set; None if that is too complicated."""
        values = values_of(_array(variable))
        if value is None:
            return self._none(variable)
        if isinstance(value, typed.Constant):
            if value.value in codes(values):
                assert isinstance(value.value, int)
                return self._set(variable, value.value)
            without = isinstance(_array(variable).element, OptionType) or values == IntType(1, 1)
            return self._none(variable) if without and value.value in (None, 0) else None
        if isinstance(value.type, ScalarType) and _contains(values, value.type):
            return self._set(variable, self._changed(value, swept))
        return None

    def _among(self, read: typed.StateRead, members: typed.Expression, swept: Swept) -> typed.Expression:
        """Return whether an element is in a set."""
        place, variable = self._place(read.variable, read.indices, swept), read.variable
        values, span = values_of(_array(variable)), read.span
        nothing = typed.Constant(frozenset(), SetType(places_of(_array(variable))), span)
        sets: list[typed.Expression] = []
        for value in codes(values):
            test = typed.Member(typed.Constant(value, values, span), members, BOOL, span)
            if isinstance(members, typed.Constant):
                sets += [self._set(variable, value)] if value in members.value else []  # type: ignore[operator]
            else:
                sets.append(typed.If(test, self._set(variable, value), nothing, nothing.type, span))
        union = reduce(lambda a, b: typed.SetOperation("union", a, b, a.type, span), sets or [nothing])
        return typed.Member(place, union, BOOL, span)

    # --- quantifiers --------------------------------------------------------------------------------------------------

    def _quantifier(self, node: typed.Quantifier, swept: Swept) -> typed.Expression:
        if self._reads(node.body):
            cells = any(isinstance(one.type, CellType) and mentions(one, node.body) for one in swept)
            is_cut_short = integer_loops.way(node.binders[-1], node.body if node.kind != "all" else negated(node.body))
            cases = written_out(node, swept) if cells or is_cut_short is None else None
            if cases is None and len(node.binders) > 2:
                cases = without_distances(replace(node, body=self._inlined(node.body)))
            if cases is not None:
                written: typed.Expression = self._changed(self._inlined(cases), swept)
                return written
        body = self._changed(self._inlined(node.body), _within(swept, node.binders))
        binders = self._changed(node.binders, swept)
        if len(binders) == 2 and (one := joined(binders, body)) is not None:
            binders, body = one
        outer = [binder for binder in binders if binder.symbol.type == DIRECTION]
        inner = [binder for binder in binders if binder not in outer]
        if not outer or not inner or can_fail(body) or any(depend(one, binders) for one in binders):
            return replace(node, binders=binders, body=body)
        kind = "any" if node.kind == "no" else node.kind
        body = typed.Quantifier(kind, tuple(inner), body, BOOL, node.span)
        return typed.Quantifier(node.kind, tuple(outer), body, BOOL, node.span)

    def _inlined(self, node: typed.Expression, depth: int = 3) -> typed.Expression:
        """Return a condition with small definitions of what they are asked about in place of their calls."""
        if isinstance(node, typed.Binary) and node.operator in ("and", "or"):
            return replace(node, left=self._inlined(node.left, depth), right=self._inlined(node.right, depth))
        if isinstance(node, typed.Unary) and node.operator == "not":
            return replace(node, operand=self._inlined(node.operand, depth))
        if not isinstance(node, typed.Call) or not node.arguments or not depth or not self._reads(node.function):
            return node
        body = opened(node)
        return node if body is None else self._inlined(body, depth - 1)


def _narrowed(kind: typed.ActionKind) -> typed.ActionKind:
    """Return a kind of action whose only component is drawn from what its condition says it is in."""
    if len(kind.components) != 1 or kind.components[0].together > 1:
        return kind
    (component,) = kind.components
    found = split(typed.Binder(component.local, component.domain), kind.where)
    if found is None or found.certain is not None or can_fail(found.domain):
        return kind
    return replace(kind, components=(replace(component, domain=found.domain),), where=found.test)


def _from_within(index: typed.Expression, type_: ScalarType) -> tuple[typed.Expression, int]:
    """Return an index as a symbol that is an index, too, and a distance from it; others with distance 0."""
    inner = index.operand if isinstance(index, typed.Guard) and not index.reason else index
    local, distance = taken_apart(inner)
    is_index = isinstance(local.type, ScalarType) and _contains(type_, local.type)
    return (local, distance) if is_index else (index, 0)


def _array(variable: typed.Variable) -> ArrayType:
    assert isinstance(variable.type, ArrayType)
    return variable.type


def _contains(values: ScalarType, type_: ScalarType) -> bool:
    return codes(type_).start >= codes(values).start and codes(type_).stop <= codes(values).stop
