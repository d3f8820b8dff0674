"""Kernels that find the world states which fit what one player did and saw; driven by `players.beliefs`."""
