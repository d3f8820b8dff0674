"""General game playing: games in small rule files, strong players, competitions on the network."""
