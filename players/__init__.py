"""Players: search kernels, agents, and the client that joins a game manager."""
