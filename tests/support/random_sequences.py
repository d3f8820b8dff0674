"""Random uses of sequences: in variables and arrays of them, in updates, told, named, handed to definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.support.random_arrays import ArraysWriter
from tests.support.random_expressions import Names

T = TypeVar("T")

ELEMENTS = ["digit", "color", "player", "cell", "pair"]
ENDS = ["top", "bottom"]


class SequencesWriter(ArraysWriter):
    """Writes random expressions, some of them with sequences."""

    def __init__(self, pick: Callable[[Sequence[T]], T]) -> None:
        super().__init__(pick)
        self.sequential = pick([0, 0, 6, 15])
        """Percent of the expressions that have a sequence in them."""
        self.sequences: list[tuple[str, str | None, str, int]] = []
        """Name, index type, element type and largest number of items of each variable."""
        self.sequence_definitions: list[tuple[str, str, int, str]] = []
        """Name, element type, largest number of items, and result of definitions that take a sequence."""

    # --- declarations -------------------------------------------------------------------------------------------------

    def sequence_variables(self) -> list[str]:
        """Write variables that are sequences; none in most files."""
        lines = []
        for _ in range(self.pick([1, 2, 3]) if self.sequential else 0):
            name, element, most = self.fresh("q"), self.pick(ELEMENTS), self.pick([1, 3, 4])
            index = self.pick([None, None, "player", "color", "slot", "color, slot"])
            one, other = self.literal(element), self.literal(element)
            initial = self.pick(["[]", f"[{one}]", f"[{one}, {other}]" if most > 1 else "[]"])
            if index == "slot" and self.likely(50):
                initial = f"[[], [{one}]]"
            if index == "color" and self.likely(50):
                initial = f"{{{self.colors[0]}: [{one}], else []}}"
            head = "" if index is None else f"[{index}]"
            if index == "player" and self.likely(50):
                head, initial = "[p: player]", f"if p == {self.players[0]} then [{one}] else []"
            self.sequences.append((name, index, element, most))
            lines.append(f"    {name}{head}: sequence of {element}, at most {most} = {initial}")
        return lines

    def sequence_definition(self, depth: int) -> str:
        """Write a definition that takes a sequence, and perhaps gives one."""
        _, _, element, most = self.pick(self.sequences)
        name, argument, other = self.fresh("f"), self.fresh("s"), self.fresh("a")
        result = self.pick(["int", "bool", element, "sequence"])
        inner = self.state_names().plus(f"sequence {most} of {element}", argument).plus(element, other)
        if result == "sequence":
            text = self.sequence(element, inner, depth)
        else:
            text = self.of_sequence(result, element, argument, inner, depth)
        self.sequence_definitions.append((name, element, most, result))
        return f"def {name}({argument}: sequence of {element}, at most {most}, {other}: {element}) = {text}"

    # --- expressions --------------------------------------------------------------------------------------------------

    def kept_sequences(self) -> list[tuple[str, str]]:
        return [(name, f"sequence of {element}") for name, index, element, _ in self.sequences if index is None]

    def kept_sequence(self, names: Names, depth: int, element: str = "", most: int = 9) -> tuple[str, str] | None:
        """Return a variable, an element of one, or an argument, with the type of its items."""
        found = [
            (name if index is None else f"{name}[{self.indices(index, names, depth)}]", of)
            for name, index, of, size in self.sequences
            if element in ("", of) and size <= most
        ]
        for type_, texts in names.by_type.items():
            size, _, of = type_.removeprefix("sequence ").partition(" of ")
            if type_.startswith("sequence ") and element in ("", of) and int(size) <= most:
                found += [(text, of) for text in texts] * 3
        return self.pick(found) if found else None

    def sequence(self, element: str, names: Names, depth: int) -> str:
        kept = self.kept_sequence(names, 0, element)
        base = kept[0] if kept else f"[{self.literal(element)}]"
        if depth <= 0 or kept is None:
            return base
        number, end = self.pick(["1", "2", self.clamped(self.integer(names, 0), 0, 3)]), self.pick(ENDS)
        item = self.scalar(element, names, depth - 1)
        whole = self.sequence(element, names, depth - 1)
        for called, of, most, result in self.sequence_definitions:
            if (of, result) == (element, "sequence") and self.likely(40):
                handed = self.kept_sequence(names, depth - 1, of, most)
                part = f"({whole}).{end}({most})"
                return f"{called}({self.pick([handed[0] if handed else '[]', f'[{item}]', '[]', part])}, {item})"
        return self.pick([
            base,
            f"({base} + [{item}])",
            f"([{item}, {self.literal(element)}] + {base})",
            f"({base} + {base}.{end}({number}))",
            f"{whole}.{end}({number})",
            f"{whole}.without_{end}",
            f"{whole}.without_{end}({number})",
            f"{whole}.reversed",
            f"{whole}[{self.pick(['1', '2', self.integer(names, 0)])}..{self.pick(['2', f'count({base})'])}]",
            f"(if {self.boolean(names, depth - 1)} then {whole} else {base})",
            f"(if {self.boolean(names, depth - 1)} then [] else {base})",
            self.written_sequence(element, names, depth),
        ])  # fmt: skip

    def written_sequence(self, element: str, names: Names, depth: int) -> str:
        """Write a sequence whose items alone say of what type they are."""
        one, other = self.scalar(element, names, depth - 1), self.scalar(element, names, depth - 1)
        condition = self.boolean(names, depth - 1)
        return self.pick([
            f"[{one}, {other}]",
            f"(if {condition} then [{one}] else [{other}, {one}])",
            f"((if {condition} then [{one}] else []) + (if {other} == {one} then [] else [{other}]))",
            f"([] + [{other}] + [{one}])",
        ])  # fmt: skip

    def of_sequence(self, type_: str, element: str, text: str, names: Names, depth: int) -> str:
        """Write a value that depends on a sequence."""
        place, item = self.pick(["1", "2", f"count({text})", self.integer(names, 0)]), self.fresh("x")
        inner = names.plus(element, item)
        item_read = self.pick([f"{text}.{self.pick(ENDS)}", f"{text}[{place}]"])
        if type_ == "int":
            body = f"{item}.x" if element == "cell" else item if element == "digit" else str(self.pick(range(4)))
            return self.pick([
                f"count({text})",
                f"(count {item} in {text}: {self.boolean(inner, depth - 1)})",
                f"count({self.written_sequence(element, names, depth)})",
                f"(sum {item} in {text}{self.condition(inner, depth)}: {body})",
                f"hash(7, {text}, {place})",
            ])  # fmt: skip
        if type_ == "bool":
            other = self.scalar(element, names, depth - 1)
            return self.pick([
                f"({text} {self.pick(['==', '!='])} {self.sequence(element, names, depth - 1)})",
                f"({text} {self.pick(['==', '!='])} {self.pick(['[]', f'[{other}]'])})",
                f"({other} {self.pick(['in', 'not in'])} {text})",
                f"({other} {self.pick(['in', 'not in'])} {self.written_sequence(element, names, depth)})",
                f"({self.written_sequence(element, names, depth)} == {text})",
                f"({item_read} is {self.pick(['none', 'some'])})",
                f"({item_read} {self.pick(['==', '!='])} {other})",
                f"({self.pick(['all', 'any', 'no'])} {item} in {text}: {self.boolean(inner, depth - 1)})",
            ])  # fmt: skip
        if type_ == f"set of {element}":
            condition = self.condition(inner, depth)
            return self.pick(
                [f"{{{item} for {item} in {text}{condition}}}", f"{{{item_read}, {self.literal(element)}}}"]
            )
        if type_ == f"{element} or none":
            return item_read
        if type_ == element:
            if self.likely(self.risk):
                return item_read
            return f"(if {text} != [] then {text}.{self.pick(ENDS)} else {self.literal(element)})"
        return self.value(type_, names, depth - 1)

    def some_sequence(self, type_: str, names: Names, depth: int) -> str | None:
        """Write a value that depends on a sequence, if there is one that fits and it is its turn."""
        if depth <= 0 or not self.sequences or not self.likely(self.sequential) or self.clock != "steps":
            return None
        element = type_.removeprefix("set of ").removesuffix(" or none")
        element = element if element in ELEMENTS else ""
        kept = self.kept_sequence(names, 0, element)
        if kept is None:
            return None
        fitting = [one for one in self.sequence_definitions if one[1] == kept[1] and one[3] == type_]
        if fitting and self.likely(60):
            name, of, most, _ = self.pick(fitting)
            handed = self.kept_sequence(names, depth - 1, of, most)
            if self.likely(50):
                handed = f"({self.sequence(of, names, depth - 1)}).{self.pick(ENDS)}({most})", of
            if handed is not None:
                return f"{name}({handed[0]}, {self.scalar(of, names, depth - 1)})"
        text = self.sequence(kept[1], names, self.pick([0, 0, min(2, depth - 1)]))
        return self.of_sequence(type_, kept[1], text, names, depth - 1)

    def integer(self, names: Names, depth: int) -> str:
        return self.some_sequence("int", names, depth) or super().integer(names, depth)

    def boolean(self, names: Names, depth: int) -> str:
        return self.some_sequence("bool", names, depth) or super().boolean(names, depth)

    def scalar(self, scalar: str, names: Names, depth: int) -> str:
        made = self.some_sequence(scalar, names, depth) if scalar in ELEMENTS else None
        return made or super().scalar(scalar, names, depth)

    def option(self, scalar: str, names: Names, depth: int) -> str:
        made = self.some_sequence(f"{scalar} or none", names, depth) if scalar in ELEMENTS else None
        return made or super().option(scalar, names, depth)

    def set_of(self, element: str, names: Names, depth: int) -> str:
        made = self.some_sequence(f"set of {element}", names, depth) if element in ELEMENTS else None
        return made or super().set_of(element, names, depth)

    # --- statements ---------------------------------------------------------------------------------------------------

    def sequence_updates(self, names: Names, depth: int, indent: str) -> list[str]:
        """Write updates of sequences, hardly ever by more items than there may be."""
        lines = []
        for name, index, element, most in self.sequences:
            if not self.likely(60):
                continue
            inner, target, tail = names, name, ""
            if index is not None and self.likely(50):
                bounds = [self.fresh("i") for _ in index.split(", ")]
                parts = list(zip(bounds, index.split(", "), strict=True))
                for bound, part in parts:
                    inner = inner.plus(part, bound)
                target = f"{name}[{', '.join(bounds)}]"
                tail = f" for {', '.join(f'{bound} in {part}' for bound, part in parts)}"
            elif index is not None:
                target = f"{name}[{self.indices(index, names, depth)}]"
            value = self.sequence(element, inner.plus(f"sequence {most} of {element}", target), min(depth, 2))
            if not self.likely(self.risk):
                value = f"({value}).{self.pick(['bottom', 'top'])}({most})"
            lines.append(f"{indent}{target} := {value}{tail}{self.condition(inner, depth)}")
        return lines

    def sequence_let(self, names: Names, depth: int) -> tuple[list[str], Names]:
        """Write a name for a sequence, or nothing."""
        if not self.sequences or not self.likely(3 * self.sequential):
            return [], names
        _, _, element, _ = self.pick(self.sequences)
        name, index = self.fresh("l"), self.fresh("i")
        if self.likely(50):
            return [f"    let {name} = ({self.sequence(element, names, depth)}).top(3)"], names.plus(
                f"sequence 3 of {element}", name
            )
        inner = names.plus("slot", index)
        value = f"({self.sequence(element, inner, depth)} + [{self.scalar(element, inner, 0)}]).bottom(3)"
        used = f"{name}[{self.pick(['1', '2', 'steps mod 2 + 1'])}]"
        return [f"    let {name}[{index}: slot] = {value}"], names.plus(f"sequence 3 of {element}", used)
