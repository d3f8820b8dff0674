"""The entry point that tells whether the actions given to a batch are legal.

An action is taken apart, and its parts are tested as if it was listed: to list all legal actions and to look for it
there took several times as long as the transitions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Call, Expression, Kind, Name
from ggp.encoding.numbering import Block
from ggp.language import typed
from ggp.rules_compiler.emit import choices
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import PLAYER
from ggp.rules_compiler.emit.dispatch import condition
from ggp.rules_compiler.emit.module import FAULT, GameModule, identifier
from ggp.rules_compiler.entry_points.batch_blocks import FIRST, LAST, Games, part
from ggp.rules_compiler.entry_points.batch_views import ACTING, STATES
from ggp.rules_compiler.entry_points.entries import EntryBuilder, finish_entry
from ggp.rules_compiler.entry_points.playouts import STATE
from ggp.rules_compiler.size import can_fail
from ggp.static_analysis.traits import has_simultaneous_actions

ACTIONS, DOUBTFUL = ir.words("actions"), ir.words("doubtful")
GIVEN = Name("given", Kind.INT)
"""The action that is looked for."""
FOUND = Name("found", Kind.INT)
"""1 once it has been found."""

CHECK_PARAMETERS = (STATES, ACTING, ACTIONS, DOUBTFUL, FIRST, LAST)


def write_check(module: GameModule) -> None:
    """Write `check`: entry `first` of `doubtful` says whether somebody's action is not legal, or a fault hides it."""
    b, doubt = Builder(module, "check"), Name("doubt", Kind.INT)
    words, players = module.layout.state_words, len(module.game.players.members)
    functions = {
        number: _write_check_in(module, phase)
        for number, phase in enumerate(module.game.phases)
        if phase.chance is None
    }

    def look(phase: int, game: Expression, player: Expression, at: Expression) -> None:
        arguments = part(b, STATES, game, words), player, ir.entry(ACTIONS, at)
        b.set(doubt, ir.either(doubt, ir.subtract(1, Call(functions[phase], arguments, Kind.INT))))

    b.set(doubt, 0)
    with Games(b, list(functions), STATES).in_blocks() as games:
        for phase in functions:
            with games.in_phase(phase) as game:
                acting = b.start("mask", ir.entry(ACTING, game))
                with b.when(ir.compare("greater", acting, 0)):  # below 0 where an initial state is a fault
                    if not has_simultaneous_actions(module.game):
                        look(phase, game, b.start("player", ir.operation("lowest_bit", acting)), game)
                        continue
                    bit = ir.both(ir.operation("logical_right", acting, PLAYER), 1)
                    with b.repeat(PLAYER, 0, players), b.when(ir.as_truth(bit)):
                        look(phase, game, PLAYER, ir.add(ir.multiply(game, players), PLAYER))
    b.store(DOUBTFUL, FIRST, doubt)
    module.finish("check", CHECK_PARAMETERS, [], b.body)


def _write_check_in(module: GameModule, phase: typed.Phase) -> str:
    """Write the function that looks for an action of a player who acts in a phase; return its name."""
    b = EntryBuilder(module, module.unique(f"check_{identifier(phase.name)}"))
    b.set(FOUND, 0)
    for choice in choices.each_acting(b, phase):
        for kind, block in zip(choice.chooser.kinds, choice.blocks, strict=True):
            _find(b, kind, block)
    if FAULT in b.needs:
        with b.when(b.has_failed):
            b.leave(0)
    b.leave(FOUND)
    finish_entry(b, [STATE, PLAYER, GIVEN], [Kind.INT], STATE)
    return b.name


def _find(b: Builder, kind: typed.ActionKind, block: Block) -> None:
    """Write whether the action is a legal one of a kind; a fault in listing these is one whatever the action is."""

    def compare() -> None:
        b.include(FOUND, ir.as_integer(ir.equal(choices.number_of(b, block), GIVEN)))

    tests = [test for test in (*map(choices.membership, kind.components), kind.where) if test is not None]
    if any(map(can_fail, tests)):
        choices.each_action(b, kind, compare)
        return
    inside = [ir.compare("greater_equal", GIVEN, block.base), ir.compare("less", GIVEN, block.base + block.count)]
    with b.when(ir.conjunction(inside)):
        names = [b.fresh("part") for _ in kind.components]
        choices.take_apart(b, (block,), GIVEN, [names], b.fresh("kind"))
        b.environment |= zip((component.local for component in kind.components), names, strict=True)
        _test(b, tests, compare)


def _test(b: Builder, tests: Sequence[typed.Expression], body: Callable[[], None]) -> None:
    """Write `body` where all tests hold, each of which is made only if those before it hold."""
    if not tests:
        body()
        return
    with b.when(condition(b, tests[0])):
        _test(b, tests[1:], body)
