"""Exact tools for hidden information: the game in sequence form, its equilibria, and best responses in it."""
