"""Parts of an iteration that searches share: walking down and back up, expansion, leaf values, sweeps."""
