"""Random rules files: small valid games that nobody wrote, for comparing implementations of their meaning.

A `RulesWriter` writes one file, choosing everything through one function `pick`, so that hypothesis can shrink what it
finds. Most expressions cannot fail in play; a few can, on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

DIRECTIONS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
SCALARS = ["digit", "color", "player", "cell"]


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


class RulesWriter:
    """Writes one random rules file."""

    def __init__(self, pick: Callable[[Sequence[T]], T]) -> None:
        self.pick = pick
        self.counter = 0
        self.players = pick([["one", "two"], ["one", "two", "three"], ["one"]])
        self.low = pick([0, 1, -2])
        self.high = self.low + pick([1, 3, 4, 70])
        self.board = pick([(3, 2), (2, 5), (1, 4), (9, 8), (8, 8)])
        self.colors = ["amber", "blue", "coral"][: pick([2, 3])]
        self.array_names: list[tuple[str, str, str]] = []
        """Name, index type and element type of array variables and tables."""
        self.functions: list[tuple[str, list[str], str]] = []
        self.variables: list[tuple[str, str | None, str]] = []

    # --- choices ------------------------------------------------------------------------------------------------------

    def likely(self, percent: int) -> bool:
        return self.pick(range(100)) < percent

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    # --- scalars ------------------------------------------------------------------------------------------------------

    def literal(self, scalar: str) -> str:
        if scalar == "digit":
            code = self.pick([self.low, self.high, self.low + 1])
            return str(code) if code >= 0 else f"({code})"
        if scalar == "color":
            return self.pick(self.colors)
        if scalar == "player":
            return self.pick(self.players)
        width, height = self.board
        return f"cell({self.pick(range(1, width + 1))}, {self.pick(range(1, height + 1))})"

    def scalar(self, scalar: str, names: Names, depth: int) -> str:
        """Write an expression whose value lies in a scalar type, but for the few that may fail."""
        forms = [lambda: self.literal(scalar)]
        if names.of(scalar):
            forms += [lambda: self.pick(names.of(scalar))] * 3
        if depth > 0:
            forms += [lambda: self.array_read(scalar, names, depth)] * 2
            forms += [lambda: self.call(scalar, names, depth)]
            forms += [
                lambda: (
                    f"(if {self.boolean(names, depth - 1)} then {self.scalar(scalar, names, depth - 1)} "
                    f"else {self.scalar(scalar, names, depth - 1)})"
                )
            ]
            if scalar == "digit":
                forms += [lambda: self.clamped(self.integer(names, depth - 1), self.low, self.high)] * 2
                forms += [lambda: self.safe_extreme(names, depth)]
            if scalar == "cell":
                forms += [lambda: self.cell_at(names, depth), lambda: self.safe_step(names, depth)]
            if scalar == "player" and len(self.players) == 2:
                forms += [lambda: f"other({self.scalar('player', names, depth - 1)})"]
            if self.likely(4):
                forms = [lambda: self.option(scalar, names, depth - 1)]
        return self.pick(forms)()

    def clamped(self, text: str, low: int, high: int) -> str:
        if self.likely(3):
            return f"({text})"
        return f"max({low}, min({high}, {text}))"

    def cell_at(self, names: Names, depth: int) -> str:
        width, height = self.board
        x = self.clamped(self.integer(names, depth - 1), 1, width)
        return f"cell({x}, {self.clamped(self.integer(names, depth - 1), 1, height)})"

    def step(self, names: Names, depth: int) -> str:
        times = self.pick(["", "", "2 * ", "-1 * "])
        return f"{self.scalar('cell', names, depth - 1)} + {times}{self.pick(DIRECTIONS)}"

    def safe_step(self, names: Names, depth: int) -> str:
        step = self.step(names, depth)
        return f"(if ({step}) is some then {step} else {self.scalar('cell', names, depth - 1)})"

    def safe_extreme(self, names: Names, depth: int) -> str:
        members = self.set_of("digit", names, depth - 1)
        kind = self.pick(["min", "max"])
        if self.likely(10):
            return f"{kind}({members})"
        return f"(if {members} != {{}} then {kind}({members}) else {self.literal('digit')})"

    def array_read(self, element: str, names: Names, depth: int) -> str:
        fitting = [(name, index) for name, index, type_ in self.array_names if type_ == element]
        if not fitting:
            return self.literal(element) if element in SCALARS else self.plain(element)
        name, index = self.pick(fitting)
        return f"{name}[{self.scalar(index, names, depth - 1)}]"

    def plain(self, type_: str) -> str:
        """Write some value of a type that is no scalar, where nothing better is at hand."""
        if type_ == "bool":
            return self.pick(["yes", "no"])
        if type_.endswith(" or none"):
            return "none"
        return f"{{{self.literal(type_.removeprefix('set of '))}}}"

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
                lambda: f"(if {self.boolean(names, depth - 1)} then {sub()} else {sub()})",
                lambda: f"{self.scalar('cell', names, depth - 1)}.{self.pick(['x', 'y'])}",
                lambda: f"count({self.set_of(self.pick(SCALARS), names, depth - 1)})",
                lambda: f"sum({self.set_of('digit', names, depth - 1)})",
                lambda: self.aggregate(names, depth),
                lambda: self.distance(names, depth),
                lambda: self.call("int", names, depth),
                lambda: f"hash(5, {sub()}, {sub()})",
                lambda: self.array_read("digit", names, depth),
            ]
            if self.likely(3):
                forms = [lambda: f"({sub()} {self.pick(['div', 'mod'])} {sub()})"]
        return self.pick(forms)()

    def boolean(self, names: Names, depth: int) -> str:
        forms = [lambda: self.pick(["yes", "no"])]
        if names.of("bool"):
            forms += [lambda: self.pick(names.of("bool"))] * 2
        if depth > 0:

            def sub() -> str:
                return self.boolean(names, depth - 1)

            comparisons = ["==", "!=", "<", "<=", ">", ">="]
            scalar = self.pick(SCALARS)
            forms += [
                lambda: f"({sub()} {self.pick(['and', 'or'])} {sub()})",
                lambda: f"(not {sub()})",
                lambda: f"({self.integer(names, depth - 1)} {self.pick(comparisons)} {self.integer(names, depth - 1)})",
                lambda: (
                    f"({self.scalar(scalar, names, depth - 1)} {self.pick(['==', '!='])} "
                    f"{self.scalar(scalar, names, depth - 1)})"
                ),
                lambda: (
                    f"({self.readable_option(scalar, names, depth - 1)} {self.pick(['==', '!='])} "
                    f"{self.scalar(scalar, names, depth - 1)})"
                ),
                lambda: f"({self.readable_option(scalar, names, depth - 1)} is {self.pick(['none', 'some'])})",
                lambda: (
                    f"({self.readable_option(scalar, names, depth - 1)} {self.pick(['in', 'not in'])} "
                    f"{self.set_of(scalar, names, depth - 1)})"
                ),
                lambda: (
                    f"({self.set_of(scalar, names, depth - 1)} {self.pick(['==', '!=', '<='])} "
                    f"{self.set_of(scalar, names, depth - 1)})"
                ),
                lambda: self.quantifier(names, depth),
                lambda: self.call("bool", names, depth),
            ]
        return self.pick(forms)()

    # --- options and sets ---------------------------------------------------------------------------------------------

    def readable_option(self, scalar: str, names: Names, depth: int) -> str:
        """Write an option that is not the bare word `none`."""
        forms = [lambda: self.scalar(scalar, names, depth)]
        if names.of(f"{scalar} or none"):
            forms += [lambda: self.pick(names.of(f"{scalar} or none"))] * 3
        if depth > 0 and scalar == "cell":
            forms += [lambda: f"({self.step(names, depth)})"] * 2
        return self.pick(forms)()

    def option(self, scalar: str, names: Names, depth: int) -> str:
        forms = [lambda: self.readable_option(scalar, names, depth)] * 2
        if depth > 0:
            forms += [
                lambda: (
                    f"(if {self.boolean(names, depth - 1)} then {self.readable_option(scalar, names, depth - 1)} "
                    "else none)"
                )
            ]
        return self.pick(forms)()

    def set_of(self, element: str, names: Names, depth: int) -> str:
        forms = [lambda: f"{{{self.literal(element)}}}"]
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
                lambda: self.array_read(f"set of {element}", names, depth),
            ]
            if element == "cell":
                times = self.pick(["", "2 * ", "-1 * "])
                forms += [lambda: f"({sub()} + {times}{self.pick(DIRECTIONS)})"] * 3
                forms += [lambda: f"(reach from {sub()} through {sub()} by {{{self.some_directions()}}})"] * 2
        return self.pick(forms)()

    def some_directions(self) -> str:
        return ", ".join(self.pick([DIRECTIONS, DIRECTIONS[::2], DIRECTIONS[:2], DIRECTIONS[3:4]]))

    # --- binders ------------------------------------------------------------------------------------------------------

    def binder(self, names: Names, depth: int) -> tuple[str, Names]:
        name = self.fresh("x")
        scalar = self.pick(SCALARS)
        form = self.pick(["type", "set", "range"])
        if form == "type":
            return f"{name} in {scalar}", names.plus(scalar, name)
        if form == "set":
            return f"{name} in {self.set_of(scalar, names, depth - 1)}", names.plus(scalar, name)
        low, high = self.pick([("0", "2"), ("1", self.clamped(self.integer(names, depth - 1), 0, 3)), ("-1", "1")])
        return f"{name} in {low}..{high}", names.plus("int", name)

    def binders(self, names: Names, depth: int) -> tuple[str, Names]:
        first, names = self.binder(names, depth)
        if self.board[0] * self.board[1] < 20 and self.high - self.low < 20 and self.likely(25):
            second, names = self.binder(names, depth)
            return f"{first}, {second}", names
        return first, names

    def condition(self, names: Names, depth: int) -> str:
        return f" if {self.boolean(names, depth - 1)}" if self.likely(40) else ""

    def quantifier(self, names: Names, depth: int) -> str:
        binders, inner = self.binders(names, depth)
        kind = self.pick(["all", "any", "no"])
        return f"({kind} {binders}{self.condition(inner, depth)}: {self.boolean(inner, depth - 1)})"

    def aggregate(self, names: Names, depth: int) -> str:
        binders, inner = self.binders(names, depth)
        kind = self.pick(["count", "sum", "min", "max"])
        if kind == "count":
            return f"(count {binders}: {self.boolean(inner, depth - 1)})"
        if kind in ("min", "max"):
            # Over a whole type: never over nothing.
            name, scalar = self.fresh("x"), self.pick(SCALARS)
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
        sources, through = self.set_of("cell", names, depth - 1), self.set_of("cell", names, depth - 1)
        where = self.scalar("cell", names, depth - 1)
        return f"(distance from {sources} through {through} by {{{self.some_directions()}}})[{where}]"

    # --- the file -----------------------------------------------------------------------------------------------------

    def state(self) -> list[str]:
        lines = []
        element_types = [*SCALARS, *(f"{scalar} or none" for scalar in SCALARS), *(f"set of {s}" for s in SCALARS)]
        for _ in range(self.pick([2, 4, 6])):
            type_ = self.pick([*element_types, "bool"])
            index = self.pick([None, None, "player", "color", "cell", "digit"])
            name = self.fresh("v")
            if type_ in SCALARS:
                initial = self.literal(type_)
            elif type_.startswith("set of "):
                initial = self.pick(["{}", "all", self.plain(type_)])
            elif type_ == "bool":
                initial = "no"
            else:
                initial = self.pick(["none", self.literal(type_.removesuffix(" or none"))])
            self.variables.append((name, index, type_))
            if index is not None:
                self.array_names.append((name, index, type_))
            lines.append(f"    {name}{f'[{index}]' if index else ''}: {type_} = {initial}")
        return lines

    def state_names(self) -> Names:
        names = Names().plus("int", "steps")
        for name, index, type_ in self.variables:
            if index is None:
                names = names.plus(type_, name)
        return names

    def definition(self, depth: int) -> str:
        result = self.pick(["int", "bool", *SCALARS, *(f"set of {scalar}" for scalar in SCALARS)])
        arguments = [self.pick([*SCALARS, "set of cell", "set of digit"]) for _ in range(self.pick([0, 1, 2]))] or [
            "digit"
        ]
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
            if index is None:
                text = f"{name} := {self.value(type_, names, depth)}"
                lines.append(f"{indent}{text}{self.condition(names, depth)}")
            elif self.likely(50):
                bound = self.fresh("i")
                inner = names.plus(index, bound)
                text = f"{name}[{bound}] := {self.value(type_, inner, depth)} for {bound} in {index}"
                lines.append(f"{indent}{text}{self.condition(inner, depth)}")
            else:
                text = f"{name}[{self.scalar(index, names, depth)}] := {self.value(type_, names, depth)}"
                lines.append(f"{indent}{text}{self.condition(names, depth)}")
        return lines

    def sees(self, names: Names, depth: int, indent: str) -> list[str]:
        lines = []
        for _ in range(self.pick([0, 1, 2])):
            audience = self.pick(["all", *self.players, "each"])
            inner, head = names, audience
            if audience == "each":
                bound = self.fresh("w")
                head, inner = f"each {bound}", names.plus("player", bound)
            type_ = self.pick(["int", "bool", *SCALARS, "set of cell", "cell or none"])
            values = [self.value(type_, inner, depth) for _ in range(self.pick([1, 2]))]
            lines.append(f"{indent}sees {head}: {', '.join(values)}{self.condition(inner, depth)}")
        return lines

    def domain(self, names: Names, depth: int) -> tuple[str, str]:
        """Write a domain that is never empty, and its element type."""
        scalar = self.pick(SCALARS)
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
            domain, scalar = self.domain(inner, depth)
            name = self.fresh("d")
            draws.append(f"{name} in {domain}")
            inner = inner.plus(scalar, name)
        weight = f" weight 1 + abs({self.integer(inner, depth)})" if self.likely(50) else ""
        return [f"    chance draws {', '.join(draws)}{weight}"], inner

    def choices(self, names: Names, depth: int) -> tuple[str, Names]:
        parts, inner = [], names
        for _ in range(self.pick([1, 1, 2])):
            domain, scalar = self.domain(inner, depth)
            name = self.fresh("c")
            parts.append(f"{name} in {domain}")
            inner = inner.plus(scalar, name)
        return ", ".join(parts), inner

    def phase(self, name: str, others: list[str], depth: int) -> list[str]:
        names = self.state_names()
        form = self.pick(["chance", "each", "one", "kinds"])
        lines = [f"phase {name}"]
        if form == "chance":
            head, inner = self.chance(names, depth)
            lines += [*head, *self.lets_and_updates(inner, depth), *self.sees(inner, depth, "    ")]
        elif form == "each":
            bound = self.fresh("p")
            text, chosen = self.choices(names.plus("player", bound), depth)
            actors = self.pick(["", "", f" in ({self.set_of('player', names, depth)} + {{{self.players[0]}}})"])
            lines.append(f"    each {bound}{actors} chooses {text}")
            inner = names
            for type_, texts in chosen.by_type.items():
                for choice in texts:
                    if choice.startswith("c"):
                        for player in self.players:
                            inner = inner.plus(f"{type_} or none" if actors else type_, f"{choice}[{player}]")
            lines += [*self.lets_and_updates(inner, depth), *self.sees(inner, depth, "    ")]
        elif form == "one":
            text, inner = self.choices(names, depth)
            lines.append(f"    {self.actor(names, depth)} chooses {text}")
            lines += [*self.lets_and_updates(inner, depth), *self.sees(inner, depth, "    ")]
        else:
            text, inner = self.choices(names, depth)
            where = f" where {self.boolean(inner, depth)}" if self.likely(50) else ""
            rest, taking = self.fresh("pass"), self.fresh("take")
            lines += [
                f"    {self.actor(names, depth)} chooses",
                f"        {rest}",
                f"        {taking} by {text}{where}",
            ]
            lines += [f"    on {taking}:", *(self.updates(inner, depth, "        ") or ["        steps := steps + 1"])]
            lines += self.sees(inner, depth, "        ")
            lines += [*([] if "        steps := steps + 1" in lines else ["    steps := steps + 1"])]
            lines += [f"    on {rest}: sees all: {self.integer(names, depth)}"] if self.likely(50) else []
            inner = names
        if "steps := steps + 1" not in "\n".join(lines):
            lines.append("    steps := steps + 1")
        lines.append(f"    next {self.transfer(inner, others, depth)}")
        return lines

    def actor(self, names: Names, depth: int) -> str:
        return self.pick([self.players[0], self.players[-1], *names.of("player")])

    def lets_and_updates(self, names: Names, depth: int) -> list[str]:
        lines = []
        if self.likely(50):
            type_ = self.pick(["int", "bool", "cell or none", "set of cell", "digit"])
            name = self.fresh("l")
            text = self.boolean(names, depth) if type_ == "bool" else self.value(type_, names, depth)
            lines.append(f"    let {name} = {text}")
            if type_ in ("int", "bool"):
                names = names.plus(type_, name)
        return [*lines, *self.updates(names, depth, "    ")]

    def transfer(self, names: Names, others: list[str], depth: int) -> str:
        text = f"end if steps >= {self.pick([2, 4, 6])}"
        if self.likely(40):
            text += f" else {self.pick(others)} if {self.boolean(names, depth)}"
        return f"{text} else {self.pick(others)}"

    def rules(self) -> str:
        """Write a whole file."""
        width, height = self.board
        depth = self.pick([1, 2])
        state = self.state()
        table = ", ".join(str(self.pick(range(4))) for _ in self.colors)
        self.array_names.append(("rank", "color", "int"))
        definitions = [self.definition(depth) for _ in range(self.pick([0, 1, 3]))]
        phases = [f"phase{number}" for number in range(self.pick([1, 2, 3]))]
        names = self.state_names().plus("player", "p")
        return "\n".join(
            [
                'game random "A game that nobody wrote"',
                f"players {', '.join(self.players)}",
                f"type digit = {self.low}..{self.high}",
                f"type color = {{{', '.join(self.colors)}}}",
                f"board cell = grid({width}, {height})",
                f"table rank[color]: 0..3 = [{table}]",
                "state",
                "    steps: 0..99 = 0",
                *state,
                *definitions,
                *(line for phase in phases for line in self.phase(phase, phases, depth)),
                f"payoff[p] = {self.integer(names, depth)}",
                f"estimate[p] = tanh({self.integer(names, depth)} / 5)",
                "",
            ]
        )


@st.composite
def rules_texts(draw: st.DrawFn) -> str:
    """Whole rules files."""
    return RulesWriter(lambda options: draw(st.sampled_from(options))).rules()
