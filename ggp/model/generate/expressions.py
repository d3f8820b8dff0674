"""Expressions of the rules as texts: the dispatch, reading, what can fail, numbers and truth.

Sets are in `sets.py`, binders in `loops.py`, boards in `boards.py`, functions in `functions.py`; each registers its
kinds of node with `compiles`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from ggp.language import typed
from ggp.language.types import (
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    RealType,
    ScalarType,
    SetType,
    TextType,
    Type,
    array_length,
    lowest,
    size,
)
from ggp.model.faults import FaultSite
from ggp.model.generate.builder import (
    LOCAL_WORDS,
    Builder,
    bits_in_memory,
    constant_operand,
    flat,
    lives_in_names,
)
from ggp.model.generate.operands import (
    Bits,
    Code,
    Elements,
    Memory,
    Operand,
    as_condition,
    as_integer,
    is_name,
    is_real,
    literal,
    negated,
    none_of,
    paren,
    plus,
    times,
    truth,
)
from ggp.model.layout import element_words, encode_value, none_code, set_words, type_words

Compiler: TypeAlias = Callable[[Builder, Any], Operand]
COMPILERS: dict[type, Compiler] = {}


def compiles(node: type) -> Callable[[Compiler], Compiler]:
    """Register the function that compiles a kind of node."""

    def register(compiler: Compiler) -> Compiler:
        COMPILERS[node] = compiler
        return compiler

    return register


def operand(b: Builder, node: typed.Expression) -> Operand:
    """Return what an expression becomes, after writing the lines it needs before it."""
    return COMPILERS[type(node)](b, node)


def code(b: Builder, node: typed.Expression) -> Code:
    """Return an expression of one number."""
    result = operand(b, node)
    assert isinstance(result, Code), node
    return result


def integer(b: Builder, node: typed.Expression) -> str:
    """Return the text of an expression of one number."""
    return as_integer(code(b, node))


def condition(b: Builder, node: typed.Expression | None) -> Code:
    """Return a truth value as a condition; a missing one is true."""
    if node is None:
        return truth(True)
    result = code(b, node)
    if result.constant is not None:
        return truth(bool(result.constant))
    return Code(as_condition(result), truth=True)


def converted(b: Builder, value: Operand, from_: Type, to: Type) -> Operand:
    """Return a value of one type as a value of another that holds it: none and the bits of sets may lie elsewhere."""
    if isinstance(from_, ArrayType) and isinstance(to, ArrayType):
        if _same_words(from_.element, to.element):
            return value
        items = [
            converted(b, element_at(b, value, from_, str(i)), from_.element, to.element)
            for i in range(array_length(to))
        ]
        return Elements(tuple(item for item in items if isinstance(item, (Code, Bits))))
    if isinstance(from_, SetType) and isinstance(to, SetType):
        if _same_words(from_, to):
            return value
        assert isinstance(value, Bits)
        from ggp.model.generate.sets import shifted

        return shifted(b, value, lowest(from_.element) - lowest(to.element), set_words(to.element))
    if isinstance(value, Code) and isinstance(to, RealType) and not isinstance(from_, RealType):
        if value.constant is not None:
            return literal(float(value.constant))
        return Code(f"float({as_integer(value)})")
    old, new = none_of(from_), none_of(to)
    if isinstance(value, Code) and old is not None and new is not None and old != new:
        if value.constant is not None:
            return literal(new) if value.constant == old else value
        value = b.named(value)
        return Code(f"({new} if {value.text} == {old} else {value.text})")
    return value


def _same_words(left: Type, right: Type) -> bool:
    if isinstance(left, SetType) and isinstance(right, SetType):
        same_length = set_words(left.element) == set_words(right.element)
        return lowest(left.element) == lowest(right.element) and same_length
    return none_of(left) == none_of(right) and isinstance(left, RealType) == isinstance(right, RealType)


def converted_code(b: Builder, node: typed.Expression, to: Type) -> Code:
    """Return an expression of one number as a value of a type."""
    result = converted(b, operand(b, node), node.type, to)
    assert isinstance(result, Code)
    return result


# --- reading ----------------------------------------------------------------------------------------------------------


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


def position(b: Builder, types: tuple[ScalarType, ...], indices: tuple[typed.Expression, ...]) -> str:
    """Return the row-major position of an element."""
    text = "0"
    for type_, index in zip(types, indices, strict=True):
        text = plus(times(text, size(type_)), offset(integer(b, index), -lowest(type_)))
    return text


def offset(text: str, distance: int) -> str:
    """Return an integer text plus a constant."""
    return plus(text, str(distance))


def element_at(b: Builder, array: Operand, type_: ArrayType, at: str) -> Operand:
    """Return the element of an array at a position."""
    if isinstance(array, Elements):
        if at.isdigit():
            return array.items[int(at)]
        at = b.assign(at, "i")
        chosen = array.items[-1]
        for i in reversed(range(len(array.items) - 1)):
            chosen = _chosen(f"{at} == {i}", array.items[i], chosen)
        return chosen
    assert isinstance(array, Memory)
    words = element_words(type_.element)
    place = plus(array.base, times(at, words))
    if not isinstance(type_.element, SetType):
        return Code(f"{array.pointer}[{place}]")
    place = place if place.isdigit() else b.assign(place, "i")
    return bits_in_memory(Memory(array.pointer, place), words)


def _chosen(test: str, then: Operand, otherwise: Operand) -> Code | Bits:
    """Return one of two operands of the same kind, both cheap to evaluate."""
    if isinstance(then, Code) and isinstance(otherwise, Code):
        if then.constant is not None and then.constant == otherwise.constant:
            return then
        return Code(f"({as_integer(then)} if {test} else {as_integer(otherwise)})")
    assert isinstance(then, Bits)
    assert isinstance(otherwise, Bits)
    pairs = zip(then.words, otherwise.words, strict=True)
    return Bits(tuple(left if left == right else f"({left} if {test} else {right})" for left, right in pairs))


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


@compiles(typed.ArrayLiteral)
def _array_literal(b: Builder, node: typed.ArrayLiteral) -> Operand:
    assert isinstance(node.type, ArrayType)
    element_type = node.type.element
    items = []
    for element in node.elements:
        item = converted(b, operand(b, element), element.type, element_type)
        assert isinstance(item, (Code, Bits))
        items.append(b.named(item) if isinstance(item, Code) else b.named_bits(item))
    return in_memory(b, Elements(tuple(items)), node.type) if len(items) > 16 else Elements(tuple(items))


def local_memory(b: Builder, type_: Type) -> Memory:
    """Return new memory of the function's own for a value of a type; what is in it is not defined."""
    name = b.fresh("local")
    service = "local_reals" if is_real(type_) else "local_words"
    words = type_words(type_)
    b.module.count_local_words(words)
    b.emit(f"{name} = {service}({words})")
    return Memory(name, "0")


def in_memory(b: Builder, value: Operand, type_: Type) -> Memory:
    """Return a value as it lies in memory, copied there if it does not yet."""
    if isinstance(value, Memory):
        return value
    if isinstance(value, Bits) and value.place is not None:
        return value.place
    memory = local_memory(b, type_)
    store(b, memory, value, type_)
    return memory


def store(b: Builder, to: Memory, value: Operand, type_: Type) -> None:
    """Write a value into memory."""
    source = value.place if isinstance(value, Bits) else value
    if isinstance(source, Memory):
        service = "copy_reals" if is_real(type_) else "copy_words"
        b.emit(f"{service}({to.pointer}, {to.base}, {source.pointer}, {source.base}, {type_words(type_)})")
        return
    for i, text in enumerate(flat(value)):
        b.emit(f"{to.pointer}[{plus(to.base, str(i))}] = {text}")


@compiles(typed.MoveRead)
def _move_read(b: Builder, node: typed.MoveRead) -> Operand:
    if node.player is None:
        (move,) = b.moves
        return move
    players = ArrayType((b.module.game.players,), IntType(-1, 1 << 62))
    return element_at(b, Elements(b.moves), players, integer(b, node.player))


# --- what can fail ----------------------------------------------------------------------------------------------------


def bounds(type_: Type) -> tuple[int, int]:
    """Return the smallest and largest code of a scalar or an option."""
    inner = type_.inner if isinstance(type_, OptionType) else type_
    assert isinstance(inner, (BoolType, IntType, EnumType, CellType)), type_
    low = lowest(inner)
    return (low - 1 if isinstance(type_, OptionType) else low), low + size(inner) - 1


@compiles(typed.Guard)
def _guard(b: Builder, node: typed.Guard) -> Operand:
    value = operand(b, node.operand)
    site = b.module.site(FaultSite("out_of_range", node.reason, node.span), node.operand.type)
    if isinstance(node.type, SetType):
        from ggp.model.generate.sets import guarded_set

        assert isinstance(value, Bits)
        return guarded_set(b, value, node, site)
    value = converted(b, value, node.operand.type, _widened(node.operand.type, node.type))
    assert isinstance(value, Code)
    low, high = bounds(node.type)
    if value.constant is not None and low <= value.constant <= high:
        return value
    return Code(f"guard({as_integer(value)}, {low}, {high}, {site}, {b.fault})")


def _widened(operand_type: Type, target: Type) -> Type:
    """Return the type in which an operand is compared with the bounds of the target: none where the target has it."""
    if isinstance(operand_type, OptionType) and isinstance(target, OptionType):
        return target
    return operand_type


@compiles(typed.Unwrap)
def _unwrap(b: Builder, node: typed.Unwrap) -> Operand:
    value = code(b, node.operand)
    assert isinstance(node.operand.type, OptionType)
    none = none_code(node.operand.type.inner)
    if value.constant is not None and value.constant != none:
        return value
    site = b.module.site(FaultSite("is_none", node.reason, node.span), node.operand.type)
    return Code(f"unwrap({as_integer(value)}, {none}, {site}, {b.fault})")


@compiles(typed.Wrap)
def _wrap(b: Builder, node: typed.Wrap) -> Operand:
    return converted(b, operand(b, node.operand), node.operand.type, node.type)


# --- numbers and truth ------------------------------------------------------------------------------------------------

REAL_FUNCTIONS = {"tanh": "tanh", "sqrt": "square_root", "exp": "exponential", "log": "logarithm"}


@compiles(typed.Unary)
def _unary(b: Builder, node: typed.Unary) -> Operand:
    value = code(b, node.operand)
    match node.operator:
        case "not":
            return negated(value)
        case "is_none":
            assert isinstance(node.operand.type, OptionType)
            none = none_code(node.operand.type.inner)
            if value.constant is not None:
                return truth(value.constant == none)
            return Code(f"{paren(value.text)} == {none}", truth=True)
        case "real":
            return converted(b, value, node.operand.type, RealType(-math.inf, math.inf))
    text = paren(as_integer(value))
    real = isinstance(node.type, RealType)
    if real:
        value = _as_real(b, value, node.operand.type)
        text = paren(value.text)
    match node.operator:
        case "negate":
            return literal(-value.constant) if value.constant is not None else Code(f"-{text}")
        case "absolute":
            return Code(f"abs({value.text if real else as_integer(value)})")
        case "sign":
            sign = f"sign({value.text if real else as_integer(value)})"
            return Code(f"float({sign})" if real else sign)
        case _:
            return Code(f"{REAL_FUNCTIONS[node.operator]}({value.text})")


def _as_real(b: Builder, value: Code, type_: Type) -> Code:
    result = converted(b, value, type_, RealType(-math.inf, math.inf))
    assert isinstance(result, Code)
    return result


ARITHMETIC = {"add": "+", "subtract": "-", "multiply": "*"}
COMPARISONS = {
    "equal": "==", "unequal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=",
}  # fmt: skip


@compiles(typed.Binary)
def _binary(b: Builder, node: typed.Binary) -> Operand:
    match node.operator:
        case "and" | "or":
            return _connected(b, node)
        case "equal" | "unequal":
            return _compared(b, node)
        case "div" | "mod":
            return _divided(b, node)
    left, right = code(b, node.left), code(b, node.right)
    if isinstance(node.type, RealType) or RealType in (type(node.left.type), type(node.right.type)):
        left, right = _as_real(b, left, node.left.type), _as_real(b, right, node.right.type)
    a, c = as_integer(left), as_integer(right)
    if node.operator in COMPARISONS:
        return _comparison(left, COMPARISONS[node.operator], right)
    if node.operator in ARITHMETIC:
        if left.constant is not None and right.constant is not None:
            numbers = {
                "add": left.constant + right.constant,
                "subtract": left.constant - right.constant,
                "multiply": left.constant * right.constant,
            }
            return literal(numbers[node.operator])
        if not isinstance(node.type, RealType) and node.operator == "add":
            return Code(plus(a if is_name(a) else paren(a), paren(c)))
        return Code(f"{paren(a)} {ARITHMETIC[node.operator]} {paren(c)}")
    names = {"minimum": "smaller", "maximum": "larger", "divide": "divide", "power": "power"}
    return Code(f"{names[node.operator]}({a}, {c})")


def _comparison(left: Code, operator: str, right: Code) -> Code:
    if left.constant is not None and right.constant is not None:
        a, c = left.constant, right.constant
        return truth(
            {"==": a == c, "!=": a != c, "<": a < c, "<=": a <= c, ">": a > c, ">=": a >= c}[operator],
        )
    return Code(f"{paren(as_integer(left))} {operator} {paren(as_integer(right))}", truth=True)


def _connected(b: Builder, node: typed.Binary) -> Code:
    """`and` and `or`: the right side's lines stand where they run only if the left does not decide."""
    left = condition(b, node.left)
    decides = node.operator == "or"
    if left.constant is not None:
        return left if bool(left.constant) == decides else condition(b, node.right)
    with b.capture() as lines:
        right = condition(b, node.right)
    if right.constant is not None and not lines:
        return truth(decides) if bool(right.constant) == decides else left
    if not lines:
        return Code(f"({left.text} {node.operator} {right.text})", truth=True)
    result = b.fresh("t")
    b.emit(f"{result} = {left.text}")
    with b.block(f"if not {result}:" if decides else f"if {result}:"):
        b.lines.extend(lines)
        b.emit(f"{result} = {right.text}")
    return Code(result, truth=True)


def _compared(b: Builder, node: typed.Binary) -> Code:
    left, right = operand(b, node.left), operand(b, node.right)
    type_ = common_type(node.left.type, node.right.type)
    left, right = converted(b, left, node.left.type, type_), converted(b, right, node.right.type, type_)
    equal = equality(b, left, right, type_)
    return equal if node.operator == "equal" else _unequal(equal)


def _unequal(equal: Code) -> Code:
    if equal.constant is None and equal.text.count(" == ") == 1 and not re_connectives(equal.text):
        return Code(equal.text.replace(" == ", " != "), truth=True)
    return negated(equal)


def re_connectives(text: str) -> bool:
    """Return whether a condition is more than one comparison."""
    return any(word in text for word in (" and ", " or ", " if ", "not "))


def common_type(left: Type, right: Type) -> Type:
    """Return a type whose codes can hold the values of both, none apart from every code."""
    if isinstance(left, OptionType) or isinstance(right, OptionType):
        lows = [bounds(side.inner if isinstance(side, OptionType) else side) for side in (left, right)]
        return OptionType(IntType(min(low for low, _ in lows), max(high for _, high in lows)))
    if isinstance(left, SetType) and isinstance(right, SetType) and not _same_words(left, right):
        lows = [bounds(side.element) for side in (left, right)]
        return SetType(IntType(min(low for low, _ in lows), max(high for _, high in lows)))
    if isinstance(left, RealType) or isinstance(right, RealType):
        return RealType(-math.inf, math.inf)
    return left


def equality(b: Builder, left: Operand, right: Operand, type_: Type) -> Code:
    """Return whether two values of one type are the same."""
    if isinstance(left, Memory) or isinstance(right, Memory):
        a, c = in_memory(b, left, type_), in_memory(b, right, type_)
        return Code(f"same_words({a.pointer}, {a.base}, {c.pointer}, {c.base}, {type_words(type_)})", truth=True)
    if isinstance(left, Code) and isinstance(right, Code):
        return _comparison(left, "==", right)
    pairs = list(zip(flat(left), flat(right), strict=True))
    tests = [f"{paren(a)} == {paren(c)}" for a, c in pairs if not (a == c and is_name(a))]
    if not tests:
        return truth(True)
    return Code(tests[0] if len(tests) == 1 else f"({' and '.join(tests)})", truth=True)


def _divided(b: Builder, node: typed.Binary) -> Code:
    left, right = code(b, node.left), code(b, node.right)
    never_negative = isinstance(node.left.type, IntType) and node.left.type.low >= 0
    if right.constant is not None and right.constant != 0:
        if left.constant is not None:
            divide = int.__floordiv__ if node.operator == "div" else int.__mod__
            return literal(divide(int(left.constant), int(right.constant)))
        if never_negative and right.constant > 0:
            service = "quotient" if node.operator == "div" else "remainder"
            return Code(f"{service}({as_integer(left)}, {right.constant})")
        return Code(f"{paren(as_integer(left))} {'//' if node.operator == 'div' else '%'} {right.constant}")
    site = b.module.site(FaultSite("division_by_zero", "division by zero", node.span), None)
    service = "floor_quotient" if node.operator == "div" else "floor_remainder"
    return Code(f"{service}({as_integer(left)}, {as_integer(right)}, {site}, {b.fault})")


@compiles(typed.If)
def _if(b: Builder, node: typed.If) -> Operand:
    test = condition(b, node.condition)
    if test.constant is not None:
        branch = node.then if test.constant else node.otherwise
        return converted(b, operand(b, branch), branch.type, node.type)
    with b.capture() as then_lines:
        then = converted(b, operand(b, node.then), node.then.type, node.type)
    with b.capture() as else_lines:
        otherwise = converted(b, operand(b, node.otherwise), node.otherwise.type, node.type)
    if isinstance(node.type, ArrayType) and (isinstance(then, Memory) or isinstance(otherwise, Memory)):
        return _chosen_array(b, test, node, (then_lines, then), (else_lines, otherwise))
    texts = list(zip(flat(then), flat(otherwise), strict=True))
    if not then_lines and not else_lines and len(texts) == 1:
        if isinstance(node.type, BoolType):
            assert isinstance(then, Code)
            assert isinstance(otherwise, Code)
            return Code(f"({as_condition(then)} if {test.text} else {as_condition(otherwise)})", truth=True)
        return _like(then, [f"({texts[0][0]} if {test.text} else {texts[0][1]})"])
    names = [b.fresh("t") for _ in texts]
    with b.block(f"if {test.text}:"):
        b.lines.extend(then_lines)
        for name, (text, _) in zip(names, texts, strict=True):
            b.emit(f"{name} = {text}")
    with b.block("else:"):
        b.lines.extend(else_lines)
        for name, (_, text) in zip(names, texts, strict=True):
            b.emit(f"{name} = {text}")
    return _like(then, names)


def _like(shape: Operand, texts: list[str]) -> Operand:
    """Return an operand of the same kind as another, made of other texts."""
    match shape:
        case Code():
            return Code(texts[0])
        case Bits():
            return Bits(tuple(texts))
        case Elements(items):
            parts: list[Code | Bits] = []
            rest = list(texts)
            for item in items:
                count = len(flat(item))
                part = _like(item, rest[:count])
                assert isinstance(part, (Code, Bits))
                parts.append(part)
                rest = rest[count:]
            return Elements(tuple(parts))
        case Memory():
            raise AssertionError("memory is copied, not named")


def _chosen_array(
    b: Builder, test: Code, node: typed.If, then: tuple[Any, Operand], otherwise: tuple[Any, Operand]
) -> Memory:
    memory = local_memory(b, node.type)
    with b.block(f"if {test.text}:"):
        b.lines.extend(then[0])
        store(b, memory, then[1], node.type)
    with b.block("else:"):
        b.lines.extend(otherwise[0])
        store(b, memory, otherwise[1], node.type)
    return memory


@compiles(typed.Hash)
def _hash(b: Builder, node: typed.Hash) -> Operand:
    text = "0"
    for part in node.operands:
        value = as_integer(code(b, part))
        text = f"scramble_word({value if text == '0' else f'{text} ^ {paren(value)}'})"
    return Code(f"hash_below({text}, {node.modulus})")
