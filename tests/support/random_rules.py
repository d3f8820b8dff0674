"""Random rules files: small games that nobody wrote, for comparing implementations of what they mean."""

from __future__ import annotations

from random import Random
from re import sub

from tests.support.random_expressions import Names
from tests.support.random_phases import PhasesWriter


class RulesWriter(PhasesWriter):
    """Writes one random rules file."""

    def state(self) -> list[str]:
        lines = []
        element_types = [
            *self.scalars,
            *(f"{scalar} or none" for scalar in self.scalars),
            *(f"set of {s}" for s in self.scalars),
        ]
        for _ in range(self.pick([2, 4, 6])):
            type_ = self.pick([*element_types, "bool"])
            index = self.pick(
                [None] * 4
                + [*self.scalars, "slot", "player, color", "color, player", "player, slot", "color, player, slot"]
            )
            name = self.fresh("v")
            if type_ in self.scalars:
                initial = self.literal(type_)
            elif type_.startswith("set of "):
                initial = self.pick(["{}", "all", self.plain(type_)])
            elif type_ == "bool":
                initial = "no"
            else:
                initial = self.pick(["none", self.literal(type_.removesuffix(" or none"))])
            most = (
                self.pick([2, 3]) if type_.startswith("set of ") and initial != "all" and self.likely(self.newer) else 0
            )
            self.variables.append((name, index, type_))
            if index is not None:
                self.array_names.append((name, index, type_))
            head = index
            if (
                index
                and not most
                and not {*index.split(", ")} & {"cell", "digit", "spot", "man", "direction"}
                and self.likely(2 * self.newer)
            ):
                with self.before_play() as names:
                    head, initial = self.by_index(index, type_, names)
            lines.append(
                f"    {name}{f'[{head}]' if head else ''}: {type_}{f', at most {most}' if most else ''} = {initial}"
            )
        if self.grid is not None:
            width, height = self.grid
            lines.append(
                f"    grid[x: 1..{width}, y: 1..{height}]: color or none = if x == y then {self.colors[0]} else none"
            )
        return lines

    def definition(self, depth: int) -> str:
        result = self.pick(["int", "bool", *self.scalars, *(f"set of {scalar}" for scalar in self.scalars)])
        kinds = [*self.scalars, *(f"set of {one}" for one in self.scalars), "bool", "digit or none", "cell or none"]
        arguments = [self.pick(kinds) for _ in range(self.pick([0, 1, 2]))] or ["digit"]
        names, parts = self.state_names(), []
        for type_ in arguments:
            argument = self.fresh("a")
            names = names.plus(type_, argument)
            most = ", at most 3" if type_.startswith("set of ") and self.likely(2 * self.newer) else ""
            parts.append(f"{argument}: {type_}{most}")
        name = self.fresh("f")
        text = f"def {name}({', '.join(parts)}) = {self.value(result, names, depth)}"
        self.functions.append((name, arguments, result))
        return text

    def bounded_real(self, names: Names, depth: int) -> str:
        """Write a real expression between bounds that can be proven."""
        number = self.integer(names, depth)
        return f"max(-9.5, min(1e3, {self.pick([number, self.real(names, depth), self.real(names, depth)])}))"

    def payoff(self, names: Names, depth: int) -> list[str]:
        if len(self.players) != 2 or not self.likely(2 * self.newer):
            plain = self.likely(2 * self.newer)  # its bounds are those of its parts
            return [f"payoff[p] = {self.integer(names, depth) if plain else self.bounded_real(names, depth)}"]
        if self.likely(40):  # what one gets more than the other, written out for each
            one = self.integer(names, depth)
            other = sub(r"\bp\b", "other(p)", one)
            return [f"payoff[p] = ({one}) - ({other})"]
        one = self.bounded_real(self.state_names(), depth)
        share = self.pick(["", " + 1.5"])
        one = f"(if p == {self.players[0]} then 1 else -1) * ({one})"
        return [f"payoff[p] = {one}{share}", f"payoff sum = {3 if share else 0}"]

    def links(self) -> str:
        """Write a table of neighbours for each colour."""
        sets = [f"{{{', '.join(value for value in self.colors if self.likely(50))}}}" for _ in self.colors]
        return f"table links[color]: set of color = [{', '.join(sets)}]"

    def rules(self) -> str:
        """Write a whole file."""
        depth = self.pick([1, 2, 2, 3])
        header = self.header()
        tables = [self.table() for _ in range(self.pick([0, 1, 2]) if self.newer else 0)]
        state = self.state()
        sequences = self.sequence_variables()
        values = [str(self.pick(range(4))) for _ in self.colors]
        ranks = f"[{', '.join(values)}]"
        if self.likely(self.newer):
            ranks = f"{{{self.pick(self.colors)}: {values[0]}, else {values[1]}}}"
        self.array_names.append(("rank", "color", "int"))
        history = self.history() if self.likely(50) else []
        newer = self.newer_definitions(self.state_names())
        made = [self.definition] * self.pick([0, 1, 3])
        made += [self.array_definition, self.global_let] * (self.pick([0, 1, 2]) if self.newer else 0)
        made += [self.array_definition] * (2 if self.vectors else 0)
        made += [self.sequence_definition] * (self.pick([0, 1, 2]) if self.sequences else 0)
        definitions = [made.pop(self.pick(range(len(made))))(depth) for _ in range(len(made))]
        definitions += [] if history else self.history()
        phases = self.phases = [f"phase{number}" for number in range(self.pick([1, 2, 3]))]
        names = self.state_names().plus("player", "p")
        return "\n".join(
            [
                'game random "A game that nobody wrote"',
                *header,
                f"table rank[color]: 0..3 = {ranks}",
                f"table near[0..2]: -1..2 = [{', '.join(str(self.pick([-1, 0, 1, 2])) for _ in range(3))}]",
                self.links(),
                *tables,
                "state",
                "    steps: 0..99 = 0",
                *state,
                *sequences,
                *history,
                *newer,
                *definitions,
                *(line for phase in phases for line in self.phase(phase, phases, depth)),
                *self.payoff(names, depth),
                f"estimate[p] = {self.bounded_real(names, depth)}",
                *self.displays(min(depth, 2)),
                "",
            ]
        )


def file_text(name: str) -> str:
    """Return the text of a file that a random rules file names: see `DeclarationsWriter.table_from_file`."""
    return name.replace("/", "\n")


def random_text(seed: int, number: int) -> str:
    """Return a whole rules file: the same one for the same numbers."""
    return RulesWriter(Random(f"{seed}:{number}").choice).rules()
