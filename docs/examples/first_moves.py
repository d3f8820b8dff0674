"""How good are the first moves of connect four, if both sides go on at random? 4096 games at once, on numpy arrays."""

import numpy as np

import ggp
from ggp.game.batch import ENDED

game = ggp.load("connect_four")
batch = game.batch(4096, seed=1)
first = np.zeros(len(batch), np.int64)  # the first move of the game that goes on at each place
games = np.zeros(7)
points = np.zeros(7)
for _ in range(300):
    actions = batch.random_actions()
    beginning = batch.lengths == 0
    first[beginning] = actions[beginning]
    batch.step(actions, check=False)  # they are legal, no need to look
    ended = batch.status == ENDED
    games += np.bincount(first[ended], minlength=7)
    points += np.bincount(first[ended], weights=batch.utilities[ended, 0], minlength=7)
for action in range(7):
    print(f"{game.action_text(action)}  {games[action]:6.0f} games  {points[action] / games[action]:+.3f}")
