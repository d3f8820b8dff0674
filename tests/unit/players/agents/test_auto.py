"""`auto`: every kind of game gets a player, small ones are solved, tests choose what wins, failures end no match."""

from __future__ import annotations

import gc
import logging
import re
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.exploration import explore_game
from players.agents import auto
from players.agents.agent import RandomAgent
from players.agents.auto import AutoAgent, Choice, choose_player
from players.agents.candidate_trial import (
    MIN_ROUND_GAMES,
    Candidate,
    Verdict,
    better_half,
    judged,
    playouts_agree,
    random_decisions,
    strongest,
    typical_decisions,
    typical_outcomes,
)
from players.agents.candidates import joint_actions, plan_for, rival_of, with_learned
from players.agents.registry import read_player
from players.agents.solved_agent import SMALL, Solution, SolvedAgent, TooLong
from players.evaluation.matches import TimeControl, play_game, play_games, standings
from players.learning import files
from players.search.foundation.parallel import ParallelSearch
from players.search.foundation.searches import Search


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters", "first", "solve"),
    [
        ("connect_four", {}, "mcts", True),
        ("einstein", {}, "mcts:leaf=estimate", True),
        ("twenty_one", {}, "mcts", True),
        ("yacht", {}, "dpw", True),
        ("goofspiel", {}, "rm:plus=on,average=linear,least=0.1", True),
        ("oshi_zumo", {}, "rm:plus=on,average=linear,expansion=none,final=max,gamma=0.1", True),
        ("diplomacy", {}, "duct:final=max", False),
        ("kuhn_poker", {}, "ismcts", True),
        ("sealed_auction", {}, "ismcts:selection=rm", False),
        ("phantom_tic_tac_toe", {}, "ismcts", True),
        ("battleship", {}, "pimc", True),
        ("phantom_go", {}, "pimc", True),
        ("dark_hex", {"width": 5, "height": 5}, "ismcts:final=max,rave=300,c=0.1", True),
        ("dark_hex", {"width": 8, "height": 8}, "ismcts:final=max,rave=300,c=0.1", True),
        ("dark_chess", {}, "pimc", True),
        ("oh_hell", {"tricks": 5}, "ismcts:final=max", False),
    ],
)
def test_the_kind_of_game_decides_what_may_be_played(
    name: str, parameters: dict[str, int], first: str, solve: bool
) -> None:
    game = ggp.load(name, **parameters)
    plan = plan_for(game)
    assert (plan.players[0], plan.solve) == (first, solve)
    for text in plan.players:
        read_player(text).kind.check(game)
    has_estimate = game.native().functions.estimate != 0
    assert ("mcts:rave=300,c=0.1" in plan.players) == (name == "connect_four")
    assert any("estimate" in text for text in plan.players) == (has_estimate and solve)


def test_where_random_play_is_always_worth_the_same_the_estimate_is_used() -> None:
    assert playouts_agree(ggp.load("hanabi"))
    assert not playouts_agree(ggp.load("kuhn_poker"))
    assert plan_for(ggp.load("hanabi")).players == ("ismcts:leaf=estimate,moves=2,final=max",)


def test_one_player_mixes_nothing_where_something_is_hidden(tmp_path: Path) -> None:
    rules = tmp_path / "box.rules"
    rules.write_text(
        'game box "Find the prize"\nplayers guest\ntype box = 1..9\nstate\n    prize: box = 1\n    got: bool = no\n'
        "phase hide\n    chance draws b in box\n    prize := b\n    sees nothing\n    next guess\n"
        "phase guess\n    guest chooses b in box\n    got := b == prize\n    next end\n"
        "payoff[p] = if got then 1 else 0\n"
    )
    assert plan_for(ggp.load(str(rules))).players == ("ismcts:final=max",)


@pytest.mark.parametrize(("name", "role"), [("tic_tac_toe", 0), ("tic_tac_toe", 1), ("nim", 1)])
def test_a_small_game_is_solved_and_never_lost(name: str, role: int) -> None:
    game = ggp.load(name)
    choice = choose_player(game)
    assert choice.solution is not None
    assert "is solved" in choice.why
    agent, other = AutoAgent(), RandomAgent()
    players = [agent, other] if role == 0 else [other, agent]
    scores = [
        play_game(game, players, number, 7, False, TimeControl(iterations=1)).utilities[role] for number in range(30)
    ]
    assert min(scores) >= (0 if name == "tic_tac_toe" else 1)
    assert max(scores) == 1  # what is equally good against the best is not against others


@pytest.mark.parametrize(("player", "setting", "megabytes"), [("mcts", "memory", 100), ("star1", "table", 64)])
def test_the_player_that_it_chooses_takes_the_memory_that_it_is_given(
    player: str, setting: str, megabytes: int
) -> None:
    for given, taken in ((100, megabytes), (3, 3)):
        agent = AutoAgent(memory=given)._make(Choice(player, ""))
        assert getattr(agent._settings, setting) == taken


def test_a_solved_game_of_simultaneous_moves_is_played_by_its_equilibrium() -> None:
    game = ggp.load("rock_paper_scissors", payoffs="biased")
    solution = Solution(game)
    for role in range(2):
        strategy = solution.strategy(game.initial().words, role)
        assert strategy == pytest.approx([0.0625, 0.625, 0.3125], abs=1e-6)
        assert solution.losses(game.initial().words, role) == pytest.approx([0, 0, 0], abs=1e-6)
    agent = SolvedAgent(solution)
    chosen = {"rock": 0, "paper": 0, "scissors": 0}
    for seed in range(200):
        agent.start(game, 0, seed_word(seed, 1))
        legal = [str(action) for action in game.initial().legal(0)]
        chosen[agent.choose(legal, None)] += 1
    assert chosen["paper"] > chosen["scissors"] > chosen["rock"]


@pytest.mark.long
def test_a_game_of_medium_size_is_solved_when_its_states_come_to_an_end() -> None:
    """Pig with one die: more states than are solved without a look at how they grow, and play can return to some."""
    game = ggp.load("pig", dice=1, early_hold=True, goal=33)
    solution = Solution(game, 600.0)
    assert solution.states > SMALL
    exact = optimal_values(explore_game(game.native()))
    assert solution.values.value == pytest.approx(exact.value, abs=0.01)
    # with nothing in the pot one rolls
    state = game.initial()
    assert solution.strategy(state.words, 0) == [float(str(action) == "roll") for action in state.legal(0)]


def test_games_that_keep_growing_are_given_up_early() -> None:
    with pytest.raises(TooLong, match="too many states"):
        Solution(ggp.load("connect_four"))
    readings = iter(range(1000))
    with pytest.raises(TooLong, match="takes too long"):
        Solution(ggp.load("pig", dice=1, early_hold=True, goal=33), 3.0, lambda: float(next(readings)))


def test_what_an_action_loses_is_known_where_only_one_player_has_a_choice() -> None:
    game = ggp.load("oshi_zumo", coins=3)
    solution = Solution(game)
    for seed in range(10):
        for state in random_decisions(game, seed_word(seed)):
            for role in state.actors():
                losses = solution.losses(state.words, role)
                assert losses.size == len(state.legal(role))
                if losses.size > 1:
                    assert losses @ solution.strategy(state.words, role) == pytest.approx(0, abs=5e-3)


def test_among_optimal_strategies_that_is_played_which_wins_most_against_random_play() -> None:
    """In states of goofspiel that are lost, every strategy is optimal."""
    game = ggp.load("goofspiel", n=4, prizes="ascending")
    solution = Solution(game)
    lost = []
    for number, value in enumerate(solution.values.value):
        graph = solution.values.game.graph
        if graph.rows[number] > 1 and graph.columns[number] > 1 and value == -1:
            words = graph.words[number * game.native().shape.state_words :][: game.native().shape.state_words]
            lost.append(words)
            strategy = np.array(solution.strategy(words.tolist(), 0))
            targets = graph.target[graph.first[number] : graph.first[number + 1]]
            at_random = solution._at_random.value[targets].reshape(len(strategy), -1)
            assert (strategy @ at_random).min() >= at_random.min(axis=1).max() - 1e-6
    assert lost


def prepared(game: Game, player: str) -> Search:
    spec = read_player(player)
    made = spec.kind.family.make_search(game.native(), spec.settings)
    made.prepare(np.array(game.initial().words))
    return made


def test_a_test_keeps_the_first_unless_another_one_wins() -> None:
    game = ggp.load("breakthrough", width=4, height=5)
    weak, strong = "mcts:c=1000,final=mix,memory=4", "mcts:memory=4"  # the first one chooses as good as at random

    def verdict(players: list[str], seconds: float) -> Verdict:
        return strongest(game, [prepared(game, player) for player in players], seconds, clock=time.thread_time)

    assert verdict([weak, strong], 0.2).best == 1
    assert verdict([strong, weak], 0.2).best == 0
    halved = verdict([weak, weak, strong, weak], 0.5)
    assert halved.best == 2
    assert set(halved.results) == {0, 1, 2, 3}
    assert verdict([weak, strong], 0.0) == Verdict(0, {0: (0.0, 0), 1: (0.0, 0)})  # what is known to be safe
    assert verdict([weak, strong, strong], 0.0).best == 0


def test_only_the_safe_candidate_is_kept_where_another_one_leads_by_little() -> None:
    search = prepared(ggp.load("tic_tac_toe"), "mcts:memory=4")
    candidates = [Candidate(search, 1.0, points, games=8) for points in (3.5, 3.5, 4.5)]
    assert better_half([0, 2], candidates) == [0]
    assert better_half([1, 2], candidates) == [2]


def test_the_strongest_of_a_round_is_kept_where_the_next_one_is_too_short() -> None:
    """In Quoridor `auto` once played what had won 3 of 14 games, since its last round had only two."""
    search = prepared(ggp.load("tic_tac_toe"), "mcts:memory=4")
    stay = better_half([0, 1, 2], [Candidate(search, 1.0, points, games=14) for points in (3.0, 4.0, 14.0)])
    assert stay == [2, 0]
    assert better_half(stay, [Candidate(search, 1.0, games=2) for _ in range(3)]) == [2]


def test_all_games_of_a_test_are_played_however_slow_the_machine_is() -> None:
    """A clock that runs slowly or fast changes how long is thought, not how many games there are."""
    game = ggp.load("breakthrough", width=4, height=5)
    for speed in (1, 20):
        searches = [prepared(game, "mcts:memory=4"), prepared(game, "mcts:memory=4")]
        found = strongest(game, searches, 0.3 * speed, clock=lambda speed=speed: speed * time.thread_time())
        assert all(games >= MIN_ROUND_GAMES for _, games in found.results.values())


@pytest.mark.long
def test_long_games_are_cut_short_and_judged() -> None:
    assert typical_decisions(ggp.load("tic_tac_toe")) == pytest.approx(7.6, abs=1.5)
    assert typical_decisions(ggp.load("rock_paper_scissors")) == 1
    chess = ggp.load("chess")
    assert judged(chess, chess.initial(), 5) == (0, 0)
    game = ggp.load("connect_four")
    board = game.initial()
    for move in ("c1", "b1", "c2", "b2", "c3"):  # three in a column, and the row beside it is the other's
        (role,) = board.actors()
        board = board.apply({role: board.parse_action(role, move)})
    assert judged(game, board, 5) == (1, -1)


@pytest.mark.long
def test_few_outcomes_are_all_searched() -> None:
    assert typical_outcomes(ggp.load("einstein")) == 6  # but 25 x 25 cells by the types of its first phase
    assert typical_outcomes(ggp.load("backgammon")) == 36
    assert typical_outcomes(ggp.load("connect_four")) == 0
    assert "star2" in plan_for(ggp.load("einstein")).players
    assert "star1ss:samples=8" in plan_for(ggp.load("backgammon")).players
    assert "star1ss:samples=8" in plan_for(ggp.load("cant_stop")).players


def test_many_joint_actions_are_seen() -> None:
    assert joint_actions(ggp.load("oshi_zumo", coins=20)) == 400
    assert joint_actions(ggp.load("matching_pennies")) == 4


def test_what_fails_goes_on_at_random_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    game = ggp.load("connect_four", width=4, height=4)

    class Failing(RandomAgent):
        def choose(self, legal, budget):
            raise GgpError("no idea")

    agent = AutoAgent()
    agent._make = lambda _: Failing()  # type: ignore[method-assign]
    with caplog.at_level(logging.INFO, "ggp.auto"):
        result = play_game(game, [agent, RandomAgent()], 0, 1, False, TimeControl(iterations=5))
    assert result.errors == (0, 0)
    assert "goes on at random: its player cannot choose: no idea" in caplog.text


def test_it_says_in_one_line_what_it_chose(caplog: pytest.LogCaptureFixture) -> None:
    game = ggp.load("connect_four")
    agent = read_player("auto:think=0.5").make_agent()
    assert isinstance(agent, AutoAgent)
    with caplog.at_level(logging.INFO, "ggp.auto"):
        agent.start(game, 0, 1)
        agent.start(game, 1, 2)
    (record,) = caplog.records
    chosen = r"mcts(:c=0\.1,rave=300)?: turns; in a short test .+"
    assert re.fullmatch(f"auto plays connect_four with {chosen}", record.message), record.message


@pytest.mark.long
def test_it_wins_against_what_it_did_not_choose() -> None:
    game = ggp.load("connect_four")
    players = [read_player("auto"), read_player("rm")]
    results = list(play_games(game, players, range(6), 3, True, TimeControl(iterations=3000)))
    assert standings(results)[0].win_rate > 0.5


def test_a_choice_is_made_once_for_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game, equal = (ggp.load("connect_four") for _ in range(2))
    AutoAgent().start(equal, 0, 1)
    monkeypatch.setattr(auto, "choose_player", None)
    AutoAgent().start(game, 0, 1)
    del equal
    gc.collect()
    AutoAgent().start(game, 1, 2)


@pytest.mark.long
def test_what_it_plays_uses_its_threads() -> None:
    agent = read_player("auto:threads=2").make_agent()
    assert isinstance(agent, AutoAgent)
    agent.start(ggp.load("connect_four"), 0, 3)
    assert isinstance(agent.pondered(), ParallelSearch)


@pytest.mark.parametrize(
    ("against", "low", "first", "others"),
    [("mcts:leaf=estimate", 0.6, "star2:", False), ("mcts", 0.6, "star2:", True), ("mcts", 0.4, "mcts", True)],
)
def test_only_a_file_that_beat_the_estimate_of_the_rules_makes_up_for_it(
    against: str, low: float, first: str, others: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    strength = {"player": "star2", "against": against, "ci95": (low, 1.0)}
    monkeypatch.setattr(files, "read_learned", lambda path, game: SimpleNamespace(about={"strength": strength}))
    game = ggp.load("backgammon")
    plan = plan_for(game)
    assert rival_of(plan) == "mcts:leaf=estimate"
    players = with_learned(plan, game, "of.estimate").players
    assert players[0].startswith(first)
    assert ("mcts:leaf=estimate" in players) == others
    assert (players == ("star2:estimate=of.estimate",)) != others  # without a test
