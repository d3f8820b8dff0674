"""`playouts`: many random plays, of one state or of one each, two at a time.

A transition on packed arrays is a chain of operations without jumps, each of which waits for the one before. So
transitions of two games are made in turns: while one game's wait, the processor computes the other's. Where jumps
cannot be foreseen this gains nothing, since each of them stops both games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ggp.language import typed
from ggp.model.generate.builder import Builder
from ggp.model.generate.module import FAULT, GameModule, Need, StateNeed
from ggp.model.generate.operands import Operand
from ggp.model.generate.packable import packed_variables
from ggp.model.generate.playouts import (
    FAULTED,
    LIMIT,
    LIMIT_REACHED,
    MADE,
    PHASE,
    REALS_OUT,
    STATE,
    PlayoutBuilder,
    load,
    write_payoff,
    write_phase,
)
from ggp.model.generate.random_values import RNG
from ggp.model.generate.value_names import names_in
from ggp.model.ir import build as ir
from ggp.model.ir.nodes import Call, Expression, Kind, Name, Return

GAMES = 2
"""So many games are in flight; of three, the names do not fit into registers."""

COUNT, GAME, MADE_OUT, RNGS = Name("count", Kind.INT), Name("game", Kind.INT), ir.words("made_out"), ir.words("rng")
STATES, STRIDE = ir.words("states"), Name("stride", Kind.INT)
END = 1
"""The number of the phase at the end."""


def can_interleave(game: typed.Game) -> bool:
    """Return whether plays of a game are interleaved: of one phase, with an array that is packed."""
    return len(game.phases) == 1 and bool(packed_variables(game))


@dataclass
class TransitionBuilder(PlayoutBuilder):
    """The function of a transition: it returns the next phase, or what stands for no end, and the state's names."""

    exits: list[Return] = field(default_factory=list)

    def end(self, why: int) -> None:
        """Write the return for where play ends before its end; the names are added when all are known."""
        self.leave_for(ir.integer(END - why))

    def leave_for(self, phase: Expression) -> None:
        """Write the return of a phase."""
        self.leave(phase)
        last = self.body[-1]
        assert isinstance(last, Return)
        self.exits.append(last)


@dataclass(frozen=True, slots=True)
class Part:
    """A function of the state in names.

    Attributes:
        name: its name.
        needs: the parts of the state, and rows, that are its last arguments.
    """

    name: str
    needs: Mapping[Need, Operand]

    @property
    def names(self) -> list[Name]:
        """The names of these arguments."""
        return [name for operand in self.needs.values() for name in names_in(operand)]

    @property
    def results(self) -> list[Name]:
        """The names that a transition returns new values of, after the phase."""
        in_names = (operand for need, operand in self.needs.items() if isinstance(need, StateNeed))
        return [name for operand in in_names for name in names_in(operand)]


def write_playouts(module: GameModule) -> None:
    """Write `playouts`, two games at a time."""
    transition, outcome = _write_transition(module), _write_outcome(module)
    b = Builder(module, "playouts")
    with b.when(ir.compare("less_equal", COUNT, 0)):
        b.leave()
    finished, following = b.start("finished", 0), b.start("following", GAMES)
    flights = [_Flight(b, transition, outcome, f"_{number}") for number in range(GAMES)]
    for number, flight in enumerate(flights):
        b.set(flight.game, ir.operation("smaller", number, COUNT))
        flight.begin()
    with b.repeat_while(ir.TRUE):
        for flight in flights:
            with b.repeat_while(ir.negation(flight.goes_on)):
                with b.when(ir.compare("less", flight.game, COUNT)):
                    flight.finish()
                    b.increase(finished, 1)
                    with b.when(ir.equal(finished, COUNT)):
                        b.leave()
                b.set(flight.game, following)
                b.set(following, ir.operation("smaller", ir.add(following, 1), COUNT))
                flight.begin()
            flight.advance()
    module.finish("playouts", [STATES, RNGS, REALS_OUT, MADE_OUT, COUNT, LIMIT, STRIDE], [], b.body)


def _write_transition(module: GameModule) -> Part:
    """Write the function of a transition."""
    b = TransitionBuilder(module, "transition")
    write_phase(b, module.game.phases[0])
    b.leave_for(PHASE)
    part = _finished(b)
    for exit_ in b.exits:
        exit_.values += tuple(part.results)
    kinds = [Kind.INT, *(name.kind for name in part.results)]
    failed: tuple[Expression, ...] = (ir.integer(END - FAULTED), *part.results)
    module.finish(b.name, [PHASE, *part.names], kinds, b.body, inlined=True, failed=failed)
    return part


def _write_outcome(module: GameModule) -> Part:
    """Write the function that says how a play ended, and writes the utilities."""
    b = PlayoutBuilder(module, "outcome")
    with b.when(ir.compare("greater", PHASE, END)):
        b.leave(ir.subtract(END, PHASE))
    with b.when(ir.compare("less", PHASE, END)):
        b.leave(LIMIT_REACHED)
    write_payoff(b)
    part = _finished(b)
    module.finish(b.name, [PHASE, MADE, REALS_OUT, *part.names], [Kind.INT], b.body)
    return part


def _finished(b: PlayoutBuilder) -> Part:
    """Return a function whose body is written; fault words are its own."""
    b.clear_caches()
    fault = b.needs.pop(FAULT, None)
    with b.capture() as beginning:
        if fault is not None:
            load(b, FAULT, names_in(fault), STATE)
    b.body[:0] = beginning
    return Part(b.name, b.needs)


class _Flight:
    """One of the games in flight: its own names, and what is written with them."""

    def __init__(self, b: Builder, transition: Part, outcome: Part, suffix: str) -> None:
        self.b, self._transition, self._outcome = b, transition, outcome
        self._suffix = suffix
        self.game, self.phase, self.made, self._state = self._own([GAME, PHASE, MADE, STATE])

    def _own(self, names: Sequence[Name]) -> list[Name]:
        return [replace(name, name=name.name + self._suffix) for name in names]

    def begin(self) -> None:
        """Write the beginning of a game; beyond the last one the last one is played again, for nothing."""
        b, state = self.b, self._state
        row = ir.operation("smaller", self.game, ir.add(COUNT, -1))
        b.set(state, ir.operation("words_from", STATES, ir.multiply(row, STRIDE)))
        for need, operand in {**self._transition.needs, **self._outcome.needs}.items():
            names = self._own(names_in(operand))
            if need == RNG:
                load(b, replace(RNG, length=1), names, state)
                b.store(names[0], 0, ir.entry(RNGS, row))
            else:
                load(b, need, names, state)
        b.set(self.phase, ir.chosen(ir.equal(ir.entry(state, 1), 0), ir.entry(state, 0), END - FAULTED))
        b.set(self.made, 0)

    @property
    def goes_on(self) -> Expression:
        """Whether another transition is to be made."""
        return ir.conjunction([ir.compare("less", self.phase, END), ir.compare("less", self.made, LIMIT)])

    def advance(self) -> None:
        """Write a transition."""
        self.b.increase(self.made, 1)
        arguments = [self.phase, *self._own(self._transition.names)]
        self.b.call(self._transition.name, arguments, [self.phase, *self._own(self._transition.results)])

    def finish(self) -> None:
        """Write how the game ended to the rows of results."""
        b = self.b
        out = ir.operation("reals_from", REALS_OUT, ir.multiply(self.game, len(b.module.game.players.members)))
        how = Call(self._outcome.name, (self.phase, self.made, out, *self._own(self._outcome.names)), Kind.INT)
        b.store(MADE_OUT, self.game, b.assign(how))
