"""Kernels that find the world states consistent with one player's actions and observations, for `players.beliefs`."""
