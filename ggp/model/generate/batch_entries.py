"""Entry points for batches: random actions without listing all, and a transition in one call.

A separate module, compiled when the first batch is made, so that single games do not wait for it. It has the
entry points again that these call, so that they become one piece of code.
"""

from __future__ import annotations

from ggp.language import typed
from ggp.model.generate import choices
from ggp.model.generate.builder import Builder
from ggp.model.generate.choices import PLAYER, Choice, component_names, kind_name
from ggp.model.generate.entries import (
    JOINT,
    NEW,
    OLD,
    RNG_ROW,
    EntryBuilder,
    dispatch,
    finish_entry,
    write_actors,
    write_sample_chance,
    write_step,
)
from ggp.model.generate.expressions import COMPILERS
from ggp.model.generate.module import FAULT, GameModule, identifier
from ggp.model.generate.picks import Targets, pick
from ggp.model.generate.playouts import STATE
from ggp.model.ir import build as ir
from ggp.model.ir.nodes import Call, Effect, Kind
from ggp.model.ir.passes import optimise
from ggp.model.native.interface import CHANCE_FAILED, DEAD_END
from ggp.model.state_layout import Layout


def generate_for_batches(game: typed.Game, layout: Layout) -> GameModule:
    """Write the module of a game that batches use.

    Raises:
        LimitExceeded: the code or its memory would be too large.
    """
    module = GameModule(game, layout, COMPILERS)
    module.code.comment = f"Generated from {game.source_name} for batches of games.\n"
    write_sample_action(module)
    write_actors(module)
    write_sample_chance(module)
    write_step(module)
    write_transition(module)
    optimise(module.code)
    return module


def write_sample_action(module: GameModule) -> None:
    """Write `sample_action`: a uniformly random legal action of a player, or DEAD_END."""
    parameters = [STATE, PLAYER, RNG_ROW]

    def write(phase: typed.Phase) -> str:
        if phase.chance is not None:
            return ""
        b = EntryBuilder(module, module.unique(f"sample_action_{identifier(phase.name)}"))
        for choice in choices.choices_of(b, phase):
            acting = choices.acts(b, choice, PLAYER)
            if acting.constant != 0:
                with b.when(acting):
                    _write_choice(b, choice)
        b.leave(DEAD_END)
        finish_entry(b, parameters, [Kind.INT], STATE)
        return b.name

    dispatch(module, "sample_action", parameters, STATE, write, lambda b: b.leave(DEAD_END))


def write_transition(module: GameModule) -> None:
    """Write `transition`: an outcome is drawn where chance acts, the step made; who acts then, or CHANCE_FAILED."""
    b = Builder(module, "transition")
    for number, phase in enumerate(module.game.phases):
        if phase.chance is not None:
            with b.when(ir.equal(ir.entry(OLD, 0), number)):
                outcome = b.assign(Call("sample_chance", (OLD, RNG_ROW), Kind.INT), "outcome")
                with b.when(ir.compare("less", outcome, 0)):
                    b.leave(CHANCE_FAILED)
                b.store(JOINT, len(module.game.players.members), outcome)
    b.add(Effect(Call("step", (OLD, NEW, JOINT), None)))
    b.leave(Call("actors", (NEW,), Kind.INT))
    module.finish("transition", [OLD, NEW, JOINT, RNG_ROW], [Kind.INT], b.body)


def _write_choice(b: EntryBuilder, choice: Choice) -> None:
    """Write the return of a random action of one chooser."""
    environment = dict(b.environment)
    if choice.chooser.binder is not None:
        b.environment[choice.chooser.binder] = PLAYER
    # where `each` acts, symbols have a name for every player: any will do
    own = None if choice.chooser.actors is None else 0
    names, kind = component_names(choice, own), kind_name(choice, own)
    pick(b, choice, Targets(names, kind, lambda: b.leave(DEAD_END)))
    if FAULT in b.needs:
        with b.when(b.has_failed):
            b.leave(DEAD_END)
    for number, block in enumerate(choice.blocks):
        for component, name in zip(block.components, names[number], strict=True):
            b.environment[component.local] = name
        if number == len(choice.blocks) - 1:
            b.leave(choices.number_of(b, block))
        else:
            with b.when(ir.equal(kind, number)):
                b.leave(choices.number_of(b, block))
    b.environment = environment
