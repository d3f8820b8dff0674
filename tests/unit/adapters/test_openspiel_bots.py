"""OpenSpiel's bots play matches as our players do, knowing what their role is told."""

from __future__ import annotations

import pytest

import ggp
from players.agents.registry import read_player
from players.player_options import BadPlayer, NotApplicable
from tests.support.command_line import told

pytest.importorskip("pyspiel")


@pytest.mark.parametrize(
    ("game", "bot"), [("kuhn_poker", "openspiel:ismcts:simulations=20"), ("tic_tac_toe", "openspiel:mcts")]
)
def test_bots_play_matches(game: str, bot: str) -> None:
    result = told("match", game, bot, "random", "--games", "6", "--iterations", "20", "--seed", "1", "--jobs", "1")
    assert result["errors"] == [0, 0]
    assert result["games"] == [6, 6]


def test_a_search_beats_random_play_where_cards_are_hidden() -> None:
    from players.agents.agent import Budget

    game = ggp.load("phantom_tic_tac_toe")
    agent = read_player("openspiel:ismcts:simulations=300").make_agent()
    agent.start(game, 0, 3)
    history = game.history()
    # two in a row, the opponent's try elsewhere unseen: the third wins at once
    for action in ("a1", "b3", "a2", "c3"):
        before = history
        history = history.apply(action)
        own = history.state.action_taken(0)
        observation = history.state.readable_observation(0)
        if own is not None or observation:
            agent.observe(None if own is None else str(own), observation)
        assert before.state.actors() == ((0,) if action.startswith("a") else (1,))
    legal = [str(action) for action in history.state.legal(0)]
    assert agent.choose(legal, Budget(lambda: 0.0)) == "a3"


@pytest.mark.parametrize("bot", ["ismcts", "mcts"])
def test_a_search_plays_where_several_act_at_once(bot: str) -> None:
    rules = ("goofspiel", f"openspiel:{bot}:simulations=30", "random", "-p", "n=3")
    result = told("match", *rules, "--games", "20", "--iterations", "30", "--swap", "--jobs", "1")
    assert result["errors"] == [0, 0]
    assert result["win_rate"][0] > 0.6


@pytest.mark.parametrize(("seconds", "wanted", "made"), [(100.0, 50, [5, 50]), (0.2, 50, [5, 13]), (0.04, 50, [5])])
def test_a_bot_makes_the_simulations_that_there_is_time_for(
    monkeypatch: pytest.MonkeyPatch, seconds: float, wanted: int, made: list[int]
) -> None:
    """A simulation takes 0.01 s here."""
    from ggp.adapters.openspiel_bots import OpenSpielAgent
    from players.agents.agent import Budget

    now, asked, bot = [0.0], list[int](), OpenSpielAgent._bot

    def timed(agent: OpenSpielAgent, simulations: int) -> object:
        asked.append(simulations)
        now[0] += 0.01 * simulations
        return bot(agent, simulations)

    monkeypatch.setattr(OpenSpielAgent, "_bot", timed)
    agent = read_player(f"openspiel:mcts:simulations={wanted}").make_agent()
    agent.start(ggp.load("tic_tac_toe"), 0, 1)
    cells = [f"{column}{row}" for row in "123" for column in "abc"]
    assert agent.choose(cells, Budget(lambda: now[0], deadline=seconds + 0.05)) in cells
    assert asked == made


@pytest.mark.parametrize("text", ["openspiel:alpha", "openspiel:mcts:depth=3", "openspiel:mcts:simulations=0"])
def test_mistakes_are_refused(text: str) -> None:
    with pytest.raises(BadPlayer, match="openspiel"):
        read_player(text)


def test_games_that_bots_cannot_play_are_refused() -> None:
    with pytest.raises(NotApplicable, match="perfect information"):
        read_player("openspiel:mcts").check(ggp.load("kuhn_poker"))
    with pytest.raises(NotApplicable, match="everybody sees everything"):
        read_player("openspiel:ismcts").check(ggp.load("tic_tac_toe"))


def test_without_openspiel_its_bots_are_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("players.openspiel_settings.find_spec", lambda name: None)
    with pytest.raises(BadPlayer, match=r"^`openspiel:ismcts` needs OpenSpiel: pip install ggp\[openspiel\]$"):
        read_player("openspiel:ismcts")
