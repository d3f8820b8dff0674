"""One transition of a game by its rules, as data in and data out, so that any thread can make it.

The referee names the transition it needs, its caller makes it, and the referee continues with the result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from ggp.errors import GgpError
from server.referee.chance import draw_weighted
from server.referee.game_interface import Game


class GameFault(GgpError):
    """The rules of a game failed in play; raised by a game, ends the match."""


class Step(Struct, frozen=True):
    """A transition to make.

    Attributes:
        words: the world state that it leaves; None: make the initial state.
        phase: the name of that state's phase, for messages.
        joint: the actions of the players who act; None if chance acts.
        seed, draws: the seed of the match, and how many chance outcomes have been drawn.
    """

    words: tuple[Any, ...] | None = None
    phase: str | None = None
    joint: dict[int, Any] | None = None
    seed: str = ""
    draws: int = 0


@dataclass(slots=True)
class StepResult:
    """The result of a transition. If the rules failed, the fields computed after the failure are missing.

    Attributes:
        outcome: the text of the chance outcome, if chance acted.
        told: the observation of each player, as labels and JSON values.
        words: the world state reached.
        phase: the name of its phase.
        utilities: of each player, if the game is over.
        legal: the legal actions by their text, for each player who acts; empty if chance does.
        failure: how the rules failed, if they did.
    """

    outcome: str | None = None
    told: list[list[tuple[str, Any]]] = field(default_factory=list)
    words: tuple[Any, ...] = ()
    phase: str | None = None
    utilities: tuple[float, ...] | None = None
    legal: dict[int, dict[str, Any]] = field(default_factory=dict)
    failure: str | None = None


def make_step(game: Game, step: Step, faults: tuple[type[Exception], ...]) -> StepResult:
    """Make a transition.

    Args:
        game: whose rules apply.
        step: the transition.
        faults: exceptions, besides `GameFault`, by which the game says that its rules failed.
    """
    result = StepResult()
    caught: tuple[type[Exception], ...] = (GameFault, *faults)
    try:
        _make(game, step, result)
    except caught as fault:
        result.failure = str(fault)
    return result


def _make(game: Game, step: Step, result: StepResult) -> None:
    if step.words is None:
        state = game.initial()
    else:
        old = game.state(step.words)
        if step.joint is not None:
            state = old.apply(step.joint)
        else:
            outcomes = old.chance_outcomes()
            drawn = draw_weighted(step.seed, "chance", step.draws, [probability for _, probability in outcomes])
            outcome = outcomes[drawn][0]
            result.outcome = old.outcome_text(outcome)
            state = old.apply_outcome(outcome)
        result.told = [list(state.readable_observation(player)) for player in range(len(game.players))]
    result.words, result.phase = state.words, state.phase
    if state.is_terminal():
        result.utilities = tuple(float(utility) for utility in state.utilities())
    for player in state.actors():
        result.legal[player] = {str(action): action for action in state.legal(player)}
        if not result.legal[player]:
            raise GameFault(f"{game.players[player]} is to act and has no legal action")
