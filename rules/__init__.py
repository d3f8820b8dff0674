"""The game library: one `.rules` file a game."""
