"""UCT for games in which players take turns: a graph of world states, proven values, sampled chance."""
