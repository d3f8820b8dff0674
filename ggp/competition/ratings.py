"""Ratings of players who met in pairs: Bradley-Terry strengths on the Elo scale, with 95 % intervals.

Dimension: K players.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ggp.competition.statistics import NORMAL_95, Interval

F64: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

ELO_UNITS = 400.0 / math.log(10.0)
"""Elo points of one unit of natural log-odds."""

PRIOR_GAMES = 1.0
"""Imaginary draws between each pair that met. They keep the rating of an unbeaten player finite."""

MAX_STEPS = 200
PRECISION = 1e-10


def _reached(met: np.ndarray[Any, np.dtype[np.bool_]], first: int) -> set[int]:
    """Return the players connected to `first` by games, directly or through others, itself included."""
    reached = {first}
    frontier = [first]
    while frontier:
        for other in np.flatnonzero(met[frontier.pop()]):
            if int(other) not in reached:
                reached.add(int(other))
                frontier.append(int(other))
    return reached


def _expected(strength: F64) -> F64:
    return np.asarray(1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None])), np.float64)


def _information(strength: F64, games: F64) -> F64:
    """Return the negative second derivative of the log-likelihood, `[K, K]`; its rows sum to 0."""
    expected = _expected(strength)
    weight = games * expected * expected.T
    return np.asarray(np.diag(weight.sum(axis=1)) - weight, np.float64)


def _maximise_likelihood(points: F64, games: F64) -> F64:
    strength = np.zeros(len(points))
    for _ in range(MAX_STEPS):
        gradient = (points - games * _expected(strength)).sum(axis=1)
        step = np.linalg.pinv(_information(strength, games), hermitian=True) @ gradient
        # a full Newton step from far away can overshoot into a flat region of the likelihood
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        strength += step
        strength -= strength.mean()
        if np.abs(step).max() < PRECISION:
            return strength
    raise AssertionError("Newton's method on a concave likelihood did not converge")


def ratings_of(players: Sequence[int], pairs: Mapping[tuple[int, int], float]) -> dict[int, Interval]:
    """Return the ratings of players by their numbers, separately for groups that no games connect.

    The maximum-likelihood strengths of Bradley and Terry's model, P(i beats j) = 1 / (1 + 10^((R_j - R_i) / 400)), a
    draw counted as half a win for each, with `PRIOR_GAMES` added. Intervals come from the curvature of the likelihood
    at its maximum (observed information), on the plane of mean 0; they assume that games are independent.

    The mean of each connected group is 0. A player without opponents has the rating 0, with an unbounded interval.

    Args:
        players: whose ratings are wanted.
        pairs: points of the first against the second: 1 a win, 0.5 a draw.

    Source: Bradley, Terry 1952; Newton's method on the concave log-likelihood (Hunter 2004, section 1).
    """
    place = {player: at for at, player in enumerate(players)}
    points = np.zeros((len(players), len(players)))
    for (one, other), won in pairs.items():
        if one in place and other in place:
            points[place[one], place[other]] = won
    met = points + points.T > 0
    found: dict[int, Interval] = {}
    waiting = set(range(len(players)))
    while waiting:
        group = sorted(_reached(met, min(waiting)))
        waiting -= set(group)
        if len(group) == 1:
            found[players[group[0]]] = Interval(0.0, -math.inf, math.inf)
            continue
        scored = points[np.ix_(group, group)] + met[np.ix_(group, group)] * (PRIOR_GAMES / 2)
        strength = _maximise_likelihood(scored, scored + scored.T)
        variance = np.diag(np.linalg.pinv(_information(strength, scored + scored.T), hermitian=True))
        rating, reach = strength * ELO_UNITS, NORMAL_95 * np.sqrt(variance) * ELO_UNITS
        for at, centre, half in zip(group, rating, reach, strict=True):
            found[players[at]] = Interval(float(centre), float(centre - half), float(centre + half))
    return found
