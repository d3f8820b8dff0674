"""Games, states, histories and batches, for people who write Python."""
