"""Slow rules: detected in play and then isolated; endless ones end only their own match."""

import pytest

from server.matches import loaded_game
from server.matches.games import GameSource
from server.matches.library_games import LibraryGames
from server.matches.loaded_game import LoadedGames, RulesGivenUp
from server.referee.journal import RulesStopped
from server.referee.replay import first_difference
from server.referee.rules_steps import Step
from tests.support.arena import arena, comes_true
from tests.support.hostile_rules import tar_pit
from tests.support.slow_games import Slow, SlowGames


async def test_a_game_is_slow_once_a_transition_took_long():
    games = LoadedGames(SlowGames())
    loaded = await games.load(GameSource("dark", "by hand", {}, {}))
    assert await games.load(GameSource("dark", "by hand", {}, {})) is loaded
    await loaded.make(Step(), 0.0)
    assert not loaded.slow
    slow = await games.load(GameSource("slow", "by hand", {}, {"manner": "burn"}))
    state = Slow().initial()
    for _ in range(2):
        result, seconds = await slow.make(Step(state.words, "counting", {0: "count"}), 0.0)
        assert slow.slow
        assert result.words[2] == 1
        assert seconds >= 0.05
    with pytest.raises(ZeroDivisionError):
        await slow.make(Step(Slow(manner="broken").initial().words, "counting", {0: "count"}), 0.0)
    games.close()


async def test_many_quick_transitions_are_too_much_together(monkeypatch):
    monkeypatch.setattr(loaded_game, "RULES_LIMIT_S", 1.0)
    games = LoadedGames(SlowGames())
    loaded = await games.load(GameSource("dark", "by hand", {}, {}))
    await loaded.make(Step(phase="deal"), 0.9)
    with pytest.raises(RulesGivenUp, match="in phase `deal`"):
        await loaded.make(Step(phase="deal"), 1.0)
    await loaded.make(Step(phase="deal"), None)


async def test_a_transition_that_never_ends_holds_up_no_other_match(tmp_path):
    """The first transition lasts until the other matches are over, those of another slow game among them."""
    async with arena(tmp_path, SlowGames()) as here:
        members = await here.players("a", "b")
        mark = tmp_path / "over"
        _, waiting = await here.match(members[:1], "slow", manner=f"waiting {mark}")
        for name, manner in (("dark", {}), ("slow", {"manner": "burn"})):
            _, other = await here.match(members if name == "dark" else members[:1], name, **manner)
            assert (await other).result == "finished"
        assert not waiting.done()
        mark.touch()
        assert (await waiting).result == "finished"


async def test_rules_that_take_a_minute_end_their_match_and_say_where(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(loaded_game, "RULES_LIMIT_S", 0.3)
    path = tmp_path / "tar_pit.rules"
    path.write_text(tar_pit())
    games = LibraryGames([str(path)])
    async with arena(tmp_path, games) as here:
        members = await here.players("a", "b")
        source = await here.manager.games.find(str(path), {})
        id_, task = await here.match(members, "tar_pit", rules=source.rules)
        ended = await task
        reason = "the rules of tar_pit took more than 0.3 s of processor time in phase `swamp`"
        assert (ended.result, ended.reason) == ("aborted", reason)
        assert f"match {id_} is aborted: {reason}" in caplog.text
        row, journal, errors = here.stored(id_)
        assert (row.state, row.outcome.reason, row.released, errors) == ("aborted", reason, True, [])
        # Played again, it does not take a minute: what was given up is not tried again.
        assert first_difference(journal, games.load_created, games.faults) is None
        assert [event.made for event in journal if isinstance(event, RulesStopped)] == [0]
        async with here.web() as web:
            shown = (await web.get(f"/matches/{id_}")).json()
            assert (shown["state"], shown["reason"]) == ("aborted", reason)


async def test_a_match_with_slow_rules_goes_on_after_a_restart(tmp_path, monkeypatch):
    monkeypatch.setattr("server.matches.running_match.RETURN_GRACE_S", 0.05)
    async with arena(tmp_path, SlowGames()) as here:
        members = await here.players("a")
        id_, _ = await here.match(members, "slow", manner=f"waiting {tmp_path / 'mark'}")
        await comes_true(lambda: here.manager.matches[id_].referee.wanted is not None)
    (tmp_path / "mark").touch()
    async with arena(tmp_path, SlowGames()) as here:
        ended = await here.manager.task_of(id_)
        assert ended.result == "finished"
        assert first_difference(here.stored(id_)[1], SlowGames().load_created) is None


async def test_matches_with_slow_rules_are_brought_back_at_the_same_time(tmp_path):
    """Each waits for the other."""
    folder = tmp_path / "meeting"
    folder.mkdir()
    async with arena(tmp_path, SlowGames()) as here:
        members = await here.players("a")
        here.manager.chance.hold("shared", "a match to come")
        matches = [await here.match(members, "slow", group="shared", manner=f"meeting {folder}") for _ in range(2)]
        for _, task in matches:
            assert (await task).result == "finished"
    for mark in folder.iterdir():
        mark.unlink()
    async with arena(tmp_path, SlowGames()) as here:
        await here.manager.chance.release_all()
        assert all(here.stored(id_)[0].released for id_, _ in matches)
