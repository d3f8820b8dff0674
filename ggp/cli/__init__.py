"""The `ggp` command."""
