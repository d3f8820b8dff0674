"""What players see of a transition, as words: each value of every `sees` that reaches the player, behind a heading."""

from __future__ import annotations

from ggp.language import typed
from ggp.language.typed.types import OptionType
from ggp.model.generate.bits import has_bit
from ggp.model.generate.builder import Builder, flat
from ggp.model.generate.conversion import converted
from ggp.model.generate.dispatch import condition, operand
from ggp.model.generate.memory import offset
from ggp.model.generate.operands import Bits, Code, Memory, Operand, as_integer, plus
from ggp.model.generate.sets import bits
from ggp.model.numbering import Told
from ggp.model.state_layout import type_words


def write_observation(b: Builder, phase: typed.Phase, kind_tests: dict[str, Code]) -> None:
    """Write a player's observation to `out` from `n` on; `player` is a parameter."""
    for number, sees in enumerate(phase.sees):
        if sees.kind is not None:
            test = kind_tests.get(sees.kind)
            if test is None:
                continue
            if test.constant is None:
                with b.block(f"if {test.text}:"):
                    _write_sees(b, phase, number, sees)
                continue
        _write_sees(b, phase, number, sees)


def _write_sees(b: Builder, phase: typed.Phase, number: int, sees: typed.Sees) -> None:
    told = has_bit(b, bits(b, sees.audience), "player")
    if isinstance(sees.audience, typed.Constant):
        assert isinstance(sees.audience.value, frozenset)
        if len(sees.audience.value) == len(b.module.game.players.members):
            told = Code("True", 1, truth=True)
    if told.constant is not None:
        if told.constant:
            _write_told(b, phase, number, sees)
        return
    with b.block(f"if {told.text}:"):
        _write_told(b, phase, number, sees)


def _write_told(b: Builder, phase: typed.Phase, number: int, sees: typed.Sees) -> None:
    if sees.binder is not None:
        b.environment[sees.binder] = Code("player")
    test = condition(b, sees.condition)
    if test.constant is not None:
        if test.constant:
            _write_values(b, phase, number, sees)
        return
    with b.block(f"if {test.text}:"):
        _write_values(b, phase, number, sees)


def _write_values(b: Builder, phase: typed.Phase, number: int, sees: typed.Sees) -> None:
    layout = b.module.layout
    at = 0
    for value, told in zip(sees.values, layout.told[layout.phase_index[phase.name]][number], strict=True):
        b.emit(f"out[{plus('n', str(at))}] = {told.heading}")
        at += 1
        result = _as_told(b, value, told)
        memory = result.place if isinstance(result, Bits) else result
        if isinstance(memory, Memory):
            b.emit(f"copy_words(out, n + {at}, {memory.pointer}, {memory.base}, {type_words(told.type)})")
        else:
            for i, text in enumerate(flat(result)):
                b.emit(f"out[{plus('n', str(at + i))}] = {text}")
        at += type_words(told.type)
    b.emit(f"n += {at}")


def _as_told(b: Builder, value: typed.Expression, told: Told) -> Operand:
    """Return a value in the encoding that it is told in, which is its own but where a label has several types."""
    given = operand(b, value)
    if told.places is None:
        return converted(b, given, value.type, told.type)
    assert isinstance(given, Code)
    return Code(b.module.known_value(told.places, offset(as_integer(given), isinstance(value.type, OptionType))))
