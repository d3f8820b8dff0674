"""The `ggp` command, also as `python -m ggp`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. Ctrl-C ends it in one line, also in the half second in which its modules are imported."""
    try:
        from ggp.cli.main import main as run

        run()
    except KeyboardInterrupt:
        print("ggp: stopped", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
