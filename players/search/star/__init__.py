"""*-Minimax: depth-limited search of games of chance, with pruning at chance nodes, and with sampled chance nodes."""
