"""Boards: steps of cells and of whole sets of cells, coordinates, breadth-first search.

A set of cells moves by a shift of its words and a mask against running over the edge; breadth-first search moves the
whole front at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ggp.language import typed
from ggp.language.typed.types import (
    DIRECTIONS,
    ArrayType,
    CellType,
    OptionType,
    ScalarType,
    SetType,
    Type,
    size,
)
from ggp.model.generate.bits import (
    has_bit,
    is_empty,
    masked,
    selected_word,
    shifted,
    union,
    word_and,
    word_or,
    word_without,
    words_of_mask,
)
from ggp.model.generate.builder import Builder
from ggp.model.generate.dispatch import code, compiles, operand
from ggp.model.generate.memory import element_at, in_memory, laid_out, local_memory
from ggp.model.generate.operands import Bits, Code, Memory, Operand, literal, none_of, plus
from ggp.model.generate.sets import bits
from ggp.model.generate.size import SCALE
from ggp.model.state_layout import set_words

WHOLE_BOARD_DIRECTIONS = frozenset(range(len(DIRECTIONS)))


def board_of(type_: Type) -> CellType:
    """Return the board of a cell, an option of one, or a set of cells."""
    match type_:
        case CellType():
            return type_
        case OptionType(inner=CellType() as board) | SetType(element=CellType() as board):
            return board
    raise AssertionError(f"{type_} has no board")


def possible_codes(node: typed.Expression, seen: set[typed.Function] | None = None) -> frozenset[int]:
    """Return directions that an expression can be, at least those it really can; functions in `seen` are counted."""
    seen = set() if seen is None else seen
    match node:
        case typed.Constant(value=int() as value):
            return frozenset({value})
        case typed.TableRead(table=table):
            return frozenset(value for value in table.values if isinstance(value, int))
        case typed.If(_, then, otherwise):
            return possible_codes(then, seen) | possible_codes(otherwise, seen)
        case typed.Guard(operand=inner) | typed.Wrap(operand=inner):
            return possible_codes(inner, seen)
        case typed.Call(function=function) if function in seen:
            return frozenset()
        case typed.Call(function=function):
            seen.add(function)
            return possible_codes(function.body, seen)
    return WHOLE_BOARD_DIRECTIONS


@compiles(typed.CellStep)
def _cell_step(b: Builder, node: typed.CellStep) -> Code:
    board = board_of(node.type)
    cell, direction, times = code(b, node.cell), code(b, node.direction), code(b, node.times)
    if cell.constant is not None and cell.constant == none_of(node.cell.type):
        return literal(-1)
    if cell.constant is not None and direction.constant is not None and times.constant is not None:
        return literal(stepped_cell(board, int(cell.constant), int(direction.constant), int(times.constant)))
    along_x = _component(b, direction, times, 1)
    along_y = _component(b, direction, times, 2)
    service = "step_option" if none_of(node.cell.type) is not None else "step_cell"
    return Code(f"{service}({cell.text}, {along_x}, {along_y}, {board.width}, {board.height})")


def stepped_cell(board: CellType, cell: int, direction: int, times: int) -> int:
    """Return the cell some steps away, -1 beyond the edge."""
    _, along_x, along_y = DIRECTIONS[direction]
    x, y = cell % board.width + along_x * times, cell // board.width + along_y * times
    return y * board.width + x if 0 <= x < board.width and 0 <= y < board.height else -1


def _component(b: Builder, direction: Code, times: Code, axis: int) -> str:
    """Return how far a step goes along x (1) or y (2)."""
    if direction.constant is not None:
        unit = _unit(int(direction.constant), axis)
        if times.constant is not None or unit == 0:
            return str(unit * int(times.constant or 0))
        return times.text if unit == 1 else f"-({times.text})"
    units = tuple(_unit(way, axis) for way in range(len(DIRECTIONS)))
    table = b.module.numbers("DIRECTION_X" if axis == 1 else "DIRECTION_Y", units)
    unit_text = f"{table}[{direction.text}]"
    return unit_text if times.constant == 1 else f"{unit_text} * ({times.text})"


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
        return Bits(("0",) * len(given.words))
    landing = 0
    for cell in range(board.width * board.height):
        if stepped_cell(board, cell, direction, -times) >= 0:
            landing |= 1 << cell
    distance = up * board.width + right
    words = words_of_mask(landing, len(given.words))
    return masked(_shifted_loosely(b, given, distance), words)


def _shifted_loosely(b: Builder, given: Bits, distance: int) -> Bits:
    """Return bits moved by a distance; of one word, bits that a mask will remove anyway may be wrong."""
    if len(given.words) > 1 or given.words[0].lstrip("-").isdigit():
        return shifted(b, given, distance, len(given.words))
    if distance > 0:
        return Bits((f"left({given.words[0]}, {distance})",))
    word = given.words[0]
    return Bits((f"({word}) >> {-distance}" if not word.isidentifier() else f"{word} >> {-distance}",))


@compiles(typed.SetStep)
def _set_step(b: Builder, node: typed.SetStep) -> Bits:
    board = board_of(node.type)
    given, direction, times = bits(b, node.set), code(b, node.direction), code(b, node.times)
    if direction.constant is not None and times.constant is not None:
        return moved(b, board, given, int(direction.constant), int(times.constant))
    names = [b.fresh("w") for _ in given.words]
    for name, word in zip(names, given.words, strict=True):
        b.emit(f"{name} = {word}")
    current = Bits(tuple(names))
    possible = sorted(possible_codes(node.direction))
    if direction.constant is not None:
        possible = [int(direction.constant)]
    chosen = b.named(direction)

    def advance(sign: int) -> None:
        for entry in possible:
            if len(possible) == 1:
                _assign_bits(b, names, moved(b, board, current, entry, sign))
            else:
                with b.block(f"{'if' if entry == possible[0] else 'elif'} {chosen.text} == {entry}:"):
                    _assign_bits(b, names, moved(b, board, current, entry, sign))

    if times.constant is not None:
        for _ in range(min(abs(int(times.constant)), max(board.width, board.height))):
            advance(1 if times.constant > 0 else -1)
        return current
    # nothing is left on the board after so many steps: a longer way must not take longer
    side = max(board.width, board.height)
    far = b.named(Code(f"smaller(larger({times.text}, {-side}), {side})"), "far")
    for sign, header in ((1, f"range({far.text})"), (-1, f"range(-{far.text})")):
        with b.block(f"for {b.fresh('step')} in {header}:"):
            advance(sign)
    return current


def _assign_bits(b: Builder, names: list[str], value: Bits) -> None:
    """Write an assignment of all words of a set at once."""
    if len(names) == 1:
        b.emit(f"{names[0]} = {value.words[0]}")
        return
    new = [b.assign(word, "v") if word not in names else word for word in value.words]
    for name, word in zip(names, new, strict=True):
        if name != word:
            b.emit(f"{name} = {word}")


@compiles(typed.CellCoordinate)
def _cell_coordinate(b: Builder, node: typed.CellCoordinate) -> Code:
    board, cell = board_of(node.cell.type), code(b, node.cell)
    if cell.constant is not None:
        at = int(cell.constant)
        return literal((at % board.width if node.axis == "x" else at // board.width) + 1)
    service = "remainder" if node.axis == "x" else "quotient"
    return Code(f"{service}({cell.text}, {board.width}) + 1")


@compiles(typed.CellAt)
def _cell_at(b: Builder, node: typed.CellAt) -> Code:
    board, x, y = board_of(node.type), code(b, node.x), code(b, node.y)
    if x.constant is not None and y.constant is not None:
        return literal((int(y.constant) - 1) * board.width + int(x.constant) - 1)
    row = str((int(y.constant) - 1) * board.width) if y.constant is not None else f"(({y.text}) - 1) * {board.width}"
    return Code(plus(row, f"{x.text} - 1"))


# --- breadth-first search ---------------------------------------------------------------------------------------------


@compiles(typed.Reach)
def _reach(b: Builder, node: typed.Reach) -> Operand:
    assert isinstance(node.sources.type, SetType)
    element = node.sources.type.element
    through = b.named_bits(bits(b, node.through, node.sources.type))
    sources = b.named_bits(bits(b, node.sources))
    line = _only_direction(b, node)
    if line is not None and node.kind == "reach" and isinstance(element, CellType):
        return _along_line(b, element, sources, through, line)
    neighbours = _neighbours(b, node, element)
    words = set_words(element)
    reached, front = [b.fresh("reached") for _ in range(words)], [b.fresh("front") for _ in range(words)]
    free = [b.fresh("free") for _ in range(words)]
    for names, given in ((reached, sources), (front, sources)):
        for name, word in zip(names, given.words, strict=True):
            b.emit(f"{name} = {word}")
    for name, word, source in zip(free, through.words, sources.words, strict=True):
        b.emit(f"{name} = {word_without(word, source)}")
    distances, steps = _start_distances(b, node, element, Bits(tuple(front)))
    with b.block(f"while not ({is_empty(Bits(tuple(front))).text}):"):
        found = neighbours(Bits(tuple(front)))
        new = [b.assign(f"({word}) & {name}", "new") for word, name in zip(found.words, free, strict=True)]
        for name, word in zip(front, new, strict=True):
            b.emit(f"{name} = {word}")
        for name, word in zip(reached, front, strict=True):
            b.emit(f"{name} |= {word}")
        for name, word in zip(free, front, strict=True):
            b.emit(f"{name} &= ~{word}")
        if distances is not None:
            b.emit(f"{steps} += 1")
            _write_distances(b, distances, Bits(tuple(front)), element, steps)
    return Bits(tuple(reached)) if distances is None else distances


def _only_direction(b: Builder, node: typed.Reach) -> int | None:
    """Return the direction of a search in one direction alone, where it is known; else None."""
    if isinstance(node.steps.type, ArrayType):
        return None
    straight = _straight_directions(b.named_bits(bits(b, node.steps)))
    return straight[0] if straight is not None and len(straight) == 1 else None


def _along_line(b: Builder, board: CellType, sources: Bits, through: Bits, direction: int) -> Bits:
    """Return a search in one direction, without a loop: each round doubles how far it goes.

    After rounds of 1, 2, 4, ... steps, `reached` has all that such stretches of `through` lead to, and `free` the cells
    with as many cells of `through` before them as the next round is long.
    """
    _, along_x, along_y = DIRECTIONS[direction]
    length = min(board.width if along_x else SCALE, board.height if along_y else SCALE)
    reached, free, stretch = sources, through, 1
    while True:
        further = moved(b, board, reached, direction, stretch)
        reached = b.named_bits(_joined(reached, further, free), "reached")
        stretch *= 2
        if stretch >= length:
            return reached
        before = moved(b, board, free, direction, stretch // 2)
        free = b.named_bits(Bits(tuple(word_and(a, c) for a, c in zip(free.words, before.words, strict=True))), "free")


def _joined(reached: Bits, further: Bits, free: Bits) -> Bits:
    parts = zip(reached.words, further.words, free.words, strict=True)
    return Bits(tuple(word_or(a, word_and(c, d)) for a, c, d in parts))


def _start_distances(b: Builder, node: typed.Reach, element: ScalarType, sources: Bits) -> tuple[Memory | None, str]:
    if node.kind == "reach":
        return None, ""
    distances, steps = local_memory(b, node.type), b.fresh("steps")
    far = b.fresh("at")
    with b.block(f"for {far} in range({size(element)}):"):
        b.emit(f"{distances.pointer}[{far}] = {size(element)}")
    b.emit(f"{steps} = 0")
    _write_distances(b, distances, sources, element, steps)
    return distances, steps


def _write_distances(b: Builder, distances: Memory, front: Bits, element: ScalarType, steps: str) -> None:
    with _members(b, front, element) as at:
        b.emit(f"{distances.pointer}[{at}] = {steps}")


@contextmanager
def _members(b: Builder, given: Bits, element: ScalarType) -> Iterator[str]:
    """Write a loop over the positions in a set, around what the caller writes about one of them, whose text it gets."""
    number, rest, at = b.fresh("word"), b.fresh("rest"), b.fresh("at")
    if len(given.words) == 1:
        b.emit(f"{rest} = {given.words[0]}")
        with b.block(f"while {rest} != 0:"):
            b.emit(f"{at} = lowest_bit({rest})")
            b.emit(f"{rest} = without_lowest({rest})")
            yield at
        return
    given = laid_out(b, given, element)
    with b.block(f"for {number} in range({len(given.words)}):"):
        b.emit(f"{rest} = {selected_word(given, number)}")
        with b.block(f"while {rest} != 0:"):
            b.emit(f"{at} = lowest_bit({rest}) + 64 * {number}")
            b.emit(f"{rest} = without_lowest({rest})")
            yield at


def _neighbours(b: Builder, node: typed.Reach, element: ScalarType) -> Callable[[Bits], Bits]:
    """Return what writes the set of all neighbours of a front."""
    if isinstance(node.steps.type, ArrayType):
        return _graph_neighbours(b, node, element)
    assert isinstance(element, CellType)
    board = element
    directions = b.named_bits(bits(b, node.steps))
    straight = _straight_directions(directions)
    if straight is not None and len(straight) == 8:
        return lambda front: _all_around(b, board, front)

    def step(front: Bits) -> Bits:
        total = Bits(("0",) * len(front.words))
        for direction in range(len(DIRECTIONS)):
            member = has_bit(b, directions, str(direction))
            if member.constant == 0:
                continue
            there = moved(b, board, front, direction, 1)
            if member.constant is None:
                there = Bits(tuple(f"(({word}) if {member.text} else 0)" for word in there.words))
            total = union(total, there)
        return total

    return step


def _straight_directions(directions: Bits) -> list[int] | None:
    word = directions.words[0]
    return [at for at in range(8) if int(word) >> at & 1] if word.isdigit() else None


def _all_around(b: Builder, board: CellType, front: Bits) -> Bits:
    """Return all eight neighbours of a front: the row of three, and that row moved up and down."""
    row = b.named_bits(union(union(front, moved(b, board, front, 2, 1)), moved(b, board, front, 6, 1)))
    return union(union(row, moved(b, board, row, 0, 1)), moved(b, board, row, 4, 1))


def _graph_neighbours(b: Builder, node: typed.Reach, element: ScalarType) -> Callable[[Bits], Bits]:
    assert isinstance(node.steps.type, ArrayType)
    array_type = node.steps.type
    edges = in_memory(b, operand(b, node.steps), array_type)
    words = set_words(element)

    def step(front: Bits) -> Bits:
        names = [b.fresh("near") for _ in range(words)]
        for name in names:
            b.emit(f"{name} = 0")
        with _members(b, front, element) as at:
            there = element_at(b, edges, array_type, at)
            assert isinstance(there, Bits)
            for name, part in zip(names, there.words, strict=True):
                b.emit(f"{name} |= {part}")
        return Bits(tuple(names))

    return step
