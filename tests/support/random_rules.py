"""Random rules files: small games that nobody wrote, for comparing implementations of what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from random_arrays import SLOT, array_of
from random_declarations import DeclarationsWriter

from tests.support.random_expressions import SCALARS, Names


class RulesWriter(DeclarationsWriter):
    """Writes one random rules file."""

    def state(self) -> list[str]:
        lines = []
        element_types = [*SCALARS, *(f"{scalar} or none" for scalar in SCALARS), *(f"set of {s}" for s in SCALARS)]
        for _ in range(self.pick([2, 4, 6])):
            type_ = self.pick([*element_types, "bool"])
            index = self.pick([None, None, None, "player", "color", "cell", "digit", "player, color"])
            name = self.fresh("v")
            if type_ in SCALARS:
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
            if index and not most and not {*index.split(", ")} & {"cell", "digit"} and self.likely(2 * self.newer):
                with self.before_play() as names:
                    head, initial = self.by_index(index, type_, names)
            lines.append(
                f"    {name}{f'[{head}]' if head else ''}: {type_}{f', at most {most}' if most else ''} = {initial}"
            )
        return lines

    def definition(self, depth: int) -> str:
        result = self.pick(["int", "bool", *SCALARS, *(f"set of {scalar}" for scalar in SCALARS)])
        kinds = [*SCALARS, "set of cell", "set of digit", "set of player", "bool", "digit or none", "cell or none"]
        arguments = [self.pick(kinds) for _ in range(self.pick([0, 1, 2]))] or ["digit"]
        names, parts = self.state_names(), []
        for type_ in arguments:
            argument = self.fresh("a")
            names = names.plus(type_, argument)
            parts.append(f"{argument}: {type_}")
        name = self.fresh("f")
        text = f"def {name}({', '.join(parts)}) = {self.value(result, names, depth)}"
        self.functions.append((name, arguments, result))
        return text

    def updates(self, names: Names, depth: int, indent: str) -> list[str]:
        lines = []
        for name, index, type_ in self.variables:
            if not self.likely(60):
                continue
            if index is None and self.likely(20):
                test = self.boolean(names, depth)
                other = f"not {test}" if not self.likely(self.risk) else self.boolean(names, depth)
                lines += [f"{indent}{name} := {self.value(type_, names, depth)} if {one}" for one in (test, other)]
            elif index is None:
                text = f"{name} := {self.value(type_, names, depth)}"
                lines.append(f"{indent}{text}{self.condition(names, depth)}")
            elif self.likely(50):
                inner, bounds = names, []
                for part in index.split(", "):
                    bounds.append(self.fresh("i"))
                    inner = inner.plus(part, bounds[-1])
                domains = ", ".join(f"{bound} in {part}" for bound, part in zip(bounds, index.split(", "), strict=True))
                text = f"{name}[{', '.join(bounds)}] := {self.value(type_, inner, depth)} for {domains}"
                lines.append(f"{indent}{text}{self.condition(inner, depth)}")
            else:
                text = f"{name}[{self.indices(index, names, depth)}] := {self.value(type_, names, depth)}"
                lines.append(f"{indent}{text}{self.condition(names, depth)}")
        return lines

    def sees(self, names: Names, depth: int, indent: str, moves: Sequence[str] = ()) -> list[str]:
        lines = []
        if self.likely(10):
            return [f"{indent}sees nothing"]
        for _ in range(self.pick([0, 1, 2])):
            audience = self.pick(["all", *self.players, "each"])
            inner, head = names, audience
            if audience == "each":
                bound = self.fresh("w")
                head, inner = f"each {bound}", names.plus("player", bound)
            type_ = self.pick(["int", "bool", *SCALARS, "set of cell", "cell or none"])
            values = [self.value(type_, inner, depth) for _ in range(self.pick([1, 2]))]
            if moves and self.likely(40):
                values.append(self.pick(moves))
            if self.likely(20):
                values.append('"something"')
            if self.likely(self.newer):
                values[0] = f"{self.fresh('told')} = {values[0]}"
            lines.append(f"{indent}sees {head}: {', '.join(values)}{self.condition(inner, depth)}")
        return lines

    def domain(self, names: Names, depth: int, scalars: Sequence[str] = SCALARS) -> tuple[str, str]:
        """Write a domain that is hardly ever empty, and its element type."""
        scalar = self.pick(scalars)
        if scalar == "digit" and self.high - self.low > 20:
            scalar = "color"
        if scalar == "cell" and self.board[0] * self.board[1] > 20:
            scalar = "player"
        if self.likely(40):
            return scalar, scalar
        if self.likely(95):
            return f"({self.set_of(scalar, names, depth)} + {{{self.literal(scalar)}}})", scalar
        return self.set_of(scalar, names, depth), scalar

    def chance(self, names: Names, depth: int) -> tuple[list[str], Names]:
        draws, inner = [], names
        for _ in range(self.pick([1, 2])):
            text, inner = self.choice(self.fresh("d"), inner, depth)
            draws.append(text)
        return [f"    chance draws {', '.join(draws)}{self.weight(inner, depth)}"], inner

    def weight(self, names: Names, depth: int) -> str:
        """Write the weight of a draw, or none: hardly ever 0 for all outcomes, or negative for one."""
        if self.likely(50):
            return ""
        number = self.call_of_array("int", names, depth, vectors=True) or self.integer(names, depth)
        text = self.pick([f"1 + abs({number})", f"(if {self.boolean(names, depth)} then 0 else 1) + abs({number})"])
        if self.likely(self.risk):
            text = self.pick([f"max(0, {number})", f"{number}", f"(if {self.boolean(names, depth)} then 0 else 1)"])
        return f" weight {text}{self.pick(['', f' / {self.pick([3, 7])}'])}"

    def where(self, names: Names, depth: int) -> str:
        """Write what restricts a choice, mostly one that leaves something."""
        if self.likely(30 if any(type_.startswith("array") for type_ in names.by_type) else 70):
            return ""
        test = (self.of_what_is_chosen(names, depth) if self.likely(70) else None) or self.boolean(names, depth)
        return f" where {test}" if self.likely(self.risk) else f" where {test} or steps mod 3 != {self.pick(range(3))}"

    def choices(self, names: Names, depth: int) -> tuple[str, Names]:
        parts, inner = [], names
        for _ in range(self.pick([1, 1, 2])):
            text, inner = self.choice(self.fresh("c"), inner, depth)
            parts.append(text)
        return ", ".join(parts), inner

    def choice(self, name: str, names: Names, depth: int) -> tuple[str, Names]:
        """Write one choice or draw: of a value, of a subset, or of a value for each index."""
        form = "each index" if self.likely(self.vectors) else "subset" if self.likely(self.newer) else "one value"
        if form == "subset":
            scalar = self.pick(["color", "player", "pair"])
            size = self.pick([1, 2]) if len(self.players) > 1 or scalar != "player" else 1
            domain = self.pick([scalar, f"({self.set_of(scalar, names, depth)} + {{{self.literal(scalar)}}})"])
            if size == 2 and domain != scalar and not self.likely(self.risk):
                domain = scalar
            return f"{name} in {size} of {domain}", names.plus(f"set of {scalar}", name)
        handed = [one.element for one in self.array_definitions if one.index == SLOT and one.element in SCALARS]
        domain, scalar = self.domain(names, depth, handed if form == "each index" and handed else SCALARS)
        if form == "one value":
            return f"{name} in {domain}", names.plus(scalar, name)
        for index in (1, 2):
            names = names.plus(scalar, f"{name}[{index}]")
        names = names.plus(array_of(SLOT, scalar), name)
        return f"{name}[{self.fresh('i')} in {self.pick(['1..2', SLOT])}] in {domain}", names

    def phase(self, name: str, others: list[str], depth: int) -> list[str]:
        names = self.state_names()
        write = self.pick([self.chance_phase, self.each_phase, self.one_phase, self.kinds_phase, self.still_phase])
        lines, inner = write(names, depth)
        if "steps := steps + 1" not in "\n".join(lines):
            lines.append("    steps := steps + 1")
        return [f"phase {name}", *lines, f"    next {self.transfer(inner, others, depth)}"]

    def still_phase(self, names: Names, depth: int) -> tuple[list[str], Names]:
        """Write a phase in which nobody does anything."""
        return [*self.lets_and_updates(names, depth), *self.sees(names, depth, "    ")], names

    def chance_phase(self, names: Names, depth: int) -> tuple[list[str], Names]:
        head, inner = self.chance(names, depth)
        return [*head, *self.lets_and_updates(inner, depth), *self.sees(inner, depth, "    ")], inner

    def each_phase(self, names: Names, depth: int) -> tuple[list[str], Names]:
        """Write a phase in which all players or some choose at once."""
        bound = self.fresh("p")
        acting = names.plus("player", bound)
        text, chosen = self.choices(acting, depth)
        actors = self.pick(["", "", f" in ({self.set_of('player', names, depth)} + {{{self.players[0]}}})"])
        lines = [f"    each {bound}{actors} chooses {text}{self.where(chosen, depth)}"]
        inner = self.chosen_by_each(names, chosen, bool(actors))
        moves = [f"move[{player}]" for player in self.players]
        return [*lines, *self.lets_and_updates(inner, depth), *self.sees(inner, depth, "    ", moves)], inner

    def chosen_by_each(self, names: Names, chosen: Names, some: bool) -> Names:
        """Return what can be read of choices that every player makes (or only some do)."""
        for type_, texts in chosen.by_type.items():
            for choice in texts if not type_.startswith("array ") else ():
                name, bracket, index = choice.partition("[")
                if not (name.startswith("c") and name[1:].isdigit()):
                    continue
                for player in self.players:
                    read = f"{name}[{player}, {index}" if bracket else f"{name}[{player}]"
                    if not type_.startswith("set of "):
                        names = names.plus(f"{type_} or none" if some else type_, read)
                    elif not some or self.likely(self.risk):
                        names = names.plus(type_, read)
        return names

    def one_phase(self, names: Names, depth: int) -> tuple[list[str], Names]:
        """Write a phase in which one player chooses, or two do with a line for each."""
        text, inner = self.choices(names, depth)
        moves = ["move"]
        if len(self.players) > 1 and self.likely(25):
            other, inner = self.choices(inner, 0)
            second = self.actor(names) if self.likely(30) else self.players[1]
            second = self.players[1] if second == self.players[0] else second
            lines = [f"    {self.players[0]} chooses {text}", f"    {second} chooses {other}{self.where(inner, 0)}"]
            moves = [f"move[{player}]" for player in self.players]
        else:
            lines = [f"    {self.actor(names)} chooses {text}{self.where(inner, depth)}"]
        return [*lines, *self.lets_and_updates(inner, depth), *self.sees(inner, depth, "    ", moves)], inner

    def kinds_phase(self, names: Names, depth: int) -> tuple[list[str], Names]:
        """Write a phase in which one player chooses between kinds of move."""
        text, inner = self.choices(names, depth)
        test = self.of_what_is_chosen(inner, depth) or self.boolean(inner, depth)
        where = f" where {test}" if self.likely(50) else ""
        rest, taking = self.fresh("pass"), self.fresh("take")
        lines = [f"    {self.actor(names)} chooses", f"        {rest}", f"        {taking} by {text}{where}"]
        taken = self.updates(inner, depth, "        ")
        if self.likely(self.newer):
            let, type_ = self.fresh("l"), self.pick(SCALARS)
            taken = [f"        let {let} = {self.scalar(type_, inner, depth)}", *taken] if taken else []
        lines += [f"    on {taking}:", *(taken or ["        steps := steps + 1"])]
        if self.likely(2 * self.newer):
            lines += [f"        next {self.transfer(inner, self.phases, depth)}"]
        lines += self.sees(inner, depth, "        ")
        if self.likely(self.newer):
            lines += [f"    on {rest}: next {self.transfer(names, self.phases, depth)}"]
        lines += ["    steps := steps + 1"] if taken else []
        lines += [f"    on {rest}: sees all: {self.integer(names, depth)}"] if self.likely(50) else []
        lines += self.sees(names, depth, "    ", ["move"]) if self.likely(30) else []
        return lines, names

    def actor(self, names: Names) -> str:
        return self.pick([self.players[0], self.players[-1], *names.of("player")])

    def lets_and_updates(self, names: Names, depth: int) -> list[str]:
        lines = []
        if self.likely(60):
            type_ = self.pick(["int", "bool", "real option", "set of cell", "distance", "indexed"])
            name = self.fresh("l")
            if type_ == "distance":
                sources, through = self.set_of("cell", names, depth), self.set_of("cell", names, depth)
                way = f"distance from {sources} through {through} by {{{self.some_directions()}}}"
                lines.append(f"    let {name} = {way}")
                names = names.plus("int", f"{name}[{self.scalar('cell', names, depth)}]")
            elif type_ == "indexed":
                indices = [self.pick(SCALARS) for _ in range(self.pick([1, 1, 2]))]
                inner, bounds = names, [self.fresh("p") for _ in indices]
                for bound, index in zip(bounds, indices, strict=True):
                    inner = inner.plus(index, bound)
                head = ", ".join(f"{bound}: {index}" for bound, index in zip(bounds, indices, strict=True))
                lines.append(f"    let {name}[{head}] = {self.integer(inner, depth)}")
                for _ in range(2):
                    names = names.plus("int", f"{name}[{self.indices(', '.join(indices), names, depth)}]")
            elif type_ == "real option":
                lines.append(f"    let {name} = {self.real_option('cell', names, depth)}")
                names = names.plus("cell or none", name)
            else:
                lines.append(f"    let {name} = {self.value(type_, names, depth)}")
                names = names.plus(type_, name)
        return [*lines, *self.updates(names, depth, "    ")]

    def transfer(self, names: Names, others: list[str], depth: int) -> str:
        kept = [(name, type_) for name, index, type_ in self.variables if index is None]
        for _ in range(2 if kept and self.likely(2 * self.newer) else 0):
            name, type_ = self.pick(kept)
            names = names.plus(type_, f"(old {name})")
        text = f"end if steps >= {self.pick([2, 4, 6])}"
        if self.likely(40):
            text += f" else {self.pick(others)} if {self.boolean(names, depth)}"
        return f"{text} else {self.pick(others)}"

    def bounded_real(self, names: Names, depth: int) -> str:
        """Write a real expression between bounds that can be proven."""
        number = self.integer(names, depth)
        return f"max(-9.5, min(1e3, {self.pick([number, self.real(names, depth), self.real(names, depth)])}))"

    def payoff(self, names: Names, depth: int) -> list[str]:
        if len(self.players) != 2 or not self.likely(2 * self.newer):
            return [f"payoff[p] = {self.bounded_real(names, depth)}"]
        one = self.bounded_real(self.state_names(), depth)
        return [f"payoff[p] = (if p == {self.players[0]} then 1 else -1) * ({one})", "payoff sum = 0"]

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
        values = [str(self.pick(range(4))) for _ in self.colors]
        ranks = f"[{', '.join(values)}]"
        if self.likely(self.newer):
            ranks = f"{{{self.pick(self.colors)}: {values[0]}, else {values[1]}}}"
        self.array_names.append(("rank", "color", "int"))
        history = self.history()
        newer = self.newer_definitions(self.state_names())
        made = [self.definition] * self.pick([0, 1, 3])
        made += [self.array_definition, self.global_let] * (self.pick([0, 1, 2]) if self.newer else 0)
        made += [self.array_definition] * (2 if self.vectors else 0)
        definitions = [write(depth) for write in made]
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


def random_text(seed: int, number: int) -> str:
    """Return a whole rules file: the same one for the same numbers."""
    return RulesWriter(Random(f"{seed}:{number}").choice).rules()
