"""A table of the studio: transitions, what is taken back and replayed, and what a role may see."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import ggp
from ggp.faults import IllegalAction
from ggp.game.state import State
from players.beliefs.belief import Belief
from studio.knowledge import Knowledge, working_clock
from studio.table import NotPossible, Table, result_text
from tests.support.library import game_of

HIDDEN = """game g "g"
players row, col
type rank = 1..3

state
    card[player]: rank or none = none
    called: bool = no

phase deal
    chance draws a in rank, b in rank
    card[row] := a
    card[col] := b
    sees row: a
    sees col: b
    next call

phase call
    row chooses r in {r in rank: r == card[row] or r > 0}
    called := yes
    next end

payoff[p] = 0

display
    line "cards" card
    line "called" called
"""


def test_a_game_is_played_taken_back_and_replayed() -> None:
    game = ggp.load("tic_tac_toe")
    table = Table(game, 1)
    assert not table.draw()
    for role, action in ((0, "b2"), (1, "a1"), (0, "c3")):
        assert table.waiting() == (role,)
        table.choose(role, action)
    record = [made.text(game.players) for made in table.made]
    assert record == ["cross: b2", "nought: a1", "cross: c3"]
    other = Table(game, 1)
    other.replay(record)
    assert other.history.state == table.history.state
    table.back(1)
    assert table.waiting() == (1,)
    assert len(table.made) == 1
    with pytest.raises(NotPossible):
        table.back(5)
    with pytest.raises(NotPossible):
        table.choose(0, "a1")
    with pytest.raises(IllegalAction):
        table.choose(1, "b2")
    with pytest.raises(NotPossible, match="line 2"):
        Table(game, 1).replay(["cross: b2", "nought: b2"])


def test_a_record_of_many_draws_is_replayed_without_their_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ggp.load("poker")
    table = Table(game, 7)
    while table.draw():
        pass
    record = [made.text(game.players) for made in table.made]
    monkeypatch.setattr(State, "outcome_text", None)  # to read those of all hands took seconds
    other = Table(game, 1)
    other.replay(record)
    assert other.history.state == table.history.state
    with pytest.raises(NotPossible, match=r"line 1 of the record.+chance cannot draw"):
        Table(game, 1).replay(["chance: 9 9"])


def test_moves_made_at_once_wait_for_each_other_and_chance_is_the_same_for_a_seed() -> None:
    tables = [Table(ggp.load("goofspiel"), 7) for _ in range(2)]
    for table in tables:
        assert table.draw()
        table.choose(0, "3")
        assert table.waiting() == (1,)
        assert len(table.made) == 1
        table.choose(1, "5")
        assert len(table.made) == 2
    assert tables[0].made == tables[1].made


def test_a_role_sees_what_is_certain_and_all_at_the_end() -> None:
    table = Table(game_of(HIDDEN), 3)
    table.draw()
    own, other = table.history.state.values()["card"]  # type: ignore[misc]
    scene, certain = table.scene(0, 1)
    assert certain
    assert scene is not None
    assert [item.text for row in scene.entries[0].rows for item in row.items] == [str(own), "?"]
    assert table.told(0, 1) == [f"you saw {own}"]
    everything, _ = table.scene(None, 1)
    assert everything is not None
    assert everything.entries[0].rows[1].items[0].text == str(other)
    table.choose(0, str(own))
    end, _ = table.scene(0, 2)
    assert end is not None
    assert end.entries[0].rows[1].items[0].text == str(other)


@pytest.mark.parametrize(
    ("utilities", "text"),
    [((1, -1), "a won"), ((0, 0), "a draw"), ((3, 3), "a draw: a 3, b 3"), ((2, 5), "b won: a 2, b 5")],
)
def test_results_are_told_in_words(utilities: tuple[float, ...], text: str) -> None:
    assert result_text(("a", "b"), utilities) == text


@pytest.mark.parametrize(("compared", "is_certain"), [(3, False), (20, True)])
def test_nothing_is_in_doubt_where_many_positions_look_the_same(
    monkeypatch: pytest.MonkeyPatch, compared: int, is_certain: bool
) -> None:
    monkeypatch.setattr(Belief, "exact", property(lambda _: False, lambda *_: None), raising=False)
    monkeypatch.setattr(Knowledge, "_compared", lambda self, _: (self.state.scene(0), compared))
    table = Table(game_of(HIDDEN), 3)
    table.draw()
    assert table.scene(0, 1)[1] == is_certain


def test_players_who_share_their_payoff_have_one_result() -> None:
    assert Table(ggp.load("hanabi"), 1).has_shared_result
    assert not Table(ggp.load("kuhn_poker"), 1).has_shared_result
    together = HIDDEN.replace("payoff[p] = 0", "payoff[p] = count q in player: card[q] is some")
    assert Table(game_of(together), 1).has_shared_result
    assert result_text(("a", "b"), (0, 0), shared=True) == "the result is 0"


def test_winners_are_named_in_words() -> None:
    names = ("ann", "bob", "cat", "dan")
    assert result_text(names, (1, 1, 1, 0)) == "ann, bob and cat won: ann 1, bob 1, cat 1, dan 0"
    assert result_text(names[:3], (2, 2, 0)) == "ann and bob won: ann 2, bob 2, cat 0"


@pytest.mark.parametrize(("game", "times"), [(game_of(HIDDEN), 1), (ggp.load("oh_hell"), 0)])
def test_a_sample_is_renewed_where_no_display_says_what_is_shown(
    game: ggp.Game, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed: list[object] = []
    monkeypatch.setattr(Belief, "renew", lambda belief, *_: renewed.append(belief))
    assert Knowledge(game, 0).scene(None) is not None
    assert len(renewed) == times


def test_where_others_have_the_processor_more_time_may_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    now = {"thread_time": 5.0, "monotonic": 100.0}
    stub = SimpleNamespace(thread_time=lambda: now["thread_time"], monotonic=lambda: now["monotonic"])
    monkeypatch.setattr("studio.knowledge.time", stub)
    clock = working_clock()
    now |= {"thread_time": 5.5, "monotonic": 101.0}
    assert clock() == 0.5
    now["monotonic"] = 104.0
    assert clock() == 2.0
