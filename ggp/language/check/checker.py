"""Text of a rules file to checked, typed tree: the entry to this package."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.declarations import declared, displays
from ggp.language.check.declarations.parameters import Given, ParameterDeclaration, check_given, declaration, parameter
from ggp.language.check.declarations.table_files import ReadText
from ggp.language.check.expressions import definitions, histories
from ggp.language.check.expressions.built_ins import BUILT_INS
from ggp.language.check.expressions.expression_checks import RULES
from ggp.language.check.phases.phase import kinds_in_one_order, phase
from ggp.language.check.scope import Names
from ggp.language.check.warnings import warn
from ggp.language.diagnostics import Diagnostic, Diagnostics, TooManyMistakes
from ggp.language.limits import MAX_NAMES, MAX_PHASES, MAX_STATE_WORDS
from ggp.language.text.parser import parse_file
from ggp.language.text.source import SourceFile, Span
from ggp.language.typed import Expression, Game, Phase
from ggp.language.typed.types import RealType

Made = TypeVar("Made")
_RESERVED = frozenset([*BUILT_INS, "bool", "move"])
_DECLARATION = re.compile(
    r"^(players|type|board|table|let|def|state|phase|history|payoff|estimate|display)\b", re.MULTILINE
)
_SHORTEN = "name the parts with `let` or `def`, and shorten the chain of calls"


class CheckResult(Struct, frozen=True):
    """A checked game, None where there are errors; all diagnostics, in order of place; names and tree, for editors."""

    game: Game | None
    diagnostics: tuple[Diagnostic, ...]
    names: Names
    tree: syntax.File


def no_files(name: str) -> str:
    """Refuse to read a file: what `check` does without a function that reads the files named in the rules."""
    raise OSError("rules without a folder cannot read files")


def sent_files(texts: Mapping[str, str]) -> ReadText:
    """Return what reads files that were sent with rules, by name, and no others."""

    def read_text(name: str) -> str:
        if name not in texts:
            raise FileNotFoundError(f"the file `{name}` was not sent with the rules")
        return texts[name]

    return read_text


def check(
    source: SourceFile,
    parameters: Mapping[str, str | int | bool] | None = None,
    read_text: ReadText = no_files,
) -> CheckResult:
    """Check a rules file with its parameters bound.

    Args:
        source: the file's text, and the name that diagnostics give it.
        parameters: values by name; missing ones take their defaults.
        read_text: gives the text of a file that the rules name (`table ... from "file"`); raises OSError or ValueError.

    Returns:
        The typed game and the diagnostics. Whatever the text, no exception is raised.
    """
    found = Diagnostics(source.name)
    checker = _Checker(source, parameters or {}, read_text, found)
    game = checker.run()
    return CheckResult(None if found.has_errors else game, found.sorted(), checker.checking.names, checker.tree)


def parameters_of(source: SourceFile) -> tuple[ParameterDeclaration, ...]:
    """Return the parameters that a rules file declares, in order; those with mistakes are left out."""
    *_, last = (0, *(found.end() for found in re.finditer(r"^param\b", source.text, re.MULTILINE)))
    if not last:
        return ()
    below = _DECLARATION.search(source.text, last)  # nothing from here on says anything of parameters
    above = replace(source, text=source.text[: below.start()]) if below else source
    checker = _Checker(above, {}, no_files, Diagnostics(source.name))
    checker.run()
    return tuple(declaration(made) for made in checker.parameters)


def _places(tree: syntax.File) -> Iterator[tuple[str, Span]]:
    """Yield the names that a file declares, without phases and what is in them, with their places."""
    for node in reversed(tree.declarations):
        match node:
            case syntax.State(_, variables):
                yield from ((variable.name.text, variable.name.span) for variable in variables)
            case (
                syntax.Phase()
                | syntax.Payoff()
                | syntax.PayoffSum()
                | syntax.Display()
                | syntax.GameHeader()
                | syntax.Players()
            ):
                pass
            case _:
                yield node.name.text, node.name.span


def _declarations(tree: syntax.File) -> int:
    """Return how many things a file declares, those inside of blocks included."""
    inside = 0
    for node in tree.declarations:
        match node:
            case syntax.State(_, variables):
                inside += len(variables)
            case syntax.Phase(_, _, statements):
                inside += sum(len(part.kinds) for part in statements if isinstance(part, syntax.Chooser))
            case syntax.TypeDeclaration(_, _, syntax.EnumerationType(_, members)):
                inside += len(members)
    return len(tree.declarations) + inside


@dataclass(slots=True)
class _Checker:
    """One check of one file: what was found of the game so far."""

    source: SourceFile
    given: Given
    read_text: ReadText
    found: Diagnostics
    checking: Checking = field(init=False)
    tree: syntax.File = field(default_factory=lambda: syntax.File((), frozenset()))
    header: syntax.GameHeader | None = None
    parameters: list[typed.Parameter] = field(default_factory=list)
    variables: list[typed.Variable] = field(default_factory=list)
    functions: list[typed.Function] = field(default_factory=list)
    concluded: dict[str, tuple[Expression, ...]] = field(default_factory=dict)
    """What `payoff` and `estimate` are."""
    stated_sum: typed.StatedSum | None = None
    display: typed.Display | None = None
    views: tuple[typed.Display, ...] = ()
    state_node: syntax.State | None = None

    def run(self) -> Game | None:
        """Read and check everything; None where there are errors."""
        self.checking = Checking(self.found, Names(self.found, reserved=_RESERVED), RULES)
        game = None
        try:
            self.tree = parse_file(self.source, self.found)
            self.checking.names.damaged.update(self.tree.damaged)
            self.checking.later.update(_places(self.tree))
            game = self._check()
        except TooManyMistakes:
            # `found` says so itself.
            pass
        except RecursionError:
            self.found.error(None, "the expressions of this file are nested too deep", _SHORTEN)
        if game is not None:
            with suppress(TooManyMistakes):
                warn(game, self.checking, self.tree)
        return game

    def _check(self) -> Game | None:
        declared = _declarations(self.tree)
        if declared > MAX_NAMES:
            self.found.error(None, f"{declared} declarations are too many; the limit is {MAX_NAMES}")
            return None
        for node in self.tree.declarations:
            self._declare(node)
        check_given(self.checking, self.given, tuple(made.name for made in self.parameters), self.tree.damaged)
        self.checking.mode = "state"
        phases = self._phases()
        for node in self.tree.declarations:
            self._conclude(node)
        self._displays()
        self._need_all(phases)
        if self.found.has_errors:
            return None
        return self._game(phases)

    def _declare(self, node: syntax.Declaration) -> None:
        """Check a declaration that phases may build upon."""
        checking = self.checking
        checking.mode = "state" if isinstance(node, syntax.Definition | syntax.Let | syntax.History) else "constant"
        match node:
            case syntax.GameHeader():
                if self.header is not None:
                    self.found.error(node.span, "the game is named twice", notes=[(self.header.span, "first here")])
                self.header = node
            case syntax.Parameter():
                self._attempt(
                    node.name, lambda: self.parameters.append(parameter(checking, node, self.given, self.source))
                )
            case syntax.Players():
                self._attempt(syntax.Word(node.span, "player"), lambda: declared.players(checking, node))
            case syntax.TypeDeclaration():
                self._attempt(node.name, lambda: declared.type_declaration(checking, node))
            case syntax.Board():
                self._attempt(node.name, lambda: declared.board(checking, node))
            case syntax.Table():
                self._attempt(node.name, lambda: declared.table(checking, node, self.read_text))
            case syntax.Definition():
                self._attempt(node.name, lambda: self.functions.extend(definitions.definition(checking, node)))
            case syntax.Let():
                self._attempt(node.name, lambda: self.functions.extend(definitions.let(checking, node)))
            case syntax.History():
                self._attempt(node.name, lambda: self.variables.extend(histories.history(checking, node)))
            case syntax.State():
                self._state(node)
            case _:
                pass

    def _state(self, node: syntax.State) -> None:
        if self.state_node is not None:
            self.found.error(
                node.span,
                "there are two `state`",
                "declare all variables in one",
                [(self.state_node.span, "first here")],
            )
        self.state_node = node
        words = 0
        for variable in node.variables:
            before = len(self.variables)
            self._attempt(variable.name, lambda: self.variables.extend(declared.variable(self.checking, variable)))  # noqa: B023
            words += sum(declared.state_words(made.type) for made in self.variables[before:])
            if words > MAX_STATE_WORDS:
                # At once, as the next variables would take memory for their initial values.
                self.found.error(
                    variable.span,
                    f"up to here the state takes {words} words of 64 bits; the limit is {MAX_STATE_WORDS:,}",
                    "declare smaller sets and arrays",
                )
                for other in node.variables:
                    self.checking.names.damage(other.name.text)
                return

    def _attempt(self, word: syntax.Word, action: Callable[[], object]) -> None:
        """Run a check; where it gives up, remember that the name is declared, though wrongly."""
        try:
            action()
        except Invalid:
            self.checking.defining = None
            self.checking.names.damage(word.text)

    def _phases(self) -> list[Phase]:
        nodes = [node for node in self.tree.declarations if isinstance(node, syntax.Phase)]
        names = [node.name.text for node in nodes]
        for position, node in enumerate(nodes):
            if node.name.text in names[:position]:
                first = nodes[names.index(node.name.text)]
                self.found.error(
                    node.name.span, f"two phases are called `{node.name.text}`", None, [(first.name.span, "first here")]
                )
        if len(nodes) > MAX_PHASES:
            self.found.error(nodes[0].span, f"{len(nodes)} phases are too many; the limit is {MAX_PHASES}")
            return []
        lines = self.source.text.split("\n")
        places = {node.name.text: node.name.span for node in reversed(nodes)}
        made = []
        for node in nodes:
            with self.checking.attempt():
                made += phase(self.checking, node, places, lines)
        self.variables += self.checking.drawn.values()
        if len(made) > MAX_PHASES:
            hint = "a phase with many draws counts as several: let it come again for each draw"
            self.found.error(nodes[0].span, f"{len(made)} phases are too many; the limit is {MAX_PHASES}", hint)
        return made

    def _conclude(self, node: syntax.Declaration) -> None:
        """Check what reads states and is not read by phases: payoff, estimate."""
        with self.checking.attempt():
            if isinstance(node, syntax.Payoff):
                if node.kind in self.concluded:
                    self.checking.fail(node.span, f"`{node.kind}` is given twice")
                self.concluded[node.kind] = declared.payoff(self.checking, node)
            elif isinstance(node, syntax.PayoffSum):
                if self.stated_sum is not None:
                    self.checking.fail(node.span, "the sum of the payoffs is given twice")
                self.stated_sum = declared.payoff_sum(self.checking, node)

    def _displays(self) -> None:
        """Check how states are drawn, for everybody and for each player."""
        nodes = [node for node in self.tree.declarations if isinstance(node, syntax.Display)]
        common, own = [[node for node in nodes if (node.player is not None) == owned] for owned in (False, True)]
        with self.checking.attempt():
            self.display = displays.display(self.checking, common) if common else None
        with self.checking.attempt():
            self.views = displays.views(self.checking, own) if own else ()

    def _need_all(self, phases: list[Phase]) -> None:
        """Report what every game needs and this one lacks, unless an earlier error may explain it."""
        if self.found.has_errors:
            return
        for missing, what, hint in (
            (self.header is None, "the file does not name the game", 'begin with `game name "title"`'),
            (self.checking.players is None, "the game has no players", "add `players first, second`"),
            (not phases, "the game has no phase", "add `phase NAME` and what happens in it"),
            ("payoff" not in self.concluded, "the game has no payoff", "add `payoff[p] = ...`"),
        ):
            if missing:
                self.found.error(None, what, hint)

    def _game(self, phases: list[Phase]) -> Game:
        header, players, payoff = self.header, self.checking.players, self.concluded["payoff"]
        assert header is not None
        assert players is not None
        bounds = []
        for expression in payoff:
            assert isinstance(expression.type, RealType)
            bounds.append((expression.type.low, expression.type.high))
        return Game(
            name=header.name.text,
            title=header.title.value,
            parameters=tuple(self.parameters),
            players=players,
            variables=tuple(self.variables),
            tables=tuple(self.checking.tables.values()),
            functions=tuple(self.functions),
            phases=kinds_in_one_order(phases),
            payoff=payoff,
            estimate=self.concluded.get("estimate"),
            utility_bounds=tuple(bounds),
            display=self.display,
            views=self.views,
            source_name=self.source.name,
            source_text=self.source.text,
            stated_sum=self.stated_sum,
            work=self.checking.longest_work(payoff),
        )
