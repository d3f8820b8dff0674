"""Numbers and truth: what can fail, operators, comparisons, conditionals, hashes."""

from __future__ import annotations

import math
from typing import Any

from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    IntType,
    OptionType,
    RealType,
    Type,
)
from ggp.model.faults import FaultSite
from ggp.model.generate.builder import (
    Builder,
    flat,
)
from ggp.model.generate.conversion import bounds, common_type, converted
from ggp.model.generate.dispatch import code, compiles, condition, operand
from ggp.model.generate.memory import in_memory, local_memory, store
from ggp.model.generate.operands import (
    Bits,
    Code,
    Elements,
    Memory,
    Operand,
    as_condition,
    as_integer,
    is_name,
    literal,
    negated,
    paren,
    plus,
    truth,
)
from ggp.model.state_layout import none_code, type_words


@compiles(typed.Guard)
def _guard(b: Builder, node: typed.Guard) -> Code:
    value = code(b, node.operand)
    site = b.module.site(FaultSite("out_of_range", node.reason, node.span), node.operand.type)
    low, high = node.type.low, node.type.high
    if value.constant is not None and low <= value.constant <= high:
        return value
    return _may_fault(b, f"guard({as_integer(value)}, {low}, {high}, {site}, {b.fault})")


def _may_fault(b: Builder, text: str) -> Code:
    """Return an operation that may fault, written at once: what uses it may be folded away, the fault may not."""
    return Code(b.assign(text))


@compiles(typed.Unwrap)
def _unwrap(b: Builder, node: typed.Unwrap) -> Operand:
    value = code(b, node.operand)
    assert isinstance(node.operand.type, OptionType)
    none = none_code(node.operand.type.inner)
    if value.constant is not None and value.constant != none:
        return value
    site = b.module.site(FaultSite("is_none", node.reason, node.span), node.operand.type)
    return _may_fault(b, f"unwrap({as_integer(value)}, {none}, {site}, {b.fault})")


@compiles(typed.Wrap)
def _wrap(b: Builder, node: typed.Wrap) -> Operand:
    return converted(b, operand(b, node.operand), node.operand.type, node.type)


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
        if isinstance(node.type, RealType):
            return _defined(f"{paren(a)} {ARITHMETIC[node.operator]} {paren(c)}", node)
        if node.operator == "add":
            return Code(plus(a if is_name(a) else paren(a), paren(c)))
        return Code(f"{paren(a)} {ARITHMETIC[node.operator]} {paren(c)}")
    names = {"minimum": "smaller", "maximum": "larger", "divide": "divide", "power": "power"}
    text = f"{names[node.operator]}({a}, {c})"
    return _defined(text, node) if node.operator == "divide" else Code(text)


def _defined(text: str, node: typed.Binary) -> Code:
    """Return a real operation; 0 where its operands may be infinite and it is not defined."""
    finite = [math.isfinite(part.type.low) and math.isfinite(part.type.high) for part in (node.left, node.right)
              if isinstance(part.type, RealType)]  # fmt: skip
    return Code(text if all(finite) else f"defined({text})")


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
    operands = f"{as_integer(left)}, {as_integer(right)}"
    if node.operator == "mod":
        return _may_fault(b, f"floor_remainder({operands}, {site}, {b.fault})")
    # native code goes on after a fault: with a value of the type, which may be an index
    low, high = bounds(node.type)
    return _may_fault(b, f"floor_quotient({operands}, {min(max(low, 0), high)}, {site}, {b.fault})")


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
