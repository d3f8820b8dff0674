"""Plays games with hidden information against a clock, and reports how the time of each decision was used.

`python -m benchmarks.hidden_play GAME... [--players P...] [--clock S] [--number N]
[--wall] [-p NAME=VALUE] [--json FILE]`.

The clock counts the processor time of the playing thread, so that other work on the machine does not count, unless
`--wall` is given. For each decision with more than one action, it reports the share of the play clock used, the delay
of late answers, the number of world states in the player's belief, whether these are all consistent ones, whether none
was found, and whether they include the true one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.encoding.readable import Readable
from ggp.game.game import Game, State
from players.agents.agent import Agent, Budget
from players.agents.auto import AutoAgent
from players.agents.belief_agent import BeliefAgent
from players.agents.registry import read_player
from players.evaluation.matches import Play, TimeControl


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of one player.

    Attributes:
        transition: number of transitions before it.
        used: share of the play clock; above 1 if the answer was late.
        held: world states in the belief at the time of the answer; 0 if none was found.
        effective: one over the sum of their squared probabilities: the equivalent number of equally probable states.
        exact: whether these are all consistent states.
        revived: how often the whole belief had been contradicted so far.
        true_held: whether the true state is one of them.
    """

    transition: int
    used: float
    held: int
    effective: float
    exact: bool
    revived: int
    true_held: bool


class Measured:
    """An agent whose decisions are measured.

    Args:
        agent: the agent.
        truth: returns the true state and the number of the transition.
    """

    def __init__(self, agent: Agent, truth: Callable[[], tuple[State, int]]) -> None:
        self._agent = agent
        self._truth = truth
        self.decisions: list[Decision] = []

    def start(self, game: Game, role: int, seed: int) -> None:
        """Get ready."""
        self._agent.start(game, role, seed)

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Pass on an observation."""
        self._agent.observe(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Let the agent choose, and record the decision."""
        began = budget.clock()
        action = self._agent.choose(legal, budget)
        spent = budget.clock() - began
        if len(legal) == 1:
            return action
        agent = self._agent.playing if isinstance(self._agent, AutoAgent) else self._agent
        belief = agent.belief if isinstance(agent, BeliefAgent) else None
        state, transition = self._truth()
        held = 0 if belief is None else len(belief)
        shares = belief.probabilities if belief is not None and held else None
        words = set() if belief is None else {tuple(int(word) for word in held_state) for held_state in belief.states}
        self.decisions.append(
            Decision(
                transition,
                spent / (budget.deadline - began),
                held,
                0.0 if shares is None else 1.0 / float((shares * shares).sum()),
                belief is not None and belief.exact,
                0 if belief is None else belief.revived,
                state.words in words,
            )
        )
        return action


class _Watched(Play):
    """A game whose current state can be queried."""

    now: State

    def _after(self, state: State) -> State:
        self.now = state
        return super()._after(state)


def play(game: Game, players: Sequence[str], seed: int, seconds: float, clock: Callable[[], float]) -> list[Decision]:
    """Play a game with a player for each role, the last one for all remaining roles; return all decisions."""
    watched: list[_Watched] = []

    def truth() -> tuple[State, int]:
        return watched[0].now, watched[0].transitions

    agents = []
    for role in range(len(game.players)):
        agent = Measured(read_player(players[min(role, len(players) - 1)]).make_agent(), truth)
        agent.start(game, role, seed_word(seed, role))
        agents.append(agent)
    count = len(agents)
    watched.append(
        _Watched(
            game,
            agents,
            tuple(range(count)),
            [seed_word(seed, count)],
            [seed_word(seed, count + 1)],
            TimeControl(play_clock_s=seconds),
            clock,
            [0] * count,
        )
    )
    watched[0].to_the_end()
    return [decision for agent in agents for decision in agent.decisions]


def summary(decisions: Sequence[Decision]) -> dict[str, Any]:
    """Return a summary of the decisions."""
    late = [decision for decision in decisions if decision.used > 1.0]
    later = [decision for decision in decisions if decision.transition >= 20] or list(decisions)
    sampled = [decision for decision in decisions if not decision.exact]
    return {
        "decisions": len(decisions),
        "found": statistics.fmean(decision.held > 0 for decision in decisions),
        "found_after_20": statistics.fmean(decision.held > 0 for decision in later),
        "exact": statistics.fmean(decision.exact for decision in decisions),
        "true_held": statistics.fmean(decision.true_held for decision in decisions),
        "held_median": statistics.median(decision.held for decision in decisions),
        "held_sampled_median": statistics.median([decision.held for decision in sampled] or [0]),
        "effective_sampled_median": statistics.median([decision.effective for decision in sampled] or [0]),
        "few": statistics.fmean(decision.held < 16 and not decision.exact for decision in decisions),
        "revived": max(decision.revived for decision in decisions),
        "used_mean": statistics.fmean(decision.used for decision in decisions),
        "used_least": min(decision.used for decision in decisions),
        "used_most": max(decision.used for decision in decisions),
        "late": len(late) / len(decisions),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hidden_play", description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--players", nargs="+", default=["ismcts"])
    parser.add_argument("--clock", type=float, default=0.2, help="seconds a move")
    parser.add_argument("--number", type=int, default=1, help="games of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wall", action="store_true", help="count wall time, not processor time")
    parser.add_argument("-p", dest="parameters", action="append", default=[], help="parameter of the games: NAME=VALUE")
    parser.add_argument("--json", type=Path, help="file for all decisions")
    options = parser.parse_args(arguments)
    parameters = dict(parameter.split("=", 1) for parameter in options.parameters)
    clock = time.monotonic if options.wall else time.thread_time
    told = []
    for name in options.games:
        game = ggp.load(name, **parameters)
        decisions = [
            decision
            for number in range(options.number)
            for decision in play(game, options.players, options.seed + number, options.clock, clock)
        ]
        told.append({"game": game.name, "players": options.players, **summary(decisions)})
        print(json.dumps(told[-1]), flush=True)
        told[-1]["each"] = [asdict(decision) for decision in decisions]
    if options.json is not None:
        options.json.write_text(json.dumps(told))


if __name__ == "__main__":
    main()
