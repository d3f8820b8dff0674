"""What a tournament shows of players whose names try to break it."""

import asyncio

from ggp.cli import tournament_display
from server.cross_table import Outcome, cross_table
from server.tournament_runner import Progress

NAMES = ["[/red]", "[b]bold[/b]", ":skull:"]


def test_names_are_shown_as_they_are(capsys):
    tournament_display.print_table(cross_table(NAMES, [Outcome(NAMES[:2], (1.0, -1.0), (0, 0))]))
    shown = capsys.readouterr().out
    assert all(name in shown for name in NAMES)


def test_the_live_line_survives_names(capsys, monkeypatch):
    monkeypatch.setattr(tournament_display, "LIVE_S", 0.001)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    progress = Progress(wanted=2, matches=2, playing=[" - ".join(NAMES)])

    async def show():
        task = asyncio.create_task(tournament_display._live(progress))
        await asyncio.sleep(0.05)
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(show())
    assert " - ".join(NAMES) in capsys.readouterr().err
