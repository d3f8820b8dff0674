"""Random phases: who chooses or draws what, updates, what players see, what comes next."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tests.support.random_arrays import CHOICE_INDICES, SLOT, array_of
from tests.support.random_declarations import DeclarationsWriter
from tests.support.random_expressions import Names


class PhasesWriter(DeclarationsWriter):
    """Writes random phases."""

    def updates(self, names: Names, depth: int, indent: str) -> list[str]:
        lines = self.sequence_updates(names, depth, indent)
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
        if self.grid is not None and self.likely(60):
            x, y = self.fresh("i"), self.fresh("i")
            inner = names.plus("int", x).plus("int", y)
            head = f"grid[{x}, {y}] := {self.option('color', inner, depth)}"
            lines.append(
                f"{indent}{head} for {x} in 1..{self.grid[0]}, {y} in 1..{self.grid[1]}{self.condition(inner, depth)}"
            )
        return lines

    def sees(self, names: Names, depth: int, indent: str, moves: Sequence[str] = ()) -> list[str]:
        lines = []
        if self.likely(10):
            return [f"{indent}sees nothing"]
        for _ in range(self.pick([0, 1, 2])):
            head, inner = self.audience(names, depth)
            values = [self.told(inner, depth) for _ in range(self.pick([1, 2]))]
            if moves and self.likely(40):
                values.append(self.pick(moves))
            if self.likely(20):
                values.append('"something"')
            if self.likely(self.newer):
                values[0] = f"{self.fresh('told')} = {values[0]}"
            lines.append(f"{indent}sees {head}: {', '.join(values)}{self.condition(inner, depth)}")
        return lines

    def audience(self, names: Names, depth: int) -> tuple[str, Names]:
        """Write who is told something, and what can be read in what they are told."""
        form = self.pick(["all", "player", "set", "each", "each in"])
        if form == "player":
            one = self.scalar("player", names, depth)
            return f"after({one})" if one.endswith("none)") else one, names
        members = self.set_of("player", names, depth)
        if form == "set":
            return members, names
        if form == "all":
            return "all", names
        bound = self.fresh("w")
        return f"each {bound}{f' in ({members})' if form == 'each in' else ''}", names.plus("player", bound)

    def told(self, names: Names, depth: int) -> str:
        """Write what is told: a value, a whole array, or a row of one."""
        arrays = [(name, *index.partition(", ")) for name, index, _ in self.array_names]
        arrays += [
            (name, *type_.removeprefix("array ").partition(" of ")[0].partition(", "))
            for type_ in names.by_type
            if type_.startswith("array ")
            for name in names.of(type_)
        ]
        if arrays and self.likely(20):
            name, first, separator, _ = self.pick(arrays)
            if not separator or self.likely(30):
                return name
            return f"{name}[{self.scalar(first, names, depth)}]"
        if self.sequences and self.likely(2 * self.sequential):
            return self.sequence(self.pick(self.sequences)[2], names, 1)
        scalars = self.scalars
        types = ["int", "bool", *scalars, *(f"set of {one}" for one in scalars), *(f"{one} or none" for one in scalars)]
        return self.value(self.pick(types), names, depth)

    def domain(self, names: Names, depth: int, scalars: Sequence[str] = ()) -> tuple[str, str]:
        """Write a domain that is hardly ever empty, and its element type."""
        scalar = self.pick(scalars or self.scalars)
        if not scalars and self.likely(15):
            low = self.pick([0, 1, -1])
            high = self.pick([str(low + 1), str(low + 2), self.clamped(self.integer(names, depth), low, low + 3)])
            return f"{low}..{high}", "int"
        kept = self.kept_sequence(names, 0) if self.likely(2 * self.sequential) and not scalars else None
        if kept is not None:
            return (
                kept[0] if self.likely(self.risk) else f"({{x for x in {kept[0]}}} + {{{self.literal(kept[1])}}})"
            ), kept[1]
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
        if self.likely(self.newer):
            return self.dealt(names, depth) if self.likely(40) else self.many_draws(names)
        for _ in range(self.pick([1, 2])):
            text, inner = self.choice(self.fresh("d"), inner, depth)
            draws.append(text)
        return [f"    chance draws {', '.join(draws)}{self.weight(inner, depth)}"], inner

    def many_draws(self, names: Names) -> tuple[list[str], Names]:
        """Write draws that are too many for one transition, or one after the other without what was drawn before."""
        if self.likely(30) and (self.high - self.low > 60 or self.board[0] > 7):
            first, second = self.fresh("d"), self.fresh("d")
            scalar = "digit" if self.high - self.low > 60 else "cell"
            draws = f"{first} in {self.pick([3, 4])} of {scalar}, {second} in 2 of {scalar} - {first}"
            names = names.plus(f"set of {scalar}", first).plus(f"set of {scalar}", second)
            return [f"    chance draws {draws}"], names
        if self.likely(50):
            dice, count = self.fresh("d"), self.pick([8, 9, 15])
            inner = names
            for number in (1, count // 2, count):
                inner = inner.plus("int", f"{dice}[{number}]")
            return [f"    chance draws {dice}[{self.fresh('i')} in 1..{count}] in 0..{self.pick([5, 6])}"], inner
        first, second, third = self.fresh("d"), self.fresh("d"), self.fresh("d")
        scalar = self.pick(["pair", "cell"])
        rest = f"{scalar} - {{{first}}}"
        draws = f"{first} in {scalar}, {second} in {rest}, {third} in {rest} - {{{second}}}"
        return [f"    chance draws {draws}"], names.plus(scalar, first).plus(scalar, second).plus(scalar, third)

    def dealt(self, names: Names, depth: int) -> tuple[list[str], Names]:
        """Write what is dealt: a hand or a card to each value of an index, a card from the rest."""
        scalar, index = self.pick(["pair", "pair", "cell"]), self.pick(["player", SLOT, "color"])
        name, bound, last = self.fresh("d"), self.fresh("i"), self.fresh("d")
        size = self.pick([1, 2]) if len(self.members(index)) == 2 and scalar == "pair" else self.pick([0, 1])
        domain = f"({self.set_of(scalar, names, depth)} + {{{self.literal(scalar)}}})"
        domain = domain if self.likely(self.risk) else self.pick([scalar, f"({scalar} - {{{self.literal(scalar)}}})"])
        type_ = f"set of {scalar}" if size else scalar
        for value in self.members(index):
            names = names.plus(type_, f"{name}[{value}]")
        names = names.plus(type_, f"{name}[{self.scalar(index, names, 0)}]")
        deals = f"{name}[{bound} in {index}] in {f'{size} of ' if size else ''}{domain}"
        if self.likely(50):
            return [f"    chance deals {deals}"], names
        return [f"    chance deals {deals}, {last} in {domain}"], names.plus(scalar, last)

    def weight(self, names: Names, depth: int) -> str:
        """Write the weight of a draw, or none: hardly ever 0 for all outcomes, or negative for one."""
        if self.likely(50):
            return ""
        number = self.call_of_array("int", names, depth, vectors=True) or self.integer(names, depth)
        text = self.pick([f"1 + abs({number})", f"(if {self.boolean(names, depth)} then 0 else 1) + abs({number})"])
        if self.likely(self.risk):
            text = self.pick([f"max(0, {number})", f"{number}", f"(if {self.boolean(names, depth)} then 0 else 1)"])
        text = f"abs({self.real(names, depth)})" if self.likely(10) else text
        text = f"count({self.comprehension('color', names, depth)}) + {text}" if self.likely(self.newer) else text
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
            scalar = self.pick(["color", "player", "pair", "slot"])
            size = self.pick([1, 2]) if len(self.players) > 1 or scalar != "player" else 1
            domain = self.pick([scalar, f"({self.set_of(scalar, names, depth)} + {{{self.literal(scalar)}}})"])
            if size == 2 and domain != scalar and not self.likely(self.risk):
                domain = scalar
            domain = (
                self.pick(["1..3", f"1..{self.clamped(self.integer(names, depth), 2, 4)}"])
                if scalar == "slot"
                else domain
            )
            return f"{name} in {size} of {domain}", names.plus(f"set of {scalar}", name)
        if form == "one value":
            domain, scalar = self.domain(names, depth)
            return f"{name} in {domain}", names.plus(scalar, name)
        taken = [(one.index, one.element) for one in self.array_definitions if one.element in self.scalars]
        taken = [one for one in taken if one[0] in CHOICE_INDICES]
        index, element = self.pick(taken) if taken else (self.pick(CHOICE_INDICES), "")
        parts = index.split(", ")
        bounds = [self.fresh("i") for _ in parts]
        inner = names
        for bound, part in zip(bounds, parts, strict=True):
            inner = inner.plus(part, bound)
        domain, scalar = self.domain(inner if self.likely(50) else names, depth, [element] if element else [])
        domains = ["1..2" if part == SLOT and self.likely(50) else part for part in parts]
        values = [list(row) for row in itertools.product(*map(self.members, parts))]
        if parts[-1] == SLOT and scalar != element and self.likely(20):
            first = self.members(parts[0])[0] if len(parts) > 1 else None
            domains[-1] = f"1..if {bounds[0]} == {first} then 1 else 2" if first else "{2}"
            values = [row for row in values if row[-1] == ("1" if row[0] == first else row[-1] if first else "2")]
        else:
            names = names.plus(array_of(index, scalar), name)
        for row in values:
            names = names.plus(scalar, f"{name}[{', '.join(row)}]")
        binders = ", ".join(f"{bound} in {part}" for bound, part in zip(bounds, domains, strict=True))
        return f"{name}[{binders}] in {domain}", names

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
            for choice in texts:
                name, bracket, index = choice.partition("[")
                if not name.startswith("c_"):
                    continue
                if type_.startswith("array "):
                    by, _, element = type_.removeprefix("array ").partition(" of ")
                    names = names.plus(array_of(f"player, {by}", f"{element} or none" if some else element), name)
                    continue
                if not bracket and not type_.startswith("set of "):
                    names = names.plus(array_of("player", f"{type_} or none" if some else type_), name)
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
            other, seen = self.choices(names, 0)
            for type_, texts in seen.by_type.items():
                for read in texts[len(names.of(type_)) :]:
                    inner = inner.plus(type_, read)
            second = self.actor(names) if self.likely(30) else self.players[1]
            second = self.players[1] if second == self.players[0] else second
            lines = [f"    {self.players[0]} chooses {text}", f"    {second} chooses {other}{self.where(seen, 0)}"]
            moves = [f"move[{player}]" for player in self.players]
        else:
            lines = [f"    {self.actor(names)} chooses {text}{self.where(inner, depth)}"]
        return [*lines, *self.lets_and_updates(inner, depth), *self.sees(inner, depth, "    ", moves)], inner

    def kinds_phase(self, names: Names, depth: int) -> tuple[list[str], Names]:
        """Write a phase in which one player chooses between kinds of move."""
        rest, kinds = self.fresh("pass"), dict[str, Names]()
        lines = [f"    {self.actor(names)} chooses", f"        {rest}"]
        for taking in [self.fresh("take") for _ in range(self.pick([1, 1, 2]))]:
            text, kinds[taking] = self.choices(names, depth)
            test = self.of_what_is_chosen(kinds[taking], depth) or self.boolean(kinds[taking], depth)
            lines.append(f"        {taking} by {text}{f' where {test}' if self.likely(50) else ''}")
        for taking, inner in kinds.items():
            lines += self.on_kind(taking, inner, depth)
        if self.likely(self.newer):
            lines += [f"    on {rest}: next {self.transfer(names, self.phases, depth)}"]
        lines += [f"    on {rest}: sees all: {self.integer(names, depth)}"] if self.likely(50) else []
        lines += self.sees(names, depth, "    ", ["move"]) if self.likely(30) else []
        return lines, names

    def on_kind(self, kind: str, names: Names, depth: int) -> list[str]:
        """Write what happens after a kind of move, in a block or line by line."""
        lines, before = [], names
        if self.likely(self.newer):
            let, type_ = self.fresh("l"), self.pick(self.scalars)
            lines, names = [f"let {let} = {self.scalar(type_, names, depth)}"], names.plus(type_, let)
            before = names.plus(type_, f"(old {let})")
        lines += self.updates(names, depth, "")
        if self.likely(2 * self.newer):
            lines += [f"next {self.transfer(before, self.phases, depth)}"]
        lines += self.sees(names, depth, "")
        if not any(line.startswith("let") for line in lines) and self.likely(20):
            return [f"    on {kind}: {line}" for line in lines]
        return [f"    on {kind}:", *(f"        {line}" for line in lines)] if lines else []

    def actor(self, names: Names) -> str:
        return self.pick([self.players[0], self.players[-1], *names.of("player")])

    def lets_and_updates(self, names: Names, depth: int) -> list[str]:
        lines, names = self.sequence_let(names, depth)
        if self.likely(60):
            type_ = self.pick(["int", "bool", "real option", "set of cell", "distance", "indexed", *self.scalars])
            name = self.fresh("l")
            if type_ == "distance":
                board = self.any_board()
                sources, through = self.set_of(board, names, depth), self.set_of(board, names, depth)
                way = f"distance from {sources} through {through} by {self.steps(names, depth)}"
                lines.append(f"    let {name} = {way}")
                read = self.scalar(board, names, depth)
                names = names.plus("int", f"{name}[{read}]").plus(array_of(board, "int"), name)
            elif type_ == "indexed":
                indices = [self.pick(self.scalars) for _ in range(self.pick([1, 1, 2]))]
                inner, bounds = names, [self.fresh("p") for _ in indices]
                for bound, index in zip(bounds, indices, strict=True):
                    inner = inner.plus(index, bound)
                head = ", ".join(f"{bound}: {index}" for bound, index in zip(bounds, indices, strict=True))
                lines.append(f"    let {name}[{head}] = max(-400, min(400, {self.integer(inner, depth)}))")
                for _ in range(2):
                    names = names.plus("int", f"{name}[{self.indices(', '.join(indices), names, depth)}]")
                names = names.plus(array_of(", ".join(indices), "int"), name)
            elif type_ == "real option":
                lines.append(f"    let {name} = {self.real_option('cell', names, depth)}")
                names = names.plus("cell or none", name)
            else:
                lines.append(f"    let {name} = {self.value(type_, names, depth)}")
                names = names.plus(type_, name)
        return [*lines, *self.updates(names, depth, "    ")]

    def transfer(self, names: Names, others: list[str], depth: int) -> str:
        kept = [(name, type_) for name, index, type_ in self.variables if index is None]
        for _ in range(2 if kept and self.likely(5 * self.newer) else 0):
            name, type_ = self.pick(kept)
            names = names.plus(type_, f"(old {name})")
        for name, index, element, _ in self.sequences if self.likely(3 * self.sequential) else ():
            read = name if index is None else f"{name}[{self.indices(index, names, 0)}]"
            names = names.plus("int", f"(old count({read}))").plus(f"{element} or none", f"(old {read}.top)")
        for name, index, type_ in self.variables if self.likely(5 * self.newer) else ():
            if index is not None:
                names = names.plus(type_, f"(old {name}[{self.indices(index, names, 0)}])")
        for name, type_ in self.lets if self.likely(5 * self.newer) else ():
            names = names.plus(type_, f"(old {name})")
        text = f"end if steps >= {self.pick([2, 4, 6])}"
        if self.likely(40):
            text += f" else {self.pick(others)} if {self.boolean(names, depth)}"
        return f"{text} else {self.pick(others)}"
