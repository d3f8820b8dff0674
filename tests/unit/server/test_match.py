from server.matches.running_match import LiveMatch
from tests.support.arena import duel


async def test_a_timer_that_comes_too_soon_is_set_again(here, monkeypatch):
    """Timers may be early by what floating point leaves out; a match whose player is silent hangs on them."""
    exact = LiveMatch.now_ms
    early = []

    def too_soon(match):
        now_ms, deadline_ms = exact(match), match.referee.deadline_ms
        if deadline_ms is not None and deadline_ms not in early and now_ms > deadline_ms:
            early.append(deadline_ms)
            return deadline_ms
        return now_ms

    monkeypatch.setattr(LiveMatch, "now_ms", too_soon)
    async with duel(here, is_ready=False) as (_, _, task):
        assert (await task).result == "finished"
    assert len(early) >= 3


async def test_a_match_that_takes_too_much_memory_is_aborted(here, monkeypatch):
    monkeypatch.setattr("server.matches.running_match.MAX_MATCH_BYTES", 1500)
    async with duel(here, play_clock_ms=100) as (_, _, task):
        ended = await task
    assert (ended.result, ended.reason) == ("aborted", "the match takes more than 0 MiB")
