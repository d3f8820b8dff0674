"""Learning: one step by hand, a game whose values are known, and files."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.cli.arguments import BadArgument
from ggp.game.game import Game
from ggp.game.state import State
from ggp.native.calls import call_estimate
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.exploration import explore_game
from players.agents.agent import Agent, RandomAgent
from players.agents.auto import choose_player
from players.agents.registry import PLAYERS, PlayerSpec, read_player
from players.evaluation import learned_strength
from players.evaluation.learned_strength import Strength
from players.evaluation.matches import GameResult, TimeControl, play_game
from players.learning import searched_play
from players.learning.building import plan_of
from players.learning.differences import in_grains
from players.learning.evaluation import EXCHANGED, evaluate
from players.learning.files import WEIGHTS, Learned, native_with, read_learned, write_learned
from players.learning.game_memory import CHOSEN, STRAYED, new_table
from players.learning.native_estimate import with_estimate
from players.learning.one_ahead import MAX_WAYS, value_of_turn
from players.learning.patterns import NoBoard
from players.learning.searched_play import learn_played, searched_game
from players.learning.symmetries import sampled_states
from players.learning.temporal_differences import Rates, learn, record
from players.learning.training import CHECKS, SETTLING_STEP, Training, contest, continued, new_training
from players.player_options import NotApplicable
from players.search.foundation.archives import ArchiveUnusable
from players.search.foundation.settings import StarSettings
from players.search.information_sets.perfect_information_sampling import WorldSampling
from players.search.star.options import STAR1
from players.search.star.star_search import StarSearch
from tests.support.command_line import run, told
from tests.support.sweeps import WANTED


def test_one_step_by_hand() -> None:
    game = ggp.load("tic_tac_toe")
    e = plan_of(game).evaluation
    table = new_table(game.native(), e, 1)
    state = np.array(game.initial().apply({0: game.initial().legal(0)[0]}).words, np.int64)
    table.states[: state.size] = state
    record(e, table, 0)
    places = [int(place) for place in table.places[: e.base.size] if place >= 0]
    often = {place: places.count(place) for place in places}
    learn(e, table, Rates(0.5, 0.0, 0.0, 0), 0, 0, -1.0)  # the second player is to act, and to win: +1 as it is read
    uses = sum(count * count for count in often.values())
    for place in range(e.weights.size):
        assert e.weights[place] == pytest.approx(0.5 * often.get(place, 0) / uses)
    assert not table.often.any()
    native, out = with_estimate(game.native(), e), np.zeros(2)
    call_estimate(native.functions.estimate, state, 0, out, 0)
    # the step is a share of the error, whatever weights are shared
    assert sum(count * e.weights[place] for place, count in often.items()) == pytest.approx(0.5)
    rounded = in_grains(e).weights
    assert out[0] == pytest.approx(-math.tanh(sum(count * rounded[place] for place, count in often.items())))


def test_one_step_of_hidden_units_goes_down_the_slope() -> None:
    game = ggp.load("tic_tac_toe")
    e = plan_of(game, hidden=2).evaluation
    e.top[:] = 0.4, -0.3
    table, state = new_table(game.native(), e, 1), np.array(game.initial().apply({0: "b2"}).words, np.int64)
    table.states[: state.size] = state
    record(e, table, 0)

    def total() -> float:
        out, hidden = np.zeros(2), np.zeros(2, np.float32)
        evaluate.py_func(e, state, 0, np.zeros(e.base.size, np.int32), hidden, np.zeros(1), out)
        return math.atanh(-out[0])  # as the second player sees it, who is to act

    slopes = []
    for weights in (e.hidden, e.top):
        for place in range(weights.size):
            before, own = total(), weights[place]
            weights[place] += 1e-2
            slopes.append((total() - before) / 1e-2)
            weights[place] = own
    value, began = math.tanh(total()), np.concatenate([e.hidden, e.top])
    learn(e, table, Rates(0.0, 0.0, 0.0, 0, 0.5), 0, 0, -1.0)  # +1 as the second player sees it
    moved = np.concatenate([e.hidden, e.top]) - began
    steps = 0.5 * (1 - value) * (1 - value**2) * np.array(slopes)
    assert moved == pytest.approx(steps / max(np.square(slopes).sum(), 1.0), abs=2e-3)
    assert np.count_nonzero(moved) == 6  # a cell and whose turn it is, and what each unit adds


HEAPS = """game heaps "Take from heaps"
players left, right
type place = 1..4
state
    men[p: player, k: place]: 0..5 = if k == 4 then 5 else 0
    held[player]: set of place = {4}
    turn: player = left
phase play
    turn chooses k in {k in place: men[turn, k] > 0}
    men[turn, k] := men[turn, k] - 1
    men[turn, k - 1] := men[turn, k - 1] + 1 if k > 1
    held[turn] := {j in place: men[turn, j] > (if j == k then 1 else 0) or j == k - 1}
    turn := other(turn)
    next end if any p in player: (all j in place: men[p, j] == 0) else play
payoff[p] = if all k in place: men[p, k] == 0 then 1 else -1
payoff sum = 0
"""


def test_one_step_moves_the_value_by_a_share_of_its_error_whatever_hidden_units_read() -> None:
    """Of numbers the steps that they have reached, of their sums a multiple, of sets the ends."""
    game = ggp.load_text(HEAPS)
    e = plan_of(game, hidden=2).evaluation
    assert e.facts[EXCHANGED]
    assert sorted(set(np.sign(e.scales).tolist())) == [-1, 0, 1]
    e.top[:] = 2.0, -3.0
    rows, _ = sampled_states(game, 1, 7)
    table, state = new_table(game.native(), e, 1), rows[0]
    table.states[: state.size] = state
    view = record(e, table, 0) or int(table.views[0])

    def total() -> float:
        out, hidden = np.zeros(2), np.zeros(2, np.float32)
        evaluate.py_func(e, state, 0, np.zeros(e.base.size, np.int32), hidden, np.zeros(1), out)
        return math.atanh(out[0])

    before = total()
    learn(e, table, Rates(0.0, 0.0, 0.0, 0, 0.01), 0, 0, 1.0)
    slope = 1 - math.tanh(before) ** 2
    assert total() - before == pytest.approx(0.01 * (1 - math.tanh(before)) * slope, rel=0.02), view


def test_what_is_learned_of_a_number_is_shared_with_those_beside_it() -> None:
    game = ggp.load_text(HEAPS)
    plan = plan_of(game, hidden=1)
    e = plan.evaluation
    e.top[:] = 1.0
    table, state = new_table(game.native(), e, 1), np.array(game.initial().words, np.int64)
    table.states[: state.size] = state
    record(e, table, 0)
    began = e.hidden.copy()
    learn(e, table, Rates(0.0, 0.0, 0.0, 0, 0.1), 0, 0, 1.0)
    (site, _), *_ = plan.features.seen[3]  # men[left, 4], which is 5
    (number,) = (place for place, one in enumerate(plan.features.tuples) if one.sites == (site,))
    moved = (e.hidden - began)[e.hidden_base[number] + 1 :][:5]
    assert moved / moved[0] == pytest.approx([1, 1 + 1 / 2, 1 + 1 / 2 + 1 / 3, 25 / 12, 137 / 60], rel=1e-3)


TWO_ACTIONS = """game two_actions "A turn of two actions, of which one pair wins"
players left, right
state
    named: 0..5 = 0
    won: 0..1 = 0
phase first
    left chooses n in 0..5
    named := n
    next second
phase second
    left chooses n in 0..5
    won := 1 if named == 4 and n == 2
    next end
payoff[p] = if (won == 1) == (p == left) then 1 else -1
"""


def test_an_action_is_worth_what_the_turn_comes_to() -> None:
    game = ggp.load_text(TWO_ACTIONS)
    native, e = game.native(), plan_of(game).evaluation
    table, words = new_table(native, e, 1), native.shape.state_words
    table.states[:words] = game.initial().words
    for named, ways, worth in (("4", 6, 1.0), ("3", 6, -1.0), ("4", MAX_WAYS, 0.0)):
        table.states[words : 2 * words] = game.initial().apply({0: named}).words
        value_of_turn(native.functions, native.shape, e, table, 0, ways)
        assert table.values.tolist() == [worth]


@pytest.mark.long
@pytest.mark.parametrize("search", [0, 30])
def test_values_come_near_those_of_a_solved_game(search: int) -> None:
    game = ggp.load("tic_tac_toe")
    graph = explore_game(game.native())
    exact = optimal_values(graph, order_components(graph.graph))
    training = new_training(game, 3, search=search)

    def mean_error() -> float:
        native, out, errors = with_estimate(game.native(), training.evaluation), np.zeros(2), []
        for number in range(graph.states):
            words = graph.state_words(number)
            if game.state(tuple(words.tolist())).is_terminal():
                continue
            call_estimate(native.functions.estimate, words, 0, out, 0)
            errors.append(abs(out[0] - exact.value[number]))
        return float(np.mean(errors))

    before = mean_error()
    list(training.run(10.0, 2_000 if search else 8_000, lambda _: None))
    assert mean_error() < before / 2
    assert contest(game, training.evaluation, training.began, 200, 1).low > 0.5


@pytest.mark.parametrize("search", [0, pytest.param(30, marks=pytest.mark.long)])
def test_the_same_seed_gives_the_same_weights_in_one_run_or_in_two(
    tmp_path: Path, search: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("players.learning.training.MAX_BATCH", 20)
    game, path = ggp.load("tic_tac_toe"), tmp_path / "learned.estimate"
    whole, first, other = (new_training(game, seed, hidden=2, search=search) for seed in (5, 5, 6))
    for training in (whole, first, whole, first, other, other):
        training.play_batch()
    assert not np.array_equal(other.evaluation.weights[:100], whole.evaluation.weights[:100])
    write_learned(path, game, first.learned())
    second = continued(game, path)
    whole.play_batch()
    second.play_batch()
    assert (second.games, second.positions) == (whole.games, whole.positions)
    for name in WEIGHTS:
        assert np.array_equal(getattr(second.evaluation, name), getattr(whole.evaluation, name))
    assert np.array_equal(second.table.errors, whole.table.errors)


@pytest.mark.long
def test_a_run_with_a_search_begins_one_action_ahead_where_a_search_would_see_nothing() -> None:
    training = new_training(ggp.load("nine_mens_morris"), 1, search=10)  # by weights of 0 all its games are draws
    checks = list(training.run(10.0, 48, lambda _: None))
    assert checks[-1].ci95[0] > 0.5


def test_games_of_a_batch_that_is_interrupted_count(monkeypatch: pytest.MonkeyPatch) -> None:
    training, games = new_training(ggp.load("tic_tac_toe"), 1, search=30), itertools.count()
    training.play_batch()  # one game, since nobody knows how long they are
    assert training.games == 1

    def played(*given: Any) -> Any:
        if next(games) == 3:
            raise KeyboardInterrupt
        return searched_game(*given)

    monkeypatch.setattr(searched_play, "searched_game", played)
    with pytest.raises(KeyboardInterrupt):
        training.play_batch()
    assert training.games == 4


def test_what_a_search_finds_is_learned_of_each_state() -> None:
    game = ggp.load("tic_tac_toe")
    training = new_training(game, 2, search=100_000)  # sees to the end of all that can follow
    graph = explore_game(game.native())
    exact = optimal_values(graph, order_components(graph.graph))
    e, table = training.evaluation, training.table
    search = StarSearch(with_estimate(game.native(), e), STAR1, StarSettings(table=1))
    states, kinds, worth = searched_game(game, search, table, training.rates._replace(strays=0.5, opening=2))
    assert worth == pytest.approx([exact.value[graph.find(one)] for one in states[:-1]])
    assert len(kinds) == len(worth) == len(states) - 1
    assert set(kinds) == {CHOSEN, STRAYED}
    table.kinds[: len(kinds)] = CHOSEN
    table.ahead[: len(kinds), 0] = 1.0
    learn_played(game.native().functions, e, table, Rates(0.5, 0.0, 0.0, 0), np.array(states, np.int64))
    found, valued = np.zeros(2), with_estimate(game.native(), e)
    for one in states[:-1]:
        call_estimate(valued.functions.estimate, np.array(one, np.int64), 0, found, 0)
        assert found[0] > 0
    assert table.counters[:2].tolist() == [1, len(kinds)]


def test_hidden_units_settle_at_the_end_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    training, shares = new_training(ggp.load("tic_tac_toe"), 1, hidden=1), []

    def play_batch(self: Training, share: float, ahead: bool) -> None:
        shares.append(share)
        self.games += 1

    monkeypatch.setattr(Training, "play_batch", play_batch)
    assert len(list(training.run(1.0, 8, lambda _: None))) == CHECKS
    assert shares == [1.0] * 6 + [SETTLING_STEP] * 2


def test_a_file_says_what_it_is_and_is_refused_for_another_game(tmp_path: Path) -> None:
    path, game = tmp_path / "learned.estimate", ggp.load("tic_tac_toe")
    training = new_training(game, 1)
    training.play_batch()
    write_learned(path, game, training.learned())
    found = read_learned(path, game)
    assert found.about["games"] == training.games
    assert np.array_equal(found.evaluation.weights, training.evaluation.weights)
    for name, parameters in (("connect_four", {}), ("gomoku", {"size": 5})):
        with pytest.raises(ArchiveUnusable, match="tic_tac_toe with no parameters, not of"):
            read_learned(path, ggp.load(name, **parameters))
    write_learned(path, ggp.load("gomoku", size=5), Learned(new_training(ggp.load("gomoku", size=5), 1).evaluation))
    with pytest.raises(ArchiveUnusable, match="gomoku with size=5, not of gomoku with size=6"):
        read_learned(path, ggp.load("gomoku", size=6))
    with pytest.raises(NotApplicable, match="not of gomoku with size=6"):
        read_player(f"star1:estimate={path}").check(ggp.load("gomoku", size=6))
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(ArchiveUnusable, match="damaged"):
        read_learned(path, game)
    with pytest.raises(ArchiveUnusable, match="cannot read"):
        read_learned(tmp_path / "none.estimate", game)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("target", 1 << 20), ("site_seen", 500), ("base", 1 << 28), ("planes", 50), ("numbers", 77)),
        *(("first", 1 << 20), ("hidden_base", 1 << 20)),
    ],
)
def test_numbers_that_lead_out_of_the_arrays_are_refused(tmp_path: Path, field: str, value: int) -> None:
    path, game = tmp_path / "learned.estimate", ggp.load("tic_tac_toe")
    evaluation = plan_of(game, hidden=2).evaluation
    array = getattr(evaluation, field).copy()
    array.flat[-3 if field == "numbers" else -1] = value
    write_learned(path, game, Learned(evaluation._replace(**{field: array})))
    with pytest.raises(ArchiveUnusable, match="damaged"):
        read_learned(path, game)


def test_hidden_units_of_another_form_are_refused(tmp_path: Path) -> None:
    """Such as those of earlier files, which had weights for index 0 and none that is always added."""
    game, path = ggp.load("tic_tac_toe"), tmp_path / "t.estimate"
    evaluation = plan_of(game, hidden=2).evaluation
    one_more = np.zeros(evaluation.bank[1] // evaluation.bank[0] * evaluation.hidden_units, np.float32)
    write_learned(path, game, Learned(evaluation._replace(hidden=np.append(evaluation.hidden, one_more))))
    with pytest.raises(ArchiveUnusable, match="damaged"):
        read_learned(path, game)


VALUING = [name for name, kind in PLAYERS.items() if "estimate" in kind.settings.__dataclass_fields__]


Trained = Callable[[str], Path]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Return what gives the file of a small game."""
    folder = tmp_path_factory.mktemp("trained")

    @cache
    def file_of(name: str) -> Path:
        game, path = ggp.load(name, **SMALL[name]), folder / f"{name}.estimate"
        training = new_training(game, 1)
        for _ in range(3):
            training.play_batch()
        write_learned(path, game, training.learned(), small=True)
        return path

    return file_of


SMALL = {
    "tic_tac_toe": {},
    "pig": {"goal": 10},
    "goofspiel": {"n": 3},
    "kuhn_poker": {},
    "kuhn_poker_three": {},
    "oshi_zumo": {"coins": 6},
    "einstein": {},
    "yacht": {"throws": 1},
}


@pytest.mark.sweep
@pytest.mark.parametrize("player", [*VALUING[1:], VALUING[0]])  # `auto`, which tries others, is last: of the rest
def test_every_player_that_values_leaves_reads_a_file(player: str, trained: Trained) -> None:
    met = 0
    sampled = ("tic_tac_toe", "goofspiel", "kuhn_poker", "pig") if WANTED == "sample" else tuple(SMALL)
    for name, parameters in ((name, SMALL[name]) for name in sampled):
        game, spec = ggp.load(name, **parameters), read_player(f"{player}:estimate={trained(name)}")
        try:
            spec.check(game)
        except NotApplicable:
            continue
        met += 1
        assert spec.native(game).functions.estimate not in (0, game.native().functions.estimate)
        agents = [spec.make_agent(), *(RandomAgent() for _ in game.players[1:])]
        result = play_game(game, agents, 0, seed=1, swap=False, time_control=TimeControl(iterations=10))
        assert result.errors == (0,) * len(agents)
    assert met or player == "minimax"


def test_auto_tries_a_file_that_it_finds(tmp_path: Path, trained: Trained, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ggp.load("einstein")
    monkeypatch.chdir(tmp_path)
    assert "estimate=" not in choose_player(game, 0.5, solve_s=0.01).why
    (tmp_path / "einstein.estimate").write_bytes(trained("einstein").read_bytes())
    assert "estimate=einstein.estimate" in choose_player(game, 0.5, solve_s=0.01).why
    (tmp_path / "einstein.estimate").write_bytes(trained("pig").read_bytes())  # of another game
    assert "estimate=" not in choose_player(game, 0.5, solve_s=0.01).why
    assert (
        f"estimate={trained('einstein')}"
        in choose_player(game, 0.5, solve_s=0.01, estimate=str(trained("einstein"))).why
    )


@pytest.mark.long
def test_the_command(tmp_path: Path) -> None:
    file, plot = tmp_path / "c.estimate", tmp_path / "c.svg"
    words = "train", "connect_four", "-pwidth=4", "-pheight=4", "-o", str(file), "--games", "300", "--minutes"
    first = told(*words, "1", "--no-strength", "--plot", str(plot))
    assert set(first) == {"games", "positions", "minutes", "checks"}
    assert all(set(check) == {"minutes", "win_rate", "ci95"} for check in first["checks"])
    assert first["checks"][-1]["win_rate"] > 0.5
    assert "</svg>" in plot.read_text()
    second = told(*words, "0.05")  # a fifth of it to play for the strength
    assert second["games"] >= first["games"] + 300
    assert second["checks"][: len(first["checks"])] == first["checks"]
    assert set(second["strength"]) == {"player", "against", "move_s", "games", "win_rate", "ci95", "gain95"}
    with pytest.raises(ArchiveUnusable):
        run("train", "tic_tac_toe", "-o", str(file))
    with pytest.raises(BadArgument, match="has 0 hidden units"):
        run(*words, "1", "--hidden", "2")


@pytest.mark.long
def test_the_command_makes_a_blueprint(tmp_path: Path) -> None:
    file = tmp_path / "poker.blueprint"
    words = "train", "poker", "-o", str(file), "--games", "400", "--minutes"
    first = told(*words, "1", "--no-strength")
    assert first["iterations"] == 400
    second = told(*words, "1", "--strength-minutes", "0.02")  # of few hands, the interval is wider than all payoffs
    assert second["nodes"] == first["nodes"]
    low, high = second["strength"]["gain95"]
    assert second["strength"]["against"] == "ismcts"
    assert -13 <= low <= high <= 13
    with pytest.raises(NotApplicable):
        run("train", "tic_tac_toe", "-o", str(file))
    with pytest.raises(BadArgument, match="--hidden"):
        run(*words, "1", "--hidden", "2")
    with pytest.raises(BadArgument, match="--search"):
        run(*words, "1", "--search", "2")


def test_the_command_makes_a_policy(tmp_path: Path) -> None:
    file = tmp_path / "t.policy"
    words = "train", "tic_tac_toe", "-o", str(file), "--games", "256", "--minutes"
    first = told(*words, "1", "--no-strength")
    assert set(first) == {"games", "minutes", "seed"}
    assert first["games"] == 256
    second = told(*words, "0.001")
    assert second["strength"]["player"] == "mcts:rave=300,c=0.02"
    assert second["strength"]["games"] == 4
    with pytest.raises(NotApplicable):
        run("train", "poker", "-o", str(file))
    with pytest.raises(NoBoard):
        run("train", "nim", "-o", str(file))
    with pytest.raises(BadArgument, match="--hidden"):
        run(*words, "1", "--hidden", "2")
    with pytest.raises(BadArgument, match="--search"):
        run(*words, "1", "--search", "2")


@pytest.mark.long
def test_the_command_learns_from_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("players.learning.training.MAX_BATCH", 20)
    file = tmp_path / "t.estimate"
    words = "train", "tic_tac_toe", "-o", str(file), "--no-strength", "--games"
    told(*words, "60", "--search", "50")
    about = read_learned(file, ggp.load("tic_tac_toe")).about
    assert about["rates"]["search"] == 50
    assert "star1" in about["method"]
    assert told(*words, "60")["games"] >= 120
    with pytest.raises(BadArgument, match="--search 50"):
        run(*words, "60", "--search", "60")
    with pytest.raises(NotApplicable, match="several act at once"):
        run("train", "goofspiel", "-o", str(tmp_path / "g.estimate"), "--search", "50")


def test_a_search_plays_hidden_games_with_open_cards(tmp_path: Path) -> None:
    file, game = tmp_path / "k.estimate", ggp.load("kuhn_poker")
    told("train", game.name, "-o", str(file), "--no-strength", "--games", "300", "--search", "50")
    valued, found = native_with(game, str(file)), np.zeros(2)
    worth = {}
    for outcome, _ in game.initial().chance_outcomes():
        state = game.initial().apply_outcome(outcome)
        call_estimate(valued.functions.estimate, np.array(state.words, np.int64), 0, found, 0)
        worth[game.initial().outcome_text(outcome)] = found[0]
    assert worth["1 3"] < 0 < worth["3 1"]


def test_an_interrupt_saves_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from players.learning import training

    file, batches = tmp_path / "c.estimate", []
    play = training.Training.play_batch

    def interrupted(self: training.Training, share: float, ahead: bool) -> None:
        if len(batches) == 3:
            raise KeyboardInterrupt
        batches.append(1)
        play(self, share, ahead)

    monkeypatch.setattr(training.Training, "play_batch", interrupted)
    run("train", "tic_tac_toe", "-o", str(file))
    assert read_learned(file, ggp.load("tic_tac_toe")).about["games"] > 0


@pytest.mark.parametrize(("share", "best"), [(0.6, "ubfm"), (0.5, "star1")])
def test_the_player_that_reads_a_file_best_is_measured(
    share: float, best: str, trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    def met(game: Game, player: tuple[str, PlayerSpec], against: str, *_: Any) -> Strength:
        return Strength(player[0], against, 0.1, 4, share, (0.0, 1.0), (0.0, 0.0))

    monkeypatch.setattr(learned_strength, "_met", met)
    found = learned_strength.strength_of(ggp.load("tic_tac_toe"), str(trained("tic_tac_toe")), 60.0, 1)
    assert found is not None
    assert (found.player, found.against) == (best, "mcts")


def test_games_that_measure_a_file_begin_at_random_in_both_seatings_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    game, played, plays = ggp.load("connect_four"), learned_strength.play_game, list[tuple[str, ...]]()

    def kept(*given: Any) -> GameResult:
        states: list[State] = []
        result = played(*given, watch=states.append)
        plays.append(tuple(map(str, states[: 1 + 2 * learned_strength.OPENING])))
        return result

    monkeypatch.setattr(learned_strength, "play_game", kept)
    player = "star1", read_player("star1:think=0.1")
    assert learned_strength._met(game, player, "star1:think=0.1", 0.0, 1, 4, 0.01).games == 4
    assert plays[0] == plays[1] != plays[2] == plays[3]


@pytest.mark.parametrize(
    ("ends", "fewest", "most", "proven"),
    [
        pytest.param([1], 6, 20, True, id="won"),
        pytest.param([1, -1], 100, 100, False, id="even"),
        pytest.param([1, 0, 0, 0], 50, 90, True, id="many drawn"),
        pytest.param([-1, -1, 1], 10, 50, False, id="lost"),
    ],
)
def test_games_that_measure_a_file_end_when_they_tell_enough(
    ends: list[float], fewest: int, most: int, proven: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(_: Game, players: Sequence[Agent], number: int, *given: Any) -> GameResult:
        own, seat = ends[number % len(ends)], number % len(players)
        utilities = (own, -own) if seat == 0 else (-own, own)
        return GameResult(number, (seat, 1 - seat), utilities, (0, 0), 1, None)

    monkeypatch.setattr(learned_strength, "play_game", ended)
    game, player = ggp.load("tic_tac_toe"), ("star1", read_player("star1"))
    bounds = learned_strength.STRONGER_BOUNDS
    found = learned_strength._met(game, player, "mcts", 1000.0, 1, 100, 0.01, bounds)
    assert fewest <= found.games <= most
    assert (found.ci95[0] > 0.5) == proven
    assert learned_strength._met(game, player, "mcts", 1000.0, 1, 100, 0.01).games == 100


def test_a_strategy_is_not_measured_with_a_learned_estimate(trained: Trained) -> None:
    with pytest.raises(NotApplicable, match="leave out `estimate`"):
        run("exploit", "goofspiel", f"duct:estimate={trained('goofspiel')}", "-pn=3", "--iterations", "10")


def test_half_precision_is_nearly_the_same(tmp_path: Path) -> None:
    game, path = ggp.load("tic_tac_toe"), tmp_path / "t.estimate"
    training = new_training(game, 1)
    training.play_batch()
    write_learned(path, game, replace(training.learned()), small=True)
    found = read_learned(path, game)
    assert found.errors is None
    assert np.allclose(found.evaluation.weights, training.evaluation.weights, rtol=1e-3, atol=1e-6)


def test_open_searches_of_sampled_states_value_leaves_by_the_file(trained: Trained) -> None:
    game = ggp.load("kuhn_poker")
    for options, estimated in ((f"estimate={trained('kuhn_poker')}", 1), ("world=10", 0)):
        spec = read_player(f"pimc:{options}")
        search = spec.kind.hidden_family.make_hidden_search(spec.native(game), spec.settings)
        assert isinstance(search, WorldSampling)
        assert search._worlds._leaf.estimate == estimated


def test_the_kernels_of_players_with_a_file_are_compiled_before_a_match(trained: Trained) -> None:
    game = ggp.load("tic_tac_toe")
    for text, names in ((f"auto:estimate={trained('tic_tac_toe')}", {"mcts", "ubfm", "star1"}), ("auto", {"mcts"})):
        assert {spec.kind.name for spec in read_player(text).played([game])} == names
