"""Agents, and the registry of players."""
