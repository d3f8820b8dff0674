"""Checks of calls: of definitions, of a board's `cell(x, y)`, of enumerations, of built-in functions."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from msgspec.structs import replace as changed

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import at_most, coerce, described, expect, join, plain
from ggp.language.check.expressions.built_ins import BUILT_INS, call_built_in
from ggp.language.check.expressions.definitions import elements_handed, instance, sequence_of
from ggp.language.check.expressions.indices import argument_types, counted, invoke
from ggp.language.check.expressions.names import known
from ggp.language.check.expressions.sequence_functions import given_by, handed
from ggp.language.check.expressions.sequences import as_sequence
from ggp.language.check.scope import (
    Damaged,
    Entry,
    Meant,
    Recorded,
    Selection,
    SequenceFunction,
    SequenceValue,
    SequenceVariable,
    Vector,
)
from ggp.language.diagnostics import suggestions
from ggp.language.typed import Expression, Function, Symbol
from ggp.language.typed.types import ArrayType, CellType, EnumType, IntType, ScalarType, Type, codes, type_text


def call(checking: Checking, node: syntax.Call, hint: Type | None) -> Expression:
    """Check `f(a, b)`: a definition, a board's `cell(x, y)`, or a built-in function."""
    text = node.name.text
    entry = known(checking, text, node.name.span)
    if entry is None:
        if text in BUILT_INS:
            return call_built_in(checking, node)
        if text == checking.defining:
            checking.fail(
                node.name.span, f"`{text}` calls itself", "definitions are not recursive; `reach` follows paths"
            )
        if text in checking.later:
            checking.fail_later(text, node.name.span)
        checking.fail(node.name.span, f"unknown function `{text}`", _meant(checking, node))
    meaning = entry.meaning
    if isinstance(meaning, Meant) and isinstance(meaning.type, CellType):
        return _cell_at(checking, node, meaning.type)
    if isinstance(meaning, Meant) and isinstance(meaning.type, EnumType):
        return (_pair if meaning.type in checking.products else _member)(checking, node, meaning.type)
    if not isinstance(meaning, Function) or meaning.is_let:
        form = f"write `{text}[...]` for an element" if not isinstance(meaning, Meant) else None
        checking.fail(node.name.span, f"`{text}` is not a function", form)
    if len(meaning.arguments) != len(node.arguments):
        wanted = ", ".join(f"{argument.name}: {type_text(argument.type)}" for argument in meaning.arguments)
        checking.fail(
            node.span,
            f"`{text}` takes {counted(len(meaning.arguments), 'argument', 'arguments')}, not {len(node.arguments)}",
            f"`{text}({wanted})`",
        )
    called, arrays = meaning, dict[str, Entry]()
    arguments = checking.each(
        lambda part, symbol: _argument(checking, called, part, symbol, arrays), node.arguments, called.arguments
    )
    given = [value for value in arguments if value is not None]
    if arrays:
        meaning = instance(checking, meaning, arrays, node.span)
        for array in arrays.values():
            if isinstance(array.meaning, SequenceValue) and array.meaning.kept is not None:
                given += array.meaning.kept[1]
            else:
                given += (checking.local(one, node.span) for one in elements_handed(array))
    sequence = sequence_of(checking, meaning)
    if sequence is not None:
        return cast("Expression", given_by(checking, sequence, tuple(given), node.span))
    return invoke(checking, meaning, tuple(given), node.span)


def _meant(checking: Checking, node: syntax.Call) -> str | None:
    """Return a hint at what an unknown function was perhaps meant for."""
    text, entries = node.name.text, list(checking.names.visible())
    functions = [entry.name for entry in entries if isinstance(entry.meaning, Function)]
    boards = [
        entry.name for entry in entries if isinstance(entry.meaning, Meant) and isinstance(entry.meaning.type, CellType)
    ]
    if text.lower() in _ELSEWHERE:
        return _ELSEWHERE[text.lower()]
    if text in ("cell", "square", "field", "point", "place", "at") and len(node.arguments) == 2 and boards:
        return f"the cells of the board are `{boards[0]}(x, y)`"
    return suggestions(text, [*functions, *boards, *BUILT_INS])


_ELSEWHERE = {
    name: hint
    for names, hint in (
        ("opponent opp enemy", "`other(p)` is the opponent where two play, `after(p)` the next player in turn"),
        ("next_player nextplayer successor", "`after(p)` is the next player in turn"),
        ("len length size card cardinality", "`count(S)` is the number of members of a set, or of items of a sequence"),
        ("setmin minimum least", "`min(S)` is the least member of a set"),
        ("setmax maximum greatest", "`max(S)` is the greatest member of a set"),
        ("sort sorted", "a set has no order; `min(S)` is its least member, `count x in S: x < y` counts those below"),
        ("contains has member elem", "write `x in S`"),
        ("union add insert", "write `S + {x}`"),
        (
            "push append enqueue pop peek dequeue top last first bottom tail reverse reversed slice shuffle",
            "with sequences: `s := s + [x]`, `s.top`, `s := s.without_top`, `s[a..b]`, `s.reversed`",
        ),
        ("intersection intersect", "write `S & T`"),
        ("remove delete difference", "write `S - {x}`"),
        ("empty isempty is_empty", "write `S == {}`"),
        ("strcmp equal equals eq", "values are compared with `==`"),
        ("forall every", "write `all x in S: ...`"),
        ("exists some", "write `any x in S: ...`"),
        ("ite iif cond ifelse", "write `if c then a else b`"),
        ("pow power", "write `a ^ b`"),
        ("floor quotient", "`a div b` is the quotient rounded down"),
        ("modulo remainder", "write `a mod b`"),
        ("argmax argmin", "the first x with the most is `the x in S: all y in S: f(y) <= f(x)`"),
        ("random rand randint roll dice", "chance draws in a phase of its own: `chance draws d in 1..6`"),
        ("neighbours neighbors neighbour neighbor adjacent", "the cells next to c are `{c + d for d in direction}`"),
        ("old", "`old x` stands before one name or element: name the whole with a `let` first"),
        ("number ord ordinal rank index", "the place of a player or a member in their order is `p.number`, from 1"),
        ("range", "the integers from 1 to n are `1..n`"),
    )
    for name in names.split()
}
"""What functions of other languages are called, and what is written here instead."""


def _argument(
    checking: Checking, called: Function, node: syntax.Expression, symbol: Symbol, arrays: dict[str, Entry]
) -> Expression | None:
    """Return an argument checked; None of an array, whose meaning is noted in `arrays`."""
    function = called.name
    if not isinstance(symbol.type, ArrayType):
        reason = f"`{symbol.name}` of `{function}` takes {type_text(symbol.type)}"
        value = expect(checking, node, symbol.type, reason)
        return at_most(checking, value, symbol.most, symbol.name)
    if symbol in checking.sequence_arguments:
        arrays[symbol.name] = _sequence(checking, called, node, symbol)
        return None
    entry = known(checking, node.text, node.span) if isinstance(node, syntax.Name) else None
    if entry is None:
        row = node.base if isinstance(node, syntax.Indexed) and isinstance(node.base, syntax.Name) else None
        if row is not None and len(cast("syntax.Indexed", node).indices) < _index_count(checking, row):
            checking.fail(
                node.span,
                f"`{symbol.name}` of `{function}` is an array, handed over by its name; found a part of one",
                f"hand over `{row.text}` and the index, and read `{row.text}[...]` with both in the definition",
            )
        given = checking.infer(node)
        named = "name it with `let` first" if isinstance(given.type, ArrayType) else None
        found = "an array that has no name" if named else described(given.type)
        checking.fail(
            node.span, f"`{symbol.name}` of `{function}` is an array, handed over by its name; found {found}", named
        )
    type_ = _array_type(entry)
    if isinstance(entry.meaning, Vector) and type_ is None:
        found = f"`{symbol.name}` of `{function}` is an array, and `{entry.name}` one for each player"
        checking.fail(node.span, found, f"name it first: `let {entry.name}_of[p, i: ...] = {entry.name}[p, i]`")
    if type_ is None or type_.indices != symbol.type.indices:
        found = f"found {described(type_)}" if type_ is not None else f"and `{entry.name}` is not an array"
        checking.fail(
            node.span, f"`{symbol.name}` of `{function}` is {described(symbol.type)}, {found}", None,
            [(entry.span, f"`{entry.name}` was declared here")],
        )  # fmt: skip
    if join(symbol.type.element, type_.element) != symbol.type.element:
        wanted, given_text = type_text(symbol.type.element), type_text(type_.element)
        checking.fail(
            node.span, f"the elements of `{symbol.name}` are {wanted}, and those of `{entry.name}` {given_text}", None,
            [(entry.span, f"`{entry.name}` was declared here")],
        )  # fmt: skip
    arrays[symbol.name] = replace(entry, name=symbol.name, used=True, confined=None)
    return None


def _index_count(checking: Checking, name: syntax.Name) -> int:
    entry = checking.names.lookup(name.text)
    type_ = _array_type(entry) if entry is not None else None
    if entry is not None and isinstance(entry.meaning, Vector) and type_ is None:
        return 1 + len(entry.meaning.indices)
    return len(type_.indices) if type_ is not None else 0


def _sequence(checking: Checking, function: Function, node: syntax.Expression, symbol: Symbol) -> Entry:
    """Return what a sequence stands for that is handed to a definition."""
    type_ = checking.sequence_arguments[symbol]
    given = checking.infer(node, type_)
    sequence = as_sequence(given)
    if sequence is None or join(sequence.type, type_) is None:
        found = type_text(given.type) if sequence is not None else described(given.type)
        checking.fail(node.span, f"`{symbol.name}` of `{function.name}` is a {type_text(type_)}, found {found}")
    if join(sequence.type.element, type_.element) != type_.element or sequence.type.most > type_.most:
        reason = f"`{symbol.name}` of `{function.name}` takes {type_text(type_)}"
        sequence = changed(cast("SequenceValue", coerce(checking, given, type_, reason)), kept=None)
    return Entry(symbol.name, "argument", symbol.span, handed(checking, sequence), used=True)


def _array_type(entry: Entry) -> ArrayType | None:
    """Return the type of an array that a name stands for; None where it stands for something else."""
    match entry.meaning:
        case Function(arguments=(_, *_) as symbols, is_let=True, type=element):
            if isinstance(element, ArrayType):
                return None
            return ArrayType(argument_types(symbols), cast("ScalarType", element))
        case (
            Function(is_let=False)
            | Meant()
            | Recorded()
            | Selection()
            | Damaged()
            | SequenceVariable()
            | SequenceFunction()
            | SequenceValue()
        ):
            return None
        case Vector(symbols=(Symbol(type=ArrayType()), *_)):
            return None
        case meaning:
            return meaning.type if isinstance(meaning.type, ArrayType) else None


def _cell_at(checking: Checking, node: syntax.Call, board: CellType) -> Expression:
    if len(node.arguments) != 2:
        checking.fail(
            node.span, f"`{board.name}` takes 2 arguments, not {len(node.arguments)}", f"`{board.name}(x, y)`"
        )
    x, y = checking.each(
        lambda part, side, axis: coerce(
            checking,
            plain(checking, checking.infer(part), "a coordinate"),
            IntType(1, side),
            f"the {axis} of `{board.name}` goes from 1 to {side}",
        ),
        node.arguments,
        (board.width, board.height),
        "xy",
    )
    return checking.make(typed.CellAt(x, y, board, node.span))


def _pair(checking: Checking, node: syntax.Call, product: EnumType) -> Expression:
    """Check `card(r, s)`: the value of a product type with these parts."""
    types, names = checking.products[product]
    if len(node.arguments) != 2:
        shown = ", ".join(name or type_text(type_) for name, type_ in zip(names, types, strict=True))
        checking.fail(
            node.span, f"`{product.name}` takes 2 arguments, not {len(node.arguments)}", f"`{product.name}({shown})`"
        )
    parts = checking.each(
        lambda part, type_: expect(checking, part, type_, f"`{product.name}` is made of {type_text(type_)}"),
        node.arguments,
        types,
    )
    return checking.looked_up(product.name, ArrayType(types, product), codes(product), tuple(parts), node.span)


def _member(checking: Checking, node: syntax.Call, type_: EnumType) -> Expression:
    """Check `player(k)`: the member of an enumeration with this number, counted from 1."""
    shown, count = type_text(type_), len(type_.members)
    if len(node.arguments) != 1:
        found = counted(len(node.arguments), "argument", "arguments")
        checking.fail(node.span, f"`{shown}` takes the number of a member, not {found}", f"`{shown}(1)`")
    checking.names.whole_types.add(type_)
    number = IntType(1, count)
    reason = f"the members of `{shown}` have the numbers 1 to {count}"
    given = coerce(checking, plain(checking, checking.infer(node.arguments[0]), reason), number, reason)
    return checking.looked_up(f"{shown}(number)", ArrayType((number,), type_), codes(type_), (given,), node.span)
