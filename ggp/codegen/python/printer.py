"""The intermediate representation as plain Python: what people read and debug, and what the referee runs."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.codegen.ir.nodes import (
    Allocate,
    Assign,
    AssignResults,
    Block,
    Break,
    Call,
    Chosen,
    Connected,
    Constant,
    Effect,
    Entry,
    Expression,
    For,
    Function,
    Group,
    If,
    Kind,
    Module,
    Name,
    Operation,
    Return,
    Statement,
    Store,
    While,
)
from ggp.codegen.ir.operators import OPERATORS, Operator

TERNARY, DISJUNCTION, CONJUNCTION = 0, 1, 2
"""Precedences of the constructs that are not in the table of operators."""
INDENTATION = "    "


def module_text(module: Module) -> str:
    """Return a module as Python source."""
    tables = "\n".join(
        f"{table.name.name} = ({''.join(f'{entry!r}, ' for entry in table.entries)})"
        for table in module.tables.values()
    )
    functions = ("\n".join(_function(function)) for function in module.functions)
    return "\n\n\n".join(part for part in (f'"""{module.comment}"""', tables, *functions) if part) + "\n"


def _function(function: Function) -> Iterator[str]:
    parameters = ", ".join(f"{name.name}: {name.kind.value}" for name in function.parameters)
    kinds = [kind.value for kind in function.results]
    result = kinds[0] if len(kinds) == 1 else (f"tuple[{', '.join(kinds)}]" if kinds else "None")
    yield f"def {function.name}({parameters}) -> {result}:"
    yield from _block(function.body, 1)


def _block(body: Block, depth: int) -> Iterator[str]:
    """Yield the lines of a block; `pass` for an empty one."""
    empty = True
    for line in _statements(body, depth):
        empty = False
        yield line
    if empty:
        yield f"{INDENTATION * depth}pass"


def _statements(body: Block, depth: int) -> Iterator[str]:
    for statement in body:
        yield from _statement(statement, depth)


def _statement(statement: Statement, depth: int) -> Iterator[str]:
    margin = INDENTATION * depth
    match statement:
        case Assign(target, value):
            yield f"{margin}{_assignment(target, value)}"
        case AssignResults(targets, value):
            yield f"{margin}{', '.join(target.name for target in targets)} = {text(value)}"
        case Store(row, index, value):
            yield f"{margin}{row.name}[{text(index)}] = {text(value)}"
        case Effect(value):
            yield f"{margin}{text(value)}"
        case Allocate(target, length):
            yield f"{margin}{target.name} = {'words' if target.kind is Kind.WORDS else 'reals'}_row({length})"
        case Group(body):
            yield from _statements(body, depth)
        case If(arms, otherwise):
            for number, (test, body) in enumerate(arms):
                yield f"{margin}{'elif' if number else 'if'} {text(test)}:"
                yield from _block(body, depth + 1)
            if otherwise:
                yield f"{margin}else:"
                yield from _block(otherwise, depth + 1)
        case While(test, body):
            yield f"{margin}while {text(test)}:"
            yield from _block(body, depth + 1)
        case For(counter, first, last, body):
            start = "" if first.constant == 0 else f"{text(first)}, "
            yield f"{margin}for {counter.name} in range({start}{text(last)}):"
            yield from _block(body, depth + 1)
        case Break():
            yield f"{margin}break"
        case Return(values):
            yield f"{margin}return {', '.join(map(text, values))}".rstrip()


def _assignment(target: Name, value: Expression) -> str:
    """Return an assignment; of `x = x + ...` the short form."""
    if isinstance(value, Operation) and len(value.operands) == 2 and value.operands[0] == target:
        row = OPERATORS[value.operator]
        if row.precedence and row.result is target.kind:
            return f"{target.name} {row.text}= {text(value.operands[1])}"
    return f"{target.name} = {text(value)}"


# --- expressions ------------------------------------------------------------------------------------------------------


def text(value: Expression, closeness: int = TERNARY) -> str:
    """Return an expression as it can stand beside an operator of some precedence."""
    match value:
        case Constant(number, Kind.BOOL):
            return "True" if number else "False"
        case Constant(number):
            return repr(number)
        case Name(name):
            return name
        case Entry(row, index):
            return f"{row.name}[{text(index)}]"
        case Call(function, arguments):
            return f"{function}({', '.join(map(text, arguments))})"
        case Chosen(test, then, otherwise):
            whole = f"{text(then, DISJUNCTION)} if {text(test, DISJUNCTION)} else {text(otherwise, DISJUNCTION)}"
            return _enclosed(whole, TERNARY, closeness)
        case Connected(is_conjunction, operands):
            own = CONJUNCTION if is_conjunction else DISJUNCTION
            parts = [text(operand, own + 1) for operand in operands]
            return _enclosed((" and " if is_conjunction else " or ").join(parts), own, closeness)
        case Operation(operator, operands):
            return _operation(OPERATORS[operator], operands, closeness)


def _operation(row: Operator, operands: tuple[Expression, ...], closeness: int) -> str:
    own = row.precedence
    if not own:
        return f"{row.text}({', '.join(map(text, operands))})"
    if len(operands) == 1:
        return _enclosed(f"{row.text}{' ' if row.text.isalpha() else ''}{text(operands[0], own)}", own, closeness)
    left, right = operands
    # comparisons stand beside each other with another meaning
    beside = own + 1 if row.result is Kind.BOOL else own
    return _enclosed(f"{text(left, beside)} {row.text} {text(right, own + 1)}", own, closeness)


def _enclosed(whole: str, own: int, closeness: int) -> str:
    return whole if own >= closeness else f"({whole})"
