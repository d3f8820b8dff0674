"""Reads: constants, symbols, the state, tables, arrays, moves."""

from __future__ import annotations

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant
from ggp.encoding.state_layout import element_words, encode_value, set_words
from ggp.language import typed
from ggp.language.typed.types import ArrayType, IntType, RealType, SetType, TextType
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.conversion import converted
from ggp.rules_compiler.emit.dispatch import integer, operand
from ggp.rules_compiler.emit.memory import element_at, position
from ggp.rules_compiler.emit.operands import Elements, Operand
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS, bits_in_memory, constant_operand, lives_in_names


def write_constant(b: Builder, node: typed.Constant) -> Operand:
    """Write a value known before play."""
    match node.type:
        case RealType():
            assert isinstance(node.value, (int, float))
            return ir.real(node.value)
        case TextType():
            assert isinstance(node.value, str)
            return ir.integer(b.module.layout.texts.index(node.value))
        case ArrayType() if not lives_in_names(node.type):
            return b.module.table(f"{node.span.line}_{node.span.column}", node.type, node.value)
        case ArrayType(element=RealType()):
            assert isinstance(node.value, tuple)
            return Elements(tuple(ir.real(item) for item in node.value if isinstance(item, (int, float))))
        case SetType() if set_words(node.type.element) > LOCAL_WORDS:
            memory = b.module.table(f"{node.span.line}_{node.span.column}", node.type, node.value)
            return bits_in_memory(memory, set_words(node.type.element))
    return constant_operand(node.type, node.value, encode_value(node.type, node.value))


def write_local(b: Builder, node: typed.Local) -> Operand:
    """Write the value of a symbol."""
    return converted(b, b.symbol(node.symbol), node.symbol.type, node.type)


def write_state_read(b: Builder, node: typed.StateRead) -> Operand:
    """Write a state variable, or an element of one."""
    whole = b.variable(node.variable)
    if not node.indices:
        return whole
    assert isinstance(node.variable.type, ArrayType)
    at = position(b, node.variable.type.indices, node.indices)
    return element_at(b, whole, node.variable.type, at)


def write_table_read(b: Builder, node: typed.TableRead) -> Operand:
    """Write a table, or an entry of one."""
    type_ = node.table.type
    at = position(b, type_.indices, node.indices) if node.indices else None
    if isinstance(at, Constant):
        value = node.table.values[int(at.value)]
        if element_words(type_.element) <= LOCAL_WORDS:
            return write_constant(b, typed.Constant(value, type_.element, node.span))
    if lives_in_names(type_):
        array = write_constant(b, typed.Constant(node.table.values, type_, node.span))
    else:
        array = b.module.table(node.table.name, type_, node.table.values)
    return array if at is None else element_at(b, array, type_, at)


def write_index(b: Builder, node: typed.Index) -> Operand:
    """Write an element of an array that is neither a variable nor a table."""
    assert isinstance(node.array.type, ArrayType)
    array = operand(b, node.array)
    return element_at(b, array, node.array.type, position(b, node.array.type.indices, node.indices))


def write_move_read(b: Builder, node: typed.MoveRead) -> Operand:
    """Write the number of a player's action."""
    if node.player is None:
        (move,) = b.moves
        return move
    players = ArrayType((b.module.game.players,), IntType(-1, 1 << 62))
    return element_at(b, Elements(b.moves), players, integer(b, node.player))
