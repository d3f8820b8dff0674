"""Entry points for batches: random actions and a transition of many games in one call.

They form a separate module, compiled with the first batch, so that single games do not wait for it. A branch on the
phase of a game, or on whether it ends, cannot be predicted, and a misprediction costs as much as a small game's
transition. So the games of a block are sorted into one list per phase, without branches, and a loop for each phase
processes its list. LLVM inlines the game's functions into these loops.

The arrays are those of `ggp.model.native.batch_play.BatchArrays`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ggp.language import typed
from ggp.model.generate import choices
from ggp.model.generate.builder import Builder
from ggp.model.generate.choices import PLAYER, Choice, component_names, kind_name
from ggp.model.generate.entries import (
    RNG_ROW,
    EntryBuilder,
    Step,
    finish_entry,
    write_actors_in,
    write_observe_in,
    write_sample_chance_in,
    write_step_in,
    write_values,
)
from ggp.model.generate.expressions import COMPILERS
from ggp.model.generate.module import FAULT, GameModule, identifier
from ggp.model.generate.picks import Targets, drawn_in_word, pick
from ggp.model.generate.playouts import STATE
from ggp.model.ir import build as ir
from ggp.model.ir.nodes import Call, Effect, Expression, Kind, Name
from ggp.model.ir.passes import optimise
from ggp.model.native.interface import CUT, DEAD_END, ENDED, FAULTED, GOES_ON
from ggp.model.state_layout import FIRST_VARIABLE_WORD, Layout, type_words
from ggp.model.traits import has_simultaneous_actions

MAX_BLOCK, MAX_LISTED = 128, 1 << 13
"""The games of a block, whose states should fit into the first-level cache; the entries of all its lists."""
MAX_COUNTS = 6
"""Up to this many lists have their counts in names."""
MAX_GAP = 4
"""Up to this many words between two stretches are copied with them, to copy both at once."""

BEFORE, STATES, ENDS = ir.words("before"), ir.words("states"), ir.words("ends")
ACTED, ACTING, JOINTS, STATUS = ir.words("acted"), ir.words("acting"), ir.words("joint"), ir.words("status")
UTILITIES = Name("utilities", Kind.REALS)
LENGTHS, RNGS, ACTIONS = ir.words("lengths"), ir.words("rng"), ir.words("actions")
LIMIT, FIRST, LAST = (Name(name, Kind.INT) for name in ("limit", "first", "last"))
NUMBER, AT = Name("number", Kind.INT), Name("at", Kind.INT)

DRAW_PARAMETERS = (STATES, ACTING, RNGS, ACTIONS, FIRST, LAST)
STEP_PARAMETERS = (
    BEFORE, STATES, ENDS, ACTED, ACTING, JOINTS, UTILITIES, STATUS, LENGTHS, RNGS, ACTIONS, LIMIT, FIRST, LAST,
)  # fmt: skip


def generate_for_batches(game: typed.Game, layout: Layout, own: GameModule) -> GameModule:
    """Write the module of a game that batches use.

    Args:
        game: the checked rules.
        layout: where everything lies in words.
        own: the game's other module; faults have the numbers that they have there.

    Raises:
        LimitExceeded: the code or its memory would be too large.
    """
    module = GameModule(game, layout, COMPILERS, sites=list(own.sites), site_types=list(own.site_types))
    module.code.comment = f"Generated from {game.source_name} for batches of games.\n"
    phases = [_write_phase(module, phase) for phase in game.phases]
    failing = {number: phase.actors for number, phase in enumerate(phases) if phase.actors_can_fail}
    write_values(module, "utility", game.payoff, failing)
    optimise(module.code)
    write_draw(module, phases)
    write_restart(module, phases)
    write_step(module, phases)
    return module


@dataclass(frozen=True, slots=True)
class PhaseFunctions:
    """The names of the functions of one phase: `chance` where chance acts, else `choose`.

    `kept` are the words of the old state, from which on and how many, that the transition or observations of it read.
    """

    choose: str
    chance: str
    step: Step
    kept: tuple[tuple[int, int], ...]
    actors: str
    actors_can_fail: bool


def _write_phase(module: GameModule, phase: typed.Phase) -> PhaseFunctions:
    choose = write_sample_action(module, phase) if phase.chance is None else ""
    chance = "" if phase.chance is None else write_sample_chance_in(module, phase)
    step = write_step_in(module, phase, in_place=True)
    told = write_observe_in(module, phase)[1] if phase.sees else frozenset()
    actors, actors_can_fail = write_actors_in(module, phase)
    return PhaseFunctions(choose, chance, step, _stretches(module.layout, step.reads | told), actors, actors_can_fail)


def _stretches(layout: Layout, variables: frozenset[typed.Variable]) -> tuple[tuple[int, int], ...]:
    """Return the first word and the number of words of some variables in a state, with phase and fault."""
    ends = {layout.offset[one]: layout.offset[one] + type_words(one.type) for one in variables}
    stretches = [(0, FIRST_VARIABLE_WORD)]
    for first, end in sorted(ends.items()):
        if first - stretches[-1][1] <= MAX_GAP:
            stretches[-1] = (stretches[-1][0], end)
        else:
            stretches.append((first, end))
    return tuple((first, end - first) for first, end in stretches)


# --- random actions ---------------------------------------------------------------------------------------------------


def write_sample_action(module: GameModule, phase: typed.Phase) -> str:
    """Write a function that draws a random legal action of an acting player, or DEAD_END; return its name."""
    b = EntryBuilder(module, module.unique(f"sample_action_{identifier(phase.name)}"))
    for choice in choices.choices_of(b, phase):
        acting = choices.acts(b, choice, PLAYER)
        if acting.constant != 0:
            with b.when(acting):
                _write_choice(b, choice)
    b.leave(DEAD_END)
    finish_entry(b, [STATE, PLAYER, RNG_ROW], [Kind.INT], STATE)
    return b.name


def _write_choice(b: EntryBuilder, choice: Choice) -> None:
    """Write the return of a random action of one chooser."""
    environment = dict(b.environment)
    if choice.chooser.binder is not None:
        b.environment[choice.chooser.binder] = PLAYER
    if (drawn := drawn_in_word(b, choice, lambda: b.leave(DEAD_END))) is not None:
        _leave_with(b, drawn)
        b.environment = environment
        return
    # where `each` acts, symbols have a name for every player: any will do
    own = None if choice.chooser.actors is None else 0
    names, kind = component_names(choice, own), kind_name(choice, own)
    pick(b, choice, Targets(names, kind, lambda: b.leave(DEAD_END)))
    for number, block in enumerate(choice.blocks):
        for component, name in zip(block.components, names[number], strict=True):
            b.environment[component.local] = name
        if number == len(choice.blocks) - 1:
            _leave_with(b, choices.number_of(b, block))
        else:
            with b.when(ir.equal(kind, number)):
                _leave_with(b, choices.number_of(b, block))
    b.environment = environment


def _leave_with(b: Builder, action: Expression) -> None:
    """Write the return of an action, or of DEAD_END if finding it was a fault."""
    if FAULT in b.needs:
        with b.when(b.has_failed):
            b.leave(DEAD_END)
    b.leave(action)


def write_draw(module: GameModule, phases: list[PhaseFunctions]) -> None:
    """Write `draw`: a random action of every player who acts, in the games from `first` to `last - 1`."""
    b = Builder(module, "draw")
    words, players = module.layout.state_words, len(module.game.players.members)
    simultaneous = has_simultaneous_actions(module.game)

    def choose(function: str, game: Expression, player: Expression) -> Call:
        state, rng = _part(b, STATES, game, words), _part(b, RNGS, game, 1)
        return Call(function, (state, player, rng), Kind.INT)

    lists = _Lists(b, len(phases) + 1)
    with _blocks(b, lists) as games:
        lists.sort(STATES, words, games)
        for phase, functions in enumerate(phases):
            if functions.chance:
                continue
            with lists.each(phase) as game:
                acting = b.start("mask", ir.entry(ACTING, game))
                if simultaneous:
                    with b.repeat(PLAYER, 0, players):
                        bit = ir.both(ir.operation("logical_right", acting, PLAYER), 1)
                        # an initial state that is a fault has a mask below 0
                        with b.when(ir.conjunction([ir.compare("greater", acting, 0), ir.as_truth(bit)])):
                            drawn = b.start("action", choose(functions.choose, game, PLAYER))
                            b.store(ACTIONS, ir.add(ir.multiply(game, players), PLAYER), drawn)
                else:
                    with b.when(ir.compare("greater", acting, 0)):
                        player = b.start("player", ir.operation("lowest_bit", acting))
                        b.store(ACTIONS, game, b.start("action", choose(functions.choose, game, player)))
    module.finish("draw", DRAW_PARAMETERS, [], b.body)


# --- transitions ------------------------------------------------------------------------------------------------------


def write_restart(module: GameModule, phases: list[PhaseFunctions]) -> None:
    """Write `restart`: it keeps a game's last state in `end`, begins the game anew, and finds who acts."""
    b = Builder(module, "restart")
    end, initial = ir.words("end"), module.layout.initial_words()
    b.effect("copy_words", end, 0, STATE, 0, len(initial))
    b.effect("copy_words", STATE, 0, module.numbers("INITIAL_STATE", initial), 0, len(initial))
    first = initial[0]
    if first < len(phases):
        b.leave(_acting(phases[first], STATE))
    else:
        b.leave(-1)
    module.finish("restart", [STATE, end], [Kind.INT], b.body)


def write_step(module: GameModule, phases: list[PhaseFunctions]) -> None:
    """Write `step`: a transition of each game from `first` to `last - 1`, by the actions or by what chance draws.

    It does what `ggp.model.native.batch_play.step_games` does, but in place: of the old states only the words that a
    transition or an observation reads are kept. Copying a large state takes longer than most transitions.
    """
    _StepWriter(module, phases).write()


class _StepWriter:
    """`step`, while it is written.

    First, the games in each phase make their transitions. If only one phase can follow, they are settled at once;
    otherwise they are put into lists by the phase that they reached, and settled list by list. Games that ended, failed
    or are cut go into lists of their own and are restarted last.
    """

    def __init__(self, module: GameModule, phases: list[PhaseFunctions]) -> None:
        self.b = Builder(module, "step")
        self.rules, self.phases = module.game, phases
        self.words, self.players = module.layout.state_words, len(module.game.players.members)
        self.width = self.players if has_simultaneous_actions(module.game) else 1
        self.phase_numbers = module.layout.phase_index
        self.end, self.failed, self.cut = range(len(phases), len(phases) + 3)
        self.old_lists, self.new_lists = _Lists(self.b, len(phases) + 1), _Lists(self.b, len(phases) + 3)

    def write(self) -> None:
        """Write the function."""
        b, end, new_lists = self.b, self.end, self.new_lists
        with _blocks(b, self.old_lists, new_lists) as games:
            with _each(b, *games) as game:
                b.store(ACTED, game, ir.entry(ACTING, game))
            self.old_lists.sort(STATES, self.words, games)
            with self.old_lists.each(end) as game:  # initial states can be terminal
                new_lists.put(self.failed, game)
            for phase in range(len(self.phases)):
                with self.old_lists.each(phase) as game:
                    self._make_transition(phase, game)
            for phase in range(len(self.phases)):
                with new_lists.each(phase) as game:
                    self._settle(phase, game, self._part(STATES, game), ir.FALSE)
            with new_lists.each(end) as game:
                utilities = _part(b, UTILITIES, game, self.players)
                wrong = b.start("wrong", Call("utility", (self._part(STATES, game), utilities), Kind.INT))
                self._restart(game, ir.chosen(ir.equal(wrong, 0), ENDED, FAULTED))
            for kind, status in ((self.failed, FAULTED), (self.cut, CUT)):
                with new_lists.each(kind) as game:
                    self._restart(game, status)
        b.module.finish("step", STEP_PARAMETERS, [], b.body)

    def _part(self, row: Name, game: Expression) -> Name:
        """Return a name for a game's state."""
        return _part(self.b, row, game, self.words)

    def _make_transition(self, phase: int, game: Name) -> None:
        """Write the transition of a game from a phase, and put the game into the list for the result."""
        b, functions = self.b, self.phases[phase]
        old, new, joint = self._part(BEFORE, game), self._part(STATES, game), _part(b, JOINTS, game, self.players + 1)
        for first, count in functions.kept:
            b.effect("copy_words", old, first, new, first, count)
        if functions.chance:
            outcome = b.start("outcome", Call(functions.chance, (new, _part(b, RNGS, game, 1)), Kind.INT))
            b.store(joint, self.players, outcome)
            fails = ir.compare("less", outcome, 0)
        else:
            fails = _take_actions(b, game, joint, self.players, self.width)
        if functions.actors_can_fail:  # of a batch's states, initial ones alone
            fails = ir.disjunction([ir.compare("less", ir.entry(ACTED, game), 0), fails])
        with b.when(fails):
            self.new_lists.put(self.failed, game)
        with b.otherwise():
            b.add(Effect(Call(functions.step.name, (old, new, joint), None)))
            reached = b.start("reached", ir.entry(new, 0))
            if functions.step.can_fail:
                fault = b.start("fault", ir.entry(new, 1))
                reached = b.start("reached", ir.chosen(ir.equal(fault, 0), reached, self.end))
            targets = {transfer.target for transfer in self.rules.phases[phase].transfers if transfer.target}
            if len(targets) == 1:
                ended = ir.equal(reached, self.end)
                self._settle(self.phase_numbers[targets.pop()], game, new, ended)
            else:
                self.new_lists.put(reached, game)

    def _settle(self, phase: int, game: Name, state: Name, ended: Expression) -> None:
        """Write who acts in a game that continues in a phase, its length and its status, unless it has ended."""
        b = self.b
        acting = b.start("mask", _acting(self.phases[phase], state))
        length = b.start("length", ir.add(ir.entry(LENGTHS, game), 1))
        b.store(ACTING, game, acting)
        b.store(LENGTHS, game, length)
        b.store(STATUS, game, GOES_ON)
        if self.phases[phase].actors_can_fail:
            ended = ir.disjunction([ended, ir.compare("less", acting, 0)])
        self.new_lists.put(self.end, game, ended)
        with b.when(ir.compare("greater_equal", length, LIMIT)), b.when(ir.negation(ended)):
            self.new_lists.put(self.cut, game)

    def _restart(self, game: Name, status: ir.Given) -> None:
        """Write the restart of a game."""
        b = self.b
        state, last = self._part(STATES, game), self._part(ENDS, game)
        b.store(STATUS, game, status)
        b.store(ACTING, game, b.start("mask", Call("restart", (state, last), Kind.INT)))
        b.store(LENGTHS, game, 0)


def _acting(functions: PhaseFunctions, state: Name) -> Expression:
    """Return who acts in a state of a phase; -1 if finding out is a fault."""
    found = Call(functions.actors, (state,), Kind.INT)
    return ir.operation("larger", found, -1) if functions.actors_can_fail else found


def _take_actions(b: Builder, game: Expression, joint: Name, players: int, width: int) -> Expression:
    """Write the actions of a game into its joint action; return whether a player who acts has none."""
    if width == 1:
        action = b.start("action", ir.entry(ACTIONS, game))
        for player in range(players):
            b.store(joint, player, action)
        return ir.compare("equal", action, DEAD_END)
    lacking: list[Expression] = []
    for player in range(players):
        action = b.start("action", ir.entry(ACTIONS, ir.add(ir.multiply(game, width), player)))
        b.store(joint, player, action)
        bit = ir.both(ir.operation("logical_right", ir.entry(ACTED, game), player), 1)
        lacking.append(ir.conjunction([ir.compare("equal", action, DEAD_END), ir.as_truth(bit)]))
    return ir.disjunction(lacking)


# --- the games of a block ---------------------------------------------------------------------------------------------


class _Lists:
    """Lists of the games of a block, one for each of some kinds.

    Few counts are kept in names: through memory, each would wait for the one before it to be written.
    """

    def __init__(self, b: Builder, kinds: int) -> None:
        self._b = b
        self._kinds = kinds
        self.block = max(1, min(MAX_BLOCK, MAX_LISTED // kinds))
        self._games = b.allocate("games", kinds * self.block)
        self._names = [b.fresh("count") for _ in range(kinds)] if kinds <= MAX_COUNTS else []
        self._counts = None if self._names else b.allocate("counts", kinds)

    def clear(self) -> None:
        """Write the clearing of all lists."""
        for kind in range(self._kinds):
            self._set_count(kind, ir.ZERO)

    def sort(self, states: Name, words: int, games: tuple[Name, Name]) -> None:
        """Write code that puts the games of a block into lists by their phase."""
        with _each(self._b, *games) as game:
            self.put(self._b.start("phase", ir.entry(states, ir.multiply(game, words))), game)

    def put(self, kind: ir.Given, game: Expression, test: Expression = ir.TRUE) -> None:
        """Write code that puts a game into a list if a condition holds, without a jump that could not be predicted."""
        if test.constant == 0:
            return
        kind = ir.given(kind)
        if self._counts is None and kind.constant is None:
            for each in range(self._kinds):
                self.put(each, game, ir.conjunction([ir.equal(kind, each), test]))
            return
        b = self._b
        count = b.start("count", self._count(kind))
        b.store(self._games, ir.add(ir.multiply(kind, self.block), count), game)
        self._set_count(kind, ir.add(count, ir.as_integer(test)))

    @contextmanager
    def each(self, kind: int) -> Iterator[Name]:
        """Write a loop over the games of a list."""
        b = self._b
        last = b.start("last", self._count(ir.integer(kind)))
        with b.repeat(AT, 0, last):
            yield b.start("game", ir.entry(self._games, ir.add(AT, kind * self.block)))

    def _count(self, kind: Expression) -> Expression:
        return self._names[int(kind.constant or 0)] if self._counts is None else ir.entry(self._counts, kind)

    def _set_count(self, kind: ir.Given, value: Expression) -> None:
        kind = ir.given(kind)
        if self._counts is None:
            self._b.set(self._names[int(kind.constant or 0)], value)
        else:
            self._b.store(self._counts, kind, value)


@contextmanager
def _blocks(b: Builder, *lists: _Lists) -> Iterator[tuple[Name, Name]]:
    """Write a loop over the blocks of games, whose body gets the first game and the end, with empty lists."""
    size = min(one.block for one in lists)
    count = ir.operation("quotient", ir.add(ir.subtract(LAST, FIRST), size - 1), size)
    with b.repeat(NUMBER, 0, b.start("blocks", count)):
        for one in lists:
            one.clear()
        begin = b.start("begin", ir.add(FIRST, ir.multiply(NUMBER, size)))
        yield begin, b.start("behind", ir.operation("smaller", ir.add(begin, size), LAST))


@contextmanager
def _each(b: Builder, begin: Name, behind: Name) -> Iterator[Name]:
    """Write what is done for each of the games from one on."""
    game = b.fresh("game")
    with b.repeat(game, begin, behind):
        yield game


def _part(b: Builder, row: Name, game: Expression, width: int) -> Name:
    """Return a name for a game's part of an array."""
    operator = "words_from" if row.kind is Kind.WORDS else "reals_from"
    return b.start(row.name, ir.operation(operator, row, ir.multiply(game, width)))
