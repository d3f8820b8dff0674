"""A short tournament between possible settings of a player in a game, to find the strongest.

The rules do not show whether their estimate is better than random playouts: the same setting won 84 %
in one game of the library and 13 % in another. So it is tried, from random positions. The work per move is counted
in units, whose rate is measured first, so that all candidates think equally long: on a slow machine they think less,
but play as many games. After each round the weaker half is dropped, and the others think longer (successive halving).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from ggp.arithmetic.rng import below, draw, seed_word

if TYPE_CHECKING:
    from ggp.game.game import Game, State
    from players.search.foundation.searches import Search

MIN_ROUND_GAMES, MAX_ROUND_GAMES = 8, 40
"""Games of each pair in a round: as many as allow GOOD_MOVE_S per move, within these limits."""
GOOD_MOVE_S = 0.005
RANDOM_DECISIONS = 2
"""Random decisions at the beginning of each game, so that games differ."""
SAMPLE_PLAYS = 4
"""Random plays that show how long a game is."""
AGREEING_PLAYS = 50
"""Random plays that have to end alike before playouts are taken to say nothing."""
MAX_SAMPLED_STATES = 60
"""Of each of them, for the number of outcomes."""
RATE_SHARE = 0.1
"""Share of the time for measuring the speed of the candidates."""
SPENT_SHARE = 0.8
"""Share of the time planned for searching; making moves takes some, too."""
MIN_MOVE_S, MAX_MOVE_S = 0.001, 0.05
"""Time per move. Games too long for the minimum are cut short and judged."""
MIN_DECISIONS = 12
"""Decisions before a game is cut short."""
MIN_GAMES = 4
"""Games that every candidate has to finish in a round; else the strongest of the round before is kept, or the first."""
SAFE = 0
"""The place of the candidate that is safe."""
DEVIATIONS = 1.3
"""A challenger has to lead the safe candidate by this many standard deviations of the score between
equals. In Ra, 8 games of little thought once preferred a player that lost every game on a real clock."""
MAX_TRANSITIONS = 2_000
"""Of a random play."""
JUDGING_PLAYOUTS = 20
JUDGED_LEAD = 0.05
"""A game cut short counts as won if random playouts and the estimate agree on a lead of this share of the range."""


@dataclass(slots=True)
class Candidate:
    """One of the searches.

    Attributes:
        search: prepared.
        rate: units of work per second.
        points: of all games in this round.
        games: played in this round.
    """

    search: Search
    rate: float
    points: float = 0.0
    games: int = 0

    @property
    def share(self) -> float:
        """Points per game; 0 before the first."""
        return self.points / self.games if self.games else 0.0


@dataclass(slots=True)
class Round:
    """A round: a number of games of each pair within a time.

    Attributes:
        game: of one player or of constant sum, of perfect information but for simultaneous moves.
        seed: of chance and of the random beginnings.
        end: of the round, by the clock.
        games: still to be played.
        clock: reads a monotonic clock in seconds.
        decisions: in all games so far; before the first, of a typical random play.
        played: games so far, at least 1.
        move_s: for a move of the next game.
        most_decisions: after which the next game is cut short.
    """

    game: Game
    seed: int
    end: float
    games: int
    clock: Callable[[], float]
    decisions: float
    played: int = 1
    move_s: float = MIN_MOVE_S
    most_decisions: int = MIN_DECISIONS

    def plan_game(self) -> None:
        """Divide the rest of the time among the remaining games, assuming the mean length so far."""
        time_each = SPENT_SHARE * max(self.end - self.clock(), 0.0) / max(self.games, 1)
        self.most_decisions = max(MIN_DECISIONS, int(time_each / MIN_MOVE_S))
        length = min(self.decisions / self.played, self.most_decisions)
        self.move_s = min(max(time_each / length, MIN_MOVE_S), MAX_MOVE_S)

    def count_game(self, decisions: int) -> None:
        """Count a game that is over."""
        self.decisions += max(decisions, 1)
        self.played += 1
        self.games -= 1


class Verdict(Struct, frozen=True):
    """The result of a test.

    Attributes:
        best: the place of the strongest candidate.
        results: by place, points and games of its last round.
    """

    best: int
    results: dict[int, tuple[float, int]] = field(default_factory=dict)

    def told(self, names: Sequence[str]) -> str:
        """Return the results in words."""
        return ", ".join(f"{names[place]} {points:g} of {games}" for place, (points, games) in self.results.items())


def strongest(
    game: Game,
    searches: Sequence[Search],
    seconds: float,
    seed: int = 1,
    clock: Callable[[], float] = time.monotonic,
) -> Verdict:
    """Return which search plays a game best.

    Args:
        game: of one player or of constant sum, of perfect information but for simultaneous moves.
        searches: prepared ones; the first is the one to beat.
        seconds: for all games together; unfinished games do not count.
        seed: of chance and of the random beginnings.
        clock: reads a monotonic clock in seconds.
    """
    end = clock() + seconds
    state = _beginning(game, seed)
    rate_s = RATE_SHARE * seconds / len(searches)
    candidates = [Candidate(search, _units_per_second(search, state, rate_s, seed, clock)) for search in searches]
    length = typical_decisions(game, seed)
    left, results = list(range(len(candidates))), {}
    rounds = math.ceil(math.log2(len(candidates)))
    for number in range(rounds):
        if len(left) == 1:
            break
        pairs = list(combinations(left, 2))
        now = clock()
        time_here = max(end - now, 0.0) / (rounds - number)
        games = int(time_here / (len(pairs) * length * GOOD_MOVE_S))
        games = len(pairs) * min(max(games - games % 2, MIN_ROUND_GAMES), MAX_ROUND_GAMES)
        this = Round(game, seed_word(seed, number), now + time_here, games, clock, length)
        _play_round(this, candidates, pairs)
        length = this.decisions / this.played
        results.update({place: (candidates[place].points, candidates[place].games) for place in left})
        left = better_half(left, candidates)
    return Verdict(left[0], results)


def better_half(left: Sequence[int], candidates: Sequence[Candidate]) -> list[int]:
    """Return the places of the candidates that stay, at least one, the strongest first.

    Args:
        left: in the order of the round before, which stands where this one was too short.
        candidates: with their results in this round.
    """
    if any(candidates[place].games < MIN_GAMES for place in left):
        return [left[0]]

    def worth(place: int) -> float:
        candidate = candidates[place]
        return candidate.share + (DEVIATIONS / math.sqrt(candidate.games) if place == SAFE else 0.0)

    return sorted(left, key=worth, reverse=True)[: (len(left) + 1) // 2]


def _play_round(this: Round, candidates: Sequence[Candidate], pairs: Sequence[tuple[int, int]]) -> None:
    """Let all pairs meet equally often; write points and games of the round to the candidates."""
    for candidate in candidates:
        candidate.points, candidate.games = 0.0, 0
    for number in range(this.games // len(pairs)):
        for pair in pairs:
            this.plan_game()
            points = _play(this, [candidates[place] for place in pair], number)
            if points is None:
                return
            for place, own in zip(pair, (points, 1.0 - points), strict=True):
                candidates[place].points += own
                candidates[place].games += 1


def typical_decisions(game: Game, seed: int = 1) -> float:
    """Return the mean number of decisions in a few random plays; at least 1."""
    lengths = [sum(1 for _ in random_decisions(game, seed_word(seed, play))) for play in range(SAMPLE_PLAYS)]
    return max(sum(lengths) / SAMPLE_PLAYS, 1.0)


def playouts_agree(game: Game) -> bool:
    """Return whether random plays all end with the same utilities, so that playouts tell a search nothing."""
    ends = set()
    for play in range(AGREEING_PLAYS):
        *_, last = random_play(game, seed_word(1, play))
        if last.is_terminal():
            ends.add(tuple(last.utilities()))
        if len(ends) > 1:
            return False
    return True


def _beginning(game: Game, seed: int) -> State:
    """Return a position after RANDOM_DECISIONS random decisions, or the initial state if games are too short for that.

    Games with simultaneous moves also begin at the initial state: players draw from mixtures, so games differ anyway,
    and two random bids would decide Oshi-Zumo.
    """
    if game.simultaneous:
        return game.initial()
    for number, state in enumerate(random_decisions(game, seed)):
        if number == RANDOM_DECISIONS:
            return state
    return game.initial()


def typical_outcomes(game: Game) -> float:
    """Return the median number of outcomes of the chance events in a few random plays; 0 where nothing is drawn.

    The bound by the rules' types is that of the largest event, which may happen only once, at the beginning.
    """
    counts = [
        len(state.chance_outcomes())
        for play in range(SAMPLE_PLAYS)
        for state in islice(random_play(game, seed_word(1, play)), MAX_SAMPLED_STATES)
        if state.is_chance()
    ]
    drawn = [count for count in counts if count > 1]  # a single outcome is an automatic phase
    return median(drawn) if drawn else 0.0


def random_decisions(game: Game, seed: int) -> Iterator[State]:
    """Yield the states of a random play in which players decide; the first few thousand of them."""
    for state in random_play(game, seed):
        if not state.is_chance() and not state.is_terminal():
            yield state


def random_play(game: Game, seed: int) -> Iterator[State]:
    """Yield the states of a random play, the last one terminal; the first few thousand of them."""
    rng, state = [seed_word(seed, 2)], game.initial()
    for _ in range(MAX_TRANSITIONS):
        yield state
        if state.is_terminal():
            return
        if state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
            continue
        legal = {role: state.legal(role) for role in state.actors()}
        state = state.apply({role: int(actions[below(rng, len(actions))]) for role, actions in legal.items()})


def _units_per_second(search: Search, state: State, seconds: float, seed: int, clock: Callable[[], float]) -> float:
    """Return how many units of work a search does per second, from a position."""
    search.seed(seed_word(seed, 1))
    search.set_root(np.array(state.words, np.int64))
    began, units = clock(), 1
    while True:
        search.run_units(units)
        spent = max(clock() - began, 1e-6)
        rate = search.iterations / spent  # fewer than requested if the root is proven
        if search.settled or spent >= seconds:
            return rate
        units = max(1, int(rate * seconds / 4))


def _play(this: Round, pair: Sequence[Candidate], number: int) -> float | None:
    """Return the points of the first of two candidates in a game; None if there was no time to finish it.

    One of them has a single role and the other all the others, in turn. In a game for one both play alone, with the
    same chance.
    """
    players = len(this.game.players)
    if players == 1:
        alone = [_ending(this, [candidate], number) for candidate in pair]
        return None if alone[0] is None or alone[1] is None else _points(alone[0][0], alone[1][0])
    role, single = number // 2 % players, number % 2
    candidates = [pair[1 - single]] * players
    candidates[role] = pair[single]
    ends = _ending(this, candidates, number)
    if ends is None:
        return None
    points = _points(ends[role], (sum(ends) - ends[role]) / (players - 1))
    return 1.0 - points if single else points


def _ending(this: Round, candidates: Sequence[Candidate], number: int) -> Sequence[float] | None:
    """Return the utilities of a game between candidates, by role; None if there was no time to finish it."""
    beginning = seed_word(this.seed, number // 2)
    rng, state, decisions = [beginning], _beginning(this.game, beginning), 0
    for place, candidate in enumerate(candidates):  # what it learns of the utilities lasts for a game, as in a match
        candidate.search.seed(seed_word(this.seed, number, place))
    while not state.is_terminal() and decisions < this.most_decisions:
        if this.clock() > this.end:
            return None
        if state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
            continue
        chosen = {}
        for role in state.actors():
            legal = state.legal(role)
            one = len(legal) == 1
            chosen[role] = int(legal[0]) if one else _choose(candidates[role], this.move_s, state, role, rng)
        decisions += 1
        state = state.apply(chosen)
    this.count_game(decisions)
    return state.utilities() if state.is_terminal() else judged(this.game, state, rng[0])


def _points(own: float, others: float) -> float:
    return 0.5 if own == others else float(own > others)


def judged(game: Game, state: State, seed: int) -> Sequence[float]:
    """Return utilities in place of those of a game that is cut short.

    Of two players 1 for the one ahead and -1 for the other, if random playouts and the estimate agree on that, else 0
    and 0; of one or of more players the means of playouts.
    """
    from ggp.native.calls import call_estimate, call_playout

    native = game.native()
    words, out = np.array(state.words, np.int64), np.zeros(native.shape.players)
    rng, total = np.array([seed], np.uint64), np.zeros(native.shape.players)
    for _ in range(JUDGING_PLAYOUTS):
        if call_playout(native.functions.playout, words, 0, rng, 0, out, 0, MAX_TRANSITIONS) >= 0:
            total += out
    if total.size != 2:
        return [float(one) for one in total / JUDGING_PLAYOUTS]
    leads = [(total[0] - total[1]) / JUDGING_PLAYOUTS]
    if native.functions.estimate and call_estimate(native.functions.estimate, words, 0, out, 0) >= 0:
        leads.append(out[0] - out[1])
    least = JUDGED_LEAD * 2 * (native.utility_high[0] - native.utility_low[0])
    if min(leads) > least:
        return 1.0, -1.0
    return (-1.0, 1.0) if max(leads) < -least else (0.0, 0.0)


def _choose(candidate: Candidate, move_s: float, state: State, role: int, rng: list[int]) -> int:
    search = candidate.search
    search.take_role(role)
    search.set_root(np.array(state.words, np.int64))
    search.run_units(max(1, int(candidate.rate * move_s)))
    actions, strategy = search.strategy(role)
    return int(actions[draw(rng, strategy.tolist())])
