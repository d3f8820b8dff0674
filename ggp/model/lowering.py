"""Generated source to LLVM's language: a compiler for the small part of Python that generated modules are written in.

The part: functions with annotated parameters (`int`, `float`, `Words`, `Reals`), integers of 64 bits that wrap,
floats, truth values, names that keep one type, `if`, `while`, `for ... in range(...)`, `break`, `return`, calls of the
module's functions and of the services in `ggp.model.words`. Native code raises nothing: faults go to the `fault` words.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
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

CHEAP_NODES = 12
"""Conditional expressions up to this size are computed on both sides instead of jumping."""


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
class ModuleLowering:
    """One LLVM module being written from one or more source texts."""

    module: ir.Module
    has_pdep: bool
    tables: dict[str, Value] = field(default_factory=dict)
    functions: dict[str, tuple[ir.Function, list[str], str]] = field(default_factory=dict)
    """For each function: itself, the kinds of its parameters, and of its result as written."""

    def add(self, source: str, exported: frozenset[str], inlined: bool = False) -> None:
        """Lower a source text; functions not in `exported` are the module's own."""
        for statement in ast.parse(source).body:
            match statement:
                case ast.FunctionDef():
                    FunctionLowering(self, statement, statement.name in exported, inlined).lower()
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=service), args=entries)):
                    self._add_table(name, service, [ast.literal_eval(entry) for entry in entries])
                case ast.Expr(value=ast.Constant()) | ast.ImportFrom():
                    pass
                case _:
                    raise NotInSubset(statement, "statement of a module")

    def _add_table(self, name: str, service: str, entries: list[float]) -> None:
        type_ = INT if service == "words_table" else REAL
        array = ir.ArrayType(type_, len(entries))
        variable = ir.GlobalVariable(self.module, array, name)
        variable.linkage = "internal"
        variable.global_constant = True
        variable.initializer = ir.Constant(array, entries)
        zero = ir.Constant(INT, 0)
        self.tables[name] = Value(variable.gep([zero, zero]), "Words" if service == "words_table" else "Reals")

    def intrinsic(self, name: str, result: ir.Type, *parameters: ir.Type) -> ir.Function:
        """Return a function of LLVM's or of the C library."""
        if name in self.module.globals:
            return self.module.globals[name]
        return ir.Function(self.module, ir.FunctionType(result, parameters), name)


def result_type(text: str) -> ir.Type:
    """Return the LLVM type of a result annotation."""
    if text.startswith("tuple["):
        return ir.LiteralStructType([TYPES[part] for part in text[6:-1].split(", ")])
    return TYPES[text]


class FunctionLowering:
    """One function being lowered."""

    def __init__(self, owner: ModuleLowering, node: ast.FunctionDef, exported: bool, inlined: bool) -> None:
        self.owner = owner
        self.node = node
        kinds = [ast.unparse(argument.annotation) for argument in node.args.args if argument.annotation]
        self.result = ast.unparse(node.returns) if node.returns else "None"
        signature = ir.FunctionType(result_type(self.result), [TYPES[kind] for kind in kinds])
        self.function = ir.Function(owner.module, signature, node.name)
        self.function.attributes.add("nounwind")
        if not exported:
            self.function.linkage = "internal"
        if inlined:
            self.function.attributes.add("alwaysinline")
        owner.functions[node.name] = (self.function, kinds, self.result)
        self.entry = self.function.append_basic_block("entry")
        self.allocations = ir.IRBuilder(self.entry)
        self.body = self.function.append_basic_block("body")
        self.builder = ir.IRBuilder(self.body)
        self.names: dict[str, Value] = {}
        """The place in memory of each name; LLVM makes registers of them."""
        self.exits: list[ir.Block] = []
        for argument, kind, parameter in zip(node.args.args, kinds, self.function.args, strict=True):
            parameter.name = argument.arg
            if kind in ("Words", "Reals") and exported:
                parameter.attributes.add("noalias")
            self._assign(argument.arg, Value(parameter, kind))  # type: ignore[arg-type]

    def lower(self) -> None:
        """Write the function's body."""
        self._block(self.node.body)
        if not self.builder.block.is_terminated:
            if self.result == "None":
                self.builder.ret_void()
            else:
                self.builder.unreachable()
        self.allocations.branch(self.body)

    # --- statements ---------------------------------------------------------------------------------------------------

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self._assign_to(target, self.expression(value))
            case ast.AugAssign(target=ast.Name() | ast.Subscript() as target, op=operator, value=value):
                self._assign_to(target, self.expression(ast.BinOp(target, operator, value)))
            case ast.If():
                self._if(node)
            case ast.While(test=test, body=body):
                self._loop(lambda: self.truth(test), body)
            case ast.For():
                self._for(node)
            case ast.Return(value=None):
                self.builder.ret_void()
            case ast.Return(value=ast.Tuple(elts=parts)):
                total: ir.Value = ir.Constant(self.function.function_type.return_type, ir.Undefined)
                for at, part in enumerate(parts):
                    total = self.builder.insert_value(total, self.expression(part).llvm, at)
                self.builder.ret(total)
            case ast.Return(value=ast.expr() as value):
                self.builder.ret(self._as(self.expression(value), self.result, node).llvm)
            case ast.Break():
                self.builder.branch(self.exits[-1])
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=value):
                self.expression(value)
            case _:
                raise NotInSubset(node, "statement")

    def _assign_to(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(id=name):
                self._assign(name, value)
            case ast.Tuple(elts=targets):
                for at, part in enumerate(targets):
                    item = self.builder.extract_value(value.llvm, at)
                    self._assign_to(part, Value(item, "float" if item.type == REAL else "int"))
            case ast.Subscript():
                place, kind = self._place(target)
                self.builder.store(self._as(value, kind, target).llvm, place)
            case _:
                raise NotInSubset(target, "target")

    def _assign(self, name: str, value: Value) -> None:
        if name not in self.names:
            self.names[name] = Value(self.allocations.alloca(value.llvm.type, name=name), value.kind)
        home = self.names[name]
        self.builder.store(self._as(value, home.kind, ast.Name(name)).llvm, home.llvm)

    def _if(self, node: ast.If) -> None:
        test = self.truth(node.test)
        then, end = self._new_block("then"), self._new_block("end")
        otherwise = self._new_block("else") if node.orelse else end
        self.builder.cbranch(test, then, otherwise)
        for start, statements in ((then, node.body), (otherwise, node.orelse)):
            if start is end:
                continue
            self.builder.position_at_end(start)
            self._block(statements)
            if not self.builder.block.is_terminated:
                self.builder.branch(end)
        self.builder.position_at_end(end)

    def _loop(
        self,
        test: Callable[[], ir.Value],
        body: list[ast.stmt],
        begin: Callable[[], None] | None = None,
        advance: Callable[[], None] | None = None,
    ) -> None:
        """Write a loop; `begin` comes before the body in each round, `advance` after it."""
        head, inside, after = self._new_block("head"), self._new_block("loop"), self._new_block("after")
        self.builder.branch(head)
        self.builder.position_at_end(head)
        self.builder.cbranch(test(), inside, after)
        self.builder.position_at_end(inside)
        if begin is not None:
            begin()
        self.exits.append(after)
        self._block(body)
        self.exits.pop()
        if not self.builder.block.is_terminated:
            if advance is not None:
                advance()
            self.builder.branch(head)
        self.builder.position_at_end(after)

    def _for(self, node: ast.For) -> None:
        match node:
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=bounds)):
                values = [self.integer(bound) for bound in bounds]
            case _:
                raise NotInSubset(node, "loop")
        first, last = values if len(values) == 2 else (ir.Constant(INT, 0), values[0])
        # counted apart from the loop's name: a body that assigns the name changes no later round in Python either
        counter = self.allocations.alloca(INT, name=f"{name}.next")
        self.builder.store(first, counter)

        def advance() -> None:
            self.builder.store(self.builder.add(self.builder.load(counter), ir.Constant(INT, 1)), counter)

        self._loop(
            lambda: self.builder.icmp_signed("<", self.builder.load(counter), last),
            node.body,
            lambda: self._assign(name, Value(self.builder.load(counter), "int")),
            advance,
        )

    def _new_block(self, name: str) -> ir.Block:
        return self.function.append_basic_block(name)

    # --- expressions --------------------------------------------------------------------------------------------------

    def truth(self, node: ast.expr) -> ir.Value:
        """Return a condition as one bit."""
        value = self.expression(node)
        if value.kind != "bool":
            raise NotInSubset(node, "condition")
        return value.llvm

    def integer(self, node: ast.expr) -> ir.Value:
        """Return an integer."""
        return self._as(self.expression(node), "int", node).llvm

    def real(self, node: ast.expr) -> ir.Value:
        """Return a float."""
        return self._as(self.expression(node), "float", node).llvm

    def _as(self, value: Value, kind: str, node: ast.AST) -> Value:
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
                place, kind = self._place(node)
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

    def _place(self, node: ast.expr) -> tuple[ir.Value, Kind]:
        assert isinstance(node, ast.Subscript)
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
        left, right = self.expression(node.left), self.expression(node.right)
        b = self.builder
        if left.kind == "float":
            right = self._as(right, "float", node)
            reals = {ast.Add: b.fadd, ast.Sub: b.fsub, ast.Mult: b.fmul, ast.Div: b.fdiv}
            return Value(reals[type(node.op)](left.llvm, right.llvm), "float")
        x, y = self._as(left, "int", node).llvm, self._as(right, "int", node).llvm
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            return self._call(
                node, "floored" if isinstance(node.op, ast.FloorDiv) else "modulo", [node.left, node.right]
            )
        integers = {
            ast.Add: b.add, ast.Sub: b.sub, ast.Mult: b.mul, ast.BitAnd: b.and_, ast.BitOr: b.or_, ast.BitXor: b.xor,
            ast.LShift: b.shl, ast.RShift: b.ashr,
        }  # fmt: skip
        return Value(integers[type(node.op)](x, y), "int")

    def _comparison(self, left_node: ast.expr, operator: ast.cmpop, right_node: ast.expr) -> Value:
        symbols = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
        symbol = symbols[type(operator)]
        left, right = self.expression(left_node), self.expression(right_node)
        if left.kind == "float":
            ordered = self.builder.fcmp_unordered if symbol == "!=" else self.builder.fcmp_ordered
            return Value(ordered(symbol, left.llvm, self._as(right, "float", right_node).llvm), "bool")
        x, y = self._as(left, "int", left_node).llvm, self._as(right, "int", right_node).llvm
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
        more, end = self._new_block("more"), self._new_block("joined")
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
            if then.kind != otherwise.kind:
                then, otherwise = self._as(then, "int", node), self._as(otherwise, "int", node)
            return Value(self.builder.select(test, then.llvm, otherwise.llvm), then.kind)
        blocks = self._new_block("then"), self._new_block("else")
        end = self._new_block("chosen")
        self.builder.cbranch(test, *blocks)
        results: list[tuple[Value, ir.Block]] = []
        for block, part in zip(blocks, (node.body, node.orelse), strict=True):
            self.builder.position_at_end(block)
            value = self.expression(part)
            results.append((value, self.builder.block))
            self.builder.branch(end)
        self.builder.position_at_end(end)
        if results[0][0].kind != results[1][0].kind:
            raise NotInSubset(node, "two kinds")
        joined = self.builder.phi(results[0][0].llvm.type)
        for value, block in results:
            joined.add_incoming(value.llvm, block)
        return Value(joined, results[0][0].kind)

    def _call(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> Value:
        from ggp.model.lowering_services import SERVICES

        if name in SERVICES:
            return SERVICES[name](self, arguments)
        if name not in self.owner.functions:
            raise NotInSubset(node, "unknown function")
        function, kinds, result = self.owner.functions[name]
        values = [
            self._as(self.expression(argument), kind, node).llvm
            for argument, kind in zip(arguments, kinds, strict=True)
        ]
        kind: Kind = "tuple" if result.startswith("tuple") else result  # type: ignore[assignment]
        return Value(self.builder.call(function, values), kind)


def is_cheap(node: ast.expr) -> bool:
    """Return whether computing an expression needlessly does no harm and costs little: no memory, no calls."""
    parts = list(ast.walk(node))
    harmful = (ast.Call, ast.Subscript, ast.FloorDiv, ast.Mod, ast.Div)
    return len(parts) <= 3 * CHEAP_NODES and not any(isinstance(part, harmful) for part in parts)
