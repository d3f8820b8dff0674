"""The display of a tournament with hostile player names."""

import asyncio

from ggp.cli import tournament_display
from ggp.competition.standings import standings
from server.competitions.progress import Progress
from tests.support.match_results import result

NAMES = ["[/red]", "[b]bold[/b]", ":skull:"]


def test_names_are_shown_as_they_are(capsys):
    tournament_display.print_table(standings(dict(enumerate(NAMES)), [result((0, 1), (1.0, -1.0), (0, 0))]))
    shown = capsys.readouterr().out
    assert all(name in shown for name in NAMES)


def test_aborted_matches_are_counted_where_there_are_any(capsys):
    outcomes = [result((0, 1), (1.0, -1.0), (0, 0)), result((1, 0), None, (0, 0))]
    tournament_display.print_table(standings({0: "a", 1: "b"}, outcomes[:1]))
    assert "aborted" not in capsys.readouterr().out
    tournament_display.print_table(standings({0: "a", 1: "b"}, outcomes))
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert any("aborted" in line for line in shown)
    cells = {line[1]: " ".join(line).split("│")[1:-1] for line in shown if line[1:2] in (["a"], ["b"])}
    assert [cells[name][5].strip() for name in ("a", "b")] == ["1", "1"]


def test_the_live_line_survives_names(capsys, monkeypatch):
    monkeypatch.setattr(tournament_display, "LIVE_S", 0.001)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")

    async def show(progress):
        task = asyncio.create_task(tournament_display._live(progress))
        await asyncio.sleep(0.05)
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(show(Progress(wanted=2, matches=2, playing=[" - ".join(NAMES)])))
    assert " - ".join(NAMES) in capsys.readouterr().err
    asyncio.run(show(Progress(wanted=2, preparing=NAMES)))
    assert f"waiting until {', '.join(NAMES)} can play" in capsys.readouterr().err
