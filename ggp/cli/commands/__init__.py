"""The subcommands of `ggp`, one module each."""
