"""The native functions of a game."""
