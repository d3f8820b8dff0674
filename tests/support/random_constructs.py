"""Random uses of the language's later forms: subsets, histories, pairs, arrays as arguments, steps by definitions.

Each file has its own rate of them, none included, so that the plainer forms are still met alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.support.random_expressions import Names
from tests.support.random_faults import FaultyWriter

T = TypeVar("T")

WIDEST = "-400..400"
"""A range that holds the elements of every array of integers."""


class NewerFormsWriter(FaultyWriter, ABC):
    """Writes random expressions, some of them in the later forms of the language."""

    def __init__(self, pick: Callable[[Sequence[T]], T]) -> None:
        super().__init__(pick)
        self.newer = pick([0, 5, 15, 30])
        """Percent of the expressions that have such a form."""
        self.histories: list[tuple[str, list[str]]] = []
        """Name and types of the values of each history."""
        self.phases: list[str] = []
        self.steppers: list[tuple[str, str]] = []
        """Name and type of definitions that give the neighbours of a value."""

    # --- declarations -------------------------------------------------------------------------------------------------

    def history(self) -> list[str]:
        """Write a history of some variables, or none."""
        if not self.likely(5 * self.newer):
            return []
        kept = [
            (name, type_ if index is None else f"array {index} of {type_}") for name, index, type_ in self.variables
        ]
        kept += self.kept_sequences()
        values = [self.pick(kept) for _ in range(self.pick([1, 2]))] if kept else []
        if self.likely(40):
            type_ = self.pick(["int", "bool", *self.scalars, "set of cell", "cell or none"])
            values = [*values[:1], (self.value(type_, self.state_names(), 2), type_)]
        name = self.fresh("h")
        self.histories.append((name, [type_ for _, type_ in values] or ["int"]))
        return [f"history {name}[{self.pick([0, 1, 3, 6])}] = {', '.join(text for text, _ in values) or 'steps'}"]

    def newer_definitions(self, names: Names) -> list[str]:
        """Write definitions that give the neighbours of a value."""
        if not self.likely(5 * self.newer):
            return []
        hop, cell = self.fresh("f"), self.fresh("a")
        steps = ", ".join(f"{cell} + {self.pick(['', '2 * '])}{self.literal('direction')}" for _ in range(2))
        without = self.pick(["", f" - {self.literal_set('cell')}"])
        lines = [f"def {hop}({cell}: cell) = {{{steps}}}{without}"]
        way, color, other = self.fresh("l"), self.fresh("p"), self.fresh("x")
        test = self.boolean(names.plus("color", color).plus("color", other), 1)
        lines += [f"let {way}[{color}: color] = {{{other} in links[{color}]: {test}}}"]
        from_here, place, digit = self.fresh("f"), self.fresh("a"), self.fresh("a")
        near = self.set_of("cell", self.state_names().plus("cell", place).plus("digit", digit), 1)
        lines += [f"def {from_here}({digit}: digit, {place}: cell) = {near}"]
        by_digit, first, second, third = self.fresh("l"), self.fresh("p"), self.fresh("p"), self.fresh("x")
        test = self.boolean(self.state_names().plus("color", second).plus("color", third).plus("digit", first), 1)
        lines += [f"let {by_digit}[{first}: digit, {second}: color] = {{{third} in color: {test}}}"]
        self.steppers += [
            (hop, "cell"),
            (way, "color"),
            (f"{from_here}(DIGIT)", "cell"),
            (f"{by_digit}[DIGIT]", "color"),
        ]
        return lines

    def stepper(self, element: str, names: Names, depth: int) -> str | None:
        """Write what gives the neighbours of each value, where a definition for that was written."""
        stepping = [by for by, stepped in self.steppers if stepped == element]
        return self.pick(stepping).replace("DIGIT", self.scalar("digit", names, depth)) if stepping else None

    def literal_set(self, element: str) -> str:
        return f"{{{self.literal(element)}, {self.literal(element)}}}"

    @abstractmethod
    def state_names(self) -> Names:
        """Return what can be read of the state."""

    @abstractmethod
    def kept_sequences(self) -> list[tuple[str, str]]:
        """Return name and type of the variables that are sequences."""

    @abstractmethod
    def sequence(self, element: str, names: Names, depth: int) -> str:
        """Write a sequence of some element type."""

    # --- expressions --------------------------------------------------------------------------------------------------

    def integer(self, names: Names, depth: int) -> str:
        if depth > 0 and self.likely(self.newer):
            return self.newer_integer(names, depth - 1)
        return super().integer(names, depth)

    def newer_integer(self, names: Names, depth: int) -> str:
        forms = [
            lambda: f"({self.integer(names, depth)} ^ {self.pick([2, 3])})",
            lambda: self.over_subsets(names, depth),
            lambda: self.any_hash(names, depth),
            lambda: f"hash(9007199254740992, {self.scalar('cell', names, depth)}, {self.clock}) mod 7",
        ]
        forms += [lambda: self.repeated(names, depth)] * (2 if self.histories else 0)
        return self.pick(forms)()

    def repeated(self, names: Names, depth: int) -> str:
        name, types = self.pick(self.histories)
        if self.likely(50):
            return f"repeats({name})"
        return f"repeats({name}, {', '.join(self.remembered(type_, names, depth) for type_ in types)})"

    def remembered(self, type_: str, names: Names, depth: int) -> str:
        """Write a value of a type, or an array."""
        if type_.startswith("sequence "):
            return self.sequence(type_.removeprefix("sequence of "), names, depth)
        if not type_.startswith("array "):
            return self.value(type_, names, depth)
        index, _, element = type_.removeprefix("array ").partition(" of ")
        return self.pick([name for name, by, one in self.array_names if (by, one) == (index, element)])

    def any_hash(self, names: Names, depth: int) -> str:
        values = [
            self.set_of(self.pick(self.scalars), names, depth),
            self.scalar(self.pick(self.scalars), names, depth),
            self.real_option(self.pick(self.scalars), names, depth),
            *(array for array, _, type_ in self.array_names if type_ != "bool"),
        ]
        return f"hash({self.pick([2, 9, 1000])}, {self.pick(values)}, {self.pick(values)})"

    def over_subsets(self, names: Names, depth: int) -> str:
        binder, inner = self.subset(names, depth)
        form = self.pick(["count", "count", "sum", "sum", "set", "min", "max"])
        if form == "count":
            return f"(count {binder}: {self.boolean(inner, depth)})"
        if form == "set":
            name = binder.partition(" ")[0]
            return f"count({{min({name}) for {binder}{self.condition(inner, depth)}}})"
        if form != "sum" and not self.likely(self.risk):
            binder = f"{binder.partition(' ')[0]} in 1 of {self.pick(['1..3', 'color'])}"
            inner = names
        return f"({form} {binder}{self.condition(inner, depth) if form == 'sum' else ''}: {self.integer(inner, depth)})"

    def subset(self, names: Names, depth: int) -> tuple[str, Names]:
        """Write a name that runs over the subsets of a given size of a small set."""
        scalar = self.pick(["color", "player", "pair", "int"])
        name = self.fresh("s")
        if scalar == "int":
            most = self.pick(["3", "4", self.clamped(self.integer(names, depth), 0, 4)])
            return f"{name} in {self.pick([1, 2])} of 1..{most}", names
        domain = self.pick([scalar, self.set_of(scalar, names, depth)])
        return f"{name} in {self.pick([1, 2])} of {domain}", names.plus(f"set of {scalar}", name)

    def boolean(self, names: Names, depth: int) -> str:
        if depth > 0 and self.likely(self.newer):
            binder, inner = self.subset(names, depth - 1)
            return f"({self.pick(['all', 'any', 'no'])} {binder}: {self.boolean(inner, depth - 1)})"
        return super().boolean(names, depth)

    def scalar(self, scalar: str, names: Names, depth: int) -> str:
        if scalar == "direction" and self.likely(self.newer):
            one = super().scalar(scalar, names, depth)
            return self.pick([f"opposite({one})", f"(-{one})"])
        if depth > 0 and self.likely(self.newer):
            return self.newer_scalar(scalar, names, depth - 1)
        return super().scalar(scalar, names, depth)

    def newer_scalar(self, scalar: str, names: Names, depth: int) -> str:
        if scalar == "color" and self.likely(50):
            return f"({self.scalar('pair', names, depth)}).color"
        if scalar == "pair" and self.likely(60):
            side = f"({self.scalar('pair', names, depth)}).side"
            return f"pair({self.scalar('color', names, depth)}, {self.pick(['left', side])})"
        name = self.fresh("x")
        inner = names.plus(scalar, name)
        test = self.boolean(inner, depth)
        if not self.likely(self.risk):
            test = f"{test} or {name} == {self.literal(scalar)}"
        return f"(the {name} in {scalar}: {test})"

    def set_of(self, element: str, names: Names, depth: int) -> str:
        if depth > 0 and self.likely(self.newer):
            return self.newer_set(element, names, depth - 1)
        return super().set_of(element, names, depth)

    def newer_set(self, element: str, names: Names, depth: int) -> str:
        steps = self.stepper(element, names, depth)
        if steps is not None:
            sources, through = self.set_of(element, names, depth), self.set_of(element, names, depth)
            return f"(reach from {sources} through {through} by {steps})"
        if element == "digit":
            middle = min(self.low + 2, self.high)
            return self.pick([f"({self.low}..{middle})", f"({self.low}..min({self.high}, {self.integer(names, 0)}))"])
        return super().set_of(element, names, depth)
