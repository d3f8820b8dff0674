"""Order and narrow windows change no value; quiescence and late actions do what they are for."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.game.game import Game, State
from players.agents.candidate_trial import random_decisions
from players.search.star.star_search import StarSearch
from tests.support.library import game_of
from tests.support.searches import after, search_at, star_search

SOUND = "reduce=off,quiet=0"
OFF = f"order=off,window=off,{SOUND}"


def positions(game: Game, count: int) -> list[State]:
    """Return positions of random plays, some of them late."""
    found = []
    for play in range(count):
        states = list(random_decisions(game, seed_word(5, play)))
        found.append(states[len(states) * (play % 4) // 4])
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "parameters", "depth"),
    [
        ("chess", {}, 3),
        ("checkers", {}, 5),
        ("breakthrough", {"width": 5, "height": 5}, 5),
        ("connect_four", {"width": 5, "height": 4}, 6),
        ("kalah", {}, 5),
        ("quoridor", {"size": 5}, 3),
        ("amazons", {"size": 4}, 4),
    ],
)
def test_order_and_windows_change_no_value(name: str, parameters: dict[str, int], depth: int) -> None:
    game = ggp.load(name, **parameters)
    totals = np.zeros(4, np.int64)
    for state in positions(game, 8):
        players = [
            f"expectimax:depth={depth}",
            f"star1:depth={depth},{OFF}",
            f"star1:depth={depth},window=off,{SOUND}",
            f"star1:depth={depth},{SOUND}",
        ]
        searches = [star_search(game, player, state) for player in players]
        values = [[(found.low, found.high) for found in search.found] for search in searches]
        for other in values[1:]:
            assert np.array(other) == pytest.approx(np.array(values[0][: len(other)]), abs=1e-9)
        totals += [search.found[-1].visited for search in searches]
    assert (totals[1:] < totals[0]).all()


def test_order_windows_and_late_actions_save_most_states_of_chess() -> None:
    game = ggp.load("chess")
    visited = [
        star_search(game, f"star1:depth=5,{options}", game.initial()).found[-1].visited
        for options in (OFF, SOUND, "quiet=0")
    ]
    assert visited[2] < visited[1] < visited[0] / 2  # 50, 20 and 6 thousand


def chosen(game: Game, player: str, state: State) -> str:
    """Return the action that a search prefers."""
    search = star_search(game, player, state)
    (role,) = state.actors()
    actions, strategy = search.strategy(role)
    return game.action_text(int(actions[strategy.argmax()]))


def test_quiescence_sees_that_what_is_taken_is_guarded() -> None:
    game = ggp.load("chess")
    state = after(game, "e2 e4 pawn", "e7 e5 pawn", "d1 h5 queen", "b8 c6 knight")
    greedy = "h5 e5 queen"  # a pawn for the queen: the knight takes back
    assert chosen(game, "star1:depth=1,quiet=0", state) == greedy
    assert chosen(game, "star1:depth=1,quiet=4", state) != greedy
    quiet, none = (star_search(game, f"star1:depth=1,quiet={decisions}", state).value() for decisions in (4, 0))
    assert quiet < none


@pytest.mark.long
def test_quiescence_sees_it_too_where_having_the_turn_is_worth_something() -> None:
    # learned estimates are such: what every action gives away was taken for a loss, and hardly any for a gain
    rules = Path(str(files("rules"))).joinpath("chess.rules").read_text(encoding="utf-8")
    line = "estimate[p] = tanh((material(p) - material(other(p))) / 1000)"
    assert line in rules
    game = game_of(rules.replace(line, f"{line[:-1]} + (if turn == p then 0.3 else -0.3))"))
    state = after(game, "e2 e4 pawn", "e7 e5 pawn", "d1 h5 queen", "b8 c6 knight")
    assert chosen(game, "star1:depth=1,quiet=0", state) == "h5 e5 queen"
    assert chosen(game, "star1:depth=1,quiet=4", state) != "h5 e5 queen"


def test_a_mate_is_found_behind_late_actions() -> None:
    game = ggp.load("chess")
    state = after(game, "f2 f3 pawn", "e7 e5 pawn", "g2 g4 pawn")
    for options in ("depth=1", "depth=4"):
        search = star_search(game, f"star1:{options}", state)
        assert search.value() == 0.0
        assert chosen(game, f"star1:{options}", state) == "d8 h4 queen"


@pytest.mark.parametrize(("name", "states"), [("chess", 10_000), ("breakthrough", 3_000)])
def test_what_an_earlier_decision_left_in_the_table_does_not_end_the_search(name: str, states: int) -> None:
    # iterations that met nothing but entries of the last decision were taken for complete: most searches of a game of
    # chess stopped after two decisions
    game = ggp.load(name)
    state = game.initial()
    search = search_at(StarSearch, game.native(), "star1:table=8", state.words, seed=7)
    for _ in range(12):
        search.advance(0, np.array(state.words, np.int64))
        before = search.iterations
        search.run(states)
        assert search.iterations == before + states
        assert not search.settled
        (role,) = state.actors()
        actions, strategy = search.strategy(role)
        state = state.apply({role: int(actions[strategy.argmax()])})


def test_games_of_chance_are_searched_as_published() -> None:
    game = ggp.load("einstein")
    state = next(iter(random_decisions(game, 3)))
    one, other = (star_search(game, f"star1:depth=2{options}", state) for options in ("", f",{OFF}"))
    assert [found.visited for found in one.found] == [found.visited for found in other.found]


def test_the_same_position_by_another_way_is_looked_up() -> None:
    game = ggp.load("chess")
    ways = ("g1 f3 knight", "g8 f6 knight", "b1 c3 knight"), ("b1 c3 knight", "g8 f6 knight", "g1 f3 knight")
    found = []
    for way in ways:
        state = game.initial()
        for number, action in enumerate(way):
            state = state.apply({number % 2: state.parse_action(number % 2, action)})
        found.append(state)
    one, other = (np.array(state.words) for state in found)
    lasting = one.size - game.native().history_words
    assert (one[:lasting] == other[:lasting]).all()
    assert (one[lasting:] != other[lasting:]).any()
    search = search_at(StarSearch, game.native(), "star1:depth=2", found[0].words, seed=7)
    search.run(50_000_000)
    first = search.iterations
    search.advance(0, other)
    search.run(50_000_000)
    assert search.iterations - first < first / 2
    assert search.stack.beyond[0] > 0  # what was met before may end the game: nothing is proven
