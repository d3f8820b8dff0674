"""Histories: hashes of what stood in earlier states of a play, kept in variables of the state that no name reads.

`history position[n] = stones, turn` becomes three variables: the hashes of the last n states in which players chose,
how many there were, and a set of small hashes that says of most new values at once that they did not stand before. Each
phase with choices records the state that it leaves; `repeats(position)` counts equal hashes. Nothing behind the checker
knows of histories.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import constant_integer, described, expect
from ggp.language.check.expressions.built_in_functions import hashed
from ggp.language.check.expressions.sequence_parts import Parts
from ggp.language.check.scope import Recorded
from ggp.language.limits import MAX_HISTORY, MAX_INTEGER
from ggp.language.text.source import Span
from ggp.language.typed import Binder, Expression, Function, Symbol, Update, Variable
from ggp.language.typed.types import BOOL, ArrayType, IntType, MoveType, RealType, SetType, TextType

HASH = IntType(0, MAX_INTEGER - 1)
MARKS_EACH = 16
"""Small hashes for each state that is kept: about one new value of so many is mistaken for an old one at first."""
MAX_MARKS = 1 << 14


def history(checking: Checking, node: syntax.History) -> tuple[Variable, ...]:
    """Make a history known, and return the variables in which it is kept."""
    length = constant_integer(checking, node.length, "the length of a history")
    if not 0 <= length <= MAX_HISTORY:
        checking.fail(node.length.span, f"a history keeps 0..{MAX_HISTORY} states, and this is {length}")
    values = checking.each(lambda part: _recorded(checking, part), node.values)
    span = node.name.span
    now = Function(node.name.text, (), hashed(checking, values, MAX_INTEGER, span), HASH, True, None, span)
    if length == 0:
        checking.names.declare(node.name, "history", Recorded(tuple(values), now, None, ()))
        return ()
    marks = IntType(0, min(MAX_MARKS, 1 << (MARKS_EACH * length - 1).bit_length()) - 1)
    stem = node.name.text
    while any(f"{stem}_{part}" in checking.later for part in ("hashes", "made", "marks")):
        stem += "_"
    kept = ArrayType((IntType(0, length - 1),), HASH)
    hashes = Variable(f"{stem}_hashes", kept, (0,) * length, span, is_kept=True)
    made = Variable(f"{stem}_made", IntType(0, 2 * length - 1), 0, span, is_kept=True)
    marked = Variable(f"{stem}_marks", SetType(marks), frozenset(), span, is_kept=True)
    record = _Record(checking, hashes, made, marked, span)
    meaning = Recorded(tuple(values), now, record.counting(stem), record.updates(now))
    checking.names.declare(node.name, "history", meaning)
    checking.recording.append(meaning)
    return hashes, made, marked


def _recorded(checking: Checking, node: syntax.Expression) -> Expression:
    value = checking.infer(node)
    if isinstance(value.type, RealType | TextType | MoveType):
        checking.fail(value.span, f"a history cannot keep {described(value.type)}")
    return value


class _Record(Parts):
    """What is written of one history: the expressions that read and change its variables."""

    def __init__(self, checking: Checking, hashes: Variable, made: Variable, marked: Variable, span: Span) -> None:
        super().__init__(checking, span)
        self.hashes, self.made, self.marked = hashes, made, marked
        assert isinstance(hashes.type, ArrayType)
        (index,) = hashes.type.indices
        assert isinstance(index, IntType)
        self.length = index.high + 1

    def updates(self, now: Function) -> tuple[Update, ...]:
        """Return the updates that record the state which a transition leaves."""
        value = self._make(typed.Call(now, (), HASH, self.span))
        mark = self._make(typed.SetLiteral((self._small(value),), self.marked.type, self.span))
        marks = self._make(typed.SetOperation("union", self._read(self.marked), mark, self.marked.type, self.span))
        return (
            self._update(self.hashes, (self._modulo(self._read(self.made), self.length),), value),
            self._update(self.made, (), self._one_more()),
            self._update(self.marked, (), marks),
        )

    def counting(self, stem: str) -> Function:
        """Return the function that counts how often a hash stood before."""
        symbol = Symbol("hashed", HASH, "bound", self.span)
        value = self.checking.local(symbol, self.span)
        at = Symbol("at", IntType(0, self.length - 1), "bound", self.span)
        place = self.checking.local(at, self.span)
        there = self._make(typed.StateRead(self.hashes, (place,), HASH, self.span))
        equal = self._make(typed.Binary("equal", there, value, BOOL, self.span))
        type_ = IntType(0, self.length)
        # all are in use after n states
        last = self.difference(self.extreme("minimum", self._read(self.made), self.number(self.length)), self.number(1))
        binder = Binder(at, (self.number(0), last))
        found = self._make(typed.Aggregate("count", (binder,), None, equal, type_, self.span))
        known = self._make(typed.Member(self._small(value), self._read(self.marked), BOOL, self.span))
        body = self._make(typed.If(known, found, self.number(0), type_, self.span))
        return Function(f"repeats_{stem}", (symbol,), body, type_, False, None, self.span)

    def _make(self, node: Expression) -> Expression:
        return self.checking.make(node)

    def _read(self, variable: Variable) -> Expression:
        return self._make(typed.StateRead(variable, (), variable.type, self.span))

    def _modulo(self, value: Expression, modulus: int) -> Expression:
        type_ = IntType(0, modulus - 1)
        return self._make(typed.Binary("mod", value, self.number(modulus), type_, self.span))

    def _small(self, value: Expression) -> Expression:
        assert isinstance(self.marked.type, SetType)
        assert isinstance(self.marked.type.element, IntType)
        return self._modulo(value, self.marked.type.element.high + 1)

    def _one_more(self) -> Expression:
        """Return the count after one more state; from twice the length it goes back to once the length."""
        made = self._read(self.made)
        is_last = self._make(typed.Binary("equal", made, self.number(2 * self.length - 1), BOOL, self.span))
        more = self.sum(made, self.number(1))
        return self._make(typed.If(is_last, self.number(self.length), more, self.made.type, self.span))

    def _update(self, target: Variable, indices: tuple[Expression, ...], value: Expression) -> Update:
        return Update(target, indices, value, (), None, None, True, self.span)


def repeats(checking: Checking, node: syntax.Call) -> Expression:
    """Check `repeats(position)`, or with values, `repeats(position, stones, turn)`: how often these stood before."""
    first, *others = node.arguments
    entry = checking.names.lookup(first.text) if isinstance(first, syntax.Name) else None
    if entry is None or not isinstance(entry.meaning, Recorded):
        if entry is None and isinstance(first, syntax.Name) and first.text in checking.names.damaged:
            raise Invalid
        checking.fail(first.span, "`repeats` counts in a history", "declare one: `history position[100] = a, b`")
    checking.names.use(entry, first.span)
    recorded, span = entry.meaning, node.span
    value = checking.make(typed.Call(recorded.now, (), HASH, span))
    if others:
        value = _of_values(checking, entry.name, recorded.values, others, span)
    if recorded.counting is None:
        return checking.constant(0, IntType(0, 0), span)
    if checking.mode == "constant":
        checking.fail(span, "`repeats` depends on the play, and this must be known before play")
    return checking.make(typed.Call(recorded.counting, (value,), recorded.counting.type, span))


def _of_values(
    checking: Checking, name: str, values: Sequence[Expression], nodes: Sequence[syntax.Expression], span: Span
) -> Expression:
    """Return the hash of other values than those of the state."""
    if len(nodes) != len(values):
        found = f"`{name}` keeps {len(values)} values, not {len(nodes)}"
        checking.fail(span, found, f"`repeats({name})` alone counts those of the state")
    types = [value.type for value in values]
    made = checking.each(
        lambda part, type_: expect(checking, part, type_, f"`{name}` keeps {described(type_)} here"), nodes, types
    )
    return hashed(checking, made, MAX_INTEGER, span)
