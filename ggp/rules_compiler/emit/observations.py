"""Observations as words: each value of every `sees` that reaches the player, after a heading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression
from ggp.encoding.observation_encoding import Told
from ggp.encoding.state_layout import type_words
from ggp.language import typed
from ggp.language.typed.types import OptionType
from ggp.rules_compiler.emit.bits import has_bit
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import COUNT, OUT, PLAYER
from ggp.rules_compiler.emit.conversion import converted
from ggp.rules_compiler.emit.dispatch import condition, operand
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, Operand, flat
from ggp.rules_compiler.emit.sets import bits

Write: TypeAlias = "Callable[[Builder, Told, Operand], None]"
"""Writes what becomes of a value that the player is told."""


def write_observation(b: Builder, phase: typed.Phase, kind_tests: Mapping[str, Expression], write: Write) -> None:
    """Write a player's observation, each value by `write`; `player` is a parameter."""
    told = b.module.layout.told[b.module.layout.phase_index[phase.name]]
    for sees, of_sees in zip(phase.sees, told, strict=True):
        test = ir.TRUE if sees.kind is None else kind_tests.get(sees.kind, ir.FALSE)
        if test.constant == 0:
            continue
        with b.when(test):
            reached = _reached(b, sees)
            if reached.constant != 0:
                with b.when(reached):
                    _write_told(b, sees, of_sees, write)


def is_same_for_all(b: Builder, phase: typed.Phase) -> bool:
    """Return whether all players are told the same after a phase, whatever was played."""
    return all(sees.binder is None and _is_for_all(b, sees) for sees in phase.sees)


def _is_for_all(b: Builder, sees: typed.Sees) -> bool:
    if not isinstance(sees.audience, typed.Constant):
        return False
    assert isinstance(sees.audience.value, frozenset)
    return len(sees.audience.value) == len(b.module.game.players.members)


def _reached(b: Builder, sees: typed.Sees) -> Expression:
    """Return whether the player is told."""
    if _is_for_all(b, sees):
        return ir.TRUE
    return has_bit(b, bits(b, sees.audience), PLAYER)


def _write_told(b: Builder, sees: typed.Sees, of_sees: tuple[Told, ...], write: Write) -> None:
    if sees.binder is not None:
        b.environment[sees.binder] = PLAYER
    test = condition(b, sees.condition)
    if test.constant != 0:
        with b.when(test):
            for value, told in zip(sees.values, of_sees, strict=True):
                write(b, told, _as_told(b, value, told))


def list_value(b: Builder, told: Told, result: Operand) -> None:
    """Write a value to `out` from `n` on, behind its heading."""
    b.store(OUT, COUNT, told.heading)
    memory = result.place if isinstance(result, Bits) else result
    if isinstance(memory, Memory):
        b.effect("copy_words", OUT, ir.add(COUNT, 1), memory.row, memory.base, type_words(told.type))
    else:
        for i, part in enumerate(flat(result)):
            b.store(OUT, ir.add(COUNT, 1 + i), part)
    b.increase(COUNT, 1 + type_words(told.type))


def _as_told(b: Builder, value: typed.Expression, told: Told) -> Operand:
    """Return a value in the encoding of its label, which differs from its own if the label has several types."""
    given = operand(b, value)
    if told.places is None:
        return converted(b, given, value.type, told.type)
    assert not isinstance(given, (Bits, Elements, Memory))
    return b.module.known_value(told.places, ir.add(ir.as_integer(given), int(isinstance(value.type, OptionType))))
