"""Random uses of whole arrays: handed to definitions, named by `let`, compared; and what choices make of them.

What is chosen or drawn for each index of `x[i in slot]` is an array, too, and may be handed to a definition where it is
being chosen: in `where` and `weight`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from tests.support.random_constructs import WIDEST, NewerFormsWriter
from tests.support.random_expressions import Names

T = TypeVar("T")

SLOT = "slot"
"""The type of the indices of choices."""
CHOICE_INDICES = [SLOT, SLOT, "color", "player", "pair", "bool", "player, slot", "slot, bool"]
"""Types for whose values, or pairs of them, something is chosen or drawn."""
INDICES = [
    "color",
    "player",
    SLOT,
    "pair",
    "bool",
    "cell",
    "digit",
    "player, color",
    "player, slot",
    "color, slot",
    "color, player, slot",
]
ELEMENTS = ["int", "bool", "set of color", "set of cell", "digit or none", "color or none"]


def array_of(index: str, element: str) -> str:
    """Return the type of an array, as `Names` call it."""
    return f"array {index} of {element}"


class ArrayDefinition(NamedTuple):
    """A definition whose first argument is an array."""

    name: str
    index: str
    element: str
    others: tuple[str, ...]
    result: str


class ArraysWriter(NewerFormsWriter):
    """Writes random expressions, some of them with whole arrays."""

    def __init__(self, pick: Callable[[Sequence[T]], T]) -> None:
        super().__init__(pick)
        self.vectors = pick([0, 0, 20, 40])
        """Percent of choices and draws that are made for each value of an index."""
        self.array_definitions: list[ArrayDefinition] = []
        self.let_arrays: list[tuple[str, str, str]] = []
        """Name, index type and element type of each `let` with indices, and of maps of distances."""
        self.lets: list[tuple[str, str]] = []

    # --- declarations -------------------------------------------------------------------------------------------------

    def state_names(self) -> Names:
        names = Names().plus("int", "steps")
        for name, index, type_ in self.variables:
            if index is None:
                names = names.plus(type_, name)
        for name, type_ in self.lets:
            names = names.plus(type_, name)
        return names

    def array_definition(self, depth: int) -> str:
        """Write a definition of an array, and perhaps of more."""
        of_choices = self.likely(70 if self.vectors else 0)
        index = self.pick(CHOICE_INDICES if of_choices else INDICES)
        element = self.pick(["digit", "digit", *self.scalars] if of_choices else [*self.scalars, *ELEMENTS])
        result = self.pick(["int", "bool"] if of_choices else ["int", "int", "bool", *self.scalars, "set of cell"])
        name, array = self.fresh("f"), self.fresh("a")
        names, parts = self.state_names().plus(array_of(index, element), array), []
        parts.append(f"{array}[{index}]: {WIDEST if element == 'int' else element}")
        others = tuple(self.pick([*self.scalars, "set of cell"]) for _ in range(self.pick([0, 0, 1])))
        for type_ in others:
            argument = self.fresh("a")
            names = names.plus(type_, argument)
            parts.append(f"{argument}: {type_}")
        parts = self.pick([parts, parts[::-1]])
        others = others if parts[0].startswith(array) else tuple(f"before {type_}" for type_ in others)
        bounds = [self.fresh("x") for _ in index.split(", ")]
        inner = names.plus(element, f"{array}[{', '.join(bounds)}]")
        for bound, part in zip(bounds, index.split(", "), strict=True):
            inner = inner.plus(part, bound)
        binders = ", ".join(f"{bound} in {part}" for bound, part in zip(bounds, index.split(", "), strict=True))
        if result == "int":
            fold = self.pick(["sum", "sum", "min", "max", "count"])
            body = self.test_of_element(element, array, bounds, inner, depth)
            if fold != "count":
                number = (
                    f"{array}[{', '.join(bounds)}]" if element in ("digit", "int") else f"(if {body} then 2 else 1)"
                )
                body = f"{number} + {self.integer(inner, depth)}"
            text = f"{fold} {binders}: {body}"
        elif result == "bool":
            test = self.test_of_element(element, array, bounds, inner, depth)
            text = f"{self.pick(['all', 'any', 'no'])} {binders}: {test}"
        else:
            read = f"{array}[{', '.join(self.literal(part) for part in index.split(', '))}]"
            text = self.value(result, names.plus(element, read), depth)
        self.array_definitions.append(ArrayDefinition(name, index, element, others, result))
        return f"def {name}({', '.join(parts)}) = {text}"

    def test_of_element(self, element: str, array: str, bounds: Sequence[str], names: Names, depth: int) -> str:
        """Write a condition that depends on an element of an array."""
        read = f"{array}[{', '.join(bounds)}]"
        if element == "bool":
            test = read
        elif element.startswith("set of "):
            test = f"{self.literal(element.removeprefix('set of '))} in {read}"
        elif element.endswith(" or none"):
            test = f"{read} is {self.pick(['none', 'some'])}"
        elif element in ("digit", "int"):
            test = f"{read} {self.pick(['<', '>=', '=='])} {self.integer(names, depth)}"
        else:
            test = f"{read} {self.pick(['==', '!='])} {self.scalar(element, names, depth)}"
        return f"({test} {self.pick(['and', 'or'])} {self.boolean(names, depth)})" if self.likely(40) else f"({test})"

    def global_let(self, depth: int) -> str:
        """Write a `let` of the file."""
        name, names, form = self.fresh("l"), self.state_names(), self.pick(["value", "indexed", "distance", "alias"])
        if form == "distance":
            board = self.any_board()
            way = (self.stepper(board, names, depth) if self.likely(50) else None) or self.steps(names, depth)
            sources, through = self.set_of(board, names, depth), self.set_of(board, names, depth)
            self.let_arrays.append((name, board, "int"))
            return f"let {name} = distance from {sources} through {through} by {way}"
        if form == "alias" and self.array_names:
            alike, index, type_ = self.pick(self.array_names)
            self.let_arrays.append((name, index, type_))
            return f"let {name} = {alike}"
        type_ = self.pick(["int", "bool", *self.scalars, "set of cell"])
        if form in ("value", "alias"):
            text = self.value(type_, names, depth)
            self.lets.append((name, type_))
            return f"let {name} = {text}"
        index = self.pick(INDICES)
        bounds = [self.fresh("p") for _ in index.split(", ")]
        for bound, part in zip(bounds, index.split(", "), strict=True):
            names = names.plus(part, bound)
        text = self.value(type_, names, depth)
        if type_ == "int":
            text = f"max(-400, min(400, {text}))"
        self.let_arrays.append((name, index, type_))
        parts = zip(bounds, index.split(", "), strict=True)
        head = ", ".join(bound if part == "player" and self.likely(50) else f"{bound}: {part}" for bound, part in parts)
        return f"let {name}[{head}] = {text}"

    # --- expressions --------------------------------------------------------------------------------------------------

    def readable_arrays(self) -> list[tuple[str, str, str]]:
        return [*self.array_names, *self.let_arrays]

    def arrays(self, index: str, element: str, names: Names) -> list[str]:
        """Return the arrays that fit an argument."""
        types = ("int", "digit") if element == "int" else (element,)
        known = [name for name, by, type_ in self.readable_arrays() if by == index and type_ in types]
        return known + [name for type_ in types for name in names.of(array_of(index, type_))]

    def call(self, type_: str, names: Names, depth: int) -> str:
        made = self.call_of_array(type_, names, depth) if self.likely(50) else None
        return made or super().call(type_, names, depth)

    def call_of_array(self, type_: str, names: Names, depth: int, vectors: bool = False) -> str | None:
        """Write a call of a definition that takes an array, if one fits; with `vectors`, of what is being chosen."""
        fitting = [
            (definition, array)
            for definition in self.array_definitions
            if definition.result == type_
            for array in self.arrays(definition.index, definition.element, names)
            if not vectors or array in names.of(array_of(definition.index, definition.element))
        ]
        if not fitting:
            return None
        definition, array = self.pick(fitting)
        arguments = [array]
        for other in definition.others:
            value = self.value(other.removeprefix("before "), names, depth - 1)
            arguments.insert(0 if other.startswith("before ") else len(arguments), value)
        return f"{definition.name}({', '.join(arguments)})"

    def of_what_is_chosen(self, names: Names, depth: int) -> str | None:
        """Write a condition on the array that is being chosen or drawn, if there is one and a definition takes it."""
        number = self.call_of_array("int", names, depth, vectors=True)
        if number is not None and self.likely(60):
            return f"({number} {self.pick(['==', '<', '>=', '!='])} {self.pick(range(5))})"
        return self.call_of_array("bool", names, depth, vectors=True)

    def boolean(self, names: Names, depth: int) -> str:
        if depth > 0 and self.likely(10):
            return self.array_read("bool", names, depth)
        if depth > 0 and self.likely(self.newer):
            alike = [
                (first, second)
                for first, by, type_ in self.array_names
                for second, other_by, other in self.array_names
                if (by, type_) == (other_by, other)
            ]
            if alike:
                first, second = self.pick(alike)
                return f"({first} {self.pick(['==', '!='])} {second})"
        return super().boolean(names, depth)
