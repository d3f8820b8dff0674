"""Random expressions of the rules language, by the type they have.

Everything is chosen through one function `pick`, so that hypothesis can shrink what it finds. Most expressions cannot
fail in play; a few can, on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

DIRECTIONS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
SCALARS = ["digit", "color", "player", "cell"]
"""Types that every file uses."""
OTHER_SCALARS = ["pair", "spot", "man", "direction", "bool"]
"""Types that some files use: two enumerations, a second board, a pair with one of its cells."""


@dataclass
class Names:
    """What can be read at some place, by type: `digit`, `digit or none`, `set of digit`, `bool`, `int`, ..."""

    by_type: dict[str, list[str]] = field(default_factory=dict)

    def of(self, type_: str) -> list[str]:
        return self.by_type.get(type_, [])

    def plus(self, type_: str, text: str) -> Names:
        extended = {key: list(texts) for key, texts in self.by_type.items()}
        extended.setdefault(type_, []).append(text)
        return Names(extended)


class ExpressionWriter:
    """Writes random expressions over some types, variables, tables and functions."""

    def __init__(self, pick: Callable[[Sequence[T]], T]) -> None:
        self.pick = pick
        self.counter = 0
        self.clock = "steps"
        """A number that is different in different states; a constant where there is no state yet."""
        self.players = pick([["one", "two"], ["one", "two", "three"], ["one"], ["one", "two", "three", "four", "five"]])
        self.low = pick([0, 1, -2])
        self.high = self.low + pick([0, 1, 3, 3, 4, 4, 70, 300])
        self.board = pick([(3, 2), (3, 2), (2, 5), (2, 5), (1, 4), (9, 8), (8, 8), (1, 1), (17, 16)])
        self.second_board = pick([(2, 2), (2, 2), (3, 1), (9, 8)])
        self.colors = ["amber", "blue", "coral"][: pick([2, 3])]
        self.scalars = [*SCALARS, *(one for one in OTHER_SCALARS if pick(range(100)) < 40)]
        self.array_names: list[tuple[str, str, str]] = []
        """Name, index type and element type of array variables and tables."""
        self.functions: list[tuple[str, list[str], str]] = []
        self.variables: list[tuple[str, str | None, str]] = []
        self.grid = (pick([2, 3, 8]), pick([3, 5, 8])) if pick(range(100)) < 35 else None
        """Columns and rows of an array by columns and rows, if there is one."""
        self.ranges: dict[str, str] = {}
        """The least value of names that run over integers."""

    # --- choices ------------------------------------------------------------------------------------------------------

    def likely(self, percent: int) -> bool:
        return self.pick(range(100)) < percent

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}_{self.counter}"  # `b2` would be a cell

    # --- scalars ------------------------------------------------------------------------------------------------------

    def literal(self, scalar: str) -> str:
        if scalar == "digit":
            code = self.pick([self.low, self.high, min(self.low + 1, self.high)])
            return str(code) if code >= 0 else f"({code})"
        if scalar == "color":
            return self.pick(self.colors)
        if scalar == "player":
            return self.pick(self.players)
        if scalar == "pair":
            return f"{self.pick(self.colors)}_of_{self.pick(['left', 'right'])}"
        if scalar == "direction":
            return self.pick(DIRECTIONS)
        if scalar == "slot":
            return self.pick(["1", "2"])
        if scalar == "bool":
            return self.pick(["yes", "no"])
        if scalar == "man":
            color, spot = self.pick(self.colors), self.literal("spot")
            return f"{color}_of_{spot}" if "(" not in spot else f"man({color}, {spot})"
        column, row = (self.pick(range(1, extent + 1)) for extent in self.extents(scalar))
        other = self.extents("cell" if scalar == "spot" else "spot")
        if column <= other[0] and row <= other[1] and not self.likely(1):
            return f"{scalar}({column}, {row})"  # short, it is clear only where the context says which board is meant
        return self.pick([f"{scalar}({column}, {row})", f"{'abcdefghijklmnopqrstuvwxyz'[column - 1]}{row}"])

    def leaf(self, scalar: str) -> str:
        """Write a literal, or a value that depends on the state: what is constant is folded, and its code not seen."""
        if self.clock != "steps" or self.likely(50) or scalar == "slot":
            return self.literal(scalar)
        if scalar == "bool":
            return f"({self.clock} {self.pick(['<', '>='])} 2)"
        if scalar == "digit":
            return f"max({self.low}, min({self.high}, {self.clock} - {self.pick(range(3))}))"
        if scalar == "pair":
            return f"pair({self.leaf('color')}, {self.pick(['left', 'right'])})"
        if scalar == "man":
            return f"man({self.leaf('color')}, {self.leaf('spot')})"
        if scalar == "direction":
            return f"(if {self.clock} < 2 then {self.pick(DIRECTIONS)} else {self.pick(DIRECTIONS)})"
        if scalar in ("color", "player"):
            return f"{scalar}({self.clock} mod {len(self.members(scalar))} + 1)"
        width, height = self.extents(scalar)
        return f"{scalar}({self.clock} mod {width} + 1, {self.pick(range(1, height + 1))})"

    def extents(self, board: str) -> tuple[int, int]:
        """Return the width and the height of a board."""
        return self.board if board == "cell" else self.second_board

    def members(self, type_: str) -> list[str]:
        """Return all values of a small type."""
        pairs = [f"{color}_of_{side}" for color in self.colors for side in ("left", "right")]
        small = {"slot": ["1", "2"], "bool": ["no", "yes"], "color": self.colors, "player": self.players, "pair": pairs}
        return small[type_]

    def scalar(self, scalar: str, names: Names, depth: int) -> str:
        """Write an expression whose value lies in a scalar type, but for the few that may fail."""
        if scalar == "bool":
            return self.boolean(names, depth)
        if scalar == "direction" and (depth == 0 or "direction" not in self.scalars):
            return self.pick(names.of("direction") or DIRECTIONS)
        if scalar == "slot":
            return self.pick([*names.of("slot"), "1", "2", "(steps mod 2 + 1)" if self.clock == "steps" else "1"])
        forms = [lambda: self.leaf(scalar)]
        if names.of(scalar):
            forms += [lambda: self.pick(names.of(scalar))] * 3
        if depth > 0:
            forms += [lambda: self.array_read(scalar, names, depth)] * 2
            forms += [lambda: self.call(scalar, names, depth), lambda: self.naming(scalar, names, depth)]
            forms += [
                lambda: (
                    f"(if {self.boolean(names, depth - 1)} then {self.scalar(scalar, names, depth - 1)} "
                    f"else {self.scalar(scalar, names, depth - 1)})"
                )
            ]
            if scalar == "digit":
                forms += [lambda: self.clamped(self.integer(names, depth - 1), self.low, self.high)] * 2
                forms += [lambda: self.safe_extreme(names, depth)]
            if scalar in ("cell", "spot"):
                forms += [lambda: self.cell_at(scalar, names, depth), lambda: self.safe_step(scalar, names, depth)]
            if scalar in ("color", "spot") and "man" in self.scalars:
                forms += [lambda: f"({self.scalar('man', names, depth - 1)}).{scalar}"]
            if scalar == "man":
                forms += [
                    lambda: f"man({self.scalar('color', names, depth - 1)}, {self.scalar('spot', names, depth - 1)})"
                ]
            if scalar in ("player", "color", "pair"):
                forms += [lambda: self.first_or_last(scalar, names, depth)]
            if scalar == "player" and len(self.players) == 2:
                forms += [lambda: f"other({self.scalar('player', names, depth - 1)})"]
            if scalar == "player":
                forms += [lambda: f"after({self.scalar('player', names, depth - 1)}{self.among(names, depth)})"]
            if scalar in ("player", "color"):
                most = len(self.players if scalar == "player" else self.colors)
                forms += [lambda: f"{scalar}({self.clamped(self.integer(names, depth - 1), 1, most)})"]
            if self.likely(4):
                forms = [lambda: self.option(scalar, names, depth - 1)]
        return self.pick(forms)()

    def among(self, names: Names, depth: int) -> str:
        """Write the players among whom `after` looks for the next one, hardly ever an empty set; or nothing."""
        if self.likely(40):
            return ""
        members = self.set_of("player", names, depth - 1)
        return f", {members}" if self.likely(3) else f", {members} + {{{self.literal('player')}}}"

    def clamped(self, text: str, low: int, high: int) -> str:
        if self.likely(3):
            return f"({text})"
        return f"max({low}, min({high}, {text}))"

    def cell_at(self, board: str, names: Names, depth: int) -> str:
        width, height = self.extents(board)
        x = self.clamped(self.integer(names, depth - 1), 1, width)
        return f"{board}({x}, {self.clamped(self.integer(names, depth - 1), 1, height)})"

    def step(self, board: str, names: Names, depth: int) -> str:
        times = self.pick(["", "", "2 * ", "-1 * "])
        sign = self.pick(["+", "+", "-"])
        return f"{self.scalar(board, names, depth - 1)} {sign} {times}{self.scalar('direction', names, 0)}"

    def safe_step(self, board: str, names: Names, depth: int) -> str:
        step = self.step(board, names, depth)
        return f"(if ({step}) is some then {step} else {self.scalar(board, names, depth - 1)})"

    def first_or_last(self, scalar: str, names: Names, depth: int) -> str:
        members = self.set_of(scalar, names, depth - 1)
        if not self.likely(5):
            members = f"{members} + {{{self.literal(scalar)}}}"
        return f"{self.pick(['min', 'max'])}({members})"

    def safe_extreme(self, names: Names, depth: int) -> str:
        members = self.set_of("digit", names, depth - 1)
        kind = self.pick(["min", "max"])
        if self.likely(10):
            return f"{kind}({members})"
        return f"(if {members} != {{}} then {kind}({members}) else {self.literal('digit')})"

    def array_read(self, element: str, names: Names, depth: int) -> str:
        fitting = [(name, index) for name, index, type_ in self.readable_arrays() if type_ == element]
        if not fitting:
            return self.plain(element)
        name, index = self.pick(fitting)
        return f"{name}[{self.indices(index, names, depth - 1)}]"

    def readable_arrays(self) -> list[tuple[str, str, str]]:
        """Return name, index type and element type of what can be read with an index."""
        return self.array_names

    def indices(self, index: str, names: Names, depth: int) -> str:
        return ", ".join(self.scalar(part, names, depth) for part in index.split(", "))

    def plain(self, type_: str) -> str:
        """Write some value of a type, where nothing better is at hand."""
        if type_ == "bool":
            return self.pick(["yes", "no"])
        if type_.endswith(" or none"):
            return "none"
        if type_.startswith("set of "):
            return f"{{{self.literal(type_.removeprefix('set of '))}}}"
        return "0" if type_ == "int" else self.literal(type_)

    def call(self, type_: str, names: Names, depth: int) -> str:
        fitting = [(name, arguments) for name, arguments, result in self.functions if result == type_]
        if not fitting:
            return self.array_read(type_, names, depth) if type_ != "int" else "1"
        name, arguments = self.pick(fitting)
        return f"{name}({', '.join(self.value(argument, names, depth - 1) for argument in arguments)})"

    def value(self, type_: str, names: Names, depth: int) -> str:
        """Write an expression of any type."""
        if type_ == "bool":
            return self.boolean(names, depth)
        if type_ == "int":
            return self.integer(names, depth)
        if type_.endswith(" or none"):
            return self.option(type_.removesuffix(" or none"), names, depth)
        if type_.startswith("set of "):
            return self.set_of(type_.removeprefix("set of "), names, depth)
        return self.scalar(type_, names, depth)

    def naming(self, type_: str, names: Names, depth: int) -> str:
        """Write a value that is named in the expression which uses it."""
        named = self.pick(["int", "bool", *self.scalars, "set of digit", "set of color", "digit or none"])
        name = self.fresh("v")
        if named == "digit or none":
            value = self.real_option("digit", names, depth - 1)
        else:
            value = self.value(named, names, depth - 1)
        return f"(let {name} = {value}: {self.value(type_, names.plus(named, name), depth - 1)})"

    # --- integers and truth -------------------------------------------------------------------------------------------

    def integer(self, names: Names, depth: int) -> str:
        forms = [lambda: str(self.pick(range(4)))]
        if names.of("digit"):
            forms += [lambda: self.pick(names.of("digit"))] * 2
        if names.of("int"):
            forms += [lambda: self.pick(names.of("int"))] * 3
        if depth > 0:

            def sub() -> str:
                return self.integer(names, depth - 1)

            forms += [
                lambda: f"({sub()} + {sub()})",
                lambda: f"({sub()} - {sub()})",
                lambda: f"({sub()} * {sub()})",
                lambda: f"({sub()} {self.pick(['div', 'mod'])} {self.pick(['2', '3', '-2'])})",
                lambda: f"-{sub()}",
                lambda: f"{self.pick(['abs', 'sign'])}({sub()})",
                lambda: f"{self.pick(['min', 'max'])}({sub()}, {sub()})",
                lambda: f"{self.pick(['min', 'max'])}({sub()}, {self.pick(range(5))}, {sub()})",
                lambda: f"(if {self.boolean(names, depth - 1)} then {sub()} else {sub()})",
                lambda: f"{self.scalar(self.any_board(), names, depth - 1)}.{self.pick(['x', 'y'])}",
                lambda: f"({self.scalar(self.pick(['player', 'color']), names, depth - 1)}).number",
                lambda: f"count({self.set_of(self.pick(self.scalars), names, depth - 1)})",
                lambda: f"sum({self.set_of('digit', names, depth - 1)})",
                lambda: self.aggregate(names, depth),
                lambda: self.distance(names, depth),
                lambda: self.call("int", names, depth),
                lambda: self.naming("int", names, depth),
                lambda: f"hash(5, {sub()}, {sub()})",
                lambda: self.array_read("digit", names, depth),
                lambda: self.array_read("int", names, depth),
            ]
            if self.likely(3):
                forms = [lambda: f"({sub()} {self.pick(['div', 'mod'])} {self.divisor(names, depth - 1)})"]
        return self.pick(forms)()

    def divisor(self, names: Names, depth: int) -> str:
        """Write an integer that may be 0, and is not so for certain."""
        text = self.integer(names, depth)
        return text if self.clock in text else f"({text} - {self.clock})"

    def boolean(self, names: Names, depth: int) -> str:
        forms = [lambda: f"({self.clock} {self.pick(['==', '<', '>='])} {self.pick([1, 2, 3])})"] * 2
        forms += [lambda: f"(hash(2, {self.clock}, {self.pick(range(20))}) == 1)"]
        if self.likely(10):
            forms = [lambda: self.pick(["yes", "no"])]
        if names.of("bool"):
            forms += [lambda: self.pick(names.of("bool"))] * 2
        if depth > 0:

            def sub() -> str:
                return self.boolean(names, depth - 1)

            comparisons = ["==", "!=", "<", "<=", ">", ">="]
            scalar = self.pick(self.scalars)
            forms += [
                lambda: f"({sub()} {self.pick(['and', 'or'])} {sub()})",
                lambda: f"(not {sub()})",
                lambda: f"({self.integer(names, depth - 1)} {self.pick(comparisons)} {self.integer(names, depth - 1)})",
                lambda: (
                    f"({self.scalar(scalar, names, depth - 1)} {self.pick(['==', '!='])} "
                    f"{self.scalar(scalar, names, depth - 1)})"
                ),
                lambda: self.in_order(names, depth),
                lambda: f"({self.integer(names, depth - 1)} {self.pick(['in', 'not in'])} {self.range(names, depth)})",
                lambda: (
                    f"({self.readable_option(scalar, names, depth - 1)} {self.pick(['==', '!='])} "
                    f"{self.scalar(scalar, names, depth - 1)})"
                ),
                lambda: f"({self.real_option(scalar, names, depth - 1)} is {self.pick(['none', 'some'])})",
                lambda: (
                    f"({self.readable_option(scalar, names, depth - 1)} {self.pick(['in', 'not in'])} "
                    f"{self.set_of(scalar, names, depth - 1)})"
                ),
                lambda: (
                    f"({self.set_of(scalar, names, depth - 1)} {self.pick(['==', '!=', '<=', '<', '>'])} "
                    f"{self.set_of(scalar, names, depth - 1)})"
                ),
                lambda: self.quantifier(names, depth),
                lambda: self.call("bool", names, depth),
                lambda: self.naming("bool", names, depth),
            ]
            if self.grid is not None and self.clock == "steps":
                forms += [lambda: self.on_grid(self.integer(names, depth - 1), self.integer(names, depth - 1))] * 2
                forms += [self.lines_on_grid] * 2
            if cells := names.of("cell"):
                forms += [
                    lambda: (
                        f"({self.pick(cells)}.{self.pick(['x', 'y'])}{self.pick(['', ' + 1', ' - 2'])} "
                        f"{self.pick(comparisons)} {self.integer(names, depth - 1)})"
                    )
                ] * 2
        return self.pick(forms)()

    def on_grid(self, x: str, y: str) -> str:
        """Write a condition on an element of the grid, which may lie beside it."""
        assert self.grid is not None
        width, height = self.grid
        last = width if not self.likely(3) else width + 1
        value = self.pick(self.colors)
        read = f"grid[{x}, {y}] {self.pick([f'== {value}', f'!= {value}', f'in {{{value}}}', 'is none', 'is some'])}"
        inside = self.pick([
            f"{x} in 1..{last} and {y} in 1..{height}",
            f"{x} >= 1 and {x} <= {last} and not ({y} < 1 or {height} < {y})",
        ])  # fmt: skip
        return self.pick([f"({inside} and {read})", f"(not ({inside}) or {read})"])

    def lines_on_grid(self) -> str:
        """Write a condition on lines along the grid, as one that counts columns and rows does."""
        assert self.grid is not None
        x, y, across, up, far, near = (self.fresh("x") for _ in range(6))
        binders = (
            f"{x} in 1..{self.grid[0]}, {y} in 1..{self.grid[1]}, {across} in -1..1, {up} in {self.pick([0, -1])}..1"
        )
        end = self.on_grid(f"{x} + ({far} + 1)*{across}", f"{y} + ({far} + 1)*{up}")
        value = self.pick(self.colors)
        body = self.pick([
            f"({across} != 0 or {up} == 1) and all {near} in 0..{self.pick([1, 2, 3])}: "
            + self.on_grid(f"{x} + {near}*{across}", f"{y} + {near}*{up}"),
            f"any {far} in 1..3: {end} and all {near} in 1..{far}: "
            f"{x} + {near}*{across} in 1..{self.grid[0]} and {y} + {near}*{up} in 1..{self.grid[1]} "
            f"and grid[{x} + {near}*{across}, {y} + {near}*{up}] == {value}",
        ])  # fmt: skip
        return f"({self.pick(['any', 'no', 'all'])} {binders}: {body})"

    def in_order(self, names: Names, depth: int) -> str:
        """Write a comparison of two members of an enumeration in the order of its declaration."""
        scalar, operator = self.pick(["player", "color", "pair", "cell"]), self.pick(["<", "<=", ">", ">="])
        return f"({self.scalar(scalar, names, depth - 1)} {operator} {self.scalar(scalar, names, depth - 1)})"

    def range(self, names: Names, depth: int) -> str:
        low = self.pick(["-1", "0", "1", self.integer(names, depth - 1)])
        return f"{low}..{self.pick(['2', '4', self.integer(names, depth - 1)])}"

    # --- options and sets ---------------------------------------------------------------------------------------------

    def readable_option(self, scalar: str, names: Names, depth: int) -> str:
        """Write an option that is not the bare word `none`."""
        forms = [lambda: self.scalar(scalar, names, depth)]
        if names.of(f"{scalar} or none"):
            forms += [lambda: self.pick(names.of(f"{scalar} or none"))] * 3
        if depth > 0 and scalar in ("cell", "spot"):
            forms += [lambda: f"({self.step(scalar, names, depth)})"] * 2
        return self.pick(forms)()

    def real_option(self, scalar: str, names: Names, depth: int) -> str:
        """Write what the checker cannot know to be some, or to be none."""
        if names.of(f"{scalar} or none"):
            return self.pick(names.of(f"{scalar} or none"))
        if scalar in ("cell", "spot") and (names.of(scalar) or self.clock != "steps"):
            return f"({self.step(scalar, names, 1)})"
        test = self.pick([f"{self.clock} mod 2 == 1", f"hash(2, {self.clock}, 7) == 1", f"{self.clock} < 2"])
        test = f"({test}) {self.pick(['==', '!='])} {self.boolean(names, depth)}" if self.likely(40) else test
        return f"(if {test} then {self.scalar(scalar, names, depth)} else none)"

    def option(self, scalar: str, names: Names, depth: int) -> str:
        forms = [lambda: self.readable_option(scalar, names, depth)] * 2
        if depth > 0:
            forms += [
                lambda: (
                    f"(if {self.boolean(names, depth - 1)} then {self.readable_option(scalar, names, depth - 1)} "
                    "else none)"
                ),
                lambda: self.naming(f"{scalar} or none", names, depth),
            ]
        return self.pick(forms)()

    def set_of(self, element: str, names: Names, depth: int) -> str:
        forms = [lambda: f"{{{self.leaf(element)}}}"]
        if names.of(f"set of {element}"):
            forms += [lambda: self.pick(names.of(f"set of {element}"))] * 4
        if depth > 0:

            def sub() -> str:
                return self.set_of(element, names, depth - 1)

            forms += [
                lambda: f"({sub()} {self.pick(['+', '-', '&'])} {sub()})",
                lambda: f"(all - {sub()})",
                lambda: f"{{{self.option(element, names, depth - 1)}, {self.scalar(element, names, depth - 1)}}}",
                lambda: f"(if {self.boolean(names, depth - 1)} then {sub()} else {sub()})",
                lambda: self.comprehension(element, names, depth),
                lambda: self.call(f"set of {element}", names, depth),
                lambda: self.naming(f"set of {element}", names, depth),
                lambda: self.array_read(f"set of {element}", names, depth),
            ]
            if element in ("cell", "spot"):
                times = self.pick(["", "2 * ", "-1 * "])
                forms += [lambda: f"({sub()} + {times}{self.scalar('direction', names, 0)})"] * 3
                forms += [lambda: f"(reach from {sub()} through {sub()} by {self.steps(names, depth)})"] * 2
                forms += [lambda: self.line(element, names, depth)] * 2
            if element == "color":
                forms += [lambda: f"(reach from {sub()} through {sub()} by links)"] * 2
        return self.pick(forms)()

    def line(self, board: str, names: Names, depth: int) -> str:
        """Write the cells that lie along lines from a cell, by their distances."""
        there, binders, test = self.along_lines(board, names, depth)
        return f"{{{there} for {binders} if {test}}}"

    def along_lines(self, board: str, names: Names, depth: int) -> tuple[str, str, str]:
        """Write a cell at a distance, the binders of direction and distance, and a condition."""
        cell, way, far, near = self.scalar(board, names, 0), *(self.fresh("x") for _ in range(3))
        sign = self.pick(["+", "+", "-"])
        there, before = f"{cell} {sign} {far}*{way}", f"{cell} {sign} {near}*{way}"
        inner = names.plus("direction", way).plus("int", far)
        free = f"{before} {self.pick(['in', 'not in'])} {self.set_of(board, names, depth - 1)}"
        whole = f"(all {near} in {self.pick([1, 1, 1, 2, 0])}..{far}{self.pick(['', ' - 1'])}: {free})"
        rest = [
            f"{there} is some",
            f"{there} {self.pick(['in', 'not in'])} {self.set_of(board, names, depth - 1)}",
            f"({there} is none or {self.boolean(inner.plus(board, f'({there})'), depth - 1)})",
            self.boolean(inner if self.likely(30) else names, depth - 1),
        ]
        tests = [one for one in rest if self.likely(25)]
        if not tests or self.likely(70):
            tests.insert(self.pick(range(len(tests) + 1)), whole)
        longest = max(self.extents(board)) - self.pick([0, 1, 1, 2])
        binders = f"{way} in {{{self.some_directions()}}}, {far} in 1..{longest}"
        return there, binders, " and ".join(tests)

    def any_board(self) -> str:
        return self.pick(["cell", "spot"] if "spot" in self.scalars else ["cell"])

    def steps(self, names: Names, depth: int) -> str:
        """Write a set of directions."""
        if "direction" in self.scalars and self.likely(30):
            return self.set_of("direction", names, depth - 1)
        return f"{{{self.some_directions()}}}"

    def some_directions(self) -> str:
        return ", ".join(self.pick([DIRECTIONS, DIRECTIONS[::2], DIRECTIONS[:2], DIRECTIONS[3:4]]))

    # --- binders ------------------------------------------------------------------------------------------------------

    def binder(self, names: Names, depth: int) -> tuple[str, Names]:
        name = self.fresh("x")
        scalar = self.pick(self.scalars)
        form = self.pick(["type", "set", "range", "direction"])
        if form == "direction":
            domain = self.pick(["direction", f"{{{self.some_directions()}}}"])
            return f"{name} in {domain}", names.plus("direction", name)
        if form == "type":
            return f"{name} in {scalar}", names.plus(scalar, name)
        if form == "set":
            return f"{name} in {self.set_of(scalar, names, depth - 1)}", names.plus(scalar, name)
        low, high = self.pick([("0", "2"), ("1", self.clamped(self.integer(names, depth - 1), 0, 3)), ("-1", "1")])
        self.ranges[name] = low
        return f"{name} in {low}..{high}", names.plus("int", name)

    def binders(self, names: Names, depth: int) -> tuple[str, Names]:
        first, names = self.binder(names, depth)
        if self.board[0] * self.board[1] < 20 and self.high - self.low < 20 and self.likely(25):
            second, names = self.binder(names, depth)
            return f"{first}, {second}", names
        return first, names

    def condition(self, names: Names, depth: int) -> str:
        return f" if {self.test(names, depth)}" if self.likely(40) else ""

    def test(self, names: Names, depth: int) -> str:
        """Write a condition on bound names; some cut a range of integers short."""
        rest, name = self.boolean(names, depth - 1), (names.of("int") or [""])[-1]
        if name not in self.ranges or depth < 2 or not self.likely(40):
            return rest
        end, number, up_to = self.integer(names, depth - 2), self.fresh("x"), self.pick(["", " - 1", " + 1"])
        inside = self.boolean(names.plus("int", number), depth - 1)
        bound = f"{name} {self.pick(['<', '<=', '>', '>='])} {end}"
        way = f"(all {number} in {self.ranges[name]}..{name}{up_to}: {inside})"
        return self.pick([
            f"({bound} and {rest})", f"({end} > {name} or {rest})", f"({rest} and {bound})",
            f"({way} and {rest})", f"({rest} and {way})", f"({bound} and {way})",
        ])  # fmt: skip

    def quantifier(self, names: Names, depth: int) -> str:
        if self.likely(15):
            _, binders, test = self.along_lines(self.any_board(), names, depth)
            return f"({self.pick(['any', 'no'])} {binders}: {test})"
        binders, inner = self.binders(names, depth)
        kind = self.pick(["all", "any", "no"])
        return f"({kind} {binders}{self.condition(inner, depth)}: {self.test(inner, depth)})"

    def aggregate(self, names: Names, depth: int) -> str:
        if self.likely(10):
            _, binders, test = self.along_lines(self.any_board(), names, depth)
            directions, distances = binders.split("}, ")
            inner = f"(count {distances}: {test})"
            return f"(sum {directions}}}: {inner})"
        binders, inner = self.binders(names, depth)
        kind = self.pick(["count", "sum", "min", "max"])
        if kind == "count":
            return f"(count {binders}: {self.test(inner, depth)})"
        if kind in ("min", "max"):
            # Over a whole type: never over nothing.
            name, scalar = self.fresh("x"), self.pick(self.scalars)
            if self.likely(8):
                condition = self.condition(inner, depth)
                return f"({kind} {binders}{condition}: {self.integer(inner, depth - 1)})"
            return f"({kind} {name} in {scalar}: {self.integer(names.plus(scalar, name), depth - 1)})"
        return f"(sum {binders}{self.condition(inner, depth)}: {self.integer(inner, depth - 1)})"

    def comprehension(self, element: str, names: Names, depth: int) -> str:
        if self.likely(50):
            name = self.fresh("x")
            inner = names.plus(element, name)
            domain = self.pick([element, self.set_of(element, names, depth - 1)])
            return f"{{{name} for {name} in {domain} if {self.boolean(inner, depth - 1)}}}"
        binders, inner = self.binder(names, depth)
        return f"{{{self.scalar(element, inner, depth - 1)} for {binders}{self.condition(inner, depth)}}}"

    def distance(self, names: Names, depth: int) -> str:
        board = self.any_board()
        sources, through = self.set_of(board, names, depth - 1), self.set_of(board, names, depth - 1)
        where = self.scalar(board, names, depth - 1)
        if self.likely(25):
            sources, through = self.set_of("color", names, depth - 1), self.set_of("color", names, depth - 1)
            return f"(distance from {sources} through {through} by links)[{self.scalar('color', names, depth - 1)}]"
        return f"(distance from {sources} through {through} by {self.steps(names, depth)})[{where}]"
