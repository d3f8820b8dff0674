"""Conditions and sums over one bound variable, and updates of a row, written in lanes if possible.

Each function returns None, with nothing written, if a loop is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.language import typed
from ggp.language.typed.types import ArrayType, ScalarType, lowest
from ggp.model.generate.builder import Builder
from ggp.model.generate.lane_words import NotInLanes, Words
from ggp.model.generate.lanes import Lanes, Written
from ggp.model.generate.operands import Operand, Packed, flat, none_of
from ggp.model.generate.packable import lowest_code, rows_of
from ggp.model.generate.packing import byte_at, row_position
from ggp.model.generate.size import can_fail
from ggp.model.generate.value_names import names_in
from ggp.model.ir import build as ir
from ggp.model.ir.nodes import Expression, Name


def attempted(b: Builder, write: Callable[[], Written]) -> Written | None:
    """Return what is written in lanes; None, with nothing written, if that is impossible."""
    length, memo, environment = len(b.body), dict(b.memos[-1]), dict(b.environment)
    try:
        return write()
    except NotInLanes:
        del b.body[length:]
        b.memos[-1] = memo
        b.environment = environment
        return None


def _binder_lanes(b: Builder, binders: Sequence[typed.Binder]) -> tuple[Lanes, Words | None]:
    """Return the lanes of the only binder, and those in which a condition on it is evaluated."""
    if len(binders) != 1 or not isinstance(binders[0].symbol.type, ScalarType):
        raise NotInLanes
    lanes = Lanes(b, binders[0].symbol, binders[0].symbol.type)
    return lanes, lanes.restrict(binders[0])


def _require_gain(lanes: Lanes) -> None:
    if lanes.guarded or not lanes.packed_rows:
        raise NotInLanes


def members_where(
    b: Builder, binders: Sequence[typed.Binder], test: typed.Expression | None, opposite: bool = False
) -> Expression | None:
    """Return the set of the values of one binder for which a condition holds (or does not), as a word; None: no way."""

    def write() -> Expression:
        lanes, active = _binder_lanes(b, binders)
        if test is None:
            raise NotInLanes
        holds = lanes.condition(test, active)
        _require_gain(lanes)
        return lanes.bits_of(lanes.each(ir.without if opposite else ir.both, lanes.inside, holds))

    return attempted(b, write)


def sum_over(
    b: Builder, binders: Sequence[typed.Binder], test: typed.Expression | None, value: typed.Expression
) -> Expression | None:
    """Return the sum of a number over the values of one binder for which a condition holds; None: no way."""

    def write() -> Expression:
        lanes, active = _binder_lanes(b, binders)
        within = lanes.inside
        if test is not None:
            active = within = lanes.each(ir.both, within, lanes.condition(test, active))
        numbers = lanes.number(value, active)
        _require_gain(lanes)
        if numbers.high - numbers.low > 255:
            raise NotInLanes
        least = min(numbers.low, max(0, numbers.high - 255))
        kept = lanes.biased(numbers, least)
        if active is not None or not (lanes.is_whole and numbers.clean and numbers.bias == least):
            kept = lanes.each(ir.both, kept, within)
        total = ir.total(ir.operation("bytes_sum", word) for word in kept)
        count = ir.operation("popcount", lanes.bits_of(within)) if least else ir.ZERO
        return ir.add(total, ir.multiply(count, least))

    return attempted(b, write)


def element_of(b: Builder, function: typed.Function, argument: Operand) -> Expression | None:
    """Return a definition's value for an argument, taken from its values for all arguments; None: no way.

    Other places want these values, too, as rows; where they are computed twice, LLVM sees it.
    """

    def write() -> Expression:
        (symbol,) = function.arguments
        if not isinstance(symbol.type, ScalarType) or can_fail(function.body):
            raise NotInLanes
        lanes = Lanes(b, symbol, symbol.type)
        numbers = lanes.number(function.body)
        _require_gain(lanes)
        if numbers.high - numbers.low > 255:
            raise NotInLanes
        at = b.assign(ir.add(flat(argument)[0], -lowest(symbol.type)), "at")
        byte = byte_at(numbers.words, at)
        if distance := numbers.bias - numbers.low:
            byte = ir.both(ir.add(byte, distance), 255)
        return ir.add(byte, numbers.low)

    return attempted(b, write) if b.module.packed else None


def swept_row(
    b: Builder, update: typed.Update, binder: typed.Binder, new: Packed
) -> list[tuple[Name, Expression]] | None:
    """Return an update of a row of a packed variable, computed for all elements of the row at once.

    Args:
        b: the function being written.
        update: the update; its last index is the binder's variable.
        binder: its binder.
        new: the names of the variable's new value.

    Returns:
        The names that change and their new words; None if it is impossible.
    """
    type_ = update.target.type
    assert isinstance(type_, ArrayType)

    def write() -> list[tuple[Name, Expression]]:
        lanes = Lanes(b, binder.symbol, type_.indices[-1])
        active, within = lanes.restrict(binder), lanes.inside
        if update.condition is not None:
            active = within = lanes.each(ir.both, within, lanes.condition(update.condition, active))
        for index in update.indices[:-1]:
            lanes.require_at_once(index, active)
        row = b.assign(row_position(b, type_, update.indices[:-1]), "row")
        value = lanes.number(update.value, active)
        if none_of(update.value.type) != none_of(type_.element):
            raise NotInLanes
        words = lanes.biased(value, lowest_code(type_))
        clean = value.clean and value.bias == lowest_code(type_)
        whole, names = update.condition is None and lanes.is_whole, names_in(new)
        changed: list[tuple[Name, Expression]] = []
        for number in range(rows_of(type_)) if row.constant is None else [int(row.constant)]:
            before = names[number * lanes.width : (number + 1) * lanes.width]
            here = ir.equal(row, number)
            if not whole:
                after = lanes.chosen(within, words, before)
            else:
                after = words if clean else lanes.each(ir.both, words, within)
            changed += [(old, ir.chosen(here, word, old)) for old, word in zip(before, after, strict=True)]
        return changed

    return attempted(b, write)
