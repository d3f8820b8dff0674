"""What several tests share: games, second implementations, processes, comparisons."""
