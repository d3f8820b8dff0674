"""The intermediate representation in LLVM's language.

Every name is a stack slot, which LLVM turns into registers. Native code raises nothing: faults go
to the `fault` words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from llvmlite import ir as llvm

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
    Table,
    While,
)
from ggp.codegen.llvm.emitter import BOOL, INT, REAL, TYPES, VOID, Emitter
from ggp.codegen.llvm.if_conversion import is_if_converted, is_random
from ggp.codegen.llvm.operators import emit

SELDOM = (1, 99)
"""How often a block with a fault is run, and is not."""
DEEP = 6
"""So many loops inside one another, which list the outcomes of as many draws, are compiled for size: LLVM moves
conditions out of each of them, which takes many times as long, and gains nothing."""


@dataclass
class ModulePrinter:
    """One LLVM module being written.

    Attributes:
        module: the module itself.
        has_pdep: whether the processor deposits bits quickly.
        is_random: whether no condition of its functions can be foreseen.
        tables: the constant rows by name.
        functions: those written so far, by name.
    """

    module: llvm.Module
    has_pdep: bool
    is_random: bool
    tables: dict[str, llvm.Value] = field(default_factory=dict)
    functions: dict[str, llvm.Function] = field(default_factory=dict)

    def add(self, module: Module, exported: Iterable[str], inlined: bool = False) -> None:
        """Write a module; functions not in `exported` are its own."""
        for table in module.tables.values():
            self._add_table(table)
        public = frozenset(exported)
        for function in module.functions:
            FunctionPrinter(self, function, function.name in public, inlined).write()

    def _add_table(self, table: Table) -> None:
        type_ = INT if table.name.kind is Kind.WORDS else REAL
        array = llvm.ArrayType(type_, len(table.entries))
        variable = llvm.GlobalVariable(self.module, array, table.name.name)
        variable.linkage = "internal"
        variable.global_constant = True
        if type_ is INT:  # written here: llvmlite takes ten times as long for an object an entry
            variable.initializer = llvm.FormattedConstant(
                array, f"[{', '.join(f'i64 {entry}' for entry in table.entries)}]"
            )
        else:
            variable.initializer = llvm.Constant(array, list(table.entries))
        zero = llvm.Constant(INT, 0)
        self.tables[table.name.name] = variable.gep([zero, zero])


class FunctionPrinter:
    """One function being written."""

    def __init__(self, owner: ModulePrinter, function: Function, exported: bool, inlined: bool) -> None:
        self.owner = owner
        self.source = function
        results = [TYPES[kind] for kind in function.results]
        result = results[0] if len(results) == 1 else (llvm.LiteralStructType(results) if results else VOID)
        signature = llvm.FunctionType(result, [TYPES[name.kind] for name in function.parameters])
        self.function = llvm.Function(owner.module, signature, function.name)
        self.function.attributes.add("nounwind")
        if not exported:
            self.function.linkage = "internal"
        if inlined:
            self.function.attributes.add("alwaysinline")
        owner.functions[function.name] = self.function
        self.allocations = llvm.IRBuilder(self.function.append_basic_block("entry"))
        """Where memory of the function's own is taken: once a call, not once a round of a loop."""
        self.body = self.function.append_basic_block("body")
        self.builder = llvm.IRBuilder(self.body)
        self.places: dict[str, llvm.Value] = {}
        self.exits: list[llvm.Block] = []
        """Where `break` leads, innermost loop last."""
        self.speculations: tuple[llvm.Value, ...] = ()
        """Conditions without which what is written is not needed."""
        for name, parameter in zip(function.parameters, self.function.args, strict=True):
            parameter.name = name.name
            if name.kind in (Kind.WORDS, Kind.REALS) and exported:
                parameter.attributes.add("noalias")
            self._set(name.name, parameter)

    def write(self) -> None:
        """Write the function's body."""
        self._block(self.source.body)
        if not self.builder.block.is_terminated:
            if self.source.results:
                self.builder.unreachable()
            else:
                self.builder.ret_void()
        self.allocations.branch(self.body)

    # --- statements ---------------------------------------------------------------------------------------------------

    def _block(self, body: Block) -> None:
        for statement in body:
            if self.builder.block.is_terminated:
                return
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        b = self.builder
        match statement:
            case Assign(target, value):
                self._set(target.name, self.value(value))
            case AssignResults(targets, call):
                results = self._call(call)
                for at, target in enumerate(targets):
                    self._set(target.name, b.extract_value(results, at))
            case Store(row, index, value):
                stored = self.value(value)
                b.store(stored, self._place(row, index))
            case Effect(Call() as call):
                self._call(call)
            case Effect(value):
                self.value(value)
            case Allocate(target, length):
                if target.name not in self.places:  # the same memory every time
                    row = self.allocations.alloca(TYPES[target.kind.element], size=llvm.Constant(INT, length))
                    self.places[target.name] = self.allocations.alloca(row.type, name=target.name)
                    self.allocations.store(row, self.places[target.name])
            case Group(body):
                self._block(body)
            case If():
                self._if(statement)
            case While(test, body):
                self._loop(lambda: self.value(test), body)
            case For():
                self._for(statement)
            case Break():
                b.branch(self.exits[-1])
            case Return(values):
                self._return(values)

    def _set(self, name: str, value: llvm.Value) -> None:
        if name not in self.places:
            self.places[name] = self.allocations.alloca(value.type, name=name)
        self.builder.store(value, self.places[name])

    def _return(self, values: tuple[Expression, ...]) -> None:
        b = self.builder
        if not values:
            b.ret_void()
        elif len(values) == 1:
            b.ret(self.value(values[0]))
        else:
            total: llvm.Value = llvm.Constant(self.function.function_type.return_type, llvm.Undefined)
            for at, value in enumerate(values):
                total = b.insert_value(total, self.value(value), at)
            b.ret(total)

    def _if(self, statement: If) -> None:
        if is_if_converted(statement, self.owner.is_random):
            self._choose(statement, llvm.Constant(BOOL, 1))
            return
        end = self.new_block("end")
        for test, body in statement.arms:
            then, otherwise = self.new_block("then"), self.new_block("else")
            branch = self.builder.cbranch(self.value(test), then, otherwise)
            if any(isinstance(inner, Effect) and _fails(inner.value) for inner in body):
                branch.set_weights(SELDOM)
            else:
                self._mark(branch, test)
            self._run(then, body, end)
            self.builder.position_at_end(otherwise)
        self._run(self.builder.block, statement.otherwise, end)
        self.builder.position_at_end(end)

    def _choose(self, statement: If, reached: llvm.Value) -> None:
        """Write a conditional that only assigns names as choices between their values, without a jump."""
        b, never = self.builder, llvm.Constant(BOOL, 0)
        for test, body in (*statement.arms, (None, statement.otherwise)):
            with self._speculating(reached):
                holds = reached if test is None else b.select(reached, self.value(test), never)
            for inner in body:
                if isinstance(inner, If):
                    self._choose(inner, holds)
                    continue
                assert isinstance(inner, Assign)
                name = inner.target.name
                with self._speculating(holds):
                    new = self.value(inner.value)
                if name in self.places:
                    new = self._mark(b.select(holds, new, b.load(self.places[name])), statement.arms[0][0])
                self._set(name, new)
            reached = b.select(holds, never, reached)

    def _run(self, start: llvm.Block, body: Block, end: llvm.Block) -> None:
        """Write a block from `start`, and a jump to `end` if it goes on."""
        self.builder.position_at_end(start)
        self._block(body)
        if not self.builder.block.is_terminated:
            self.builder.branch(end)

    def _loop(
        self,
        test: Callable[[], llvm.Value],
        body: Block,
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
        if len(self.exits) >= DEEP:
            self.function.attributes.add("optsize")
        self._block(body)
        self.exits.pop()
        if not self.builder.block.is_terminated:
            if advance is not None:
                advance()
            self.builder.branch(head)
        self.builder.position_at_end(after)

    def _for(self, statement: For) -> None:
        b, name = self.builder, statement.counter.name
        first, last = self.value(statement.first), self.value(statement.last)
        # counted apart from the loop's name: a body that assigns the name changes no later round in Python either
        counter = self.allocations.alloca(INT, name=f"{name}.next")
        b.store(first, counter)

        def advance() -> None:
            b.store(b.add(b.load(counter), llvm.Constant(INT, 1)), counter)

        self._loop(
            lambda: b.icmp_signed("<", b.load(counter), last),
            statement.body,
            lambda: self._set(name, b.load(counter)),
            advance,
        )

    # --- expressions --------------------------------------------------------------------------------------------------

    def new_block(self, name: str) -> llvm.Block:
        """Return a new block of the function, still empty."""
        return self.function.append_basic_block(name)

    def value(self, value: Expression) -> llvm.Value:
        """Return the value of an expression."""
        match value:
            case Constant(number, kind):
                return llvm.Constant(TYPES[kind], number)
            case Name(name):
                return self.owner.tables[name] if value.table else self.builder.load(self.places[name])
            case Entry(row, index, sure):
                return self.builder.load(self._place(row, index, sure))
            case Operation(operator, operands):
                return emit(operator, self._emitter(), [self.value(operand) for operand in operands])
            case Connected(is_conjunction, operands):
                return self._connected(is_conjunction, operands)
            case Chosen():
                return self._chosen(value)
            case Call():
                return self._call(value)

    def _emitter(self) -> Emitter:
        return Emitter(
            self.owner.module,
            self.builder,
            self.owner.functions,
            self.owner.has_pdep,
            self.speculations,
        )

    def _place(self, row: Name, index: Expression, sure: bool = True) -> llvm.Value:
        at = self.value(index)
        for test in () if sure else self.speculations:
            at = self.builder.select(test, at, llvm.Constant(INT, 0))
        return self.builder.gep(self.value(row), [at], inbounds=True)

    @contextmanager
    def _speculating(self, test: llvm.Value) -> Iterator[None]:
        """Write what is evaluated although it may not have to be: where it has not, entries of rows are the first."""
        outer = self.speculations
        self.speculations = (*outer, test)
        yield
        self.speculations = outer

    def _mark(self, instruction: llvm.Instruction, test: Expression | None = None) -> llvm.Instruction:
        """Return a jump or choice, of which LLVM is told if it is random; `test` is that of a conditional statement.

        It then prefers choices. Random conditions within expressions are better left to its own judgement.
        """
        if self.owner.is_random or (test is not None and is_random(test)):
            instruction.set_metadata("unpredictable", self.owner.module.add_metadata([]))
        return instruction

    def _call(self, call: Call) -> llvm.Value:
        arguments = [self.value(argument) for argument in call.arguments]
        return self.builder.call(self.owner.functions[call.function], arguments)

    def _connected(self, is_conjunction: bool, operands: tuple[Expression, ...]) -> llvm.Value:
        first, *rest = operands
        left = self.value(first)
        if not rest:
            return left
        b, decided = self.builder, llvm.Constant(BOOL, int(not is_conjunction))
        before = b.block
        more, end = self.new_block("more"), self.new_block("joined")
        self._mark(b.cbranch(left, *((more, end) if is_conjunction else (end, more))))
        b.position_at_end(more)
        right = self._connected(is_conjunction, tuple(rest))
        last = b.block
        b.branch(end)
        b.position_at_end(end)
        joined = b.phi(BOOL)
        joined.add_incoming(decided, before)
        joined.add_incoming(right, last)
        return joined

    def _chosen(self, chosen: Chosen) -> llvm.Value:
        b = self.builder
        test = self.value(chosen.test)
        starts, end = (self.new_block("then"), self.new_block("else")), self.new_block("chosen")
        self._mark(b.cbranch(test, *starts))
        incoming: list[tuple[llvm.Value, llvm.Block]] = []
        for start, part in zip(starts, (chosen.then, chosen.otherwise), strict=True):
            b.position_at_end(start)
            incoming.append((self.value(part), b.block))
            b.branch(end)
        b.position_at_end(end)
        joined = b.phi(incoming[0][0].type)
        for found, last in incoming:
            joined.add_incoming(found, last)
        return joined


def _fails(value: Operation | Call) -> bool:
    return isinstance(value, Operation) and value.operator == "fail"
