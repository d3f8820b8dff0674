"""What is computed once instead of again: calls and checks that would give the same result.

LLVM merges and moves single operations by itself. It cannot do so with calls that contain loops, such as a search of a
board, nor with what may be a fault; here both are known to have no other effect. A fault that was met once is recorded,
so meeting it again in the same place changes nothing, and nothing is evaluated that was not to be evaluated anyway:
faults stay where they are.

Two passes over each function: `hoist` moves what does not change in a loop before it, where the loop's first round
would evaluate it first; `reuse` gives a name to the second of two equal computations of which the first comes before it
on every path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ggp.model.ir.build import blocks_of, parts
from ggp.model.ir.nodes import (
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
    Function,
    Group,
    If,
    Module,
    Name,
    Operation,
    Return,
    Statement,
    Store,
    While,
)
from ggp.model.ir.operators import OPERATORS

Computation = Assign | AssignResults


def optimise(module: Module) -> None:
    """Rewrite the functions of a module so that they compute less."""
    facts = Facts()
    for function in module.functions:
        function.body = _without_groups(function.body)
        assigned = _assignments(function)
        function.body = _hoisted(function.body, facts, assigned)
        _Reuse(facts).run(function.body)
        facts.learn(function)


def _without_groups(body: Block) -> Block:
    """Return a block with the statements of groups in it, and in the blocks inside of it, in their places."""
    flat: Block = []
    for statement in body:
        match statement:
            case Group(inner):
                flat += _without_groups(inner)
                continue
            case If(arms, otherwise):
                statement.arms = [(test, _without_groups(arm)) for test, arm in arms]
                statement.otherwise = _without_groups(otherwise)
            case While() | For():
                statement.body = _without_groups(statement.body)
        flat.append(statement)
    return flat


# --- what statements do -----------------------------------------------------------------------------------------------


@dataclass
class Facts:
    """What is known of the functions that may be called."""

    repeatable: set[str] = field(default_factory=set)
    """Those that give the same results again and do nothing but record faults."""
    faulting: set[str] = field(default_factory=set)
    """Those that may record a fault."""

    def learn(self, function: Function) -> None:
        """Note what a function does; those that it calls are known."""
        own = {parameter.name for parameter in function.parameters}
        effects = list(_effects(function.body))
        if function.results and all(self._harmless(effect, own) for effect in effects):
            self.repeatable.add(function.name)
        if any(self.may_fail(value) for statement in effects for value in values_of(statement)):
            self.faulting.add(function.name)

    def _harmless(self, statement: Statement, parameters: set[str]) -> bool:
        if isinstance(statement, Store) and statement.row.name in parameters and not statement.row.cache:
            return False
        for value in values_of(statement):
            for part in walk(value):
                if isinstance(part, Call) and part.function not in self.repeatable:
                    return False
                if isinstance(part, Operation) and not OPERATORS[part.operator].pure:
                    copies_out = (
                        part.operator in ("copy_words", "copy_reals", "unpack_bytes") and _row(part).name in parameters
                    )
                    if copies_out or part.operator in ("below", "uniform"):
                        return False
        return True

    def may_fail(self, value: Expression) -> bool:
        """Return whether evaluating an expression may record a fault."""
        return any(
            OPERATORS[part.operator].faults if isinstance(part, Operation) else part.function in self.faulting
            for part in walk(value)
            if isinstance(part, (Operation, Call))
        )

    def is_worth_keeping(self, value: Expression) -> bool:
        """Return whether an expression may be evaluated once for twice, and LLVM would not see it."""
        worth = False
        for part in walk(value):
            if isinstance(part, Call):
                if part.function not in self.repeatable:
                    return False
                worth = True
            elif isinstance(part, Operation) and not OPERATORS[part.operator].pure:
                row = OPERATORS[part.operator]
                if not row.faults or row.result is None:
                    return False
                worth = True
        return worth


def _row(copy: Operation) -> Name:
    row = copy.operands[0]
    assert isinstance(row, Name)
    return row


def walk(value: Expression) -> Iterator[Expression]:
    """Yield an expression and all expressions in it."""
    yield value
    for part in parts(value):
        yield from walk(part)


def values_of(statement: Statement) -> tuple[Expression, ...]:
    """Return the expressions of a statement, those of its blocks left out."""
    match statement:
        case Assign(_, value) | AssignResults(_, value) | Effect(value):
            return (value,)
        case Store(_, index, value):
            return (index, value)
        case If(arms, _):
            return tuple(test for test, _ in arms)
        case While(test, _):
            return (test,)
        case For(_, first, last, _):
            return (first, last)
        case Return(values):
            return values
    return ()


def _effects(body: Block) -> Iterator[Statement]:
    """Yield all statements of a block and of the blocks inside of it."""
    for statement in body:
        yield statement
        for inner in blocks_of(statement):
            yield from _effects(inner)


def _targets(statement: Statement) -> tuple[Name, ...]:
    """Return the names that a statement assigns itself."""
    match statement:
        case Assign(target, _) | Allocate(target, _) | For(target, _, _, _):
            return (target,)
        case AssignResults(targets, _):
            return targets
    return ()


def _written(body: Block) -> set[str]:
    """Return the names that a block assigns, and the rows that it writes."""
    names: set[str] = set()
    for statement in _effects(body):
        names.update(target.name for target in _targets(statement))
        names.update(_rows_written(statement))
    return names


def _rows_written(statement: Statement) -> list[str]:
    """Return the rows that a statement writes itself; any that it hands to a call, faults aside, may be."""
    if isinstance(statement, Store):
        return [] if statement.row.cache else [statement.row.name]
    if isinstance(statement, Effect):
        if isinstance(statement.value, Call):
            return [part.name for part in walk(statement.value) if isinstance(part, Name)]
        if not OPERATORS[statement.value.operator].faults:
            return [_row(statement.value).name]
    return []


def _reads(value: Expression) -> set[str]:
    """Return the names and rows that an expression depends on; that it may record a fault is no dependence."""
    return {part.name for part in walk(value) if isinstance(part, Name) and not part.table}


def _assignments(function: Function) -> dict[str, int]:
    """Return how often each name is assigned in a function, parameters counted."""
    counts = {parameter.name: 1 for parameter in function.parameters}
    for statement in _effects(function.body):
        for target in _targets(statement):
            counts[target.name] = counts.get(target.name, 0) + 1
    return counts


# --- hoist ------------------------------------------------------------------------------------------------------------


def _hoisted(body: Block, facts: Facts, assigned: dict[str, int]) -> Block:
    """Return a block in which what does not change in a loop that is run stands before it."""
    result: Block = []
    for statement in body:
        match statement:
            case If(arms, otherwise):
                statement.arms = [(test, _hoisted(arm, facts, assigned)) for test, arm in arms]
                statement.otherwise = _hoisted(otherwise, facts, assigned)
            case While() | For():
                statement.body = _hoisted(statement.body, facts, assigned)
                if isinstance(statement, For) and _is_run(statement):
                    moved = _invariant(statement, facts, assigned)
                    result += moved
                    statement.body = [inner for inner in statement.body if inner not in moved]
        result.append(statement)
    return result


def _is_run(loop: For) -> bool:
    """Return whether a loop runs at least once."""
    first, last = loop.first, loop.last
    return isinstance(first, Constant) and isinstance(last, Constant) and first.value < last.value


def _invariant(loop: For, facts: Facts, assigned: dict[str, int]) -> Block:
    """Return the computations of a loop's body that can be moved before it."""
    changed = _written(loop.body) | {loop.counter.name}
    moved: Block = []
    failed = False
    for statement in loop.body:
        if isinstance(statement, (Assign, AssignResults)):
            reads, fails = _reads(statement.value), facts.may_fail(statement.value)
            free = not (reads & changed) and all(assigned[target.name] == 1 for target in _targets(statement))
            if free and facts.is_worth_keeping(statement.value) and not (fails and failed):
                moved.append(statement)
                changed -= {target.name for target in _targets(statement)}
                continue
        inside = list(_effects([statement]))
        if any(isinstance(inner, (Break, Return)) for inner in inside):
            break
        failed = failed or any(facts.may_fail(value) for inner in inside for value in values_of(inner))
    return moved


# --- reuse ------------------------------------------------------------------------------------------------------------


class _Reuse:
    """One function in which later computations take the results of earlier ones; nested blocks see outer results."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.known: dict[Expression, tuple[Name, ...]] = {}

    def run(self, body: Block) -> None:
        """Rewrite a block in place."""
        body[:] = [new for statement in body for new in self._statement(statement)]

    def _statement(self, statement: Statement) -> Block:
        """Return what stands in the place of a statement."""
        match statement:
            case Assign() | AssignResults():
                return self._computation(statement)
            case If(arms, otherwise):
                for block in (*(arm for _, arm in arms), otherwise):
                    self._inside(block)
                self._forget(_written([statement]))
            case While(_, inner) | For(_, _, _, inner):
                self._forget(_written([statement]))
                self._inside(inner)
                self._forget(_written([statement]))
            case _:
                self._forget({target.name for target in _targets(statement)} | set(_rows_written(statement)))
        return [statement]

    def _inside(self, block: Block) -> None:
        outer = dict(self.known)
        self.run(block)
        self.known = outer

    def _computation(self, statement: Computation) -> Block:
        value, targets = statement.value, _targets(statement)
        keep = self.facts.is_worth_keeping(value)
        known = self.known.get(value) if keep else None
        self._forget({target.name for target in targets})
        if known is not None:
            return [Assign(target, name) for target, name in zip(targets, known, strict=True)]
        if keep and not (_reads(value) & {target.name for target in targets}):
            self.known[value] = targets
        return [statement]

    def _forget(self, names: set[str]) -> None:
        """Forget results that depend on names or rows that change, or that these names held."""
        if not names or not self.known:
            return
        self.known = {
            value: targets
            for value, targets in self.known.items()
            if not (_reads(value) & names) and not any(target.name in names for target in targets)
        }
