"""What a player can know of where the game is, from its own actions and what it was told."""

from players.beliefs.tracker import Inconsistent, Tracker

__all__ = ["Inconsistent", "Tracker"]
