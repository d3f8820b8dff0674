"""What a player can know about the world state from its own actions and observations."""

from players.beliefs.tracker import Inconsistent, Tracker

__all__ = ["Inconsistent", "Tracker"]
