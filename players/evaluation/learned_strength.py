"""How strong what was learned makes a player: games against what `auto` plays without it, at equal clocks."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct

from ggp.arithmetic.rng import below, seed_word
from ggp.competition.statistics import decided, mean_interval, win_rate
from ggp.encoding.readable import Readable
from ggp.game.game import Game
from players.agents.agent import Agent, Budget
from players.agents.candidates import (
    BY_RULES,
    EVEN,
    GUIDED,
    MAX_LEARNED,
    WITH_LATER_PLAYS,
    blueprint_player,
    learned_players,
    plan_for,
    policy_player,
    reading,
    rival_of,
)
from players.agents.registry import PlayerSpec, read_player
from players.evaluation.matches import TimeControl, play_game
from players.player_options import NotApplicable

MOVE_S, SEARCHED_MOVE_S = 0.02, 0.1
"""The longer time is for what helps where a search goes deep: policies for playouts, which win half of the games of
Go 9x9 at 0.02 s, evaluations beside an estimate of the rules, which in backgammon win 46 % of 24 games at 0.02 s, and
where something is hidden: in dark chess they win 96 % of 100 games at 0.02 s against playouts, and 35 % of 20 at 0.1 s.
"""
OPENING = 2
"""Random actions of each at the beginning of a game in which nothing is drawn, the same for both seatings."""
CHOOSING_GAMES, CHOOSING_SHARE, CHOOSING_S = 20, 0.5, 10.0
"""Games at most, at the longer time, in which another player meets the first that reads a file, of the time for all
games the share for these, and the least time that tells anything."""
MAX_GAMES, MAX_HANDS = 100, 2000
"""Games with an evaluation, and with a blueprint, which takes next to no time and is judged by its payoffs."""
CHOOSING_BOUNDS, STRONGER_BOUNDS = (0.4, 0.6), (EVEN, 0.6)
"""Shares of games between which a sequential test tells: which of two players is the stronger, and whether one is."""


class AfterOpening(Agent):
    """An agent whose first actions are random: games of two searches that draw nothing would all be alike.

    Attributes:
        opening: the seed of these actions.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent, self.opening = agent, 0

    def start(self, game: Game, role: int, seed: int) -> None:
        """Prepare for a match."""
        self._agent.start(game, role, seed)
        self._rng, self._left = [seed_word(self.opening, role)], OPENING

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Take note of a transition."""
        self._agent.observe(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Return a random action at the beginning, then the agent's."""
        self._left -= 1
        return legal[below(self._rng, len(legal))] if self._left >= 0 else self._agent.choose(legal, budget)


class Strength(Struct, frozen=True):
    """The result of games at equal clocks of processor time.

    Attributes:
        player: that reads what was learned, without its file.
        against: the player that it met.
        move_s: seconds for a move.
        games: how many were played.
        win_rate: share that it won, a draw half.
        ci95: its interval, from 0 to 1.
        gain95: the interval of how much more it got in a game than the others.
    """

    player: str
    against: str
    move_s: float
    games: int
    win_rate: float
    ci95: tuple[float, float]
    gain95: tuple[float, float]


def _usable(game: Game, players: dict[str, str]) -> list[tuple[str, PlayerSpec]]:
    """Return the players that can play a game, with and without their files."""
    found = []
    for name, text in players.items():
        spec = read_player(text)
        try:
            spec.check(game)
        except NotApplicable:
            continue
        found.append((name, spec))
    return found


def strength_of(game: Game, file: str, seconds: float, seed: int, blueprint: bool = False) -> Strength | None:
    """Return how strong the best player with a file is, by pairs of games with seats exchanged; None where none plays.

    A short test before a match is too fast to tell which one reads a file best: at a few thousandths of a second a move
    `ubfm` leads `star1` in chess, at 0.1 s it loses nearly all games.

    Args:
        game: for two players or more.
        file: of the evaluation, or the blueprint.
        seconds: of processor time, after which no further pair begins.
        seed: of chance and of the players.
        blueprint: whether it is one.
    """
    names = {name: reading(name, file) for name in learned_players(game)}
    usable = _usable(game, {"blueprint": blueprint_player(file)} if blueprint else names)
    if not usable or len(game.players) < 2:
        return None
    plan = plan_for(game)
    if blueprint:
        return _met(game, usable[0], plan.players[0], seconds, seed, MAX_HANDS)
    is_slow = BY_RULES in rival_of(plan) or not game.perfect_information
    move_s = SEARCHED_MOVE_S if is_slow else MOVE_S
    began, best, choosing_s = time.process_time(), usable[0], CHOOSING_SHARE * seconds
    for other in usable[1:MAX_LEARNED] if choosing_s >= CHOOSING_S else ():
        met = _met(game, other, str(best[1]), choosing_s, seed, CHOOSING_GAMES, SEARCHED_MOVE_S, CHOOSING_BOUNDS)
        best = other if met.win_rate > EVEN else best
    left = seconds - (time.process_time() - began)
    return _met(game, best, rival_of(plan), left, seed, MAX_GAMES, move_s, STRONGER_BOUNDS)


def policy_strength(game: Game, file: str, seconds: float, seed: int) -> Strength:
    """Return how strong a policy for playouts makes the search that reads it, against that without it."""
    spec = read_player(policy_player(file))
    return _met(game, (GUIDED, spec), WITH_LATER_PLAYS, seconds, seed, MAX_GAMES, SEARCHED_MOVE_S, STRONGER_BOUNDS)


def _met(
    game: Game,
    player: tuple[str, PlayerSpec],
    against: str,
    seconds: float,
    seed: int,
    most: int,
    move_s: float = MOVE_S,
    bounds: tuple[float, float] | None = None,
) -> Strength:
    """Return the result of a player, with the name that is told of it, against another.

    With bounds games end once a sequential test between these shares is decided, for the higher one if the interval of
    the share excludes one half, too, which it does later where many games are drawn.
    """
    (name, spec), other = player, read_player(against)
    players = len(game.players)
    opens = game.perfect_information and not game.chance
    specs = [spec, *[other] * (players - 1)]
    agents = [AfterOpening(one.make_agent()) if opens else one.make_agent() for one in specs]
    control, end = TimeControl(play_clock_s=move_s), time.process_time() + seconds
    scores, gains = list[float](), list[float]()
    open_, share = True, win_rate(0, 0, 0)
    while open_ and (len(scores) < 2 * players or time.process_time() < end):
        for agent in agents:
            if isinstance(agent, AfterOpening):
                agent.opening = seed_word(seed, len(scores) // players)
        for _ in range(players):
            found = play_game(game, agents, len(scores), seed, True, control, time.process_time)
            own = found.utilities[found.seats.index(0)]
            others = (sum(found.utilities) - own) / (players - 1)
            scores.append(0.5 if own == others else float(own > others))
            gains.append(own - others)
        share = win_rate(scores.count(1.0), scores.count(0.5), scores.count(0.0))
        stronger = None if bounds is None else decided(scores, bounds)
        open_ = len(scores) < most and (stronger is None or (stronger and share.low <= EVEN))
    interval = round(share.low, 4), round(share.high, 4)
    gain = mean_interval(sum(gains[at : at + players]) / players for at in range(0, len(gains), players))
    told = round(gain.low, 4), round(gain.high, 4)
    return Strength(name, str(other), move_s, len(scores), round(share.estimate, 4), interval, told)
