"""Generated source to LLVM's language: a compiler for the small part of Python that generated modules are written in.

The part: functions with annotated parameters (`int`, `float`, `Words`, `Reals`), integers of 64 bits that wrap,
floats, truth values, names that keep one type, `if`, `while`, `for ... in range(...)`, `break`, `return`, calls of the
module's functions and of the services in `ggp.model.backends.runtime`. Native code raises nothing: faults go to the
`fault` words.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from llvmlite import ir

from ggp.model.backends.lowering_expressions import (
    INT,
    REAL,
    TYPES,
    ExpressionLowering,
    ModuleContents,
    NotInSubset,
    Value,
)


class ModuleLowering(ModuleContents):
    """One LLVM module being written from one or more source texts."""

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


def result_type(text: str) -> ir.Type:
    """Return the LLVM type of a result annotation."""
    if text.startswith("tuple["):
        return ir.LiteralStructType([TYPES[part] for part in text[6:-1].split(", ")])
    return TYPES[text]


class FunctionLowering(ExpressionLowering):
    """One function being lowered: its statements."""

    def __init__(self, owner: ModuleContents, node: ast.FunctionDef, exported: bool, inlined: bool) -> None:
        self.node = node
        kinds = [ast.unparse(argument.annotation) for argument in node.args.args if argument.annotation]
        self.result = ast.unparse(node.returns) if node.returns else "None"
        signature = ir.FunctionType(result_type(self.result), [TYPES[kind] for kind in kinds])
        function = ir.Function(owner.module, signature, node.name)
        function.attributes.add("nounwind")
        if not exported:
            function.linkage = "internal"
        if inlined:
            function.attributes.add("alwaysinline")
        owner.functions[node.name] = (function, kinds, self.result)
        super().__init__(owner, function)
        self.exits: list[ir.Block] = []
        """Where `break` leads, innermost loop last."""
        for argument, kind, parameter in zip(node.args.args, kinds, function.args, strict=True):
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
                self.builder.ret(self.as_kind(self.expression(value), self.result, node).llvm)
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
                place, kind = self.place(target)
                self.builder.store(self.as_kind(value, kind, target).llvm, place)
            case _:
                raise NotInSubset(target, "target")

    def _assign(self, name: str, value: Value) -> None:
        if name not in self.names:
            self.names[name] = Value(self.allocations.alloca(value.llvm.type, name=name), value.kind)
        home = self.names[name]
        self.builder.store(self.as_kind(value, home.kind, ast.Name(name)).llvm, home.llvm)

    def _if(self, node: ast.If) -> None:
        test = self.truth(node.test)
        then, end = self.new_block("then"), self.new_block("end")
        otherwise = self.new_block("else") if node.orelse else end
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
        head, inside, after = self.new_block("head"), self.new_block("loop"), self.new_block("after")
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
