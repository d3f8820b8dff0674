"""The generated module of one game: its functions in order, its tables, its fault sites, and the limits it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ggp.language import typed
from ggp.language.typed.types import ArrayType, SetType, Type
from ggp.model.faults import FaultSite, LimitExceeded
from ggp.model.generate import arithmetic as _arithmetic
from ggp.model.generate import boards as _boards
from ggp.model.generate import choices, draws
from ggp.model.generate import comprehensions as _comprehensions
from ggp.model.generate import quantifiers as _quantifiers
from ggp.model.generate import reading as _reading
from ggp.model.generate import sets as _sets
from ggp.model.generate.builder import Builder, identifier, indented
from ggp.model.generate.functions import SPECIALISATIONS, Generated, write_function
from ggp.model.generate.operands import Code, Memory, is_real
from ggp.model.state_layout import Layout, encode_value

REGISTERED = (_arithmetic, _boards, _comprehensions, _quantifiers, _reading, _sets)
"""Modules imported for the kinds of node that they register."""

MAXIMUM_LINES = 60_000
"""Generated lines of source in all, before compilation would take minutes."""
MAXIMUM_LOCAL_WORDS = 1 << 16
"""Words of stack memory of all generated functions together."""
MAXIMUM_NESTING = 99
"""Blocks inside each other that Python takes."""


@dataclass
class Module:
    """What has been written of a game's module so far."""

    game: typed.Game
    layout: Layout
    texts: list[str] = field(default_factory=list)
    """Finished functions."""
    tables: dict[str, str] = field(default_factory=dict)
    functions: dict[tuple[typed.Function, tuple[int | float | None, ...]], Generated] = field(default_factory=dict)
    sites: list[FaultSite] = field(default_factory=list)
    site_types: list[Type | None] = field(default_factory=list)
    """The type of the value that a fault at a site reports, where it reports one."""
    lines: int = 0
    local_words: int = 0
    _of_choices: dict[tuple[str, int], tuple[Generated, Generated]] = field(default_factory=dict)
    _of_lists: dict[tuple[str, int], Generated] = field(default_factory=dict)
    _of_chance: dict[str, tuple[Generated, Generated]] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)

    # --- limits -------------------------------------------------------------------------------------------------------

    def count_line(self) -> None:
        """Count a written line."""
        self.lines += 1
        if self.lines > MAXIMUM_LINES:
            raise LimitExceeded("lines of generated code", self.lines, MAXIMUM_LINES)

    def count_local_words(self, words: int) -> None:
        """Count words of a function's own memory."""
        self.local_words += words
        if self.local_words > MAXIMUM_LOCAL_WORDS:
            raise LimitExceeded("words of working memory", self.local_words, MAXIMUM_LOCAL_WORDS)

    # --- what stands beside the functions -----------------------------------------------------------------------------

    def site(self, site: FaultSite, value_type: Type | None) -> int:
        """Return the number, from 1, of a place that can fail."""
        for number, (known, known_type) in enumerate(zip(self.sites, self.site_types, strict=True)):
            if known == site and known_type == value_type:
                return number + 1
        self.sites.append(site)
        self.site_types.append(value_type)
        return len(self.sites)

    def table(self, name: str, type_: ArrayType | SetType, value: typed.Value) -> Memory:
        """Return a constant table, written once."""
        key = f"TABLE_{identifier(name)}"
        if key not in self.tables:
            if is_real(type_):
                assert isinstance(value, tuple)
                reals = ", ".join(repr(float(item)) for item in value if isinstance(item, (int, float)))
                self.tables[key] = f"reals_table({reals})"
            else:
                self.tables[key] = f"words_table({', '.join(map(str, encode_value(type_, value)))})"
        return Memory(key, "0")

    def numbers(self, name: str, values: Sequence[int]) -> str:
        """Return the name of a table of numbers that the code itself needs, written once."""
        self.tables.setdefault(name, f"words_table({', '.join(map(str, values))})")
        return name

    def known_value(self, values: Sequence[int], at: str) -> str:
        """Return the text of one of some values known before play, by its position."""
        name = f"VALUES_{'_'.join(str(value).replace('-', 'm') for value in values[:4])}_{len(values)}"
        text = f"words_table({', '.join(map(str, values))})"
        while self.tables.get(name, text) != text:
            name += "x"
        self.tables[name] = text
        return f"{name}[{at}]"

    # --- functions ----------------------------------------------------------------------------------------------------

    def unique(self, name: str) -> str:
        """Return a function name that is not in use, like the given one."""
        number, candidate = 1, name
        while candidate in self._names:
            number += 1
            candidate = f"{name}_{number}"
        self._names.add(candidate)
        return candidate

    def finish(self, name: str, parameters: Sequence[str], result: str, b: Builder, comment: str = "") -> None:
        """Add a written function to the module."""
        self._names.add(name)
        lines = [f"def {name}({', '.join(parameters)}) -> {result}:"]
        if comment:
            lines.append(f'    """{comment}"""')
        for line in indented(b.lines or ["pass"]):
            nesting = (len(line) - len(line.lstrip())) // 4
            if nesting > MAXIMUM_NESTING:
                raise LimitExceeded("nested blocks of generated code", nesting, MAXIMUM_NESTING)
            lines.append(line)
        self.texts.append("\n".join(lines))

    def function(self, function: typed.Function, constants: tuple[int | float | None, ...]) -> Generated:
        """Return a function of the rules for some arguments known before play, writing it if need be."""
        if (function, constants) in self.functions:
            return self.functions[function, constants]
        versions = sum(1 for other, _ in self.functions if other is function)
        if any(constant is not None for constant in constants) and versions >= SPECIALISATIONS:
            return self.function(function, (None,) * len(constants))
        b = Builder(self, self.unique(f"f_{identifier(function.name)}"))
        generated, parameters, result = write_function(b, function, constants)
        self.finish(b.name, parameters, result, b)
        self.functions[function, constants] = generated
        return generated

    def choice_functions(self, choice: choices.Choice) -> tuple[Generated, Generated]:
        """Return the functions that count a chooser's legal actions and find the k-th."""
        key = (choice.phase.name, choice.place)
        if key not in self._of_choices:
            count = self._choice_builder(choice, f"count_{choice.stem}")
            count.emit("n = 0")
            choices.count_actions(count, choice)
            count.emit("return n")
            self.finish(count.name, [*self._binder(choice), *count.parameters()], "int", count)
            find = self._choice_builder(choice, f"find_{choice.stem}")
            choices.find_action(find, choice)
            self.finish(find.name, [*self._binder(choice), "k: int", *find.parameters()], "int", find)
            self._of_choices[key] = Generated(count.name, count.needs), Generated(find.name, find.needs)
        return self._of_choices[key]

    def list_function(self, choice: choices.Choice) -> Generated:
        """Return the function that lists a chooser's legal actions."""
        key = (choice.phase.name, choice.place)
        if key not in self._of_lists:
            b = self._choice_builder(choice, f"list_{choice.stem}")
            b.emit("n = 0")
            choices.list_actions(b, choice)
            b.emit("return n")
            self.finish(b.name, ["out: Words", *self._binder(choice), *b.parameters()], "int", b)
            self._of_lists[key] = Generated(b.name, b.needs)
        return self._of_lists[key]

    def _binder(self, choice: choices.Choice) -> list[str]:
        return [] if choice.chooser.binder is None else ["player: int"]

    def _choice_builder(self, choice: choices.Choice, name: str) -> Builder:
        b = Builder(self, self.unique(name))
        if choice.chooser.binder is not None:
            b.environment[choice.chooser.binder] = Code("player")
        return b

    def chance_functions(self, phase: typed.Phase) -> tuple[Generated, Generated]:
        """Return the functions that sum a phase's weights and find the outcome at a point of the sum."""
        if phase.name not in self._of_chance:
            weigh = Builder(self, self.unique(f"weigh_{identifier(phase.name)}"))
            draws.weigh_outcomes(weigh, phase)
            self.finish(weigh.name, weigh.parameters(), "float", weigh)
            find = Builder(self, self.unique(f"outcome_at_{identifier(phase.name)}"))
            draws.find_outcome(find, phase)
            self.finish(find.name, ["point: float", *find.parameters()], "int", find)
            self._of_chance[phase.name] = Generated(weigh.name, weigh.needs), Generated(find.name, find.needs)
        return self._of_chance[phase.name]

    def text(self) -> str:
        """Return the module's source."""
        tables = "\n".join(f"{name} = {value}" for name, value in self.tables.items())
        parameters = ", ".join(f"{parameter.name}={parameter.value}" for parameter in self.game.parameters)
        header = f'"""Generated from {self.game.source_name}: {self.game.name}({parameters}).\n\n{NAMES}"""'
        return "\n\n\n".join(part for part in [header, tables, *self.texts] if part) + "\n"


NAMES = """Names: s_ words of the old state, n_ of the new one, m_ variables in memory with m_..._at their position,
c_ what was chosen or drawn, a_ arguments, b_ bound by a loop, f_ definitions of the rules. Services:
ggp.model.backends.runtime.
"""
