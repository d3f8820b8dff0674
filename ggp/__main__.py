"""`python -m ggp` is the `ggp` command."""

from ggp.cli.main import main

main()
