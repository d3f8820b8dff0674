"""Loops over the games of a batch: in blocks, in each sorted by their phases, without branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression, Kind, Name
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.module import GameModule

MAX_BLOCK = 128
"""The games of a block, whose states should fit into the first-level cache."""

FIRST, LAST, AT = (Name(name, Kind.INT) for name in ("first", "last", "at"))


class GameList:
    """Some games of a block. Its length is kept in a name: in memory, each would wait for the one before it."""

    def __init__(self, b: Builder) -> None:
        self._b = b
        self._games = b.allocate("games", MAX_BLOCK)
        self.count = b.fresh("count")

    def put(self, game: Expression, test: Expression = ir.TRUE) -> None:
        """Write code that adds a game if a condition holds, without a jump that could not be predicted."""
        if test.constant != 0:
            self._b.store(self._games, self.count, game)
            self._b.increase(self.count, ir.as_integer(test))

    @contextmanager
    def each(self) -> Iterator[Name]:
        """Write a loop over the games."""
        with self._b.repeat(AT, 0, self.count):
            yield self._b.start("game", ir.entry(self._games, AT))


class Games:
    """The games from `first` to `last - 1`, block by block, in each sorted by their phases where there are several.

    Args:
        b: the function that is being written.
        phases: the numbers of those that are asked for.
        states: the row of states that are sorted.

    Attributes:
        phases: the numbers of those that are asked for.
        block: the names of its first game, and of the one behind its last.
    """

    def __init__(self, b: Builder, phases: Sequence[int], states: Name) -> None:
        self._b, self._states, self.phases = b, states, phases
        self.block = (b.fresh("begin"), b.fresh("behind"))
        self._lists = {phase: GameList(b) for phase in phases} if len(phases_of(b.module)) > 1 else {}

    @contextmanager
    def in_blocks(self) -> Iterator[Games]:
        """Write a loop over the blocks."""
        b, (begin, behind) = self._b, self.block
        b.set(begin, FIRST)
        with b.repeat_while(ir.compare("less", begin, LAST)):
            b.set(behind, ir.operation("smaller", ir.add(begin, MAX_BLOCK), LAST))
            for some in self._lists.values():
                b.set(some.count, 0)
            if self._lists:
                with self.each() as game:
                    state = ir.multiply(game, b.module.layout.state_words)
                    reached = b.start("phase", ir.entry(self._states, state))
                    for phase, some in self._lists.items():
                        some.put(game, ir.equal(reached, phase))
            yield self
            b.set(begin, behind)

    @contextmanager
    def each(self) -> Iterator[Name]:
        """Write a loop over the games of the block."""
        game = self._b.fresh("game")
        with self._b.repeat(game, *self.block):
            yield game

    @contextmanager
    def in_phase(self, phase: int) -> Iterator[Name]:
        """Write a loop over the games of the block that are in a phase, of those asked for."""
        with self._lists[phase].each() if self._lists else self.each() as game:
            yield game


def part(b: Builder, row: Name, game: Expression, width: int) -> Name:
    """Return a name for a game's part of an array."""
    operator = "words_from" if row.kind is Kind.WORDS else "reals_from"
    return b.start(row.name, ir.operation(operator, row, ir.multiply(game, width)))


def phases_of(module: GameModule) -> range:
    """Return the numbers of the phases that a game of a batch can be in: it is never over, unless all begin so."""
    end = len(module.game.phases)
    return range(end + (module.layout.initial_words()[0] == end))
