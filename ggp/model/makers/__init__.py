"""Makers of games: each turns some description of a game into native functions and a codec."""
