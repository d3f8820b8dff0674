"""What iterations share: walking down and back up, expansion, leaf values, sweeps."""
