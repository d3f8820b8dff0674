"""Random plays in the interpreter, every step of them held against other implementations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import pytest

from ggp.arithmetic.rng import below, seed_word
from ggp.faults import LimitExceeded, RulesFault
from ggp.interpreter.interpreter import JointAction, Outcome, WorldState
from ggp.interpreter.random_play import action_number, drawn_outcome, outcome_number
from ggp.language import typed
from ggp.language.text.source import Span
from ggp.rules_compiler.entry_points.playouts import FAULTED
from tests.support.implementations import Implementation, Interpreted, Native, Plain, mask_of
from tests.support.recorded_playouts import compare_recorded_playouts
from tests.support.scattered_states import scattered_state

T = TypeVar("T")
NOWHERE = Span(1, 1, 1, 1)


def agreed(reference: Callable[[], T], others: Sequence[Callable[[], T]]) -> T | None:
    """Return what all give, or None where all fail."""
    try:
        expected = reference()
    except RulesFault:
        for other in others:
            with pytest.raises(RulesFault):
                other()
        return None
    for other in others:
        assert other() == expected
    return expected


def compare_play(
    interpreted: Interpreted, others: Sequence[Implementation], rng: list[int], limit: int, scattered: bool = False
) -> str:
    """Play one random game, comparing everything at every step. Returns how it ended: `end`, `fault`, `cut`.

    Args:
        interpreted: the reference.
        others: what is compared with it.
        rng: of everything random; advanced.
        limit: the largest number of transitions.
        scattered: whether play begins anywhere: see `scattered_state`.
    """
    interpreter = interpreted.interpreter
    players = range(len(interpreted.game.players.members))
    state = interpreter.initial()
    for other in others:
        assert other.initial() == interpreted.words(state)
    if scattered:
        state = scattered_state(interpreted.game, state, rng)
    for _ in range(limit):
        row = interpreted.words(state)
        if interpreter.is_terminal(state):
            compare_values(interpreted, others, state)
            return "end"
        compare_values(interpreted, others, state)
        chosen = compare_choices(interpreted, others, state, rng)
        if chosen is None:
            return "fault"
        joint = interpreted.joint(state, chosen)

        new = agreed(
            lambda: interpreted.words(interpreter.step(state, chosen)),  # noqa: B023 - called at once
            [partial(other.step, row, joint) for other in others],
        )
        if new is None:
            return "fault"
        for player in players:
            agreed(
                partial(interpreted.observe, state, chosen, player),
                [partial(other.observe, row, new, joint, player) for other in others],
            )
        state = interpreter.step(state, chosen)
    return "cut"


def compare_probabilities(other: Implementation, row: list[int], listed: Sequence[tuple[int, float]]) -> None:
    """Compare the probabilities of some outcomes, and of numbers beside them, with the list."""
    known = dict(listed)
    some = {beside for number, _ in (*listed[:3], *listed[-3:]) for beside in range(number - 2, number + 3)}
    for number in some:
        if (probability := other.outcome_probability(row, number)) is not None:
            assert probability == pytest.approx(known.get(number, 0.0), rel=1e-12)


def compare_choices(
    interpreted: Interpreted, others: Sequence[Implementation], state: WorldState, rng: list[int]
) -> JointAction | Outcome | None:
    """Compare who acts and what can be chosen, and choose; None where that is a fault everywhere."""
    interpreter, layout, row = interpreted.interpreter, interpreted.layout, interpreted.words(state)
    assert state.phase is not None
    phase = state.phase
    if interpreter.is_chance(state):
        assert [other.actors(row) for other in others] == [0] * len(others)
        try:
            outcomes = interpreter.chance_outcomes(state)
        except RulesFault:
            for other in others:
                with pytest.raises(RulesFault):
                    other.chance(row)
            return None
        for other in others:
            listed = other.chance(row)
            assert [number for number, _ in listed] == [outcome_number(layout, phase, one) for one, _ in outcomes]
            assert [chance for _, chance in listed] == pytest.approx([chance for _, chance in outcomes], rel=1e-12)
        for other in others:
            compare_probabilities(other, row, listed)
        drawn = [(other.sample_chance(row, word), word) for other in others for word in [list(rng)]]
        assert all(one == drawn[0] for one in drawn)
        assert drawn[0][0] in {number for number, _ in listed}
        chosen = drawn_outcome(outcomes, rng)
        assert interpreter.outcome_count(state, chosen) == len(outcomes)
        return chosen
    try:
        mask = mask_of(interpreter, state)
        legal = {player: interpreter.legal(state, player) for player in interpreter.actors(state)}
    except RulesFault:
        for other in others:
            with pytest.raises(RulesFault):
                faulted_choices(other, row)
        return None
    for other in others:
        assert other.actors(row) == mask
        for player, actions in legal.items():
            assert other.legal(row, player) == [action_number(layout, phase, action) for action in actions]
    return {player: actions[below(rng, len(actions))] for player, actions in legal.items()}


def faulted_choices(other: Implementation, row: list[int]) -> None:
    """Ask for everything that can be chosen, where one of the answers tells of a fault, or a player has no choice."""
    mask = other.actors(row)
    for player in range(16):
        if mask == -1 or (mask >> player & 1 and not other.legal(row, player)):
            raise RulesFault("dead_end", NOWHERE, "")


def compare_values(interpreted: Interpreted, others: Sequence[Implementation], state: WorldState) -> None:
    """Compare utilities at the end, estimates before; a fault in them is one everywhere, and none of the state's."""
    interpreter, row = interpreted.interpreter, interpreted.words(state)
    try:
        if interpreter.is_terminal(state):
            expected, name = interpreter.utilities(state), "utility"
            assert interpreted.sum is None or sum(expected) == pytest.approx(interpreted.sum, abs=1e-9)
        else:
            estimates = interpreter.estimates(state)
            if estimates is None:
                return
            expected, name = estimates, "estimate"
    except RulesFault:
        for other in others:
            with pytest.raises(RulesFault):
                getattr(other, "utility" if interpreter.is_terminal(state) else "estimate")(row)
        return
    for other in others:
        assert getattr(other, name)(row) == pytest.approx(list(expected), rel=1e-9, abs=1e-9)


def compare_plays(
    interpreted: Interpreted, others: Sequence[Implementation], seed: int, games: int, limit: int, scattered: int = 0
) -> list[str]:
    """Compare several random games, and more that begin anywhere; what takes the interpreter too long is cut short."""
    endings = []
    for number in range(games + scattered):
        rng = [seed_word(seed, number)]
        try:
            is_scattered = number >= games
            endings.append(
                compare_play(interpreted, others, rng, min(limit, 3) if is_scattered else limit, is_scattered)
            )
        except LimitExceeded:
            endings.append("cut")
    return endings


def compare_playouts(
    plain: Plain, native: Native, seed: int, games: int, limit: int, starts: Sequence[list[int]] = ()
) -> None:
    """Compare fused random playouts of the generated source and of the machine code, down to the generator's state.

    `starts`: the words of states from which more of them begin.
    """
    for number, state in enumerate([*[plain.initial()] * games, *starts]):
        first, second = [seed_word(seed, number)], [seed_word(seed, number)]
        try:
            expected = plain.playout(state, first, limit)
        except RulesFault:
            assert native.playout(state, second, limit)[0] == FAULTED
            continue
        assert native.playout(state, second, limit) == expected
        assert second == first


def compare_all(game: typed.Game, games: int, playouts: int = 50, limit: int = 100, seed: int = 1) -> list[str]:
    """Compare plays and playouts of all three implementations of a game; return how the plays ended."""
    interpreted, plain = Interpreted(game), Plain(game)
    native = Native(plain)
    endings = compare_plays(interpreted, [plain, native], seed, games, limit)
    compare_recorded_playouts(interpreted, plain, seed, min(games, 10), limit)
    compare_playouts(plain, native, seed, playouts, limit)
    return endings
