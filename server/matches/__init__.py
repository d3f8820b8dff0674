"""Matches and tournaments in progress, the players they are made of, and where rules run."""
