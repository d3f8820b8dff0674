"""The progress bar that commands show on standard error while they work."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


def progress_bar() -> Progress:
    """Return a progress bar with the time left and the time of day at the end.

    Nothing is shown if standard error is not a terminal.
    """
    from datetime import datetime, timedelta

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class EndColumn(ProgressColumn):
        """The time of day when the task will end."""

        def render(self, task: Task) -> Text:
            if task.finished or task.time_remaining is None:
                return Text("")
            end = datetime.now().astimezone() + timedelta(seconds=task.time_remaining)
            return Text(f"ends {end:%H:%M:%S}" if task.time_remaining < 43200 else f"ends {end:%Y-%m-%d %H:%M}")

    return Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        EndColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
