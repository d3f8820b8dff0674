"""Breadth-first search: the whole front moves at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression, Name
from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import DIRECTIONS, ArrayType, CellType, ScalarType, SetType, lowest, size
from ggp.language.typed.work import SCALE
from ggp.rules_compiler.emit.bits import (
    constant_bits,
    difference,
    has_bit,
    is_empty,
    masked,
    no_bits,
    union,
)
from ggp.rules_compiler.emit.boards import moved, stepped_cell
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.dispatch import integer, operand
from ggp.rules_compiler.emit.loops import each_member
from ggp.rules_compiler.emit.memory import element_at, in_memory, local_memory
from ggp.rules_compiler.emit.operands import Bits, Memory, Operand
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS
from ggp.rules_compiler.rewrite.links import by_direction
from ggp.rules_compiler.size import symbols_in

EAST, WEST, NORTH, SOUTH = 2, 6, 0, 4


def write_reach(b: Builder, node: typed.Reach) -> Operand:
    """Write the set of the cells reached, or the distances."""
    assert isinstance(node.sources.type, SetType)
    element = node.sources.type.element
    through = b.named_bits(bits(b, node.through, node.sources.type))
    sources = b.named_bits(bits(b, node.sources))
    line = _only_direction(b, node)
    if line is not None and node.kind == "reach" and isinstance(element, CellType):
        start = _only_source(b, node.sources)
        if start is not None and set_words(element) <= LOCAL_WORDS:
            return union(sources, _along_ray(b, element, start, through, line))
        return _along_line(b, element, sources, through, line)
    neighbours = _neighbours(b, node, element)
    reached = Bits(tuple(b.start("reached", word) for word in sources.words))
    front = [b.start("front", word) for word in sources.words]
    free = Bits(tuple(b.start("free", word) for word in difference(through, sources).words))
    distances, steps = _start_distances(b, node, element, Bits(tuple(front)))
    with b.repeat_while(ir.negation(is_empty(Bits(tuple(front))))):
        found = neighbours(Bits(tuple(front)))
        new = [b.assign(word, "new") for word in masked(found, free).words]
        b.set_all(front, new)
        for name, word in zip(reached.words, front, strict=True):
            assert isinstance(name, Name)
            b.set(name, ir.either(name, word))
        for name, word in zip(free.words, front, strict=True):
            assert isinstance(name, Name)
            b.set(name, ir.without(name, word))
        if distances is not None:
            b.increase(steps, 1)
            _write_distances(b, distances, Bits(tuple(front)), element, steps)
    return reached if distances is None else distances


def _only_direction(b: Builder, node: typed.Reach) -> int | None:
    """Return the direction of a search in a single known direction; else None."""
    if isinstance(node.steps.type, ArrayType):
        return None
    straight = _straight_directions(b.named_bits(bits(b, node.steps)))
    return straight[0] if straight is not None and len(straight) == 1 else None


def _only_source(b: Builder, node: typed.Expression) -> Expression | None:
    """Return the cell that a search starts from, if it is a single cell."""
    if not isinstance(node, typed.SetLiteral) or len(node.elements) != 1:
        return None
    (cell,) = node.elements
    return b.assign(integer(b, cell), "i") if isinstance(cell.type, CellType) else None


def _along_ray(b: Builder, board: CellType, start: Expression, through: Bits, direction: int) -> Bits:
    """Return a search from one cell in one direction: the cells of `through` before the first that is not in it.

    A table gives all cells ahead. Those before the first cell outside `through` are reached; depending on the
    direction, that cell is the lowest or the highest bit.
    """
    words = set_words(board)
    ahead = _rays(b, board, direction, words, start)
    free = b.named_bits(masked(ahead, through), "free")
    others = b.named_bits(difference(ahead, through), "others")
    _, along_x, along_y = DIRECTIONS[direction]
    rising = along_y * board.width + along_x > 0
    operator = "below_lowest" if rising else "from_highest"
    found: dict[int, Expression] = {}
    open_so_far: Expression = ir.TRUE
    for word in range(words) if rising else reversed(range(words)):
        here = ir.both(free.words[word], ir.operation(operator, others.words[word]))
        found[word] = ir.chosen(open_so_far, here, 0)
        open_so_far = ir.conjunction([open_so_far, ir.equal(others.words[word], 0)])
    return Bits(tuple(found[word] for word in range(words)))


def _rays(b: Builder, board: CellType, direction: int, words: int, start: Expression) -> Bits:
    """Return the cells ahead of a cell in a direction."""
    entries: list[int] = []
    for cell in range(size(board)):
        mask, at = 0, stepped_cell(board, cell, direction, 1)
        while at >= 0:
            mask |= 1 << at
            at = stepped_cell(board, at, direction, 1)
        entries += [int(word.value) for word in constant_bits(mask, words).words if isinstance(word, Constant)]
    if isinstance(start, Constant):
        first = words * int(start.value)
        return Bits(tuple(map(ir.integer, entries[first : first + words])))
    table = b.module.numbers(f"RAYS_{board.width}_{board.height}_{DIRECTIONS[direction][0]}", entries)
    return Bits(tuple(ir.entry(table, ir.add(ir.multiply(start, words), word)) for word in range(words)))


def _along_line(b: Builder, board: CellType, sources: Bits, through: Bits, direction: int) -> Bits:
    """Return a search in one direction, without a loop: each round doubles its length.

    After rounds of 1, 2, 4, ... steps, `reached` has all cells within that distance along `through`, and `free` the
    cells that follow as many cells of `through` as the next round is long.
    """
    _, along_x, along_y = DIRECTIONS[direction]
    length = min(board.width if along_x else SCALE, board.height if along_y else SCALE)
    reached, free, stretch = sources, through, 1
    while True:
        further = moved(b, board, reached, direction, stretch)
        reached = b.named_bits(union(reached, masked(further, free)), "reached")
        stretch *= 2
        if stretch >= length:
            return reached
        free = b.named_bits(masked(free, moved(b, board, free, direction, stretch // 2)), "free")


def _start_distances(b: Builder, node: typed.Reach, element: ScalarType, sources: Bits) -> tuple[Memory | None, Name]:
    steps = b.fresh("steps")
    if node.kind == "reach":
        return None, steps
    distances = local_memory(b, node.type)
    far = b.fresh("at")
    with b.repeat(far, 0, size(element)):
        b.store(distances.row, far, size(element))
    b.set(steps, 0)
    _write_distances(b, distances, sources, element, steps)
    return distances, steps


def _write_distances(b: Builder, distances: Memory, front: Bits, element: ScalarType, steps: Name) -> None:
    at = b.fresh("at")
    with each_member(b, front, element, at):
        b.store(distances.row, at, steps)


def _neighbours(b: Builder, node: typed.Reach, element: ScalarType) -> Callable[[Bits], Bits]:
    """Return the function that writes the set of all neighbours of a front."""
    if isinstance(node.steps.type, ArrayType):
        return _graph_neighbours(b, node, element)
    assert isinstance(element, CellType)
    board = element
    directions = b.named_bits(bits(b, node.steps))
    straight = _straight_directions(directions)
    if straight is not None and len(straight) == 8:
        return lambda front: _all_around(b, board, front)

    def step(front: Bits) -> Bits:
        total = no_bits(len(front.words))
        for direction in range(len(DIRECTIONS)):
            member = has_bit(b, directions, ir.integer(direction))
            if member.constant == 0:
                continue
            there = moved(b, board, front, direction, 1)
            if member.constant is None:
                there = Bits(tuple(ir.chosen(member, word, 0) for word in there.words))
            total = union(total, there)
        return total

    return step


def _straight_directions(directions: Bits) -> list[int] | None:
    word = directions.words[0]
    return [at for at in range(8) if int(word.value) >> at & 1] if isinstance(word, Constant) else None


def _all_around(b: Builder, board: CellType, front: Bits) -> Bits:
    """Return all eight neighbours of a front: the row of three, and that row moved up and down."""
    row = union(union(front, moved(b, board, front, EAST, 1)), moved(b, board, front, WEST, 1))
    row = b.named_bits(row)
    return union(union(row, moved(b, board, row, NORTH, 1)), moved(b, board, row, SOUTH, 1))


def _depends_on_more_than_the_state(node: typed.Reach, steps: typed.ArrayOf) -> bool:
    """Return whether a search can be made several times in a state; links of all cells serve no single one."""
    return bool(symbols_in(node.sources) | symbols_in(node.through) | symbols_in(steps) - {steps.binder})


def _graph_neighbours(b: Builder, node: typed.Reach, element: ScalarType) -> Callable[[Bits], Bits]:
    assert isinstance(node.steps.type, ArrayType)
    array_type, words = node.steps.type, set_words(element)
    computed = node.steps if isinstance(node.steps, typed.ArrayOf) else None
    links = None
    if computed is not None and words <= LOCAL_WORDS and _depends_on_more_than_the_state(node, computed):
        links = by_direction(computed, b.module.calls)
    if links is not None and isinstance(element, CellType):
        leading = [(link.direction, b.named_bits(bits(b, link.cells))) for link in links]
        return lambda front: reduce(
            union, (moved(b, element, masked(front, cells), way, 1) for way, cells in leading), no_bits(words)
        )
    edges = None if computed is not None else in_memory(b, operand(b, node.steps), array_type)

    def neighbours_of(at: Expression) -> Bits:
        if edges is not None:
            there = element_at(b, edges, array_type, at)
            assert isinstance(there, Bits)
            return there
        assert computed is not None
        value = b.assign(ir.add(at, lowest(element)), "i")
        b.loops_around[computed.binder] = len(b.loops)
        with b.bound(computed.binder, value):
            return b.named_bits(bits(b, computed.body))

    def step(front: Bits) -> Bits:
        names = [b.start("near", 0) for _ in range(words)]
        at = b.fresh("at")
        with each_member(b, front, element, at):
            for name, part in zip(names, neighbours_of(at).words, strict=True):
                b.include(name, part)
        return Bits(tuple(names))

    return step
