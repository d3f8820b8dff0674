"""Boards: steps of cells and of whole sets of cells, coordinates.

A set of cells is moved by shifting its words; a mask removes what crossed the edge.
"""

from __future__ import annotations

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression, Name
from ggp.language import typed
from ggp.language.typed.types import DIRECTIONS, CellType, board_of
from ggp.rules_compiler.emit.bits import constant_bits, masked, no_bits, shifted
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.dispatch import code, integer
from ggp.rules_compiler.emit.operands import Bits, none_of
from ggp.rules_compiler.emit.sets import bits


def write_cell_step(b: Builder, node: typed.CellStep) -> Expression:
    """Write the cell some steps away from another."""
    board = board_of(node.type)
    cell, direction, times = code(b, node.cell), integer(b, node.direction), integer(b, node.times)
    if cell.constant is not None and cell.constant == none_of(node.cell.type):
        return ir.integer(-1)
    if cell.constant is not None and direction.constant is not None and times.constant is not None:
        return ir.integer(stepped_cell(board, int(cell.constant), int(direction.constant), int(times.constant)))
    along_x = _component(b, direction, times, 1)
    along_y = _component(b, direction, times, 2)
    operator = "step_option" if none_of(node.cell.type) is not None else "step_cell"
    return ir.operation(operator, cell, along_x, along_y, board.width, board.height)


def stepped_cell(board: CellType, cell: int, direction: int, times: int) -> int:
    """Return the cell some steps away, -1 beyond the edge."""
    _, along_x, along_y = DIRECTIONS[direction]
    x, y = cell % board.width + along_x * times, cell // board.width + along_y * times
    return y * board.width + x if 0 <= x < board.width and 0 <= y < board.height else -1


def _component(b: Builder, direction: Expression, times: Expression, axis: int) -> Expression:
    """Return the length of a step along x (1) or y (2)."""
    if direction.constant is not None:
        unit = _unit(int(direction.constant), axis)
        return ir.operation("negate", times) if unit == -1 else ir.multiply(times, unit)
    units = tuple(_unit(way, axis) for way in range(len(DIRECTIONS)))
    table = b.module.numbers("DIRECTION_X" if axis == 1 else "DIRECTION_Y", units)
    return ir.multiply(ir.entry(table, direction), times)


def _unit(direction: int, axis: int) -> int:
    _, along_x, along_y = DIRECTIONS[direction]
    return along_x if axis == 1 else along_y


def moved(b: Builder, board: CellType, given: Bits, direction: int, times: int) -> Bits:
    """Return a set of cells moved by a constant step."""
    _, along_x, along_y = DIRECTIONS[direction]
    right, up = along_x * times, along_y * times
    if right == 0 and up == 0:
        return given
    if abs(right) >= board.width or abs(up) >= board.height:
        return no_bits(len(given.words))
    landing = 0
    for cell in range(board.width * board.height):
        if stepped_cell(board, cell, direction, -times) >= 0:
            landing |= 1 << cell
    distance = up * board.width + right
    return masked(_shifted_loosely(b, given, distance), constant_bits(landing, len(given.words)))


def _shifted_loosely(b: Builder, given: Bits, distance: int) -> Bits:
    """Return bits moved by a distance; in a single word, bits that a mask will remove may be wrong."""
    if len(given.words) > 1 or isinstance(given.words[0], Constant):
        return shifted(b, given, distance, len(given.words))
    if distance > 0:
        return Bits((ir.operation("left", given.words[0], distance),))
    return Bits((ir.operation("right", given.words[0], -distance),))


def write_set_step(b: Builder, node: typed.SetStep) -> Bits:
    """Write a set of cells moved by some steps."""
    board = board_of(node.type)
    given, direction, times = bits(b, node.set), integer(b, node.direction), integer(b, node.times)
    if direction.constant is not None and times.constant is not None:
        return moved(b, board, given, int(direction.constant), int(times.constant))
    names = [b.start("w", word) for word in given.words]
    current = Bits(tuple(names))
    possible = range(len(DIRECTIONS)) if direction.constant is None else [int(direction.constant)]
    chosen = b.assign(direction)

    def advance(sign: int) -> None:
        for number, entry in enumerate(possible):
            if len(possible) == 1:
                assign_bits(b, names, moved(b, board, current, entry, sign))
            else:
                with (b.or_when if number else b.when)(ir.equal(chosen, entry)):
                    assign_bits(b, names, moved(b, board, current, entry, sign))

    if times.constant is not None:
        for _ in range(min(abs(int(times.constant)), max(board.width, board.height))):
            advance(1 if times.constant > 0 else -1)
        return current
    # after this many steps nothing is left on the board: a longer way must not take longer
    side = max(board.width, board.height)
    far = b.assign(ir.operation("smaller", ir.operation("larger", times, -side), side), "far")
    for sign in (1, -1):
        with b.repeat(b.fresh("step"), 0, far if sign == 1 else ir.operation("negate", far)):
            advance(sign)
    return current


def assign_bits(b: Builder, names: list[Name], value: Bits) -> None:
    """Write an assignment of all words of a set at once."""
    if len(names) == 1:
        b.set(names[0], value.words[0])
        return
    new = [word if word in names else b.assign(word, "v") for word in value.words]
    for name, word in zip(names, new, strict=True):
        if name != word:
            b.set(name, word)


def write_cell_coordinate(b: Builder, node: typed.CellCoordinate) -> Expression:
    """Write the column or the row of a cell."""
    board, cell = board_of(node.cell.type), code(b, node.cell)
    if cell.constant is not None:
        at = int(cell.constant)
        return ir.integer((at % board.width if node.axis == "x" else at // board.width) + 1)
    return ir.add(ir.operation("remainder" if node.axis == "x" else "quotient", cell, board.width), 1)


def write_cell_at(b: Builder, node: typed.CellAt) -> Expression:
    """Write the cell in a column and a row; any one where checks were left out and the cell makes no difference."""
    board = board_of(node.type)
    is_loose = [isinstance(one, typed.Guard) and not one.reason for one in (node.x, node.y)]
    x, y = (
        integer(b, one.operand if isinstance(one, typed.Guard) and loose else one)
        for one, loose in zip((node.x, node.y), is_loose, strict=True)
    )
    at = ir.add(ir.multiply(ir.add(y, -1), board.width), ir.add(x, -1))
    last = board.width * board.height - 1
    if not any(is_loose):
        return at
    if last & (last + 1) == 0:
        return ir.both(at, last)
    return ir.operation("smaller", ir.operation("larger", at, 0), last)
