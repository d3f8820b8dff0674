"""What is read: constants, symbols, the state, tables, arrays, moves."""

from __future__ import annotations

from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    IntType,
    RealType,
    SetType,
    TextType,
)
from ggp.model.generate.builder import (
    LOCAL_WORDS,
    Builder,
    bits_in_memory,
    constant_operand,
    lives_in_names,
)
from ggp.model.generate.conversion import converted
from ggp.model.generate.dispatch import compiles, integer, operand
from ggp.model.generate.memory import element_at, position
from ggp.model.generate.operands import (
    Elements,
    Operand,
    literal,
)
from ggp.model.state_layout import element_words, encode_value, set_words


@compiles(typed.Constant)
def _constant(b: Builder, node: typed.Constant) -> Operand:
    match node.type:
        case RealType():
            assert isinstance(node.value, (int, float))
            return literal(float(node.value))
        case TextType():
            assert isinstance(node.value, str)
            return literal(b.module.layout.texts.index(node.value))
        case ArrayType() if not lives_in_names(node.type):
            return b.module.table(f"{node.span.line}_{node.span.column}", node.type, node.value)
        case ArrayType(element=RealType()):
            assert isinstance(node.value, tuple)
            return Elements(tuple(literal(float(item)) for item in node.value if isinstance(item, (int, float))))
        case SetType() if set_words(node.type.element) > LOCAL_WORDS:
            memory = b.module.table(f"{node.span.line}_{node.span.column}", node.type, node.value)
            return bits_in_memory(memory, set_words(node.type.element))
    return constant_operand(node.type, node.value, encode_value(node.type, node.value))


@compiles(typed.Local)
def _local(b: Builder, node: typed.Local) -> Operand:
    return converted(b, b.symbol(node.symbol), node.symbol.type, node.type)


@compiles(typed.StateRead)
def _state_read(b: Builder, node: typed.StateRead) -> Operand:
    whole = b.variable(node.variable)
    if not node.indices:
        return whole
    assert isinstance(node.variable.type, ArrayType)
    at = position(b, node.variable.type.indices, node.indices)
    return element_at(b, whole, node.variable.type, at)


@compiles(typed.TableRead)
def _table_read(b: Builder, node: typed.TableRead) -> Operand:
    type_ = node.table.type
    at = position(b, type_.indices, node.indices) if node.indices else ""
    if at.isdigit():
        value = node.table.values[int(at)]
        if element_words(type_.element) <= LOCAL_WORDS:
            return _constant(b, typed.Constant(value, type_.element, node.span))
    if lives_in_names(type_):
        array: Operand = _constant(b, typed.Constant(node.table.values, type_, node.span))
    else:
        array = b.module.table(node.table.name, type_, node.table.values)
    return element_at(b, array, type_, at) if node.indices else array


@compiles(typed.Index)
def _index(b: Builder, node: typed.Index) -> Operand:
    assert isinstance(node.array.type, ArrayType)
    array = operand(b, node.array)
    return element_at(b, array, node.array.type, position(b, node.array.type.indices, node.indices))


@compiles(typed.MoveRead)
def _move_read(b: Builder, node: typed.MoveRead) -> Operand:
    if node.player is None:
        (move,) = b.moves
        return move
    players = ArrayType((b.module.game.players,), IntType(-1, 1 << 62))
    return element_at(b, Elements(b.moves), players, integer(b, node.player))
