"""Numbers and truth: what can fail, operators, comparisons, conditionals, hashes."""

from __future__ import annotations

import math

from ggp.arithmetic.words import factors, signed
from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Block, Constant, Expression, Kind
from ggp.encoding.state_layout import none_code, type_words
from ggp.faults import FaultSite
from ggp.language import typed
from ggp.language.typed.hashing import MAX_SCALED
from ggp.language.typed.types import ArrayType, BoolType, IntType, OptionType, RealType, Type
from ggp.rules_compiler.emit.bits import is_empty
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.conversion import common_type, converted
from ggp.rules_compiler.emit.dispatch import code, condition, integer, operand
from ggp.rules_compiler.emit.memory import in_memory, local_memory, store
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, Operand, bounds, flat
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS, elements


def write_guard(b: Builder, node: typed.Guard) -> Expression:
    """Write a value that must be in a range, or the nearest one that is where that makes no difference."""
    value = code(b, node.operand)
    if not node.reason:
        return _clamped(value, *bounds(node.operand.type), *bounds(node.type))
    site = b.module.site(FaultSite("out_of_range", node.reason, node.span), node.operand.type)
    low, high = node.type.low, node.type.high
    if value.constant is not None and low <= value.constant <= high:
        return value
    return _may_fault(b, "guard", ir.as_integer(value), low, high, site)


def _may_fault(b: Builder, operator: str, *operands: ir.Given) -> Expression:
    """Return an operation that may fault, and write it at once: its uses may be folded away, but not the fault."""
    return b.start("t", ir.effect(operator, *operands, b.fault))


def write_unwrap(b: Builder, node: typed.Unwrap) -> Expression:
    """Write a value that must not be none."""
    value = code(b, node.operand)
    assert isinstance(node.operand.type, OptionType)
    none = none_code(node.operand.type.inner)
    if not node.reason:
        return _clamped(value, none, none + 1, none + 1, none + 1)
    if value.constant is not None and value.constant != none:
        return value
    site = b.module.site(FaultSite("is_none", node.reason, node.span), node.operand.type)
    return _may_fault(b, "unwrap", ir.as_integer(value), none, site)


def _clamped(value: Expression, lowest: float, highest: float, low: float, high: float) -> Expression:
    """Return a value that may be between `lowest` and `highest`, moved into a range."""
    value = ir.as_integer(value)
    if lowest < low:
        value = ir.operation("larger", value, int(low))
    return ir.operation("smaller", value, int(high)) if high < highest else value


def write_wrap(b: Builder, node: typed.Wrap) -> Operand:
    """Write a value as one that may be none."""
    return converted(b, operand(b, node.operand), node.operand.type, node.type)


def write_unary(b: Builder, node: typed.Unary) -> Expression:
    """Write an operator on one operand."""
    value = code(b, node.operand)
    if node.operator == "not":
        return ir.negation(ir.as_truth(value))
    if node.operator == "is_none":
        assert isinstance(node.operand.type, OptionType)
        return ir.equal(value, none_code(node.operand.type.inner))
    if not isinstance(node.type, RealType):
        of_real = value.kind is Kind.REAL
        return ir.operation(f"real_{node.operator}" if of_real else node.operator, ir.as_integer(value))
    value = ir.as_real(value)
    match node.operator:
        case "real":
            return value
        case "sign":
            return ir.operation("real", ir.operation("real_sign", value))
        case "negate" | "absolute":
            return ir.operation(f"real_{node.operator}", value)
    return ir.operation(node.operator, value)


def write_binary(b: Builder, node: typed.Binary) -> Expression:
    """Write an operator on two operands."""
    match node.operator:
        case "and" | "or":
            return _connected(b, node)
        case "equal" | "unequal":
            return _compared(b, node)
        case "div" | "mod":
            return _divided(b, node)
    left, right = integer(b, node.left), integer(b, node.right)
    real = isinstance(node.type, RealType) or RealType in (type(node.left.type), type(node.right.type))
    if real:
        left, right = ir.as_real(left), ir.as_real(right)
    match node.operator:
        case "less" | "less_equal" | "greater" | "greater_equal":
            return ir.compare(node.operator, left, right)
        case "add" | "subtract" | "multiply" if not real:
            return {"add": ir.add, "subtract": ir.subtract, "multiply": ir.multiply}[node.operator](left, right)
        case "add" | "subtract" | "multiply":
            return _defined(ir.operation(f"real_{node.operator}", left, right), node)
        case "divide":
            return _defined(ir.operation("divide", left, right), node)
        case "minimum" | "maximum":
            name = "smaller" if node.operator == "minimum" else "larger"
            return ir.operation(f"real_{name}" if real else name, left, right)
    return ir.operation(node.operator, left, right)


def _defined(value: Expression, node: typed.Binary) -> Expression:
    """Return a real operation, or 0 if its operands may be infinite and the result is undefined."""
    finite = [math.isfinite(part.type.low) and math.isfinite(part.type.high) for part in (node.left, node.right)
              if isinstance(part.type, RealType)]  # fmt: skip
    return value if all(finite) or isinstance(value, Constant) else ir.operation("defined", value)


def _connected(b: Builder, node: typed.Binary) -> Expression:
    """Write `and` or `or`: the statements of the right side run only if the left side does not decide."""
    left = condition(b, node.left)
    decides = node.operator == "or"
    connect = ir.disjunction if decides else ir.conjunction
    if left.constant is not None:
        return left if bool(left.constant) == decides else condition(b, node.right)
    with b.capture() as body:
        right = condition(b, node.right)
    if not body:
        return connect([left, right])
    result = b.start("t", left)
    with b.when(ir.negation(result) if decides else result):
        b.body.extend(body)
        b.set(result, right)
    return result


def _compared(b: Builder, node: typed.Binary) -> Expression:
    left, right = operand(b, node.left), operand(b, node.right)
    type_ = common_type(node.left.type, node.right.type)
    left, right = converted(b, left, node.left.type, type_), converted(b, right, node.right.type, type_)
    equal = equality(b, left, right, type_)
    return equal if node.operator == "equal" else ir.negation(equal)


def equality(b: Builder, left: Operand, right: Operand, type_: Type) -> Expression:
    """Return whether two values of one type are the same."""
    if isinstance(left, Memory) or isinstance(right, Memory):
        a, c = in_memory(b, left, type_), in_memory(b, right, type_)
        return ir.effect("same_words", a.row, a.base, c.row, c.base, type_words(type_))
    if isinstance(left, Bits) and isinstance(right, Bits) and len(left.words) > LOCAL_WORDS:
        # a chain of comparisons of hundreds of words would be nested too deeply to be printed
        return is_empty(Bits(tuple(ir.operation("xor", a, c) for a, c in zip(left.words, right.words, strict=True))))
    return ir.conjunction(ir.equal(a, c) for a, c in zip(flat(left), flat(right), strict=True))


def _divided(b: Builder, node: typed.Binary) -> Expression:
    left, right = integer(b, node.left), integer(b, node.right)
    never_negative = isinstance(node.left.type, IntType) and node.left.type.low >= 0
    if right.constant is not None and right.constant != 0:
        if left.constant is not None:
            divide = int.__floordiv__ if node.operator == "div" else int.__mod__
            return ir.integer(divide(int(left.constant), int(right.constant)))
        if (power := int(right.constant)) > 0 and power & (power - 1) == 0:
            # rounded down for negative numbers too
            if node.operator == "mod":
                return ir.both(left, power - 1)
            return left if power == 1 else ir.operation("right", left, power.bit_length() - 1)
        if never_negative and right.constant > 0:
            return ir.operation("quotient" if node.operator == "div" else "remainder", left, right)
        return ir.operation("floor_divide" if node.operator == "div" else "modulo", left, right)
    site = b.module.site(FaultSite("division_by_zero", "division by zero", node.span), None)
    if node.operator == "mod":
        return _may_fault(b, "floor_remainder", left, right, site)
    # native code continues after a fault, with a value of the type, since it may be used as an index
    low, high = bounds(node.type)
    return _may_fault(b, "floor_quotient", left, right, min(max(low, 0), high), site)


def write_if(b: Builder, node: typed.If) -> Operand:
    """Write one of two values."""
    test = condition(b, node.condition)
    if test.constant is not None:
        branch = node.then if test.constant else node.otherwise
        return converted(b, operand(b, branch), branch.type, node.type)
    with b.capture() as then_body:
        then = converted(b, operand(b, node.then), node.then.type, node.type)
    with b.capture() as else_body:
        otherwise = converted(b, operand(b, node.otherwise), node.otherwise.type, node.type)
    if isinstance(node.type, ArrayType) and (isinstance(then, Memory) or isinstance(otherwise, Memory)):
        return _chosen_array(b, test, node.type, (then_body, then), (else_body, otherwise))
    pairs = list(zip(flat(then), flat(otherwise), strict=True))
    if isinstance(node.type, BoolType):
        pairs = [(ir.as_truth(pairs[0][0]), ir.as_truth(pairs[0][1]))]
    if not then_body and not else_body and len(pairs) == 1:
        return _like(then, [ir.chosen(test, *pairs[0])])
    names = [b.fresh("t", value.kind or Kind.INT) for value, _ in pairs]
    with b.when(test):
        b.body.extend(then_body)
        b.set_all(names, [value for value, _ in pairs])
    with b.otherwise():
        b.body.extend(else_body)
        b.set_all(names, [value for _, value in pairs])
    return _like(then, list(names))


def _like(shape: Operand, values: list[Expression]) -> Operand:
    """Return an operand of the same kind as another, with other expressions."""
    match shape:
        case Bits():
            return Bits(tuple(values))
        case Elements(items):
            parts: list[Operand] = []
            rest = list(values)
            for item in items:
                count = len(flat(item))
                parts.append(_like(item, rest[:count]))
                rest = rest[count:]
            return elements(parts)
        case Memory():
            raise AssertionError("memory is copied, not named")
    return values[0]


def _chosen_array(
    b: Builder, test: Expression, type_: Type, then: tuple[Block, Operand], otherwise: tuple[Block, Operand]
) -> Memory:
    memory = local_memory(b, type_)
    with b.when(test):
        b.body.extend(then[0])
        store(b, memory, then[1], type_)
    with b.otherwise():
        b.body.extend(otherwise[0])
        store(b, memory, otherwise[1], type_)
    return memory


def write_hash(b: Builder, node: typed.Hash) -> Expression:
    """Write a pseudo-random number of some operands."""
    values = [flat(operand(b, part)) for part in node.operands]
    if node.modulus > MAX_SCALED:
        word = ir.operation("scramble_word", _folded([word for words in values for word in words]))
        return ir.operation("remainder", ir.operation("logical_right", word, 1), node.modulus)
    hashed: Expression = ir.ZERO
    for words in values:
        word = _folded(words) if len(words) > 1 else words[0]
        hashed = b.assign(ir.operation("scramble_word", ir.operation("xor", hashed, word)))
    return ir.operation("hash_below", hashed, node.modulus)


def _folded(words: list[Expression]) -> Expression:
    """Return one word made of several."""
    different = map(signed, factors(len(words)))
    parts = [ir.operation("spread_word", word, factor) for word, factor in zip(words, different, strict=True)]
    return ir.balanced(parts, lambda folded, part: ir.operation("xor", folded, part))
