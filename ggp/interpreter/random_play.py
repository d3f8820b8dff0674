"""Seeded random plays in the reference interpreter, transition by transition, and how they are written down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ggp.arithmetic.rng import below, draw
from ggp.encoding.state_layout import Layout, encode_told
from ggp.interpreter.interpreter import Interpreter, JointAction, Observation, Outcome, WorldState
from ggp.language.evaluation.scope import Action
from ggp.language.typed import Value
from ggp.language.typed.types import MoveType, TextType
from ggp.language.typed.value_texts import value_text

CHANCE = "chance"
"""Who draws outcomes; no player has this name."""


class Transition(Struct, frozen=True):
    """One transition of a play.

    Attributes:
        old: the state before.
        legal: the legal actions of each player who acted; empty where chance did.
        outcomes: how many chance outcomes there were; 0 where players acted.
        chosen: what was chosen or drawn.
        new: the state after.
    """

    old: WorldState
    legal: Mapping[int, list[Action]]
    outcomes: int
    chosen: JointAction | Outcome
    new: WorldState


def play_randomly(interpreter: Interpreter, rng: list[int], limit: int) -> Iterator[Transition]:
    """Play from the initial state to the end, or for `limit` transitions, uniformly over legal actions.

    Args:
        interpreter: of the game.
        rng: state of a generator (`ggp.arithmetic.rng`); advanced.
        limit: the largest number of transitions.

    Raises:
        RulesFault: the rules fail, or a player has nothing to choose.
        LimitExceeded: one transition takes more work than the interpreter's limit.
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
            chosen = {player: actions[below(rng, len(actions))] for player, actions in legal.items()}
        new = interpreter.step(state, chosen)
        yield Transition(state, legal, len(outcomes), chosen, new)
        state = new


def drawn_outcome(outcomes: list[tuple[Outcome, float]], rng: list[int]) -> Outcome:
    """Draw a chance outcome by its probability."""
    return outcomes[draw(rng, [probability for _, probability in outcomes])][0]


def action_number(layout: Layout, phase: str, action: Action) -> int:
    """Return the number of an action of a phase."""
    block = layout.choice_blocks[layout.phase_index[phase]][action.chooser][action.kind]
    return block.encode(action.values)


def outcome_number(layout: Layout, phase: str, outcome: Outcome) -> int:
    """Return the number of a chance outcome of a phase."""
    block = layout.outcome_blocks[layout.phase_index[phase]]
    assert block is not None, "chance does not act in this phase"
    return block.encode(outcome)


def observation_words(layout: Layout, phase: str, observation: Observation) -> list[int]:
    """Return the words of an observation of a phase's transition, as `observe` gives them."""
    number = layout.phase_index[phase]
    words: list[int] = []
    for seen in observation:
        sees = layout.game.phases[number].sees[seen.position]
        for told, expression, value in zip(layout.told[number][seen.position], sees.values, seen.values, strict=True):
            given: Value = value
            if isinstance(expression.type, TextType):
                given = layout.texts.index(str(value))
            elif isinstance(expression.type, MoveType):
                given = action_number(layout, phase, value) if isinstance(value, Action) else -1
            words += encode_told(told, expression.type, given)
    return words


def state_words(layout: Layout, state: WorldState) -> list[int]:
    """Return the words of a state that has no fault."""
    words = [layout.end if state.phase is None else layout.phase_index[state.phase], 0]
    for variable, value in zip(layout.game.variables, state.values, strict=True):
        words += layout.variable_words(variable, value)
    return words


def action_text(layout: Layout, phase: str, action: Action) -> str:
    """Return an action as players write it: `7`, `b2 b3`, `raise 2`, `fold`."""
    return layout.action_text(action_number(layout, phase, action))


def transition_text(layout: Layout, phase: str, chosen: JointAction | Outcome) -> str:
    """Return a transition as one line: `bid: row 3, col 5`, or `deal: 3 5`."""
    texts = chosen_texts(layout, phase, chosen)
    if isinstance(chosen, tuple):
        return f"{phase}: {texts[CHANCE]}" if texts[CHANCE] else phase
    return f"{phase}: {', '.join(f'{name} {text}' for name, text in texts.items())}"


def chosen_texts(layout: Layout, phase: str, chosen: JointAction | Outcome) -> dict[str, str]:
    """Return what was chosen in a transition as texts, by the names of who chose; of chance by CHANCE."""
    if isinstance(chosen, tuple):
        number = outcome_number(layout, phase, chosen)
        return {CHANCE: layout.outcome_text(number, layout.phase_index[phase])}
    names = layout.game.players.members
    return {names[player]: action_text(layout, phase, action) for player, action in sorted(chosen.items())}


def observation_texts(layout: Layout, phase: str, observation: Observation) -> tuple[str, ...]:
    """Return what an observation tells, a text for each value: `taken = yes`; constant texts stand for themselves."""
    rules = layout.game.phases[layout.phase_index[phase]]
    texts = []
    for seen in observation:
        sees = rules.sees[seen.position]
        for label, expression, value in zip(sees.labels, sees.values, seen.values, strict=True):
            if isinstance(expression.type, TextType):
                texts.append(str(value))
            elif isinstance(value, Action):
                texts.append(f"{label} = {action_text(layout, phase, value)}")
            else:
                texts.append(f"{label} = {value_text(expression.type, value)}")
    return tuple(texts)


def life_texts(
    interpreter: Interpreter, layout: Layout, state: WorldState, chosen: JointAction | Outcome, player: int
) -> list[str]:
    """Return what a transition is to one player: its own action and what it saw, a text each."""
    assert state.phase is not None
    texts = []
    if not isinstance(chosen, tuple) and player in chosen:
        texts.append(f"chose {action_text(layout, state.phase, chosen[player])}")
    seen = observation_texts(layout, state.phase, interpreter.observation(state, chosen, player))
    if seen:
        texts.append(f"saw {', '.join(seen)}")
    return texts
