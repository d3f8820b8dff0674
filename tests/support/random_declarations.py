"""Random declarations beside the state and the phases: parameters, tables, initial values, drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from ggp.language.pieces import LINE_KINDS, SHAPES
from tests.support.random_expressions import Names
from tests.support.random_sequences import SequencesWriter

T = TypeVar("T")
COLORS = ["", "", " red", " blue", " gray"]


class DeclarationsWriter(SequencesWriter):
    """Writes random declarations."""

    def __init__(self, pick: Callable[[Sequence[T]], T]) -> None:
        super().__init__(pick)
        self.counted = self.likely(2 * self.newer)
        """Whether the players are counted: `players seat[3]`."""
        self.named = pick([0, 0, 1, 2]) if self.counted and len(self.players) > 2 else 0
        """How many players have names of their own beside those that are counted: `players one, seat[2]`."""
        if self.counted:
            seats = [f"seat{number + 1}" for number in range(len(self.players) - self.named)]
            self.players = [*self.players[: self.named], *seats]
        self.parameters: list[tuple[str, str]] = []
        """Type and text of what parameters give."""

    def header(self) -> list[str]:
        """Write what comes before the tables."""
        width, height = self.board
        lines, count = [], str(len(self.players) - self.named)
        if self.likely(4 * self.newer):
            lines += ["param wide: 1..20 = " + str(width), "param open: bool = " + self.pick(["yes", "no"])]
            lines += ["param kind: {plain, fancy} = " + self.pick(["plain", "fancy"])]
            lines += [f"param many: 1..9 = {count}", "param slots: 1..4 = 2"]
            self.parameters = [("int", "wide"), ("bool", "open"), ("bool", "(kind == fancy)"), ("int", "many")]
            count = "many"
        return [
            *lines,
            f"players {', '.join([*self.players[: self.named], f'seat[{count}]'] if self.counted else self.players)}",
            f"type digit = {self.low}..{self.high}",
            f"type color = {{{', '.join(self.colors)}}}",
            f"board cell = grid({'wide' if lines else width}, {height})",
            "type side = {left, right}",
            "type pair = color of side",
            f"type slot = 1..{'slots' if lines else 2}",
            f"board spot = grid({self.second_board[0]}, {self.second_board[1]})",
            "type man = color of spot",
        ]

    def constants(self) -> Names:
        """Return what can be read before play, tables aside."""
        names = Names()
        for type_, text in self.parameters:
            names = names.plus(type_, text)
        return names

    def state_names(self) -> Names:
        names = super().state_names()
        for type_, text in self.parameters:
            names = names.plus(type_, text)
        return names

    @contextmanager
    def before_play(self) -> Iterator[Names]:
        """Write only what is known before play, and no fault."""
        before = self.clock, self.functions, self.array_definitions, self.histories, self.steppers, self.risk
        arrays, self.array_names = self.array_names, [one for one in self.array_names if one[0].startswith("t")]
        self.clock, self.functions, self.array_definitions, self.histories = "2", [], [], []
        self.steppers, self.risk = [], 0
        try:
            yield self.constants()
        finally:
            self.clock, self.functions, self.array_definitions, self.histories, self.steppers, self.risk = before
            self.array_names = arrays

    def table(self) -> str:
        """Write a table given by a formula, by lists, or by index."""
        index = self.pick(["color", "player", "slot", "pair", "bool", "player, color", "color, slot"])
        type_, name = self.pick([*self.scalars, "bool", "set of color", "digit or none"]), self.fresh("t")
        if self.likely(25):
            return self.table_from_file(name)
        with self.before_play() as names:
            head, value = self.by_index(index, type_, names)
        self.array_names.append((name, index, type_))
        return f"table {name}[{head}]: {type_} = {value}"

    def table_from_file(self, name: str) -> str:
        """Write a table from a file; its name is its text, with a slash between lines."""
        index, type_ = self.pick(
            [("color", "digit or none"), ("color, slot", "bool"), ("spot", "bool"), ("color", "set of player")]
        )
        if index == "spot":
            width, height = self.second_board
            lines = ["".join(self.pick("#.") for _ in range(width)) for _ in range(height)]
        elif type_ == "set of player":
            lines = [f"{color}: {self.pick(self.players)}" for color in self.colors if self.likely(60)]
        elif type_ == "bool":
            lines = [f"{self.pick(['yes', 'no'])} {self.pick(['yes', 'no'])}" for _ in self.colors]
        else:
            lines = [self.pick([str(self.low), str(self.high), "none", "."]) for _ in self.colors]
        self.array_names.append((name, index, type_))
        return f'table {name}[{index}]: {type_} from "{"/".join(lines)}"'

    def by_index(self, index: str, type_: str, names: Names) -> tuple[str, str]:
        """Write indices and a value for each of them, in one of the ways in which arrays are written."""
        form = self.pick(["formula", "list", "keys"])
        if form == "formula":
            bounds = [self.fresh("i") for _ in index.split(", ")]
            for bound, part in zip(bounds, index.split(", "), strict=True):
                names = names.plus(part, bound)
            head = ", ".join(f"{bound}: {part}" for bound, part in zip(bounds, index.split(", "), strict=True))
            return head, self.value(type_, names, 2)
        return index, self.written(index.split(", "), type_, names, form)

    def written(self, indices: Sequence[str], type_: str, names: Names, form: str) -> str:
        if not indices:
            return self.value(type_, names, 1)
        values = self.members(indices[0])
        if form == "list":
            return f"[{', '.join(self.written(indices[1:], type_, names, form) for _ in values)}]"
        if len(indices) > 1:
            return f"{{{', '.join(f'{one}: {self.written(indices[1:], type_, names, form)}' for one in values)}}}"
        items = [f"{one}: {self.value(type_, names, 1)}" for one in values[:-1]]
        return f"{{{', '.join([*items, f'else {self.value(type_, names, 1)}'])}}}"

    def displays(self, depth: int) -> list[str]:
        """Write how states are drawn, for all and for each player; or nothing."""
        if not self.likely(4 * self.newer):
            return []
        lines = []
        for head, names in (
            ("display", self.state_names()),
            ("display for p", self.state_names().plus("player", "p")),
        ):
            if self.likely(30):
                continue
            if not self.likely(70):
                lines += [head, f'    line "all" {self.shown(names, depth)}']
                continue
            board = self.any_board()
            lines.append(f"{head} grid {board}" + self.pick(["", "", " checkered", " hexagons", " points"]))
            for _ in range(self.pick([1, 2, 3])):
                what = self.pick([self.set_of(board, names, depth), self.scalar(board, names, depth)])
                side = f"{self.pick(['east', 'south', 'west', 'north'])} of " if self.likely(25) else ""
                what = self.step(board, names, 1) if self.likely(20) else what
                text = '"|"' if side else '"x"'
                lines.append(f"    {side}({what}): {text}{self.pick(COLORS)}")
            if self.likely(50):
                lines.append(self.shaped(board, names, depth))
            if self.likely(20):
                lines.append(f"    lines by {self.pick(['{north, east}', '{southwest}'])}")
            lines.append(f'    {self.pick(LINE_KINDS)} "{self.fresh("shown")}" {self.shown(names, depth)}')
        return lines

    def shaped(self, board: str, names: Names, depth: int) -> str:
        """Write a line that draws a shape for several values, with whose it is, a label and a count."""
        player, color = self.fresh("q"), self.fresh("k")
        inner = names.plus("player", player).plus("color", color)
        what = self.pick([self.set_of(board, inner, depth), self.scalar(board, inner, depth)])
        look = self.pick([*SHAPES, color, f"rank[{color}]"]) + self.pick(COLORS)
        owner = self.pick([player, f"({self.scalar('player', inner, depth)})"])
        parts = [
            f" of {owner}" if self.likely(60) else "",
            f" label ({self.scalar('color', inner, depth)})" if self.likely(30) else "",
            f" count ({self.integer(inner, depth)})" if self.likely(30) else "",
        ]
        condition = f" if {self.value('bool', inner, depth)}" if self.likely(30) else ""
        return f"    ({what}): {look}{''.join(parts)} for {player} in player, {color} in color{condition}"

    def shown(self, names: Names, depth: int) -> str:
        """Write a value for a line of a drawing."""
        arrays = [name for name, _, _ in self.array_names]
        type_ = self.pick(["int", "bool", *self.scalars, "set of cell", "array"])
        if self.sequences and self.likely(3 * self.sequential):
            return self.sequence(self.pick(self.sequences)[2], names, depth)
        return (
            self.pick(arrays)
            if type_ == "array" and arrays
            else self.value(type_.replace("array", "int"), names, depth)
        )
