"""Expressions of generated source in LLVM's language, and what the functions of one module share.

Each kind of expression is lowered to the value that LLVM computes for it; services are given, not known here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from llvmlite import ir

Kind: TypeAlias = Literal["int", "float", "bool", "Words", "Reals", "None", "tuple"]

INT = ir.IntType(64)
REAL = ir.DoubleType()
BOOL = ir.IntType(1)
VOID = ir.VoidType()
TYPES: dict[str, ir.Type] = {
    "int": INT, "float": REAL, "bool": BOOL, "Words": INT.as_pointer(), "Reals": REAL.as_pointer(), "None": VOID,
}  # fmt: skip

CHEAP_NODES = 36
"""Conditional expressions of up to so many nodes of Python's syntax tree are computed on both sides, not jumped to."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value in LLVM's language with its kind."""

    llvm: ir.Value
    kind: Kind


class NotInSubset(AssertionError):
    """Generated source uses something that this compiler does not know: a mistake of the generator."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        super().__init__(f"{reason}: {ast.unparse(node)}")


@dataclass
class ModuleContents:
    """What the functions of one LLVM module can read and call.

    Attributes:
        module: the module itself.
        services: how a call of each service is lowered.
        has_pdep: whether the processor deposits bits quickly.
        tables: the constant arrays by name.
        functions: for each function itself, the kinds of its parameters, and that of its result as written.
    """

    module: ir.Module
    services: Mapping[str, Service]
    has_pdep: bool
    tables: dict[str, Value] = field(default_factory=dict)
    functions: dict[str, tuple[ir.Function, list[str], str]] = field(default_factory=dict)

    def intrinsic(self, name: str, result: ir.Type, *parameters: ir.Type) -> ir.Function:
        """Return a function of LLVM's or of the C library."""
        if name in self.module.globals:
            return self.module.globals[name]
        return ir.Function(self.module, ir.FunctionType(result, parameters), name)


class ExpressionLowering:
    """Lowers the expressions of one function."""

    def __init__(self, owner: ModuleContents, function: ir.Function) -> None:
        self.owner = owner
        self.function = function
        self.allocations = ir.IRBuilder(function.append_basic_block("entry"))
        """Where memory of the function's own is taken: once a call, not once a round of a loop."""
        self.body = function.append_basic_block("body")
        self.builder = ir.IRBuilder(self.body)
        self.names: dict[str, Value] = {}
        """The place in memory of each name; LLVM makes registers of them."""

    def new_block(self, name: str) -> ir.Block:
        """Return a new block of the function, still empty."""
        return self.function.append_basic_block(name)

    def truth(self, node: ast.expr) -> ir.Value:
        """Return a condition as one bit."""
        value = self.expression(node)
        if value.kind != "bool":
            raise NotInSubset(node, "condition")
        return value.llvm

    def integer(self, node: ast.expr) -> ir.Value:
        """Return an integer."""
        return self.as_kind(self.expression(node), "int", node).llvm

    def real(self, node: ast.expr) -> ir.Value:
        """Return a float."""
        return self.as_kind(self.expression(node), "float", node).llvm

    def as_kind(self, value: Value, kind: str, node: ast.AST) -> Value:
        """Return a value as one of another kind: a truth value as 0 or 1; `node` is where it stands, for the error."""
        if value.kind == kind:
            return value
        if value.kind == "bool" and kind == "int":
            return Value(self.builder.zext(value.llvm, INT), "int")
        raise NotInSubset(node, f"{value.kind} where {kind} is wanted")

    def expression(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        match node:
            case ast.Constant(value=bool() as value):
                return Value(ir.Constant(BOOL, int(value)), "bool")
            case ast.Constant(value=int() as value):
                return Value(ir.Constant(INT, value), "int")
            case ast.Constant(value=float() as value):
                return Value(ir.Constant(REAL, value), "float")
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Subscript():
                place, kind = self.place(node)
                return Value(self.builder.load(place), kind)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._comparison(left, operator, right)
            case ast.BoolOp(op=operator, values=values):
                return Value(self._connected(isinstance(operator, ast.Or), values), "bool")
            case ast.IfExp():
                return self._chosen(node)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(node, name, arguments)
        raise NotInSubset(node, "expression")

    def _name(self, node: ast.expr, name: str) -> Value:
        if name in self.names:
            home = self.names[name]
            return Value(self.builder.load(home.llvm), home.kind)
        if name in self.owner.tables:
            return self.owner.tables[name]
        if name == "inf":
            return Value(ir.Constant(REAL, float("inf")), "float")
        raise NotInSubset(node, "unknown name")

    def place(self, node: ast.Subscript) -> tuple[ir.Value, Kind]:
        """Return the place of an entry of an array in memory, and the kind of what lies there."""
        base = self.expression(node.value)
        place = self.builder.gep(base.llvm, [self.integer(node.slice)], inbounds=True)
        return place, "int" if base.kind == "Words" else "float"

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return Value(self.builder.not_(self.truth(node.operand)), "bool")
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self.expression(ast.Constant(-node.operand.value))  # type: ignore[operator]
        value = self.expression(node.operand)
        if isinstance(node.op, ast.Invert):
            return Value(self.builder.not_(value.llvm), "int")
        negate = self.builder.fneg if value.kind == "float" else self.builder.neg
        return Value(negate(value.llvm), value.kind)

    def _binary(self, node: ast.BinOp) -> Value:
        left, right, b = self.expression(node.left), self.expression(node.right), self.builder
        kind: Kind = "float" if left.kind == "float" else "int"
        operations: dict[type[ast.operator], Callable[[ir.Value, ir.Value], ir.Value]]
        if kind == "float":
            operations = {ast.Add: b.fadd, ast.Sub: b.fsub, ast.Mult: b.fmul, ast.Div: b.fdiv}
        else:
            operations = {
                ast.Add: b.add, ast.Sub: b.sub, ast.Mult: b.mul, ast.BitAnd: b.and_, ast.BitOr: b.or_,
                ast.BitXor: b.xor, ast.LShift: b.shl, ast.RShift: b.ashr,
                ast.FloorDiv: self._function("floored"), ast.Mod: self._function("modulo"),
            }  # fmt: skip
        if type(node.op) not in operations:
            raise NotInSubset(node, f"operator on {kind}")
        x, y = self.as_kind(left, kind, node).llvm, self.as_kind(right, kind, node).llvm
        return Value(operations[type(node.op)](x, y), kind)

    def _function(self, name: str) -> Callable[[ir.Value, ir.Value], ir.Value]:
        """Return an operation that is a function of the module's, its operands lowered already.

        Lowering a call of it would lower the operands again: twice as much with each quotient of a quotient.
        """
        return lambda left, right: self.builder.call(self.owner.functions[name][0], [left, right])

    def _comparison(self, left_node: ast.expr, operator: ast.cmpop, right_node: ast.expr) -> Value:
        symbols = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
        if type(operator) not in symbols:
            raise NotInSubset(left_node, f"comparison {type(operator).__name__}")
        symbol = symbols[type(operator)]
        left, right = self.expression(left_node), self.expression(right_node)
        if left.kind == "float":
            ordered = self.builder.fcmp_unordered if symbol == "!=" else self.builder.fcmp_ordered
            return Value(ordered(symbol, left.llvm, self.as_kind(right, "float", right_node).llvm), "bool")
        x, y = self.as_kind(left, "int", left_node).llvm, self.as_kind(right, "int", right_node).llvm
        return Value(self.builder.icmp_signed(symbol, x, y), "bool")

    def _connected(self, is_or: bool, nodes: list[ast.expr]) -> ir.Value:
        first, *rest = nodes
        left = self.truth(first)
        if not rest:
            return left
        decided = ir.Constant(BOOL, int(is_or))
        if all(is_cheap(node) for node in rest):
            right = self._connected(is_or, rest)
            return self.builder.select(left, decided, right) if is_or else self.builder.select(left, right, decided)
        before = self.builder.block
        more, end = self.new_block("more"), self.new_block("joined")
        self.builder.cbranch(left, end if is_or else more, more if is_or else end)
        self.builder.position_at_end(more)
        right = self._connected(is_or, rest)
        last = self.builder.block
        self.builder.branch(end)
        self.builder.position_at_end(end)
        joined = self.builder.phi(BOOL)
        joined.add_incoming(decided, before)
        joined.add_incoming(right, last)
        return joined

    def _chosen(self, node: ast.IfExp) -> Value:
        test = self.truth(node.test)
        if is_cheap(node.body) and is_cheap(node.orelse):
            then, otherwise = self.expression(node.body), self.expression(node.orelse)
            kind = _kind_of_both(then, otherwise)
            then, otherwise = self.as_kind(then, kind, node), self.as_kind(otherwise, kind, node)
            return Value(self.builder.select(test, then.llvm, otherwise.llvm), kind)
        starts, end = (self.new_block("then"), self.new_block("else")), self.new_block("chosen")
        self.builder.cbranch(test, *starts)
        results: list[tuple[Value, ir.Block]] = []
        for start, part in zip(starts, (node.body, node.orelse), strict=True):
            self.builder.position_at_end(start)
            results.append((self.expression(part), self.builder.block))
        kind = _kind_of_both(results[0][0], results[1][0])
        incoming: list[tuple[ir.Value, ir.Block]] = []
        for value, last in results:
            self.builder.position_at_end(last)
            incoming.append((self.as_kind(value, kind, node).llvm, last))
            self.builder.branch(end)
        self.builder.position_at_end(end)
        joined = self.builder.phi(incoming[0][0].type)
        for llvm, last in incoming:
            joined.add_incoming(llvm, last)
        return Value(joined, kind)

    def _call(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> Value:
        if name in self.owner.services:
            return self.owner.services[name](self, arguments)
        if name not in self.owner.functions:
            raise NotInSubset(node, "unknown function")
        function, kinds, result = self.owner.functions[name]
        values = [
            self.as_kind(self.expression(argument), kind, node).llvm
            for argument, kind in zip(arguments, kinds, strict=True)
        ]
        kind: Kind = "tuple" if result.startswith("tuple") else result  # type: ignore[assignment]
        return Value(self.builder.call(function, values), kind)


Service: TypeAlias = Callable[[ExpressionLowering, list[ast.expr]], Value]
"""Lowers a call of a service with these arguments."""


def _kind_of_both(first: Value, second: Value) -> Kind:
    """Return the kind of a value that is one or the other: a truth value beside a number is 0 or 1."""
    return first.kind if first.kind == second.kind else "int"


def is_cheap(node: ast.expr) -> bool:
    """Return whether computing an expression needlessly does no harm and costs little: no memory, no calls."""
    parts = list(ast.walk(node))
    harmful = (ast.Call, ast.Subscript, ast.FloorDiv, ast.Mod, ast.Div)
    return len(parts) <= CHEAP_NODES and not any(isinstance(part, harmful) for part in parts)
