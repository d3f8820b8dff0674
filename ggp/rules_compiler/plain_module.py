"""A generated module run as plain Python: for the referee, and to look inside."""

from __future__ import annotations
import __future__

import linecache
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from types import FunctionType
from typing import NoReturn

from ggp.codegen.python.printer import module_text
from ggp.codegen.python.runtime import NAMESPACE, FaultSignal
from ggp.encoding.state_layout import Layout, decode_value
from ggp.faults import FaultSite, RulesFault
from ggp.language import typed
from ggp.language.typed.value_texts import value_text
from ggp.native.interface import SAME_FOR_ALL
from ggp.rules_compiler.emit.module import GameModule
from ggp.rules_compiler.entry_points.entries import generate


class PlainGame:
    """The functions of docs/architecture.md, "Native functions", on lists of Python integers.

    They return fresh lists instead of filling arrays, and raise `RulesFault` where the rules fail.
    """

    def __init__(self, game: typed.Game, layout: Layout) -> None:
        """Generate a game's module.

        Raises:
            LimitExceeded: the game is too large.
        """
        self._game = game
        self._layout = layout
        self.module: GameModule = generate(game, layout)
        self.code = self.module.code
        """The generated module."""
        self.source = module_text(self.code)
        """The generated module as Python."""
        self._players = len(game.players.members)

    @cached_property
    def functions(self) -> dict[str, Callable[..., int]]:
        """The functions of the generated module as they are, by name."""
        return executed(self.source, self._game.name)

    @property
    def sites(self) -> Sequence[FaultSite]:
        """The places that can fail; a fault's number is 1 + the index here."""
        return self.module.sites

    def fault_texts(self) -> Iterator[str]:
        """Yield, for each site, where in the rules it is and what fails there."""
        for site in self.sites:
            yield str(RulesFault(site.kind, site.span, site.reason, source_name=self._game.source_name))

    def initial(self) -> list[int]:
        """Return the initial state's words."""
        words = [0] * self._layout.state_words
        self._call("init", words)
        return words

    def actors(self, state: Sequence[int]) -> int:
        """Return -1 in a terminal state, 0 where chance acts, else the mask of the players who act."""
        return self._call("actors", state)

    def legal(self, state: Sequence[int], player: int) -> list[int]:
        """Return a player's legal actions in ascending order."""
        out: dict[int, int] = {}
        count = self._call("legal", state, player, out)
        return [out[i] for i in range(count)]

    def chance(self, state: Sequence[int]) -> list[tuple[int, float]]:
        """Return the chance outcomes of positive probability in ascending order, with their probabilities."""
        out: dict[int, int] = {}
        probability: dict[int, float] = {}
        count = self._call("chance", state, out, probability)
        return [(out[i], probability[i]) for i in range(count)]

    def sample_chance(self, state: Sequence[int], rng: list[int]) -> int:
        """Draw a chance outcome; `rng` is one unsigned word."""
        return self._call("sample_chance", state, rng)

    def step(self, old: Sequence[int], joint: Sequence[int]) -> list[int]:
        """Return the words of the state after a joint action; its last entry is the chance outcome."""
        new = [0] * self._layout.state_words
        self._call("step", old, new, joint)
        return new

    def observe(self, old: Sequence[int], new: Sequence[int], joint: Sequence[int], player: int) -> list[int]:
        """Return the words of what a transition tells a player."""
        out = [0] * self._layout.observation_limit
        count = self._call("observe", old, new, joint, player, out) % SAME_FOR_ALL
        return out[:count]

    def utility(self, state: Sequence[int]) -> list[float]:
        """Return the utilities of a terminal state."""
        out = [0.0] * self._players
        self._call("utility", state, out)
        return out

    def estimate(self, state: Sequence[int]) -> list[float] | None:
        """Return the rules' estimate of a state that is not terminal; None where they have none."""
        if "estimate" not in self.functions:
            return None
        out = [0.0] * self._players
        self._call("estimate", state, out)
        return out

    def playout(self, state: Sequence[int], rng: list[int], limit: int) -> tuple[int, list[float]]:
        """Play at random to the end; return the transitions made, or why there is no end, and the utilities."""
        out = [0.0] * self._players
        return self._call("playout", state, rng, out, limit), out

    def _call(self, name: str, *arguments: object) -> int:
        try:
            result: int = self.functions[name](*arguments)
        except FaultSignal as signal:
            self.raise_fault(signal.site, signal.value)
        return result

    def raise_fault(self, number: int, value: int | None = None) -> NoReturn:
        """Raise the fault of a site's number, as the fault word of a state holds it."""
        site, type_ = self.module.sites[number - 1], self.module.site_types[number - 1]
        text = None
        if type_ is not None and value is not None and site.kind == "out_of_range":
            text = value_text(type_, decode_value(type_, [value]))
        raise RulesFault(site.kind, site.span, site.reason, text, self._game.source_name)


def executed(source: str, name: str) -> dict[str, Callable[..., int]]:
    """Run a generated module and return its functions; tracebacks show its lines."""
    file = f"<generated {name} {hash(source) & 0xFFFFFFFF:08x}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    flags = __future__.annotations.compiler_flag
    namespace: dict[str, object] = dict(NAMESPACE)
    exec(compile(source, file, "exec", flags, dont_inherit=True), namespace)
    return {key: value for key, value in namespace.items() if isinstance(value, FunctionType)}
