"""Checks of `def` and `let`; a definition that takes arrays is checked again for those that are handed to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import described
from ggp.language.check.expressions.sequence_functions import given_by, named, renewed, worked_out
from ggp.language.check.expressions.sequences import argument
from ggp.language.check.scope import Entry, Meant, SequenceFunction, SequenceValue, Vector
from ggp.language.check.type_names import index_type, meant_type, most_declared, scalar_type
from ggp.language.limits import MAX_ARRAY, MAX_INSTANCES
from ggp.language.text.source import Span
from ggp.language.typed import Expression, Symbol
from ggp.language.typed.types import (
    ArrayType,
    IntType,
    MoveType,
    OptionType,
    ScalarType,
    SequenceType,
    TextType,
    Type,
    array_length,
)
from ggp.language.typed.walk import symbols_read


def declare_symbols(checking: Checking, words: tuple[syntax.Word | None, ...], symbols: tuple[Symbol, ...]) -> None:
    """Make the names of some bound symbols known in the innermost scope."""
    for word, symbol in zip(words, symbols, strict=True):
        if word is not None and symbol in checking.sequence_arguments:
            checking.names.declare(word, "argument", argument(checking, symbol, checking.sequence_arguments[symbol]))
        elif word is not None:
            checking.names.declare(word, "argument", checking.local(symbol, word.span))


def definition(checking: Checking, node: syntax.Definition) -> list[typed.Function]:
    """Make a function known.

    Returns:
        It. Of one that gives a sequence nothing: it consists of functions of its own where it is called.
    """
    made = _defined(checking, node, {})
    checking.names.declare(node.name, "definition", made)
    takes_sequence = any(map(checking.sequence_arguments.get, made.arguments))
    if takes_sequence or any(part.indices for part in node.arguments):
        checking.templates[made] = node
    elif isinstance(made.body, SequenceValue):
        sequence_of(checking, made)
    return [] if isinstance(made.body, SequenceValue) else [made]


def sequence_of(checking: Checking, function: typed.Function) -> SequenceFunction | None:
    """Return the functions that a definition consists of which gives a sequence; None of any other definition."""
    body: object = function.body
    if not isinstance(body, SequenceValue):
        return None
    if function not in checking.worked_out:
        checking.worked_out[function] = worked_out(checking, function.name, function.arguments, body)
    return checking.worked_out[function]


def _defined(checking: Checking, node: syntax.Definition, arrays: Mapping[str, Entry]) -> typed.Function:
    """Return a definition checked; `arrays` gives the meaning of its array arguments, where it is known."""
    checking.limit_binders(node.name.span, len(node.arguments), "arguments")
    parts = [part for part in node.arguments if part.name.text not in arrays]
    handed = tuple(symbol for entry in arrays.values() for symbol in elements_handed(entry))
    with checking.names.inner() as scope:
        scope.update(arrays)
        types = checking.each(lambda part: _argument_type(checking, part), parts)
        symbols = tuple(_argument(checking, part, type_) for part, type_ in zip(parts, types, strict=True))
        declare_symbols(checking, tuple(part.name for part in parts), symbols)
        body = _body(checking, node)
    phase = checking.phase if arrays and symbols_read(body) else None
    return typed.Function(node.name.text, (*symbols, *handed), body, body.type, False, phase, node.name.span)


def _argument(checking: Checking, node: syntax.Argument, type_: Type) -> Symbol:
    """Return what stands for an argument; for a sequence, an array of its items."""
    kept: Type = type_
    if isinstance(type_, SequenceType):
        kept = ArrayType((IntType(1, type_.most),), OptionType(type_.element))
    symbol = Symbol(node.name.text, kept, "bound", node.name.span, most_declared(checking, node.type))
    if isinstance(type_, SequenceType):
        checking.sequence_arguments[symbol] = type_
    return symbol


def _argument_type(checking: Checking, node: syntax.Argument) -> Type:
    if not node.indices:
        return meant_type(checking, node.type)
    indices = tuple(checking.each(lambda part: index_type(checking, part.type), node.indices))
    element = meant_type(checking, node.type)
    if isinstance(element, SequenceType):
        checking.fail(node.span, "an argument cannot be an array of sequences", "take one of them: `s: sequence of T`")
    type_ = ArrayType(indices, element)
    if array_length(type_) > MAX_ARRAY:
        checking.fail(node.span, f"`{node.name.text}` has {array_length(type_)} elements; the limit is {MAX_ARRAY}")
    return type_


def elements_handed(array: Entry) -> tuple[Symbol, ...]:
    """Return what a definition is handed of an array beside its meaning: what was chosen or drawn for each index.

    Of a sequence it is the indices at which it is kept.

    While actions are listed, such a value is a candidate. It belongs to neither the state nor the phase, so nothing may
    read it but as an argument.
    """
    if isinstance(array.meaning, SequenceValue) and array.meaning.kept is not None:
        return tuple(index.symbol for index in array.meaning.kept[1] if isinstance(index, typed.Local))
    return array.meaning.symbols if isinstance(array.meaning, Vector) else ()


def instance(checking: Checking, function: typed.Function, arrays: Mapping[str, Entry], span: Span) -> typed.Function:
    """Return a definition for the arrays that a call hands to it, checked anew the first time.

    Args:
        checking: the check under way.
        function: the definition, as it was checked where it stands.
        arrays: for each argument that is an array what it stands for, in the order of the arguments.
        span: the call.

    Returns:
        A function of the other arguments, followed by the elements handed of each array.
    """
    key = (function, *(_identity(array) for array in arrays.values()))
    if key not in checking.instances:
        if len(checking.instances) >= MAX_INSTANCES:
            checking.fail_once(span, f"definitions are called with more than {MAX_INSTANCES} combinations of arrays")
        own = {name: _of_arguments(checking, array) for name, array in arrays.items()}
        with checking.elsewhere():
            made = _defined(checking, checking.templates[function], own)
        # the arrays are kept too, so that no other object takes the address that is in the key
        checking.instances[key] = made, tuple(arrays.values())
    return checking.instances[key][0]


def _identity(array: Entry) -> object:
    """Return what is equal for arrays for which a definition need not be checked twice."""
    if isinstance(array.meaning, Vector):
        return array.meaning.indices, array.meaning.codes, tuple(symbol.type for symbol in array.meaning.symbols)
    if isinstance(array.meaning, SequenceValue) and array.meaning.kept is not None:
        return array.meaning.kept[0]
    return id(array.meaning)


def _of_arguments(checking: Checking, array: Entry) -> Entry:
    """Return an array with arguments of a definition in place of the elements that it is handed."""
    if isinstance(array.meaning, SequenceValue) and array.meaning.kept is not None:
        return replace(array, meaning=renewed(checking, array.meaning))
    if not isinstance(array.meaning, Vector):
        return array
    return replace(array, meaning=array.meaning.renewed())


def let(checking: Checking, node: syntax.Let) -> list[typed.Function]:
    """Make a named value known; inside of a phase it may depend on what is chosen or drawn there.

    Returns:
        Its function. A sequence has none: where its name stands, it is written out.
    """
    checking.limit_binders(node.name.span, len(node.indices), "indices")
    types = checking.each(lambda part: _let_index(checking, part), node.indices)
    words = tuple(_let_word(part) for part in node.indices)
    symbols = tuple(Symbol(word.text, type_, "bound", word.span) for word, type_ in zip(words, types, strict=True))
    with checking.names.inner():
        declare_symbols(checking, words, symbols)
        body = _body(checking, node)
    if isinstance(body, SequenceValue):
        found = worked_out(checking, node.name.text, symbols, body, is_let=True)
        checking.names.declare(node.name, "let", found if symbols else given_by(checking, found, (), body.span))
        return []
    made = typed.Function(node.name.text, symbols, body, body.type, True, checking.phase, node.name.span)
    checking.names.declare(node.name, "let", made)
    return [made]


def naming(checking: Checking, node: syntax.Naming, hint: Type | None) -> Expression:
    """Check `let x = value: body`."""
    with checking.names.inner():
        try:
            value = checking.infer(node.value)
            _need_value(checking, node.name.text, value)
        except Invalid:
            checking.names.damage(node.name.text)
            raise
        checking.names.declare(node.name, "named", named(checking, node.name.text, value))
        return checking.infer(node.body, hint)


def _body(checking: Checking, node: syntax.Definition | syntax.Let) -> Expression:
    checking.defining = node.name.text
    body = checking.infer(node.body)
    checking.defining = None
    _need_value(checking, node.name.text, body)
    return body


def _need_value(checking: Checking, name: str, body: Expression) -> None:
    """Report a name that would stand for a text or a move."""
    if isinstance(body.type, TextType | MoveType):
        checking.fail(body.span, f"`{name}` cannot stand for {described(body.type)}")


def _let_word(part: syntax.IndexDeclaration) -> syntax.Word:
    if part.name is not None:
        return part.name
    assert isinstance(part.type, syntax.NamedType)
    return part.type.name


def _let_index(checking: Checking, part: syntax.IndexDeclaration) -> ScalarType:
    """Return the type of an index of a `let`: a bare name stands for a player, as in `payoff[p]`."""
    if part.name is not None:
        return scalar_type(checking, part.type)
    if not isinstance(part.type, syntax.NamedType):
        checking.fail(part.span, "an index of a `let` needs a name", "such as `let f[x: 1..3] = ...`")
    entry = checking.names.lookup(part.type.name.text)
    if entry is not None and isinstance(entry.meaning, Meant):
        name = part.type.name.text
        checking.fail(part.span, "an index of a `let` needs a name", f"such as `let f[{name[0]}: {name}] = ...`")
    if checking.players is None:
        checking.fail(part.span, f"`{part.type.name.text}` stands for a player, but there are none yet")
    return checking.players
