"""Seeded random plays in the reference interpreter, transition by transition, and how they are written down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ggp.language import typed
from ggp.language.types import scalar_text
from ggp.model.generator import below, uniform
from ggp.model.interpreter import Interpreter, JointAction, Outcome, WorldState
from ggp.model.interpreter_expressions import Action


class DeadEnd(Exception):
    """A player is to act and has no legal action."""

    def __init__(self, state: WorldState, player: int) -> None:
        super().__init__(state, player)
        self.state = state
        self.player = player


@dataclass(frozen=True, slots=True)
class Transition:
    """One transition of a play.

    Attributes:
        old: the state before.
        legal: the legal actions of each player who acted; empty where chance did.
        outcomes: the chance outcomes with their probabilities; empty where players acted.
        chosen: what was chosen or drawn.
        new: the state after.
    """

    old: WorldState
    legal: Mapping[int, list[Action]]
    outcomes: list[tuple[Outcome, float]]
    chosen: JointAction | Outcome
    new: WorldState


def play_randomly(interpreter: Interpreter, rng: list[int], limit: int) -> Iterator[Transition]:
    """Play from the initial state to the end, or for `limit` transitions, uniformly over legal actions.

    Args:
        interpreter: of the game.
        rng: state of a generator (`ggp.model.generator`); advanced.
        limit: the largest number of transitions.

    Raises:
        RulesFault: the rules fail.
        DeadEnd: a player has nothing to choose.
    """
    state = interpreter.initial()
    for _ in range(limit):
        if interpreter.is_terminal(state):
            return
        legal: dict[int, list[Action]] = {}
        outcomes: list[tuple[Outcome, float]] = []
        chosen: JointAction | Outcome
        if interpreter.is_chance(state):
            outcomes = interpreter.chance_outcomes(state)
            chosen = drawn_outcome(outcomes, rng)
        else:
            legal = {player: interpreter.legal(state, player) for player in interpreter.actors(state)}
            for player, actions in legal.items():
                if not actions:
                    raise DeadEnd(state, player)
            chosen = {player: actions[below(rng, len(actions))] for player, actions in legal.items()}
        new = interpreter.step(state, chosen)
        yield Transition(state, legal, outcomes, chosen, new)
        state = new


def drawn_outcome(outcomes: list[tuple[Outcome, float]], rng: list[int]) -> Outcome:
    """Draw a chance outcome by its probability."""
    left = uniform(rng)
    for outcome, probability in outcomes:
        left -= probability
        if left < 0:
            return outcome
    return outcomes[-1][0]


def action_text(game: typed.Game, phase: typed.Phase, action: Action) -> str:
    """Return an action as players write it: `7`, `b2 b3`, `raise 2`, `fold`."""
    kind = phase.choosers[action.chooser].kinds[action.kind]
    values = [scalar_text(part.type, code) for part, code in zip(kind.components, action.values, strict=True)]
    return " ".join(values if kind.name is None else [kind.name, *values])


def outcome_text(phase: typed.Phase, outcome: Outcome) -> str:
    """Return a chance outcome with the names of what was drawn: `a = 3, b = 5`."""
    assert phase.chance is not None
    return ", ".join(
        f"{part.symbol.name} = {scalar_text(part.type, code)}"
        for part, code in zip(phase.chance.components, outcome, strict=True)
    )


def transition_text(game: typed.Game, phase: typed.Phase, chosen: JointAction | Outcome) -> str:
    """Return a transition as one line: `bid: row 3, col 5`, or `deal: a = 3`."""
    if isinstance(chosen, tuple):
        return f"{phase.name}: {outcome_text(phase, chosen)}" if chosen else phase.name
    choices = (
        f"{game.players.members[player]} {action_text(game, phase, action)}"
        for player, action in sorted(chosen.items())
    )
    return f"{phase.name}: {', '.join(choices)}"
