"""`ggp` commands, run in this process."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner

from ggp.cli.main import app


def run(*arguments: str) -> str:
    """Return what a command prints; whatever it raises is raised here."""
    result = CliRunner().invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def told(*arguments: str) -> Any:
    """Return what a command tells as JSON."""
    return json.loads(run(*arguments, "--json"))
