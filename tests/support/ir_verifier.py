"""Whether a module of the intermediate representation is well formed: kinds, names, calls, rows.

A mistake here is one of the code generator; without this check it would show as an error of LLVM or wrong play.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from ggp.codegen.ir.operators import OPERATORS


class Malformed(AssertionError):
    """A module that is not well formed."""

    def __init__(self, function: str, reason: str) -> None:
        super().__init__(f"in `{function}`: {reason}")


def verify(module: Module) -> None:
    """Check a module.

    Raises:
        Malformed: it is not well formed.
    """
    known: dict[str, Function] = {}
    for function in module.functions:
        if function.name in known:
            raise Malformed(function.name, "there are two functions of this name")
        _Checker(module, known, function).run()
        known[function.name] = function


@dataclass
class _Checker:
    """One function being checked."""

    module: Module
    functions: dict[str, Function]
    function: Function

    def __post_init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.loops = 0

    def run(self) -> None:
        """Check the function."""
        for parameter in self.function.parameters:
            self._declare(parameter)
        self._block(self.function.body)

    def _require(self, holds: bool, reason: str) -> None:
        if not holds:
            raise Malformed(self.function.name, reason)

    def _declare(self, name: Name) -> None:
        self._require(not name.table and name.name not in self.module.tables, f"`{name.name}` is a table")
        self._require(self.kinds.setdefault(name.name, name.kind) is name.kind, f"`{name.name}` has two kinds")

    def _block(self, body: Block) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assign(target, value):
                self._expect(value, target.kind)
                self._declare(target)
            case AssignResults(targets, call):
                self._call(call, tuple(target.kind for target in targets))
                for target in targets:
                    self._declare(target)
            case Store(row, index, value):
                self._require(not row.table, f"`{row.name}` is constant")
                self._expect(row, row.kind)
                self._expect(index, Kind.INT)
                self._expect(value, row.kind.element)
            case Effect(value):
                self._expression(value)
            case Allocate(target, length):
                self._require(target.kind in (Kind.WORDS, Kind.REALS) and length > 0, f"`{target.name}` is not a row")
                self._declare(target)
            case Group(body):
                self._block(body)
            case If(arms, otherwise):
                for test, body in arms:
                    self._expect(test, Kind.BOOL)
                    self._block(body)
                self._block(otherwise)
            case While(test, body):
                self._expect(test, Kind.BOOL)
                self._loop(body)
            case For(counter, first, last, body):
                self._expect(first, Kind.INT)
                self._expect(last, Kind.INT)
                self._require(counter.kind is Kind.INT, f"`{counter.name}` is a loop counter and not an integer")
                self._declare(counter)
                self._loop(body)
            case Break():
                self._require(self.loops > 0, "a break stands outside of every loop")
            case Return(values):
                self._require(len(values) == len(self.function.results), "the number of results is another")
                for value, kind in zip(values, self.function.results, strict=True):
                    self._expect(value, kind)

    def _loop(self, body: Block) -> None:
        self.loops += 1
        self._block(body)
        self.loops -= 1

    # --- expressions --------------------------------------------------------------------------------------------------

    def _expect(self, value: Expression, kind: Kind) -> None:
        found = self._expression(value)
        if found is not kind:  # asked first: messages take longer to write than all else
            self._require(False, f"expected {kind}, found {found}: {value}")

    def _expression(self, value: Expression) -> Kind | None:
        match value:
            case Constant(number, kind):
                self._require(kind in (Kind.INT, Kind.REAL, Kind.BOOL), f"{number} has no kind of its own")
                self._require(isinstance(number, float) == (kind is Kind.REAL), f"{number!r} is of another kind")
            case Name(name, kind):
                if value.table:
                    self._require(name in self.module.tables, f"there is no table `{name}`")
                    self._require(self.module.tables[name].name.kind is kind, f"`{name}` has another kind")
                else:
                    self._require(self.kinds.get(name) is kind, f"`{name}` is not assigned before, or has another kind")
            case Entry(row, index):
                self._expect(row, row.kind)
                self._expect(index, Kind.INT)
            case Operation(operator, operands, kind):
                row_of_table = OPERATORS[operator]
                self._require(kind is row_of_table.result, f"`{operator}` gives another kind")
                self._require(len(operands) == len(row_of_table.operands), f"`{operator}` has other operands")
                for operand, wanted in zip(operands, row_of_table.operands, strict=True):
                    self._expect(operand, wanted)
            case Connected(_, operands):
                for operand in operands:
                    self._expect(operand, Kind.BOOL)
            case Chosen(test, then, otherwise):
                self._expect(test, Kind.BOOL)
                self._require(then.kind is not None, "a choice of nothing")
                self._require(self._expression(then) is self._expression(otherwise), "a choice of two kinds")
            case Call(_, _, kind):
                self._call(value, () if kind is None else (kind,))
        return value.kind

    def _call(self, call: Call, results: tuple[Kind, ...]) -> None:
        self._require(call.function in self.functions, f"`{call.function}` does not come before this function")
        function = self.functions[call.function]
        self._require(function.results == results, f"`{call.function}` has other results")
        self._require(len(function.parameters) == len(call.arguments), f"`{call.function}` has other parameters")
        for argument, parameter in zip(call.arguments, function.parameters, strict=True):
            self._expect(argument, parameter.kind)
