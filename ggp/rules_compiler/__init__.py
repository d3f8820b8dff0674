"""From the typed tree of a rules file to a game."""
