"""Compiles one function to LLVM's language: its variables, its loops, and where it stands in the source."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from ggp.codegen.kernels import expressions, statements
from ggp.codegen.kernels.operators import Mismatch, converted
from ggp.codegen.kernels.sources import refused, signature_of, tree_of
from ggp.codegen.kernels.types import Scalar, Type
from ggp.codegen.kernels.values import Value, Writer, number, result_type, scalar

if TYPE_CHECKING:
    from ggp.codegen.kernels.modules import ModuleCompiler

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Variable:
    """A local variable: a place in memory for each part of its value."""

    type: Type
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """Where `continue` and `break` lead."""

    next_round: str
    after: str


@dataclass
class FunctionCompiler:
    """One function that is being compiled, for arguments of certain types.

    Attributes:
        module: that it becomes a part of.
        function: what it is in Python.
        types: of its arguments.
        name: of the function in LLVM's language.
        checked: whether indices are compared with the lengths of arrays.
        w: where it is written.
    """

    module: ModuleCompiler
    function: Callable[..., Any]
    types: tuple[Type, ...]
    name: str
    checked: bool
    w: Writer = field(default_factory=Writer)
    loops: list[Loop] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tree = tree_of(self.function)
        self.signature = signature_of(self.function)
        self._line = self.tree.lineno
        self._variables: dict[str, Variable] = {}
        self._arguments: dict[str, Value] = {}
        self._assigned = {
            node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }

    def text(self) -> str:
        """Return the function in LLVM's language."""
        parameters: list[str] = []
        for parameter, type_ in zip(self.signature.parameters, self.types, strict=True):
            names = [f"%{parameter.name}.{at}" for at in range(len(type_.parts))]
            parameters += [f"{kind} {name}" for kind, name in zip(type_.parts, names, strict=True)]
            self._arguments[parameter.name] = Value(type_, tuple(names))
        for name in sorted(self._assigned & set(self._arguments)):
            self.assign(name, self._arguments.pop(name))
        statements.run(self, self.tree.body)
        if not self.w.terminated:
            self.w.end("unreachable" if self.signature.result.parts else "ret void")
        head = f"define internal {result_type(self.signature.result)} @{self.name}({', '.join(parameters)})"
        attributes = "alwaysinline nounwind" if getattr(self.function, "is_inlined", False) else "nounwind"
        body = ["entry:", *self.w.places, "  br label %begin", "begin:", *self.w.lines]
        return "\n".join([f"{head} {attributes} {{", *body, "}"])

    # --- where --------------------------------------------------------------------------------------------------------

    def at(self, node: ast.AST, write: Callable[..., Result], *arguments: Any) -> Result:
        """Do what is written for a place in the source, to which errors point.

        Raises:
            KernelError: it is refused.
        """
        outer, self._line = self._line, getattr(node, "lineno", self._line)
        try:
            return write(self, node, *arguments)
        except Mismatch as error:
            raise refused(self.function, node, str(error)) from error
        finally:
            self._line = outer

    def evaluate(self, node: ast.expr) -> Value:
        """Return the value of an expression."""
        return expressions.evaluate(self, node)

    def condition(self, node: ast.expr) -> str:
        """Return whether a condition holds."""
        return expressions.condition(self, node)

    def value_of(self, constant: object, name: str) -> Value:
        """Return a constant as a value."""
        return expressions.value_of(self, constant, name)

    # --- variables ----------------------------------------------------------------------------------------------------

    def is_local(self, name: str) -> bool:
        """Return whether a name is an argument or a variable of the function."""
        return name in self._arguments or name in self._assigned

    def variable(self, name: str) -> Value | None:
        """Return the value of an argument or variable; None if it is neither."""
        if name in self._arguments:
            return self._arguments[name]
        if name not in self._assigned:
            return None
        if name not in self._variables:
            raise Mismatch(f"`{name}` is read before anything is assigned to it")
        found = self._variables[name]
        kinds = zip(found.type.parts, found.places, strict=True)
        return Value(found.type, tuple(self.w.let(f"load {kind}, ptr {place}") for kind, place in kinds))

    def assign(self, name: str, value: Value) -> None:
        """Assign to a variable; the first value in the text gives it its type."""
        if name not in self._variables:
            self._variables[name] = Variable(value.type, tuple(self.w.place(kind) for kind in value.type.parts))
        variable = self._variables[name]
        try:
            stored = converted(self.w, value, variable.type)
        except Mismatch as error:
            raise Mismatch(f"`{name}` was {variable.type} before and is {value.type} here") from error
        for at, (kind, place) in enumerate(zip(variable.type.parts, variable.places, strict=True)):
            self.w.do(f"store {kind} {stored.part(at)}, ptr {place}")

    # --- loops --------------------------------------------------------------------------------------------------------

    @contextmanager
    def loop(self, next_round: str, after: str) -> Iterator[None]:
        """Let `continue` and `break` lead to two blocks."""
        self.loops.append(Loop(next_round, after))
        yield
        self.loops.pop()

    @contextmanager
    def counted(self, first: Value, last: Value, step: Value) -> Iterator[Value]:
        """Write a loop around what is written inside; it is given the counter.

        The counter is apart from the loop's variable: a body that assigns that one changes no later round.
        """
        w = self.w
        head, inside, next_round, after = (w.new_block() for _ in range(4))
        place = w.place("i64")
        w.do(f"store i64 {first.only}, ptr {place}")
        w.begin(head)
        counter = w.let(f"load i64, ptr {place}")
        up = w.let(f"icmp slt i64 {counter}, {last.only}")
        if step.literal is None:
            down, rising = w.let(f"icmp sgt i64 {counter}, {last.only}"), w.let(f"icmp sgt i64 {step.only}, 0")
            up = w.let(f"select i1 {rising}, i1 {up}, i1 {down}")
        elif step.literal < 0:
            up = w.let(f"icmp sgt i64 {counter}, {last.only}")
        w.branch(up, inside, after)
        w.begin(inside)
        with self.loop(next_round, after):
            yield scalar(Scalar.INT, counter)
        w.begin(next_round)
        w.do(f"store i64 {w.let(f'add nsw i64 {counter}, {step.only}')}, ptr {place}")
        w.end(f"br label %{head}")
        w.begin(after)

    # --- checks -------------------------------------------------------------------------------------------------------

    def check(self, holds: str, index: str, length: str) -> None:
        """Write that the function returns, and leaves a note of where it stands, unless a condition holds."""
        w = self.w
        fails, goes_on = w.new_block(), w.new_block()
        w.branch(holds, goes_on, fails)
        w.begin(fails)
        note = (number(self.module.place_of(self.function.__code__.co_filename, self._line)).only, index, length)
        for at, word in enumerate(note):
            w.do(f"store i64 {word}, ptr {w.word_at('@failed', at)}")
        self._leave()
        w.begin(goes_on)

    def leave_if_failed(self) -> None:
        """Write that the function returns if one that it called has failed a check."""
        if not self.checked:
            return
        w = self.w
        fails, goes_on = w.new_block(), w.new_block()
        w.branch(w.let(f"icmp ne i64 {w.let('load i64, ptr @failed')}, 0"), fails, goes_on)
        w.begin(fails)
        self._leave()
        w.begin(goes_on)

    def _leave(self) -> None:
        result = self.signature.result
        self.w.end(f"ret {result_type(result)} zeroinitializer" if result.parts else "ret void")
