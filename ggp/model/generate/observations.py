"""What players see of a transition, as words: for each `sees` that reaches the player its position and its values."""

from __future__ import annotations

from ggp.language import typed
from ggp.model.generate.bits import has_bit
from ggp.model.generate.builder import Builder, flat
from ggp.model.generate.dispatch import condition, operand
from ggp.model.generate.operands import Bits, Code, Memory, plus
from ggp.model.generate.sets import bits
from ggp.model.state_layout import sees_words, type_words


def write_observation(b: Builder, phase: typed.Phase, kind_tests: dict[str, Code]) -> None:
    """Write a player's observation to `out` from `n` on; `player` is a parameter."""
    for number, sees in enumerate(phase.sees):
        if sees.kind is not None:
            test = kind_tests.get(sees.kind)
            if test is None:
                continue
            if test.constant is None:
                with b.block(f"if {test.text}:"):
                    _write_sees(b, number, sees)
                continue
        _write_sees(b, number, sees)


def _write_sees(b: Builder, number: int, sees: typed.Sees) -> None:
    told = has_bit(b, bits(b, sees.audience), "player")
    if isinstance(sees.audience, typed.Constant):
        assert isinstance(sees.audience.value, frozenset)
        if len(sees.audience.value) == len(b.module.game.players.members):
            told = Code("True", 1, truth=True)
    if told.constant is not None:
        if told.constant:
            _write_told(b, number, sees)
        return
    with b.block(f"if {told.text}:"):
        _write_told(b, number, sees)


def _write_told(b: Builder, number: int, sees: typed.Sees) -> None:
    if sees.binder is not None:
        b.environment[sees.binder] = Code("player")
    test = condition(b, sees.condition)
    if test.constant is not None:
        if test.constant:
            _write_values(b, number, sees)
        return
    with b.block(f"if {test.text}:"):
        _write_values(b, number, sees)


def _write_values(b: Builder, number: int, sees: typed.Sees) -> None:
    b.emit(f"out[n] = {number}")
    at = 1
    for value in sees.values:
        result = operand(b, value)
        memory = result.place if isinstance(result, Bits) else result
        if isinstance(memory, Memory):
            b.emit(f"copy_words(out, n + {at}, {memory.pointer}, {memory.base}, {type_words(value.type)})")
        else:
            for i, text in enumerate(flat(result)):
                b.emit(f"out[{plus('n', str(at + i))}] = {text}")
        at += type_words(value.type)
    assert at == sees_words(sees)
    b.emit(f"n += {at}")
