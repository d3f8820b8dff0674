"""One transition of a game by its rules, as data in and data out: so it can be made in another process as well.

The referee says which transition it wants, somebody makes it, and the referee goes on with what came of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.errors import GgpError
from server.referee.chance import draw_weighted
from server.referee.game_interface import Game


class GameFault(GgpError):
    """The rules of a game failed in play; raised by a game, ends the match."""


@dataclass(frozen=True, slots=True)
class Step:
    """A transition that is wanted.

    Attributes:
        words: the world state that it leaves; None: the initial state is wanted.
        phase: the name of that state's phase, for people.
        joint: the actions of the players who act; None where chance acts.
        seed, draws: of the match's chance, and how often it has drawn already.
    """

    words: tuple[Any, ...] | None = None
    phase: str | None = None
    joint: dict[int, Any] | None = None
    seed: str = ""
    draws: int = 0


@dataclass(slots=True)
class StepResult:
    """What came of a transition. Where the rules failed, what comes after the failure is missing.

    Attributes:
        outcome: the text of what chance drew, if it acted.
        told: for each player what it is told, as label and JSON value.
        words: the world state that was reached.
        phase: the name of its phase.
        utilities: of each player, where the game is over.
        legal: the legal actions by their text, for each player who acts; empty where chance does.
        failure: how the rules failed, if so.
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
        game: by whose rules.
        step: which.
        faults: exceptions, besides `GameFault`, by which the game says that its rules failed.
    """
    situation = StepResult()
    caught: tuple[type[Exception], ...] = (GameFault, *faults)
    try:
        _make(game, step, situation)
    except caught as fault:
        situation.failure = str(fault)
    return situation


def _make(game: Game, step: Step, situation: StepResult) -> None:
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
            situation.outcome = old.outcome_text(outcome)
            state = old.apply_outcome(outcome)
        situation.told = [list(state.readable_observation(player)) for player in range(len(game.players))]
    situation.words, situation.phase = state.words, state.phase
    if state.is_terminal():
        situation.utilities = tuple(float(utility) for utility in state.utilities())
    for player in state.actors():
        situation.legal[player] = {str(action): action for action in state.legal(player)}
        if not situation.legal[player]:
            raise GameFault(f"{game.players[player]} is to act and has no legal action")
