"""The entry point that tells whether the actions given to a batch are legal.

Of each action only the kinds that may have its number are listed, and compared with it in registers: to write all legal
actions to memory and to look there took several times as long as the transitions.
"""

from __future__ import annotations

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Call, Expression, Kind, Name
from ggp.encoding.numbering import Block
from ggp.language import typed
from ggp.language.typed.types import lowest, size
from ggp.rules_compiler.emit import choices
from ggp.rules_compiler.emit.bits import has_bit
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import PLAYER
from ggp.rules_compiler.emit.module import FAULT, GameModule, identifier
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.entry_points.batch_blocks import FIRST, LAST, Games, part
from ggp.rules_compiler.entry_points.batch_views import ACTING, STATES, whole_domain
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
    for choice in choices.choices_of(b, phase):
        acting = choices.acts(b, choice, PLAYER)
        if acting.constant == 0:
            continue
        with b.when(acting):
            if choice.chooser.binder is not None:
                b.environment[choice.chooser.binder] = PLAYER
            for kind, block in zip(choice.chooser.kinds, choice.blocks, strict=True):
                _find(b, kind, block)
    if FAULT in b.needs:
        with b.when(b.has_failed):
            b.leave(0)
    b.leave(FOUND)
    finish_entry(b, [STATE, PLAYER, GIVEN], [Kind.INT], STATE)
    return b.name


def _find(b: Builder, kind: typed.ActionKind, block: Block) -> None:
    """Write the search for the action among the legal ones of a kind; a fault is one wherever the action is."""

    def compare() -> None:
        b.include(FOUND, ir.as_integer(ir.equal(choices.number_of(b, block), GIVEN)))

    read = [component.domain for component in kind.components] + [kind.where]
    if any(can_fail(node) for node in read if isinstance(node, typed.Expression)):
        choices.each_action(b, kind, compare)
        return
    domain = whole_domain(kind, block)
    if domain is None:
        first, count = block.base, block.count
    else:
        own = kind.components[0].type
        first, count = block.base + lowest(own) - lowest(block.types[0]), size(own)
    inside = [ir.compare("greater_equal", GIVEN, first), ir.compare("less", GIVEN, first + count)]
    with b.when(ir.conjunction(inside)):
        if domain is None:
            choices.each_action(b, kind, compare)
        else:
            b.include(FOUND, ir.as_integer(has_bit(b, bits(b, domain), ir.add(GIVEN, -first))))
