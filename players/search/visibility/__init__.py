"""Searches of visibility games: units on a graph, of which each player sees the other's only from certain places."""
