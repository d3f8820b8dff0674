"""Writes one generated function: its statements, its names, and what its callers must pass.

The parameters of a function are exactly the parts of the state, the choices and the rows (`fault`, `rng`) that its body
uses. They are its *needs*. A caller passes them from its own needs, up to the entry points, which find them in the
arguments of the native interface.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from msgspec import Struct

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import (
    Allocate,
    Assign,
    AssignResults,
    Block,
    Break,
    Call,
    Constant,
    Effect,
    Expression,
    For,
    Group,
    If,
    Kind,
    Name,
    Return,
    Statement,
    Store,
    While,
)
from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import SetType
from ggp.rules_compiler.emit.module import FAULT, GameModule, MemoryNeed, Need, RowNeed, StateNeed, SymbolNeed
from ggp.rules_compiler.emit.operands import Bits, Memory, Operand, flat, is_known_set
from ggp.rules_compiler.emit.value_names import bits_in_memory, names_in, need_of, parameter_names


class OpenLoop(Struct, frozen=True):
    """A loop around the statement that is being written, and the place before it."""

    before: Group
    memos: int
    """The number of blocks whose remembered values are valid at that place."""


@dataclass
class Builder:
    """One function being written. Entry points subclass it to find needs in their own arguments."""

    module: GameModule
    name: str
    body: Block = field(default_factory=list)
    environment: dict[typed.Symbol, Operand] = field(default_factory=dict)
    needs: dict[Need, Operand] = field(default_factory=dict)
    memos: list[dict[object, Operand]] = field(default_factory=lambda: [{}])
    moves: tuple[Expression, ...] = ()
    """In `sees`: the number of each player's action; with a single actor, only that one's."""
    loops: list[OpenLoop] = field(default_factory=list)
    loops_around: dict[typed.Symbol, int] = field(default_factory=dict)
    """For each bound symbol, the number of open loops on which its value depends."""
    resets: list[Group] = field(default_factory=list)
    """Where the state has changed: caches are cleared there."""
    settled: list[tuple[str, Group]] = field(default_factory=list)
    """Where a phase has its choices and draws after others: caches of what depends on them are cleared there."""
    inlining: int = 0
    """How deeply definitions that are written in place of their calls are nested now."""
    copies: int = 1
    """How many copies of the current code the unrolled loops around it produce."""
    counter: int = 0

    # --- statements ---------------------------------------------------------------------------------------------------

    def add(self, statement: Statement) -> None:
        """Write a statement."""
        self.module.count_statement()
        self.body.append(statement)

    def set(self, target: Name, value: ir.Given) -> None:
        """Write an assignment."""
        self.add(Assign(target, ir.given(value)))

    def set_all(self, targets: Sequence[Name], values: Sequence[Expression]) -> None:
        """Write an assignment to each of some names."""
        for target, value in zip(targets, values, strict=True):
            self.set(target, value)

    def increase(self, target: Name, value: ir.Given) -> None:
        """Write an addition to an integer or a real."""
        value = ir.given(value)
        real = target.kind is Kind.REAL
        self.set(target, ir.operation("real_add", target, value) if real else ir.add(target, value))

    def include(self, target: Name, word: Expression) -> None:
        """Write the union of a word in a name with another."""
        if word.constant != 0:
            self.set(target, ir.either(target, word))

    def store(self, row: Name, index: ir.Given, value: ir.Given) -> None:
        """Write an assignment to an entry of a row."""
        self.add(Store(row, ir.given(index), ir.given(value)))

    def effect(self, operator: str, *operands: ir.Given) -> None:
        """Write an operator for its side effect."""
        self.add(Effect(ir.effect(operator, *operands)))

    def fail(self, site: int) -> None:
        """Write a fault."""
        self.effect("fail", 0, site, self.fault)

    def leave(self, *values: ir.Given) -> None:
        """Write the return of some results."""
        self.add(Return(tuple(map(ir.given, values))))

    def leave_loop(self) -> None:
        """Write a break."""
        self.add(Break())

    @contextmanager
    def capture(self) -> Iterator[Block]:
        """Collect statements instead of writing them; values remembered meanwhile are forgotten afterwards."""
        outer, self.body = self.body, []
        self.memos.append({})
        try:
            yield self.body
        finally:
            self.memos.pop()
            self.body = outer

    @contextmanager
    def when(self, test: Expression) -> Iterator[None]:
        """Write statements under a condition; if the condition is constant, unconditionally or not at all."""
        if test.constant:
            yield
            return
        with self.capture() as body:
            yield
        if test.constant is None:
            self.add(If([(test, body)]))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Write the `else` branch of the conditional just written."""
        last = self.body[-1]
        assert isinstance(last, If)
        with self.capture() as body:
            yield
        last.otherwise = body

    @contextmanager
    def or_when(self, test: Expression) -> Iterator[None]:
        """Write another branch, with a condition, of the conditional just written."""
        last = self.body[-1]
        assert isinstance(last, If)
        with self.capture() as body:
            yield
        last.arms.append((test, body))

    def arm(self, number: int, last: int, test: Expression) -> AbstractContextManager[None]:
        """Write one of several branches of a conditional, in order; the last needs no test."""
        if number == 0:
            return self.when(test)
        return self.otherwise() if number == last else self.or_when(test)

    @contextmanager
    def repeat_while(self, test: Expression) -> Iterator[None]:
        """Write a loop that runs as long as a condition holds."""
        with self.capture() as body:
            yield
        self.add(While(test, body))

    @contextmanager
    def repeat(self, counter: Name, first: ir.Given, last: ir.Given) -> Iterator[None]:
        """Write a loop over integers, without the last one."""
        with self.capture() as body:
            yield
        self.add(For(counter, ir.given(first), ir.given(last), body))

    @contextmanager
    def loop(self, symbol: typed.Symbol | None = None) -> Iterator[None]:
        """Open a loop around the code that follows: loop-invariant code may be moved before it (`moved_before`)."""
        before = Group()
        self.body.append(before)
        self.loops.append(OpenLoop(before, len(self.memos)))
        if symbol is not None:
            self.loops_around[symbol] = len(self.loops)
        yield
        self.loops.pop()

    @contextmanager
    def moved_before(self, number: int) -> Iterator[None]:
        """Write before the open loop of a number, counted from the outermost, 0."""
        body, memos, loops = self.body, self.memos, self.loops
        self.body, self.memos, self.loops = loops[number].before.body, memos[: loops[number].memos], loops[:number]
        yield
        self.body, self.memos, self.loops = body, memos, loops

    # --- names --------------------------------------------------------------------------------------------------------

    def fresh(self, stem: str = "t", kind: Kind = Kind.INT) -> Name:
        """Return a name not used before in this function."""
        self.counter += 1
        return Name(f"{stem}{self.counter}" if stem[-1].isalpha() else f"{stem}_{self.counter}", kind)

    def start(self, stem: str, value: ir.Given) -> Name:
        """Write the initial value of a fresh name, and return the name."""
        value = ir.given(value)
        assert value.kind is not None
        name = self.fresh(stem, value.kind)
        self.set(name, value)
        return name

    def assign(self, value: Expression, stem: str = "t") -> Expression:
        """Return an expression in a form that may be written more than once: itself or a fresh name for it."""
        return value if ir.is_atom(value) else self.start(stem, value)

    def named_bits(self, bits: Bits, stem: str = "w") -> Bits:
        """Return a set in a form that may be written more than once."""
        return Bits(tuple(self.assign(word, stem) for word in bits.words), bits.place)

    def allocate(self, stem: str, length: int, kind: Kind = Kind.WORDS) -> Name:
        """Write a new local row; its contents are undefined."""
        self.module.count_local_words(length)
        name = self.fresh(stem, kind)
        self.add(Allocate(name, length))
        return name

    def call(self, function: str, arguments: Sequence[Expression], targets: Sequence[Name]) -> None:
        """Write a call whose results go into some names."""
        if not targets:
            self.add(Effect(Call(function, tuple(arguments), None)))
        elif len(targets) == 1:
            self.add(Assign(targets[0], Call(function, tuple(arguments), targets[0].kind)))
        else:
            self.add(AssignResults(tuple(targets), Call(function, tuple(arguments), None)))

    # --- what was computed before -------------------------------------------------------------------------------------

    def recall(self, key: object) -> Operand | None:
        """Return the value remembered under a key, if it is still valid here."""
        for memo in reversed(self.memos):
            if key in memo:
                return memo[key]
        return None

    def remember(self, key: object, operand: Operand) -> None:
        """Remember an operand, made of names, until the end of this block."""
        self.memos[-1][key] = operand

    def forget_all(self) -> None:
        """Forget everything: the state has changed."""
        for memo in self.memos:
            memo.clear()
        self.resets.append(Group())
        self.body.append(self.resets[-1])

    # --- needs --------------------------------------------------------------------------------------------------------

    def need(self, need: Need) -> Operand:
        """Return the place of a need in this function: for a plain function, a parameter."""
        if need not in self.needs:
            self.needs[need] = parameter_names(need)
        return self.needs[need]

    def variable(self, variable: typed.Variable) -> Operand:
        """Return a whole state variable."""
        operand = self.need(need_of(variable))
        if isinstance(operand, Memory) and isinstance(variable.type, SetType):
            return bits_in_memory(operand, set_words(variable.type.element))
        return operand

    def place_of(self, variable: typed.Variable) -> Memory:
        """Return the place of a state variable in memory."""
        operand = self.need(MemoryNeed(variable))
        assert isinstance(operand, Memory)
        return operand

    def symbol(self, symbol: typed.Symbol) -> Operand:
        """Return the value of a symbol."""
        if symbol in self.environment:
            return self.environment[symbol]
        assert symbol.kind != "bound", f"`{symbol.name}` is not bound here"
        return self.need(SymbolNeed(symbol))

    def is_known(self, node: typed.Expression) -> bool:
        """Return whether a scalar or a set is a constant, or a symbol that stands for one."""
        value = self.environment.get(node.symbol) if isinstance(node, typed.Local) else node
        return isinstance(value, Constant | typed.Constant) or is_known_set(value)

    def row(self, need: RowNeed) -> Name:
        """Return a row that callers pass."""
        operand = self.need(need)
        assert isinstance(operand, Name)
        return operand

    @property
    def fault(self) -> Name:
        """The words where faults are recorded: the site's number, the value."""
        return self.row(FAULT)

    @property
    def has_failed(self) -> Expression:
        """Whether a fault was recorded."""
        return ir.compare("unequal", ir.entry(self.fault, 0), 0)

    def clear_caches(self) -> None:
        """Write the clearing of all caches of a finished function to where the state has changed."""
        for need, operand in self.needs.items():
            if isinstance(need, RowNeed) and need.cache:
                (row,) = names_in(operand)
                settled = [group for phase, group in self.settled if phase == need.phase]
                for reset in [*self.resets, *settled]:
                    reset.body += [Store(row, ir.integer(at), ir.ZERO) for at in range(need.cleared)]

    @contextmanager
    def bound(self, symbol: typed.Symbol, operand: Operand) -> Iterator[None]:
        """Bind a symbol to a value within the context."""
        before = self.environment.get(symbol)
        self.environment[symbol] = operand
        try:
            yield
        finally:
            if before is None:
                del self.environment[symbol]
            else:
                self.environment[symbol] = before

    # --- the finished function ----------------------------------------------------------------------------------------

    def parameters(self) -> list[Name]:
        """Return the parameters for this function's needs."""
        return [name for operand in self.needs.values() for name in names_in(operand)]

    def arguments(self, needs: Sequence[Need]) -> list[Expression]:
        """Return the arguments with which this function passes needs to a function that it calls."""
        arguments: list[Expression] = []
        for need in needs:
            match need:
                case SymbolNeed(symbol):
                    arguments += flat(self.symbol(symbol))
                case RowNeed():
                    arguments.append(self.row(need))
                case StateNeed(variable) | MemoryNeed(variable):
                    operand = self.variable(variable)
                    arguments += flat(operand.place if isinstance(operand, Bits) and operand.place else operand)
        return arguments
