"""OpenSpiel runs our games: its simulation tests on every library game, its algorithms; its measures are ours."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.errors import GgpError
from ggp.faults import IllegalAction
from ggp.solvers.sequence_form.best_responses import BadProbabilities, responses, uniform
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from ggp.solvers.sequence_form.unfolding import information_tree
from tests.support.library import SHORT
from tests.support.strategies import random_strategies

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import observation, policy, rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    cfr,
    expected_game_score,
    exploitability,
    get_all_states,
    ismcts,
    mcts,
)

from ggp.adapters import openspiel  # noqa: E402


@pytest.fixture(autouse=True, scope="module")
def registered() -> None:
    openspiel.register()


@pytest.mark.sweep
@pytest.mark.parametrize("name", ggp.games())
def test_every_library_game_passes_openspiels_simulation(name: str) -> None:
    more = "/".join(f"{key}:{value}" for key, value in SHORT.get(name, {}).items())
    game = pyspiel.load_game("ggp", {"game": name, "more": more})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
def test_parameters_are_those_of_the_rules(tmp_path: Path) -> None:
    game = pyspiel.load_game("ggp(game=tron,width=7,height=5)")
    assert game.game == ggp.load("tron", width=7, height=5)
    assert pyspiel.load_game(str(game)).game == game.game
    assert pyspiel.load_game("ggp(game=ra,more=goal:lead)").game == ggp.load("ra", goal="lead")
    assert pyspiel.load_game("ggp", {"game": "goofspiel", "n": 3, "bids": "hidden"}).game.parameters["bids"] == "hidden"
    rules = tmp_path / "count.rules"
    rules.write_text(
        """game adding "Count"
param most: 1..9 = 2
players one
state
    at: 0..9 = 0
phase add
    one chooses by in 1..most
    at := min({at + by, 9})
    next end if at >= most else add
payoff[p] = at
"""
    )
    own = pyspiel.load_game(f"ggp(game={rules},more=most:3)")
    assert own.game.parameters == {"most": "3"}
    pyspiel.random_sim_test(own, num_sims=2, serialize=True, verbose=False)


def test_a_game_in_which_nothing_can_be_won_passes_the_simulation() -> None:
    rules = 'game stub "Of one turn"\nplayers one\nphase go\n    one chooses by in 1..3\n    next end\npayoff[p] = 1\n'
    pyspiel.random_sim_test(openspiel.load_openspiel(ggp.load_text(rules)), num_sims=1, serialize=False, verbose=False)


def test_states_survive_serialisation_in_the_middle_of_a_round() -> None:
    game, rng = pyspiel.load_game("ggp(game=goofspiel,n=4)"), random.Random(1)
    state = game.new_initial_state()
    for _ in range(5):
        if state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(2)])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert again.history() == state.history()
    assert again.ours == state.ours
    assert [again.information_state_string(player) for player in range(2)] == [
        state.information_state_string(player) for player in range(2)
    ]


class Ours(policy.Policy):
    """Our strategies, `[S]`, found by the texts of information states."""

    def __init__(self, game: object, tree: SequenceFormTree, texts: dict[str, int], strategies: np.ndarray) -> None:
        super().__init__(game, list(range(2)))
        self.tree, self.texts, self.strategies = tree, texts, strategies

    def action_probabilities(self, state: object, player_id: int | None = None) -> dict[int, float]:
        # a game in turns writes the player before the information state
        text = state.information_state_string(state.current_player())
        number = self.texts[text.removeprefix(f"Current player: {state.current_player()}\n")]
        place = self.tree.sequences_at(number)
        pairs = zip(self.tree.action[place], self.strategies[place], strict=True)
        return {int(action): float(share) for action, share in pairs}


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice,faces=3", "goofspiel,n=3", "goofspiel,n=3,bids=hidden"])
def test_nash_conv_of_uniform_and_random_strategies_is_ours(name: str) -> None:
    """Each strategy is given to OpenSpiel by the text of the information state, and measured by both."""
    game = pyspiel.load_game(f"ggp(game={name})")
    turns = pyspiel.convert_to_turn_based(game) if game.get_type().dynamics.name == "SIMULTANEOUS" else game
    tree = information_tree(game.game.native())
    reader = InformationStateReader(game.game, tree)
    found = exploitability.nash_conv(turns, policy.UniformRandomPolicy(turns))
    assert found == pytest.approx(responses(tree, uniform(tree)).nash_conv, abs=1e-9)
    rng = np.random.default_rng(1)
    texts = {}
    for number in range(tree.information_states):
        known = reader.information_state(number)
        texts[f"{game.game.players[known.player]}: {known}"] = number
    for _ in range(10 if tree.information_states < 20 else 2):
        strategies = random_strategies(tree, rng)

        found = exploitability.nash_conv(turns, Ours(turns, tree, texts, strategies))
        assert found == pytest.approx(responses(tree, strategies).nash_conv, abs=1e-9)


@pytest.mark.long
def test_cfr_plus_finds_the_value_of_kuhn_poker() -> None:
    game = pyspiel.load_game("ggp(game=kuhn_poker)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.nash_conv(game, average) < 3e-3
    value = expected_game_score.policy_value(game.new_initial_state(), [average] * 2)[0]
    assert value == pytest.approx(-1 / 18, abs=2e-3)
    compiled = pyspiel.CFRPlusSolver(game)
    for _ in range(50):
        compiled.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, compiled.average_policy()) < 2e-2


def test_strategies_of_games_that_are_solved_by_their_states_go_to_openspiel() -> None:
    game = pyspiel.load_game("ggp(game=blotto,coins=3,in_turns=1)")
    assert game.num_distinct_actions() == 10 < game.game.num_actions
    table = openspiel.tabular_policy(ggp.solve(game.game).strategy)
    assert pyspiel.nash_conv(game, table) == pytest.approx(0.0, abs=1e-9)
    back = openspiel.strategy_of_policy(game, table)
    assert ggp.exploitability(game.game, back).nash_conv == pytest.approx(0.0, abs=1e-9)


def test_strategies_go_to_openspiel_and_back() -> None:
    game = pyspiel.load_game("ggp(game=kuhn_poker)")
    ours = ggp.solve(game.game).strategy
    table = openspiel.tabular_policy(ours)
    assert pyspiel.nash_conv(game, table) == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(openspiel.strategy_of_policy(game, table).probabilities, ours.probabilities)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    theirs = solver.average_policy()
    found = ggp.exploitability(game.game, openspiel.strategy_of_policy(game, theirs)).nash_conv
    assert found == pytest.approx(exploitability.nash_conv(game, theirs), abs=1e-9)


def test_policies_are_taken_back_by_the_game_that_they_are_for() -> None:
    game = ggp.load("goofspiel", n=2, bids="hidden")
    theirs = openspiel.load_openspiel(game)
    table = policy.TabularPolicy(theirs)
    table.action_probability_array *= [1.0, 2.0]
    table.action_probability_array /= table.action_probability_array.sum(axis=1, keepdims=True)
    found = openspiel.strategy_of_policy(game, table)
    assert (found.probabilities == openspiel.strategy_of_policy(theirs, table).probabilities).all()
    # those in C++ know no players who act at once, but information states
    compiled = openspiel.tabular_policy(found)
    np.testing.assert_allclose(openspiel.strategy_of_policy(game, compiled).probabilities, found.probabilities)
    with pytest.raises(BadProbabilities, match="nothing for the information state"):
        openspiel.strategy_of_policy(ggp.load("kuhn_poker"), table)
    with pytest.raises(ggp.GgpError, match="no game of ours"):
        openspiel.strategy_of_policy(pyspiel.load_game("kuhn_poker"), table)
    with pytest.raises(ggp.GgpError, match="dict has not"):
        openspiel.strategy_of_policy(game, {})


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "leduc_poker(suit_isomorphism=true)"])
def test_policies_of_games_of_openspiel_are_strategies_and_go_back(name: str) -> None:
    theirs = pyspiel.load_game(name)
    solver = cfr.CFRSolver(theirs)
    solver.evaluate_and_update_policy()
    game, average = ggp.load(f"openspiel:{name}"), solver.average_policy()
    strategy = openspiel.strategy_of_policy(game, average)
    expected = exploitability.nash_conv(theirs, average)
    assert ggp.exploitability(game, strategy).nash_conv == pytest.approx(expected, abs=1e-9)
    assert exploitability.nash_conv(theirs, openspiel.tabular_policy(strategy)) == pytest.approx(expected, abs=1e-9)


UNEVEN = """game uneven "Two of three bet at once, unseen, whatever the third knows"
players ann, bob, dealer
state
    card[player]: 1..3 = 1
    stays[player]: bool = no
    guessed: player = dealer
phase deal
    chance draws a in 1..3, b in 1..3
    card[ann] := a
    card[bob] := b
    sees ann: a
    sees bob: b
    next bet
phase bet
    each p in {ann, bob} chooses stay in bool
    stays[p] := stay[p] == yes                             for p in {ann, bob}
    sees nothing
    next guess
phase guess
    dealer chooses who in player
    guessed := who
    next end
payoff[p] = if p == dealer then card[guessed] else if stays[p] and guessed != p then card[p] - 1 else 0
"""


def test_players_who_act_at_once_choose_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "uneven.rules").write_text(UNEVEN)
    named = f"game={tmp_path / 'uneven.rules'}"
    at_once, turns = pyspiel.load_game(f"ggp({named})"), pyspiel.load_game(f"ggp({named},in_turns=1)")
    ours = ggp.exploitability(turns.game, None).nash_conv
    pyspiel.random_sim_test(turns, num_sims=3, serialize=True, verbose=False)
    # who passes must not be taken for who decides with the same knowledge
    for game in (turns, pyspiel.convert_to_turn_based(at_once)):
        assert pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)) == pytest.approx(ours, abs=1e-9)
    solver = cfr.CFRPlusSolver(turns)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    theirs = solver.average_policy()
    strategy = openspiel.strategy_of_policy(turns, theirs)
    found = exploitability.nash_conv(turns, theirs)
    assert ggp.exploitability(turns.game, strategy).nash_conv == pytest.approx(found, abs=1e-9)
    assert pyspiel.nash_conv(turns, openspiel.tabular_policy(strategy)) == pytest.approx(found, abs=1e-9)
    state = turns.new_initial_state()
    for action in (4, 0):
        state.apply_action(action)
    assert state.current_player() == 1
    drawn = [state.resample_from_infostate(1, random.Random(seed).random).history() for seed in range(20)]
    assert {one[1] for one in drawn} == {0, 1}


def test_information_state_tensors_differ_exactly_where_the_texts_do() -> None:
    game = pyspiel.load_game("ggp(game=liars_dice,faces=2)")
    tensors: dict[str, tuple[float, ...]] = {}
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            player = state.current_player()
            tensor = tuple(state.information_state_tensor(player))
            assert tensors.setdefault(state.information_state_string(player), tensor) == tensor
        waiting += [state.child(action) for action in state.legal_actions()]
    assert len(set(tensors.values())) == len(tensors) > 20


def test_searches_and_environments_of_openspiel_run() -> None:
    numbers = np.random.RandomState(1)
    tactics = pyspiel.load_game("ggp(game=tic_tac_toe)")
    state = tactics.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    rollouts = mcts.RandomRolloutEvaluator(1, numbers)
    assert mcts.MCTSBot(tactics, 2.0, 100, rollouts, random_state=numbers).step(state) == 2
    poker = pyspiel.load_game("ggp(game=poker)")
    state = poker.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = ismcts.ISMCTSBot(poker, mcts.RandomRolloutEvaluator(1, numbers), 5.0, 60, random_state=numbers)
    assert bot.step(state) in state.legal_actions()
    environment = rl_environment.Environment(pyspiel.load_game("ggp(game=kuhn_poker)"), seed=1)
    step = environment.reset()
    while not step.last():
        step = environment.step([step.observations["legal_actions"][step.current_player()][0]])
    assert sum(step.rewards) == 0


@pytest.mark.parametrize("name", ["kuhn_poker", "pig"])
def test_playthroughs_show_what_there_is_to_show(name: str) -> None:
    """Pig may go on for ever, so it has no tensors of information states."""
    # imports all of `scipy.stats`
    from open_spiel.python.algorithms import generate_playthrough

    text = generate_playthrough.playthrough(f"ggp(game={name})", None, seed=1)
    assert ("InformationStateTensor(0): " in text) == (name == "kuhn_poker")
    assert "ObservationTensor(0): " in text
    # not with what is told to one player in it
    assert "PublicObservationString" not in text
    game = pyspiel.load_game(f"ggp(game={name})")
    parts = pyspiel.PrivateInfoType
    for public, private in ((True, parts.NONE), (False, parts.SINGLE_PLAYER), (True, parts.ALL_PLAYERS)):
        wanted = pyspiel.IIGObservationType(public_info=public, perfect_recall=True, private_info=private)
        assert observation.make_observation(game, wanted) is None


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice", "phantom_tic_tac_toe", "love_letter"])
def test_resampled_states_cannot_be_told_apart(name: str) -> None:
    game, rng = pyspiel.load_game(f"ggp(game={name})"), random.Random(2)
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(rng.choice(state.legal_actions()))
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    player, others = state.current_player(), set()
    for _ in range(20):
        again = state.resample_from_infostate(player, rng.random)
        assert again.information_state_string(player) == state.information_state_string(player)
        assert again.current_player() == player
        assert again.legal_actions() == state.legal_actions()
        others.add(again.history_str())
    assert len(others) > 1


def test_actions_are_those_that_can_be_legal() -> None:
    game = pyspiel.load_game("ggp(game=checkers,width=4,height=4)")
    ours = game.game
    assert game.num_distinct_actions() == len(ours.possible_actions) < ours.num_actions
    state, same = game.new_initial_state(), ours.initial()
    while not state.is_terminal():
        player = state.current_player()
        texts = [state.action_to_string(player, action) for action in state.legal_actions()]
        assert texts == [str(action) for action in same.legal(player)]
        same = same.apply({player: same.legal(player)[-1]})
        state.apply_action(state.legal_actions()[-1])
    with pytest.raises(IllegalAction, match="no action"):
        game.new_initial_state().apply_action(game.num_distinct_actions())


def test_joint_actions_are_numbered_as_openspiel_numbers_them() -> None:
    game, theirs = pyspiel.load_game("ggp(game=rock_paper_scissors)"), pyspiel.load_game("matrix_rps")
    at_once = pyspiel.PlayerId.SIMULTANEOUS
    ours, state = game.new_initial_state(), theirs.new_initial_state()
    assert ours.legal_actions() == state.legal_actions() == list(range(9))
    for joint in ours.legal_actions():
        after, same = ours.child(joint), state.child(joint)
        assert after.returns() == same.returns()
        assert str(game.deserialize_state(after.serialize())) == str(after)
    assert [ours.action_to_string(at_once, joint) for joint in (1, 3)] == ["paper, rock", "rock, paper"]
    assert len(get_all_states.get_all_states(game, include_terminals=True)) == 10


def test_a_game_has_to_be_named() -> None:
    # tools that load a game again by its name alone would get another one
    with pytest.raises(GgpError, match="which game"):
        pyspiel.load_game("ggp")


def test_misuse_is_told() -> None:
    state = pyspiel.load_game("ggp(game=kuhn_poker)").new_initial_state()
    for action in (1, 0, 0):
        state.apply_action(action)
    assert state.is_terminal()
    with pytest.raises(IllegalAction, match="over"):
        state.apply_action(0)
    game: Any = ggp.load("kuhn_poker")
    with pytest.raises(TypeError, match="strategy_of"):
        openspiel.tabular_policy(game)
