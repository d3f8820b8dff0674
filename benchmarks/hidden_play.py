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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.game.game import Game, State
from players.agents.agent import Agent
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


@dataclass(slots=True)
class MeasuredPlay(Play):
    """A game whose decisions are measured."""

    decisions: list[Decision] = field(default_factory=list)

    def _move(self, state: State, role: int) -> tuple[str, str | None]:
        """Ask an agent for its move, and record the decision."""
        began = self.clock()
        found = Play._move(self, state, role)
        spent = self.clock() - began
        if len(state.legal(role)) > 1:
            assert self.time_control.play_clock_s is not None
            used, agent = spent / self.time_control.play_clock_s, self.agents[role]
            agent = agent.playing if isinstance(agent, AutoAgent) else agent
            self.decisions.append(_decision(self.transitions, used, state, agent))
        return found


def _decision(transition: int, used: float, state: State, agent: Agent) -> Decision:
    if not isinstance(agent, BeliefAgent):
        return Decision(transition, used, 0, 0.0, False, 0, False)
    belief = agent.belief
    held, words = len(belief), {tuple(int(word) for word in one) for one in belief.states}
    effective = 1.0 / float((belief.probabilities * belief.probabilities).sum()) if held else 0.0
    return Decision(transition, used, held, effective, belief.exact, belief.revived, state.words in words)


def play(game: Game, players: Sequence[str], seed: int, seconds: float, clock: Callable[[], float]) -> list[Decision]:
    """Play a game with a player for each role, the last one for all remaining roles; return all decisions."""
    count = len(game.players)
    agents = [read_player(players[min(role, len(players) - 1)]).make_agent() for role in range(count)]
    for role, agent in enumerate(agents):
        agent.start(game, role, seed_word(seed, role))
    chance, replacement = [seed_word(seed, count)], [seed_word(seed, count + 1)]
    control = TimeControl(play_clock_s=seconds)
    measured = MeasuredPlay(game, agents, tuple(range(count)), chance, replacement, control, clock, [0] * count)
    measured.to_the_end()
    return measured.decisions


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
