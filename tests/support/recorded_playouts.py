"""Fused playouts held against the interpreter, transition by transition.

A playout tells only its length and the utilities, and it does not share the code by which `step` makes a transition.
So its source is run here with lines added that record its names: they say what the state was and what was chosen.
"""

from __future__ import annotations
import __future__

from collections.abc import Mapping
from functools import lru_cache, partial
from types import CodeType
from typing import Any

import pytest

from ggp.arithmetic.rng import seed_word
from ggp.codegen.python import runtime
from ggp.encoding.state_layout import type_words
from ggp.faults import LimitExceeded, RulesFault
from ggp.interpreter.interpreter import Interpreter, JointAction, Outcome, WorldState
from ggp.language import typed
from ggp.language.evaluation.expressions import integer, members
from ggp.language.evaluation.scope import Action
from ggp.rules_compiler.emit.module import identifier
from ggp.rules_compiler.emit.value_names import lives_in_names, names_for, names_in, symbol_name
from tests.support.implementations import Interpreted, Plain
from tests.support.scattered_states import scattered_state

Names = Mapping[str, Any]
"""The local names of a playout at one moment."""
LIMIT_REACHED, DEAD_END = -1, -3
BEFORE_TRANSITION = "        if made >= limit:\n"
AT_END = "    return made\n"


def recorded(plain: Plain, start: list[int], rng: list[int], limit: int) -> tuple[int | None, list[Names]]:
    """Run a playout of the generated source, from the words of a state.

    Returns:
        What it returns, None for a fault, and its names before each transition and when it ended; where it ended by
        its limit or a dead end, the last ones are those of what came before.
    """
    records: list[Names] = []

    def record(names: Names) -> None:
        records.append({name: list(value) if isinstance(value, list) else value for name, value in names.items()})

    functions = plain.functions["playout"].__globals__ | {"record": record}
    exec(_recording(plain), functions)
    try:
        made = functions["playout"](start, rng, [0.0] * plain.players, limit)
    except runtime.FaultSignal as signal:
        trace = signal.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_name != "playout":
            trace = trace.tb_next
        assert trace is not None
        record(trace.tb_frame.f_locals)
        return None, records
    return made, records


@lru_cache(maxsize=1)
def _recording(plain: Plain) -> CodeType:
    """Return the playout of a generated source with the lines that record."""
    _, start, after = plain.source.partition("def playout(")
    source = start + after.partition("\n\n\ndef ")[0]
    for line in (BEFORE_TRANSITION, AT_END):
        assert source.count(line) == 1
        indentation = line[: len(line) - len(line.lstrip())]
        source = source.replace(line, f"{indentation}record(locals())\n{line}")
    return compile(source, "<recorded playout>", "exec", __future__.annotations.compiler_flag)


def compare_recorded_playouts(
    interpreted: Interpreted, plain: Plain, seed: int, games: int, limit: int, scattered: int = 0
) -> None:
    """Compare the transitions of playouts with the interpreter's, a long one cut short; some begin anywhere."""
    for number in range(games + scattered):
        rng, state = [seed_word(seed, number)], interpreted.interpreter.initial()
        if number >= games:
            state = scattered_state(interpreted.game, state, rng)
        made, records = recorded(plain, interpreted.words(state), rng, limit)
        try:
            _compare(interpreted, state, made, records)
        except LimitExceeded:
            continue


def _compare(interpreted: Interpreted, state: WorldState, made: int | None, records: list[Names]) -> None:
    interpreter, start = interpreted.interpreter, interpreted.words(state)
    assert _words(interpreted, start, records[0]) == start
    for place, names in enumerate(records[1:], start=1):
        try:
            possible = _possible(interpreter, state)
        except RulesFault:
            return  # a playout may draw without meeting a fault that listing everything meets
        chosen = _chosen(interpreter, state, names)
        if made is None and place == len(records) - 1:
            with pytest.raises(RulesFault):
                interpreter.utilities(interpreter.step(state, chosen))
            return
        assert _is_possible(chosen, possible)
        state = interpreter.step(state, chosen)
        assert _words(interpreted, start, names) == interpreted.words(state)
    if made in (None, DEAD_END):
        with pytest.raises(RulesFault):
            (interpreter.utilities if interpreter.is_terminal(state) else partial(_possible, interpreter))(state)
    else:
        assert interpreter.is_terminal(state) == (made != LIMIT_REACHED)


def _words(interpreted: Interpreted, start: list[int], names: Names) -> list[int]:
    """Return the state that a playout's names hold; it has none for variables that stay as they were at the start."""
    row = [names["phase"], 0]
    for written in interpreted.game.variables:
        variable = interpreted.layout.kept_as_sets.get(written, written)
        stem = identifier(variable.name)
        in_names = lives_in_names(variable.type)
        of_state = [name.name for name in names_in(names_for(variable.type, f"s_{stem}"))] if in_names else []
        held = of_state or [f"m_{stem}"]
        if held[0] not in names:
            row += start[len(row) : len(row) + type_words(variable.type)]
        else:
            row += [names[name] for name in held] if in_names else names[held[0]]
    return row


def _chosen(interpreter: Interpreter, state: WorldState, names: Names) -> JointAction | Outcome:
    """Return what was chosen or drawn in a state, from the names after it."""
    phase = interpreter.phase(state)
    if phase.chance is not None:
        return tuple(names[_component_name(component, None)] for component in phase.chance.components)
    joint = {}
    for place, chooser in enumerate(phase.choosers):
        if chooser.actors is None:
            assert chooser.actor is not None
            acting = [integer(chooser.actor, interpreter.scope(state))]
        else:
            acting = sorted(members(chooser.actors, interpreter.scope(state)))
        for player in acting:
            each = None if chooser.actors is None else player
            kind = names[f"kind_{place}" if each is None else f"kind_{place}_{each}"] if len(chooser.kinds) > 1 else 0
            values = [names[_component_name(component, each)] for component in chooser.kinds[kind].components]
            joint[player] = Action(place, kind, tuple(values))
    return joint


def _component_name(component: typed.Component, player: int | None) -> str:
    return symbol_name(component.symbol, player).name


def _possible(interpreter: Interpreter, state: WorldState) -> list[Outcome] | dict[int, list[Action]]:
    """Return the outcomes that chance can draw, or each player's legal actions."""
    if interpreter.is_chance(state):
        return [outcome for outcome, _ in interpreter.chance_outcomes(state)]
    return {player: interpreter.legal(state, player) for player in interpreter.actors(state)}


def _is_possible(chosen: JointAction | Outcome, possible: list[Outcome] | dict[int, list[Action]]) -> bool:
    if isinstance(possible, list):
        return chosen in possible
    assert not isinstance(chosen, tuple)
    return all(chosen[player] in actions for player, actions in possible.items())
