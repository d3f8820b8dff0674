"""Expressions computed for all values of a bound variable at once, with one byte per value and eight to a word.

`pits[p, j] := pits[p, j] + gains[n, j] for j in pit` adds eight pits in one operation, and `{j in pit: pits[p, j] > 0}`
compares eight. This can be done where the variable is the last index of every array that is read, the other indices do
not depend on it, and a byte can hold all numbers. Everything else is written as a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ggp.language import typed
from ggp.language.typed.types import ArrayType, BoolType, OptionType, ScalarType, SetType, lowest, size
from ggp.language.typed.walk import parts
from ggp.language.typed.work import kept_values
from ggp.model.faults import FaultSite
from ggp.model.generate.conversion import converted_code
from ggp.model.generate.dispatch import condition, integer
from ggp.model.generate.known_ranges import proven, range_of
from ggp.model.generate.lane_words import LaneWords, NotInLanes, Numbers, Words, constant, inverted
from ggp.model.generate.loops import known_codes
from ggp.model.generate.module import GameModule, identifier
from ggp.model.generate.operands import Bits, Memory, Packed, bounds, none_of
from ggp.model.generate.packable import BYTES, is_small, row_words
from ggp.model.generate.packing import byte_at, row_from, row_of, row_position
from ggp.model.generate.sets import bits
from ggp.model.generate.size import can_fail, symbols_in
from ggp.model.ir import build as ir
from ggp.model.ir.nodes import Expression

MIN_LANES, MAX_LANES = 5, 64
"""Least and largest number of values: fewer are unrolled, more do not fit into one word of bits."""
MAX_DEPTH = 6
"""Definitions are followed up to this depth."""

READS = (typed.Local, typed.StateRead, typed.TableRead)
"""Truth values that are numbers, 0 or 1, before they are conditions."""

Written = TypeVar("Written")


@dataclass
class Lanes(LaneWords):
    """The values of one bound variable, and what is computed for them.

    Attributes:
        symbol: the variable.
        type: its type.
        axis: its values.
        inside: the lanes of its domain.
        guarded: whether there was a guard.
        packed_rows: how many rows of packed arrays were read.
    """

    symbol: typed.Symbol
    type: ScalarType
    axis: Numbers = field(init=False)
    inside: Words = field(init=False)
    guarded: bool = False
    packed_rows: int = 0

    def __post_init__(self) -> None:
        if not MIN_LANES <= size(self.type) <= MAX_LANES:
            raise NotInLanes
        first, count = lowest(self.type), size(self.type)
        self.width = -(-count // BYTES)
        self.axis = Numbers(constant(range(self.width * BYTES)), first, first, first + count - 1)
        self.numbers: dict[typed.Symbol, Numbers] = {self.symbol: self.axis}
        self.inside = self.of(range(count))
        self.depth = 0

    @property
    def is_whole(self) -> bool:
        """Whether the domain is the whole type."""
        return self.inside == self.of(range(size(self.type)))

    def _is_uniform(self, node: typed.Expression) -> bool:
        return not any(symbol in self.numbers for symbol in symbols_in(node))

    def _is_axis(self, node: typed.Expression) -> bool:
        return isinstance(node, typed.Local) and self.numbers.get(node.symbol) is self.axis

    def require_at_once(self, node: typed.Expression, active: Words | None) -> None:
        """Require that a fault in a part that is the same for all lanes is the first one that a loop would meet."""
        if can_fail(node) and (active is not None or self.guarded):
            raise NotInLanes

    # --- numbers ------------------------------------------------------------------------------------------------------

    def number(self, node: typed.Expression, active: Words | None = None) -> Numbers:
        """Return an expression of a number; `active` are the lanes in which it is evaluated, None stands for all."""
        if not isinstance(node.type, (ScalarType, OptionType)):
            raise NotInLanes
        if self._is_uniform(node):
            self.require_at_once(node, active)
            low, high = bounds(node.type)
            value = self.b.assign(integer(self.b, node), "v")
            return Numbers(self.spread(value), 0, low, high, value.constant == 0)
        if isinstance(node.type, BoolType) and not isinstance(node, READS):
            return Numbers(self.each(ir.both, self.condition(node, active), self.spread(ir.ONE)), 0, 0, 1)
        match node:
            case typed.Local(symbol):
                return self.numbers[symbol]
            case typed.Binary():
                return self._binary(node, active)
            case typed.If():
                return self._chosen_number(node, active)
            case typed.StateRead(variable, indices) if indices and isinstance(variable.type, ArrayType):
                return self._element(variable.type, indices, active, lambda row: self._variable_row(variable, row))
            case typed.TableRead(table, indices) if indices:
                return self._element(table.type, indices, active, lambda row: self._table_row(table, row, indices))
            case typed.Call():
                return self._call(node, active, self.number)
            case typed.Wrap(operand):
                return self.number(operand, active)
            case typed.Guard():
                return self._guarded(node, active)
        raise NotInLanes

    def _chosen_number(self, node: typed.If, active: Words | None) -> Numbers:
        """Return one of two numbers in each lane. What is the same for all lanes decides by a jump."""
        test = node.condition
        if none_of(node.then.type) != none_of(node.otherwise.type):
            raise NotInLanes
        if self._is_uniform(test):
            return self._one_of_two(node, active)
        inside = self.inside if active is None else active
        lanes = self.condition(test, active)
        first = self.number(node.then, self.within(inside, lanes))
        second = self.number(node.otherwise, self.within(inside, self.each(inverted, lanes)))
        words = self.chosen(lanes, self.biased(first, second.bias), second.words)
        clean = first.clean and second.clean and first.bias == second.bias
        return Numbers(words, second.bias, min(first.low, second.low), max(first.high, second.high), clean)

    def _one_of_two(self, node: typed.If, active: Words | None) -> Numbers:
        """Return one of two numbers, the same one in all lanes."""
        b = self.b
        self.require_at_once(node.condition, active)
        holds = condition(b, node.condition)
        if holds.constant is not None:
            return self.number(node.then if holds.constant else node.otherwise, active)
        names = [b.fresh("w") for _ in range(self.width)]
        with b.when(holds):
            first = self.number(node.then, active)
            b.set_all(names, self.biased(first, 0))
        with b.otherwise():
            second = self.number(node.otherwise, active)
            b.set_all(names, self.biased(second, 0))
        return Numbers(names, 0, min(first.low, second.low), max(first.high, second.high))

    def within(self, active: Words | None, test: Words) -> Words:
        """Return the lanes of a condition that are evaluated."""
        return test if active is None else self.each(ir.both, active, test)

    def _binary(self, node: typed.Binary, active: Words | None) -> Numbers:
        left, right = self.number(node.left, active), self.number(node.right, active)
        (low, high), clean = bounds(node.type), left.clean and right.clean
        match node.operator:
            case "add":
                words = self.every("bytes_add", left.words, right.words)
                return Numbers(words, left.bias + right.bias, low, high, clean)
            case "subtract":
                words = self.every("bytes_subtract", left.words, right.words)
                return Numbers(words, left.bias - right.bias, low, high, clean)
            case "minimum" | "maximum":
                first, second = self.aligned(left, right)
                less = self.every("bytes_less", first, second)
                parts = (first, second) if node.operator == "minimum" else (second, first)
                return Numbers(self.chosen(less, *parts), min(left.low, right.low), low, high)
            case "div" | "mod" if isinstance(node.right, typed.Constant) and isinstance(node.right.value, int):
                return self._divided(node.operator, left, node.right.value, low, high)
        raise NotInLanes

    def _divided(self, operator: str, left: Numbers, divisor: int, low: int, high: int) -> Numbers:
        """Return the quotient or remainder of numbers that are at most one divisor out of its range."""
        if divisor <= 0 or left.low < -divisor or left.high >= 2 * divisor or left.high - left.low > 255:
            raise NotInLanes
        given = self.biased(left, left.low)
        below = self.every("bytes_less", given, self.spread(ir.integer(max(-left.low, 0))))
        first_above = self.spread(ir.integer(min(divisor - left.low, 255)))
        above = self.each(inverted, self.every("bytes_less", given, first_above))
        if left.high < divisor:
            above = self.of(())
        if operator == "div":
            return Numbers(self.every("bytes_subtract", below, above), 0, low, high)
        step = self.spread(ir.integer(divisor))
        raised = self.every("bytes_add", given, self.each(ir.both, below, step))
        return Numbers(self.every("bytes_subtract", raised, self.each(ir.both, above, step)), left.low, low, high)

    def _element(
        self, type_: ArrayType, indices: Sequence[typed.Expression], active: Words | None,
        words_of: Callable[[Expression], Numbers],
    ) -> Numbers:  # fmt: skip
        """Return the elements of a row of an array."""
        *rows, last = indices
        fits = lowest(type_.indices[-1]) == self.axis.low and size(type_.indices[-1]) >= size(self.type)
        if not self._is_axis(last) or not fits or not is_small(type_.element) or not all(map(self._is_uniform, rows)):
            raise NotInLanes
        for index in rows:
            self.require_at_once(index, active)
        given = words_of(self.b.assign(row_position(self.b, type_, rows), "row"))
        clean = given.clean and size(type_.indices[-1]) == size(self.type)
        return replace(given, words=[self.b.assign(word, "w") for word in given.words[: self.width]], clean=clean)

    def _variable_row(self, variable: typed.Variable, row: Expression) -> Numbers:
        assert isinstance(variable.type, ArrayType)
        array, (low, high) = self.b.variable(variable), bounds(variable.type.element)
        if isinstance(array, Packed):
            self.packed_rows += 1
            return Numbers(row_of(self.b, array, variable.type, row), low, low, high, clean=True)
        if not isinstance(array, Memory):
            raise NotInLanes
        return Numbers(row_from(array, variable.type, row), low, low, high)

    def _table_row(self, table: typed.Table, row: Expression, indices: Sequence[typed.Expression]) -> Numbers:
        """Return a row of a table as words, from a table of such words."""
        (low, high), length, width = bounds(table.type.element), size(table.type.indices[-1]), row_words(table.type)
        codes = [low if value is None else value for value in table.values]
        words = [word for at in range(0, len(codes), length) for word in constant(codes[at : at + length])]
        packed = self.b.module.numbers(f"LANES_{identifier(table.name)}", [int(word.value) for word in words])
        sure = all(is_sure(self.b.module, index) for index in indices[:-1])
        entries = [ir.entry(packed, ir.add(ir.multiply(row, width), at), sure) for at in range(width)]
        return Numbers(entries, 0, low, high, clean=True)

    def _guarded(self, node: typed.Guard, active: Words | None) -> Numbers:
        """Return numbers that must be in a range. The first lane in which one is not is the fault.

        So would it be in a loop over the lanes if there is no other guard.
        """
        b, given, low, high = self.b, self.number(node.operand, active), node.type.low, node.type.high
        if low <= given.low and given.high <= high:
            return given
        # numbers that are too small wrap around, and become larger than those that are too large
        if self.guarded or given.low + 256 <= high or given.high - min(given.low, low) > 255:
            raise NotInLanes
        self.guarded = True
        words, clean = [b.start("w", word) for word in self.biased(given, low)], given.clean and given.bias == low
        wrong = self.every("bytes_less", self.spread(ir.integer(high - low)), words)
        everywhere = active is None and clean and self.is_whole
        if not everywhere:
            wrong = self.within(self.inside, wrong if active is None else self.within(active, wrong))
        some = ir.compare("unequal", self.bits_of(wrong), 0)
        if everywhere and high - low < 128:
            # the highest bit of a byte or of its sum; only bytes with that bit carry over
            (spare,), (top,) = constant([127 - high + low] * BYTES), constant([128] * BYTES)
            sums = [ir.both(ir.either(ir.add(word, spare), word), top) for word in words]
            some = ir.compare("unequal", ir.balanced(sums, ir.either), 0)
        site = b.module.site(FaultSite("out_of_range", node.reason, node.span), node.operand.type)
        with b.when(some):
            first = b.start("i", ir.operation("lowest_bit", self.bits_of(wrong)))
            value = ir.add(byte_at(self.biased(given, given.low), first), given.low)
            b.effect("fail", value, site, b.fault)
            b.set_all(words, self.each(ir.without, words, wrong))
        return Numbers(words, low, low, high, clean)

    def _call(
        self, node: typed.Call, active: Words | None, write: Callable[[typed.Expression, Words | None], Written]
    ) -> Written:
        """Return what a definition's body is, with its arguments bound."""
        function, b = node.function, self.b
        kept = kept_values(function, b.module.calls[function]) is not None
        same = none_of(function.body.type) == none_of(function.type) == none_of(node.type)
        if kept or not same or self.depth == MAX_DEPTH:
            raise NotInLanes
        outer, environment = dict(self.numbers), dict(b.environment)
        self.depth += 1
        for symbol, argument in zip(function.arguments, node.arguments, strict=True):
            if not isinstance(symbol.type, ScalarType) or not isinstance(argument.type, ScalarType):
                raise NotInLanes
            if self._is_uniform(argument):
                self.require_at_once(argument, active)
                b.environment[symbol] = b.assign(ir.as_integer(converted_code(b, argument, symbol.type)))
                b.loops_around[symbol] = len(b.loops)
            else:
                self.numbers[symbol] = self.number(argument, active)
        result = write(function.body, active)
        self.numbers, b.environment = outer, environment
        self.depth -= 1
        return result

    # --- conditions ---------------------------------------------------------------------------------------------------

    def condition(self, node: typed.Expression, active: Words | None = None) -> Words:
        """Return the lanes in which a condition holds."""
        if self._is_uniform(node):
            self.require_at_once(node, active)
            return self.spread(ir.chosen(condition(self.b, node), -1, 0))
        match node:
            case typed.Binary("equal", element, value) if self._is_one(element, value):
                self.require_at_once(value, active)
                return self._only(value, ir.TRUE)
            case typed.Binary("and", left, typed.Binary("equal", element, value)) if (
                self._is_one(element, value) and self._is_uniform(left) and not can_fail(value)
            ):
                self.require_at_once(left, active)
                holds = self.b.assign(condition(self.b, left), "holds")
                with proven(self.b, left):
                    return self._only(value, holds)
            case typed.Binary("and" | "or" as operator, left, right):
                first = self.condition(left, active)
                decided = first if operator == "and" else self.each(inverted, first)
                second = self.condition(right, self.within(active, decided))
                return self.each(ir.both if operator == "and" else ir.either, first, second)
            case typed.Binary(operator, left, right) if operator in COMPARISONS:
                return self._compared(node, self.number(left, active), self.number(right, active))
            case typed.Unary("not", operand):
                return self.each(inverted, self.condition(operand, active))
            case typed.Unary("is_none", operand):
                none = none_of(operand.type)
                assert none is not None
                given = self.number(operand, active)
                return self.every("bytes_equal", given.words, self.spread(ir.integer(none - given.bias)))
            case typed.Member(element, members) if self._is_axis(element):
                if members.type != SetType(self.type) or not self._is_uniform(members):
                    raise NotInLanes
                self.require_at_once(members, active)
                return self.lanes_of(bits(self.b, members))
            case typed.Member(element, typed.Constant(frozenset() as known)) if len(known) <= MIN_LANES:
                return self._one_of(self.number(element, active), sorted(known), none_of(element.type))
            case typed.Call():
                return self._call(node, active, self.condition)
            case typed.Local() | typed.StateRead() | typed.TableRead():
                given = self.number(node, active)
                return self.each(inverted, self.every("bytes_equal", given.words, self.spread(ir.integer(-given.bias))))
        raise NotInLanes

    def _is_one(self, element: typed.Expression, value: typed.Expression) -> bool:
        """Return whether it is asked where the variable has one value, the same for all lanes."""
        return self._is_axis(element) and self._is_uniform(value) and isinstance(value.type, ScalarType)

    def _only(self, value: typed.Expression, test: Expression) -> Words:
        """Return the lane of one value where a condition holds and the value has a lane; else none."""
        known = range_of(self.b, value) or bounds(value.type)
        at = self.b.assign(ir.add(integer(self.b, value), -self.axis.low), "at")
        result = []
        for first in range(0, self.width * BYTES, BYTES):
            tests = [test]
            if known[0] - self.axis.low < first:
                tests.append(ir.compare("greater_equal", at, first))
            if known[1] - self.axis.low >= first + BYTES:
                tests.append(ir.compare("less", at, first + BYTES))
            only = ir.chosen(ir.conjunction(tests), ir.operation("only_byte", at), 0)
            result.append(self.b.assign(only, "w"))
        return result

    def _compared(self, node: typed.Binary, left: Numbers, right: Numbers) -> Words:
        _require_one_none(none_of(node.left.type), none_of(node.right.type), right)
        _require_one_none(none_of(node.right.type), none_of(node.left.type), left)
        first, second = self.aligned(left, right)
        name, swapped, negated = COMPARISONS[node.operator]
        holds = self.every(name, *((second, first) if swapped else (first, second)))
        return self.each(inverted, holds) if negated else holds

    def _one_of(self, given: Numbers, codes: Sequence[int], none: int | None) -> Words:
        result: Words = self.of(())
        for code in codes:
            if given.low <= code <= given.high and code != none:
                same = self.every("bytes_equal", given.words, self.spread(ir.integer(code - given.bias)))
                result = self.each(ir.either, result, same)
        return result

    # --- domains ------------------------------------------------------------------------------------------------------

    def restrict(self, binder: typed.Binder) -> Words | None:
        """Let only the lanes of a binder's domain count; return these, or None where some are sure to."""
        self.inside = self._domain(binder)
        return None if known_codes(binder.domain) else self.inside

    def _domain(self, binder: typed.Binder) -> Words:
        known, b = known_codes(binder.domain), self.b
        if known is not None:
            return self.of([code - self.axis.low for code in known])
        if isinstance(binder.domain, tuple):
            first, after = (
                b.assign(ir.add(integer(b, end), distance - self.axis.low), "end")
                for end, distance in zip(binder.domain, (0, 1), strict=True)
            )
            below_last, below_first = (ir.operation("low_bits", end) for end in (after, first))
            return self.lanes_of(Bits((ir.without(below_last, below_first),)))
        if isinstance(binder.domain, ScalarType) or binder.domain.type != SetType(self.type):
            raise NotInLanes
        return self.lanes_of(bits(b, binder.domain))


COMPARISONS = {
    "equal": ("bytes_equal", False, False), "unequal": ("bytes_equal", False, True),
    "less": ("bytes_less", False, False), "greater_equal": ("bytes_less", False, True),
    "greater": ("bytes_less", True, False), "less_equal": ("bytes_less", True, True),
}  # fmt: skip
"""For each comparison the operator, whether its operands change places, and whether it gives the opposite."""


def is_sure(module: GameModule, node: typed.Expression) -> bool:
    """Return whether an expression has a value of its type wherever it is written, also where it is not wanted."""
    if isinstance(node, typed.Local):
        return node.symbol in module.sure
    calls_more = isinstance(node, typed.Call) and bool(node.arguments)
    return not calls_more and not can_fail(node) and all(is_sure(module, part) for part in parts(node))


def _require_one_none(none: int | None, other: int | None, numbers: Numbers) -> None:
    """Require that the code of none on one side is not a number of the other side."""
    if none is not None and none != other and numbers.low <= none <= numbers.high:
        raise NotInLanes
