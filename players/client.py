"""What programs of other people import to play on a game manager: `join`, and classes to derive players from."""

from __future__ import annotations

from players.network.client import Client, JoinFailed, MatchPlayer, RandomPlayer, Turn, join

__all__ = ["Client", "JoinFailed", "MatchPlayer", "RandomPlayer", "Turn", "join"]
