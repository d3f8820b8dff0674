"""Entry points for batches: random actions, a transition of many games, and what they show, in one call each.

They form a separate module, compiled with the first batch, so that single games do not wait for it. A branch on the
phase of a game, or on whether it ends, cannot be predicted, and a misprediction costs as much as a small game's
transition. So the games of a block are sorted into one list per phase, without branches, and a loop for each phase
processes its list. LLVM inlines the game's functions into these loops.

The arrays are those of `ggp.game.batch_play.BatchArrays`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Assign, Call, Effect, Expression, Kind, Module, Name, Return
from ggp.encoding.features import Feature
from ggp.encoding.state_layout import Layout
from ggp.language import typed
from ggp.native.interface import CUT, DEAD_END, ENDED, FAULTED, GOES_ON
from ggp.rules_compiler.emit import choices
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import PLAYER, Choice, component_names, kind_name
from ggp.rules_compiler.emit.expressions import COMPILERS
from ggp.rules_compiler.emit.module import FAULT, GameModule, identifier
from ggp.rules_compiler.emit.picks import Targets, drawn_in_word, pick
from ggp.rules_compiler.entry_points.batch_blocks import FIRST, LAST, MAX_BLOCK, GameList, Games, part, phases_of
from ggp.rules_compiler.entry_points.batch_checks import write_check
from ggp.rules_compiler.entry_points.batch_views import Shown, write_tensor, write_views
from ggp.rules_compiler.entry_points.entries import (
    RNG_ROW,
    EntryBuilder,
    finish_entry,
    write_actors_in,
    write_sample_chance_in,
    write_step_in,
    write_values,
)
from ggp.rules_compiler.entry_points.playouts import STATE
from ggp.rules_compiler.rewrite.lowering import lowered
from ggp.static_analysis.traits import has_simultaneous_actions, is_of_perfect_information

BEFORE, STATES, ENDS = ir.words("before"), ir.words("states"), ir.words("ends")
ACTED, ACTING, JOINTS, STATUS = ir.words("acted"), ir.words("acting"), ir.words("joint"), ir.words("status")
UTILITIES = Name("utilities", Kind.REALS)
LENGTHS, RNGS, ACTIONS, MASKS = ir.words("lengths"), ir.words("rng"), ir.words("actions"), ir.words("masks")
LIMIT = Name("limit", Kind.INT)

DRAW_PARAMETERS = (STATES, ACTING, RNGS, ACTIONS, FIRST, LAST)
STEP_PARAMETERS = (
    BEFORE, STATES, ENDS, ACTED, ACTING, JOINTS, UTILITIES, STATUS, LENGTHS, RNGS, ACTIONS, LIMIT, FIRST, LAST,
)  # fmt: skip


def generate_for_batches(game: typed.Game, layout: Layout, shown: Shown, own: GameModule) -> GameModule:
    """Write the module of a game that batches use.

    Args:
        game: the checked rules.
        layout: where everything lies in words.
        shown: what tensors and masks hold.
        own: the game's other module; faults have the numbers that they have there.

    Raises:
        LimitExceeded: the code or its memory would be too large.
    """
    game = lowered(game)
    module = GameModule(game, layout, COMPILERS, sites=list(own.sites), site_types=list(own.site_types))
    module.code.comment = f"Generated from {game.source_name} for batches of games.\n"
    module.code.is_random = True
    phases = [_write_phase(module, phase) for phase in game.phases]
    failing = {number: phase.actors for number, phase in enumerate(phases) if phase.actors_can_fail}
    write_values(module, "utility", game.payoff, failing)
    write_draw(module, phases)
    write_restart(module, phases)
    _StepWriter(module, phases).write()
    write_check(module)
    write_views(module, shown)
    _write_show(module)
    return module


def generate_for_seat(game: typed.Game, layout: Layout, features: Sequence[Feature]) -> Module:
    """Write the module whose only function is the `tensor` of states as a player has them.

    Args:
        game: the checked rules.
        layout: where everything lies in words.
        features: see `seen_from`.
    """
    module = GameModule(lowered(game), layout, COMPILERS)
    module.code.comment = f"Generated from {game.source_name} for tensors from a player's seat.\n"
    write_tensor(module, features)
    return module.code


class PhaseFunctions(Struct, frozen=True):
    """The names of the functions of one phase: `chance` where chance acts, else `choose`."""

    choose: str
    chance: str
    step: str
    step_can_fail: bool
    actors: str
    actors_can_fail: bool
    actors_are_quick: bool


def _write_phase(module: GameModule, phase: typed.Phase) -> PhaseFunctions:
    choose = write_sample_action(module, phase) if phase.chance is None else ""
    chance = "" if phase.chance is None else write_sample_chance_in(module, phase)
    step, step_can_fail = write_step_in(module, phase, in_place=True)
    actors, can_fail = write_actors_in(module, phase)
    quick = all(isinstance(statement, (Assign, Return)) for statement in module.code.functions[-1].body)
    return PhaseFunctions(choose, chance, step, step_can_fail, actors, can_fail, quick)


def write_sample_action(module: GameModule, phase: typed.Phase) -> str:
    """Write a function that draws a random legal action of an acting player, or DEAD_END; return its name."""
    b = EntryBuilder(module, module.unique(f"sample_action_{identifier(phase.name)}"))
    for choice in choices.each_acting(b, phase):
        _write_choice(b, choice)
    b.leave(DEAD_END)
    finish_entry(b, [STATE, PLAYER, RNG_ROW], [Kind.INT], STATE)
    return b.name


def _write_choice(b: EntryBuilder, choice: Choice) -> None:
    """Write the return of a random action of one chooser."""
    environment = dict(b.environment)
    if (drawn := drawn_in_word(b, choice, lambda: b.leave(DEAD_END))) is not None:
        _leave_with(b, drawn)
    else:
        # where `each` acts, symbols have a name for every player: any will do
        own = None if choice.chooser.actors is None else 0
        names, kind = component_names(choice, own), kind_name(choice, own)
        pick(b, choice, Targets(names, kind, lambda: b.leave(DEAD_END)))
        for number, block in enumerate(choice.blocks):
            b.environment |= zip((component.local for component in block.components), names[number], strict=True)
            with b.when(ir.equal(kind, number) if number < len(choice.blocks) - 1 else ir.TRUE):
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
        state, rng = part(b, STATES, game, words), part(b, RNGS, game, 1)
        return Call(function, (state, player, rng), Kind.INT)

    chosen = [number for number, phase in enumerate(phases) if not phase.chance]
    with Games(b, chosen, STATES).in_blocks() as games:
        for phase in chosen:
            with games.in_phase(phase) as game:
                acting, function = b.start("mask", ir.entry(ACTING, game)), phases[phase].choose
                with b.when(ir.compare("greater", acting, 0)):  # below 0 where an initial state is a fault
                    if simultaneous:
                        bit = ir.both(ir.operation("logical_right", acting, PLAYER), 1)
                        with b.repeat(PLAYER, 0, players), b.when(ir.as_truth(bit)):
                            drawn = b.start("action", choose(function, game, PLAYER))
                            b.store(ACTIONS, ir.add(ir.multiply(game, players), PLAYER), drawn)
                    else:
                        player = b.start("player", ir.operation("lowest_bit", acting))
                        b.store(ACTIONS, game, b.start("action", choose(function, game, player)))
    module.finish("draw", DRAW_PARAMETERS, [], b.body)


def write_restart(module: GameModule, phases: list[PhaseFunctions]) -> None:
    """Write `restart`: it keeps a game's last state in `end`, begins the game anew, and finds who acts."""
    b = Builder(module, "restart")
    end, initial = ir.words("end"), module.layout.initial_words()
    b.effect("copy_words", end, 0, STATE, 0, len(initial))
    b.effect("copy_words", STATE, 0, module.numbers("INITIAL_STATE", initial), 0, len(initial))
    b.leave(_acting(phases[initial[0]], STATE) if initial[0] < len(phases) else -1)
    module.finish("restart", [STATE, end], [Kind.INT], b.body)


class _StepWriter:
    """Writes `step`: a transition of each game from `first` to `last - 1`, by the actions or by what chance draws.

    It does what `ggp.game.batch_calls.OneByOne.step` does. Games make their transitions phase by phase, and then
    those that are over are begun anew.
    """

    def __init__(self, module: GameModule, phases: list[PhaseFunctions]) -> None:
        b = self.b = Builder(module, "step")
        self.rules, self.phases = module.game, phases
        self.words, self.players = module.layout.state_words, len(module.game.players.members)
        self.width = self.players if has_simultaneous_actions(module.game) else 1
        self.phase_numbers = module.layout.phase_index
        self.end = len(phases)
        self.games = Games(b, phases_of(module), STATES)
        self.ended, self.failed = GameList(b), GameList(b)

    def write(self) -> None:
        """Write the function."""
        b = self.b
        with self.games.in_blocks() as games:
            longest = b.start("longest", 0)
            for over in (self.ended, self.failed):
                b.set(over.count, 0)
            with games.each() as game:
                b.store(ACTED, game, ir.entry(ACTING, game))
                b.store(STATUS, game, GOES_ON)
                length = b.start("length", ir.add(ir.entry(LENGTHS, game), 1))
                b.store(LENGTHS, game, length)
                b.set(longest, ir.operation("larger", longest, length))
            for phase in games.phases:
                with games.in_phase(phase) as game:
                    if phase == self.end:  # all initial states are terminal
                        self.failed.put(game)
                    else:
                        self._make_transition(phase, game)
            with self.ended.each() as game:
                utilities = part(b, UTILITIES, game, self.players)
                wrong = b.start("wrong", Call("utility", (self._part(STATES, game), utilities), Kind.INT))
                self._restart(game, ir.chosen(ir.equal(wrong, 0), ENDED, FAULTED))
            with self.failed.each() as game:
                self._restart(game, FAULTED)
            with (
                b.when(ir.compare("greater_equal", longest, LIMIT)),
                games.each() as game,
                b.when(ir.compare("greater_equal", ir.entry(LENGTHS, game), LIMIT)),
            ):
                self._restart(game, CUT)
        b.module.finish("step", STEP_PARAMETERS, [], b.body)

    def _part(self, row: Name, game: Expression) -> Name:
        """Return a name for a game's state."""
        return part(self.b, row, game, self.words)

    def _make_transition(self, phase: int, game: Name) -> None:
        """Write the transition of a game from a phase, and who acts then."""
        b, functions = self.b, self.phases[phase]
        old, new, joint = self._part(BEFORE, game), self._part(STATES, game), part(b, JOINTS, game, self.players + 1)
        b.effect("copy_words", old, 0, new, 0, self.words)
        if functions.chance:
            outcome = b.start("outcome", Call(functions.chance, (new, part(b, RNGS, game, 1)), Kind.INT))
            b.store(joint, self.players, outcome)
            fails = ir.compare("less", outcome, 0)
        else:
            fails = _take_actions(b, game, joint, self.players, self.width)
        if functions.actors_can_fail:  # of a batch's states, initial ones alone
            fails = ir.disjunction([ir.compare("less", ir.entry(ACTED, game), 0), fails])
        with b.when(fails):
            self.failed.put(game)
        with b.otherwise():
            b.add(Effect(Call(functions.step, (old, new, joint), None)))
            reached = b.start("reached", ir.entry(new, 0))
            if functions.step_can_fail:
                fault = b.start("fault", ir.entry(new, 1))
                reached = b.start("reached", ir.chosen(ir.equal(fault, 0), reached, self.end))
            named = {transfer.target for transfer in self.rules.phases[phase].transfers}
            targets = sorted(self.phase_numbers[target] for target in named if target)
            acting = self._acting(targets, reached, new)
            b.store(ACTING, game, acting)
            ended = ir.equal(reached, self.end)
            if any(self.phases[target].actors_can_fail for target in targets):
                ended = ir.disjunction([ended, ir.compare("less", acting, 0)])
            self.ended.put(game, ended if functions.step_can_fail or len(targets) < len(named) else ir.FALSE)

    def _acting(self, targets: Sequence[int], reached: Expression, state: Name) -> Expression:
        """Write who acts in a state that has reached one of some phases, or the end, where it may be anything."""
        b = self.b
        acting = b.start("acting", 0)
        for target in targets:
            here = ir.equal(reached, target) if len(targets) > 1 else ir.TRUE
            functions = self.phases[target]
            if functions.chance:
                continue
            if functions.actors_are_quick:
                b.set(acting, ir.chosen(here, b.start("mask", _acting(functions, state)), acting))
            else:
                with b.when(here):
                    b.set(acting, _acting(functions, state))
        return acting

    def _restart(self, game: Name, status: ir.Given) -> None:
        """Write the restart of a game."""
        b = self.b
        state, last = self._part(STATES, game), self._part(ENDS, game)
        b.store(STATUS, game, status)
        b.store(ACTING, game, b.start("mask", Call("restart", (state, last), Kind.INT)))
        b.store(LENGTHS, game, 0)


def _write_show(module: GameModule) -> None:
    """Write `show`: `step`, block by block, and what each block shows then, while its states are in the caches."""
    b, row = Builder(module, "show"), STEP_PARAMETERS[:10]
    if is_of_perfect_information(module.game):
        shown = [ir.words("shown")]
    else:
        shown = [ir.words(f"shown_{player}") for player in range(len(module.game.players.members))]
    begin, behind = b.fresh("begin"), b.fresh("behind")
    b.set(begin, FIRST)
    with b.repeat_while(ir.compare("less", begin, LAST)):
        b.set(behind, ir.operation("smaller", ir.add(begin, MAX_BLOCK), LAST))
        b.add(Effect(Call("step", (*row, ACTIONS, LIMIT, begin, behind), None)))
        b.add(Effect(Call("mask", (STATES, ACTING, MASKS, ir.word(-1), begin, behind), None)))
        for player, tensor in enumerate(shown):
            if is_of_perfect_information(module.game):
                b.add(Effect(Call("tensor", (STATES, tensor, begin, behind), None)))
            else:
                seen = BEFORE, STATES, ENDS, JOINTS, STATUS, LENGTHS
                b.add(Effect(Call("told", (*seen, tensor, ir.word(player), begin, behind), None)))
        b.set(begin, behind)
    module.finish("show", (*row, MASKS, *shown, ACTIONS, LIMIT, FIRST, LAST), [], b.body)


def _acting(functions: PhaseFunctions, state: Name) -> Expression:
    """Return who acts in a state of a phase; -1 if finding out is a fault."""
    found = Call(functions.actors, (state,), Kind.INT)
    return ir.operation("larger", found, -1) if functions.actors_can_fail else found


def _take_actions(b: Builder, game: Expression, joint: Name, players: int, width: int) -> Expression:
    """Write the actions of a game into its joint action; return whether a player who acts has none."""
    lacking: list[Expression] = []
    for player in range(players):
        at = ir.add(ir.multiply(game, width), player) if width > 1 else game
        action = b.start("action", ir.entry(ACTIONS, at))
        b.store(joint, player, action)
        bit = ir.both(ir.operation("logical_right", ir.entry(ACTED, game), player), 1)
        acts = ir.as_truth(bit) if width > 1 else ir.TRUE
        lacking.append(ir.conjunction([ir.compare("equal", action, DEAD_END), acts]))
    return ir.disjunction(lacking)
